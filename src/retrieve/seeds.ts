/**
 * Seeds: the names that a question starts its walk from, and the gate, how far they are trusted.
 */
import { ln } from '../base/math.ts'
import type { TextIndex } from '../graph/text_index.ts'
import type { DocumentOf } from './bridges.ts'
import type { Question } from './question.ts'
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

/**
 * Names of the corpus in the question, longest match first. Where the question has capitals, one of
 * a name's words must carry one; where it has none (people type in lower case), a single word must
 * hardly ever be written small in the corpus.
 */
export function questionNames(
  question: Question,
  index: TextIndex,
): { readonly spelt: number[]; readonly fuzzy: number[] } {
  const { vocabulary, gazetteer, size } = index,
    { words, respelt } = question,
    spelt = new Set<number>(),
    fuzzy = new Set<number>()
  gazetteer.trie.read(words.ids, words.length, false, (name, from, to) => {
    if (index.passagesWith(name) === 0) return
    const ids = words.ids.subarray(from, to)
    if (ids.length === 1 && vocabulary.isStop(ids[0]!)) return
    const small = (word: number): number => vocabulary.smallCount(word)
    const ok = !question.typedSmall
      ? ids.some((word) => question.capitals.has(word))
      : ids.length === 1
        ? small(ids[0]!) <= Math.max(2, 0.0005 * size)
        : ids.some((word) => small(word) <= Math.max(1, 0.01 * size))
    if (ok)
      (respelt.some((at) => from <= at && at < to) ? fuzzy : spelt).add(
        index.merges.canonical(name),
      )
  })
  return { spelt: [...spelt], fuzzy: [...fuzzy] }
}

/** Restart weights 1 / df, normalised. */
export function weighSeeds(
  injected: readonly number[],
  asked: readonly number[],
  fuzzy: readonly number[],
  index: TextIndex,
): Seed[] {
  const seeds: { name: number; weight: number; origin: Seed['origin'] }[] = []
  const seen = new Set<number>()
  const take = (names: readonly number[], origin: Seed['origin']): void => {
    for (const name of names) {
      const df = index.graph.documentFrequency(name)
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
  index: TextIndex,
  weights: RankingWeights,
): Gates {
  if (question.idfSum === 0) return { head: 0, rest: 0 }
  const { graph, size, vocabulary, gazetteer, lexical } = index,
    whole = ln(1 + size),
    trust = new Map<number, number>()
  for (const name of names) {
    const rarity = ln(1 + size / Math.max(1, graph.documentFrequency(name))) / whole
    const value =
      (graph.titled.length(name) > 0 ? 1 : weights.untitledTrust) *
      (weights.rarityTrust === 0 ? 1 : rarity)
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
