/** Owns which names a question starts its walk from, and how far they may be trusted. Refuses: the walk itself. */
import type { TextIndex } from '../graph/text_index.ts'
import type { Question } from './question.ts'
import type { RankingWeights } from './weights.ts'

export interface Seed {
  readonly name: number
  /** Share of the restart, adding up to 1 over all seeds. */
  readonly weight: number
  readonly origin: 'question' | 'injected' | 'fuzzy'
}

/**
 * Names of the corpus in the question, longest first from left to right. Where the question has capitals, one of a name's words must
 * carry one; where it has none (people type in lower case), a single word must hardly ever be written small in the corpus.
 */
export function questionNames(question: Question, index: TextIndex): number[] {
  const { vocabulary, gazetteer, graph, size } = index, { words } = question, out = new Set<number>()
  gazetteer.trie.read(words.ids, words.length, false, (name, from, to) => {
    if (graph.documentFrequency(name) === 0) return
    const ids = words.ids.subarray(from, to)
    if (ids.length === 1 && vocabulary.isStop(ids[0] as number)) return
    const small = (word: number): number => vocabulary.smallCount(word)
    const ok = !question.typedSmall ? ids.some((word) => question.capitals.has(word))
      : ids.length === 1 ? small(ids[0] as number) <= Math.max(2, 0.0005 * size)
        : ids.some((word) => small(word) <= Math.max(1, 0.02 * size))
    if (ok) out.add(name)
  })
  return [...out]
}

/** Restart weights 1 / df, normalised; injected names come first and count like the others. */
export function weighSeeds(injected: readonly number[], asked: readonly number[], index: TextIndex): Seed[] {
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
  const total = seeds.reduce((sum, seed) => sum + seed.weight, 0)
  return seeds.map((seed) => ({ ...seed, weight: seed.weight / total }))
}

/**
 * How sure the graph may be of its start, in [0, 1]: the share of the question's idf mass that the names cover, names that title a
 * document counting for more. Weak seeds so cannot harm questions that are not about names.
 */
export function gateOf(question: Question, names: readonly number[], index: TextIndex, weights: RankingWeights): number {
  if (question.idfSum === 0) return 0
  const share = (of: readonly number[]): number => {
    const covered = new Set<number>()
    for (const name of of) for (const word of index.gazetteer.trie.wordsOf(name)) covered.add(index.vocabulary.termOf(word))
    let sum = 0
    for (const term of question.terms) if (covered.has(term)) sum += index.lexical.idf(term)
    return sum / question.idfSum
  }
  const titled = names.filter((name) => index.gazetteer.isTitle(name))
  return Math.min(1, weights.gateScale * ((1 - weights.titledShare) * share(names) + weights.titledShare * share(titled)))
}
