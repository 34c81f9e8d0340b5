/** Owns the constants of the default ranking: one set for all corpora, fit on training questions only. Refuses: code. */

export interface RankingWeights {
  /** Of the cosine, the words, the walk, linked titles and bridges. */
  readonly meaning: number
  readonly words: number
  readonly graph: number
  readonly linkedTitle: number
  readonly bridge: number
  /** Of the words where no vector takes part. */
  readonly wordsAlone: number
  /** What the cosine's share of a passage without a vector is taken to be, as a part of its words score. */
  readonly meaningFromWords: number
  /** gate = min(1, gateScale * coverage of the question by its names). */
  readonly gateScale: number
  /** Of names that title a document, in the coverage; the rest is of all names. */
  readonly titledShare: number
  /** Jump probability, epsilon of the push, decades of the logarithmic scale. */
  readonly alpha: number
  readonly epsilon: number
  readonly decades: number
  /** Best passages that linked titles and bridges start from. */
  readonly linkFrom: number
  readonly bridgeFrom: number
  readonly bridgeFloor: number
}

export const DEFAULT_WEIGHTS: RankingWeights = {
  meaning: 0.5, words: 0.37, graph: 0.6, linkedTitle: 0.35, bridge: 0.25,
  wordsAlone: 0.8, meaningFromWords: 0.86,
  gateScale: 1.5, titledShare: 0.6,
  alpha: 0.3, epsilon: 3e-6, decades: 4,
  linkFrom: 8, bridgeFrom: 5, bridgeFloor: 0.3,
}

/** Words and meaning alone: what the graph is measured against. */
export const HYBRID_WEIGHTS: RankingWeights = { ...DEFAULT_WEIGHTS, graph: 0, linkedTitle: 0, bridge: 0 }
