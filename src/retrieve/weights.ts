/** Constants of the default ranking: one set for all corpora, fit on training questions only. */

export interface RankingWeights {
  /** Of the cosine and of the words. */
  readonly meaning: number
  readonly words: number
  /** The cosine's share of a passage without a vector, as a part of its words score. */
  readonly meaningFromWords: number
  /**
   * Share of meaning and words that an open gate gives up to the graph, in a corpus of articles.
   */
  readonly give: number
  /** Of the walk and of bridges, times the gate. */
  readonly graph: number
  readonly bridge: number
  /** Of documents about a name in the question, times the gate, in a corpus of articles. */
  readonly title: number
  /** Of bridges whatever the gate, in a corpus of articles. */
  readonly openBridge: number
  /**
   * gate = min(1, gateScale * trusted share of the question), times strangerGate in a corpus of no
   * articles.
   */
  readonly gateScale: number
  readonly strangerGate: number
  /** A gate below this stays shut: so little trust only shuffles near ties. */
  readonly gateFrom: number
  /**
   * In a corpus of no articles: how many first ranks the stricter gate decides, and the part of the
   * trusted share that opens the gate for the ranks after them.
   */
  readonly headRanks: number
  readonly restGate: number
  /**
   * Share of documents that name their subject from which a corpus counts as one of articles: a
   * little, and in full.
   */
  readonly articlesFrom: number
  readonly articlesTo: number
  /** Trust in a name that no document is about; 1 for the others. */
  readonly untitledTrust: number
  /** Trust in a title that the question names without a capital; 1 for the others. */
  readonly plainTrust: number
  /** Power of a name's rarity in the trust in it. */
  readonly rarityTrust: number
  /** Jump probability, epsilon of the push, decades of the logarithmic scale. */
  readonly alpha: number
  readonly epsilon: number
  readonly decades: number
  /**
   * Best passages that bridges start from; a bridge's worth without a new term, without a term in
   * its sentence, and to a passage about another name.
   */
  readonly bridgeFrom: number
  readonly bridgeFloor: number
  readonly bridgeSentence: number
  readonly bridgePlain: number
  /** A bridge's largest value is at least this before all are divided by it. */
  readonly bridgeScale: number
  /** A name is rare in at most this many passages, or this share of them. */
  readonly rarePassages: number
  readonly rareShare: number
  /** Whether misspelt names are read as the corpus spells them. */
  readonly nearNames: boolean
}

export const DEFAULT_WEIGHTS: RankingWeights = {
  meaning: 0.5,
  words: 0.37,
  meaningFromWords: 0.86,
  give: 0.7,
  graph: 0.7,
  title: 0.4,
  bridge: 0.5,
  openBridge: 0.3,
  gateScale: 2,
  strangerGate: 0.4,
  gateFrom: 0.1,
  headRanks: 2,
  restGate: 0.4,
  articlesFrom: 0.25,
  articlesTo: 0.5,
  untitledTrust: 0.6,
  plainTrust: 0.4,
  rarityTrust: 1,
  alpha: 0.3,
  epsilon: 6e-6,
  decades: 4,
  bridgeFrom: 8,
  bridgeFloor: 0.3,
  bridgeSentence: 0.25,
  bridgePlain: 0.5,
  bridgeScale: 0.3,
  rarePassages: 50,
  rareShare: 0.005,
  nearNames: true,
}

/** Words and meaning alone: the baseline of the graph. */
export const HYBRID_WEIGHTS: RankingWeights = {
  ...DEFAULT_WEIGHTS,
  give: 0,
  graph: 0,
  title: 0,
  bridge: 0,
  openBridge: 0,
}

export const DENSE_WEIGHTS: RankingWeights = {
  ...HYBRID_WEIGHTS,
  meaning: 1,
  words: 0,
  meaningFromWords: 0,
}

/** For an embedder whose cosine counts `trust` times as much as all-MiniLM-L6-v2's. */
export function trusting(weights: RankingWeights, trust: number): RankingWeights {
  return trust === 1 ? weights : { ...weights, meaning: weights.meaning * trust }
}
