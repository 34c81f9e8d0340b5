/**
 * Seeds: the names that a question starts its walk from, and the gate, how far they are trusted.
 */
import type { TextIndex } from '../graph/text_index.ts'
import type { DocumentOf } from './bridges.ts'
import type { Question } from './question.ts'
import { passagesWithWords, rarityOf } from './question_names.ts'
import type { RankingWeights } from './weights.ts'

export interface Seed {
  readonly name: number
  /** Share of the restart distribution, in (0, 1]. */
  readonly weight: number
  readonly origin: 'question' | 'injected' | 'fuzzy'
}

/** Trust in the graph, in [0, 1]: for the first ranks, and for all after them. */
export interface Gates {
  readonly head: number
  readonly rest: number
}

/** Passages with a name; of a title asked for without a capital those with its rarest word. */
function passagesOf(name: number, plain: ReadonlySet<number>, index: TextIndex): number {
  return plain.has(name) ? passagesWithWords(name, index) : index.graph.documentFrequency(name)
}

/** Restart weights 1 / df, normalised. */
export function weighSeeds(
  injected: readonly number[],
  asked: readonly number[],
  fuzzy: readonly number[],
  plain: ReadonlySet<number>,
  index: TextIndex,
): Seed[] {
  const seeds: { name: number; weight: number; origin: Seed['origin'] }[] = []
  const seen = new Set<number>()
  const take = (names: readonly number[], origin: Seed['origin']): void => {
    for (const name of names) {
      const df = passagesOf(name, plain, index)
      if (df === 0 || seen.has(name)) continue
      seen.add(name)
      seeds.push({ name, weight: 1 / df, origin })
    }
  }
  take(injected, 'injected')
  take(asked, 'question')
  take(fuzzy, 'fuzzy')
  const total = seeds.reduce((sum, seed) => sum + seed.weight, 0)
  return seeds.map((seed) => ({ ...seed, weight: seed.weight / total }))
}

/**
 * The gate: the share of the question's idf mass that its names cover, each term counting as much
 * as its most trustworthy name: one that a document is about, and a rare one. So weak seeds cannot
 * harm questions that are not about names. It opens less in a corpus whose documents are no
 * articles about names, least for the first ranks.
 */
export function gatesOf(
  question: Question,
  names: readonly number[],
  plain: ReadonlySet<number>,
  index: TextIndex,
  weights: RankingWeights,
): Gates {
  if (question.idfSum === 0) return { head: 0, rest: 0 }
  const { graph, vocabulary, gazetteer, lexical } = index,
    trust = new Map<number, number>()
  for (const name of names) {
    const value =
      (graph.titled.length(name) > 0 ? 1 : weights.untitledTrust) *
      (weights.rarityTrust === 0 ? 1 : rarityOf(passagesOf(name, plain, index), index)) *
      (plain.has(name) ? weights.plainTrust : 1)
    for (const word of index.merges
      .members(name)
      .flatMap((spelt) => gazetteer.trie.wordsOf(spelt))) {
      const term = vocabulary.termOf(word)
      if (value > (trust.get(term) ?? 0)) trust.set(term, value)
    }
  }
  let covered = 0
  for (const term of question.terms) covered += lexical.idf(term) * (trust.get(term) ?? 0)
  const open = Math.min(1, (weights.gateScale * covered) / question.idfSum)
  const articles = articleShare(index, weights),
    damped = open * (weights.strangerGate + (1 - weights.strangerGate) * articles)
  const head = Math.max(0, (damped - weights.gateFrom) / (1 - weights.gateFrom))
  return { head, rest: Math.max(head, (1 - articles) * weights.restGate * open) }
}

/** 1 in a corpus of articles about named things, 0 where no document names its subject. */
export function articleShare(index: TextIndex, weights: RankingWeights): number {
  return Math.min(
    1,
    Math.max(
      0,
      (index.articles - weights.articlesFrom) / (weights.articlesTo - weights.articlesFrom),
    ),
  )
}

/** T: passages of documents about one of the names, 1 / sqrt(documents about the name). */
export function titleMatches(
  names: readonly number[],
  index: TextIndex,
  excludedMask: Uint8Array,
  documentOf: DocumentOf,
): Map<number, number> {
  const matches = new Map<number, number>(),
    { titled } = index.graph
  for (const name of names) {
    const slots = [
      ...titled.data.subarray(titled.offset(name), titled.offset(name) + titled.length(name)),
    ].filter((slot) => excludedMask[slot] === 0)
    const value = 1 / Math.sqrt(new Set(slots.map(documentOf)).size)
    for (const slot of slots) if (value > (matches.get(slot) ?? 0)) matches.set(slot, value)
  }
  return matches
}
