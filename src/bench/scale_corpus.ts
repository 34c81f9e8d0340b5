/**
 * Corpora of any size for measuring: question sets laid together, and a larger one made of their
 * sentences. The same sets and seed give the same passages.
 */
import { sentenceSpans } from '../chunk/sentence_spans.ts'
import { seededRandom } from '../vector/seeded_vectors.ts'
import type { BenchPassage, Dataset } from './dataset.ts'

const ORDER_SEED = 5,
  PAIR_SEED = 7

/**
 * All passages of all sets with ids `set/id`, in a seeded order: the first n are a sample of the
 * whole.
 */
export function unite(sets: readonly Dataset[]): BenchPassage[] {
  const all = sets.flatMap(({ name, passages }) =>
    passages.map((passage) => ({ ...passage, id: `${name}/${passage.id}` })),
  )
  return shuffled(all, ORDER_SEED)
}

/**
 * `count` further passages: each takes every other sentence from one passage and those between from
 * another of the same set; its title is half of each. Names, words and lengths are those of the
 * set; who is named beside whom is new.
 */
export function repair(passages: readonly BenchPassage[], count: number): BenchPassage[] {
  const random = seededRandom(PAIR_SEED),
    bySet = new Map<string, BenchPassage[]>()
  for (const passage of passages) {
    const set = passage.id.slice(0, passage.id.indexOf('/')),
      known = bySet.get(set)
    if (known) known.push(passage)
    else bySet.set(set, [passage])
  }
  return Array.from({ length: count }, (_, i) => {
    const one = passages[i % passages.length]!,
      set = one.id.slice(0, one.id.indexOf('/'))
    const own = bySet.get(set)!,
      other = own[Math.floor(random() * own.length)]!
    const ours = sentencesOf(one.text),
      theirs = sentencesOf(other.text)
    const text = ours
      .map((sentence, at) => (at % 2 === 0 ? sentence : theirs[at % theirs.length]!))
      .join(' ')
    return { id: `${set}/paired/${i}`, title: pairedTitle(one.title, other.title), text }
  })
}

export function corpusOfSize(united: readonly BenchPassage[], size: number): BenchPassage[] {
  return size <= united.length
    ? united.slice(0, size)
    : [...united, ...repair(united, size - united.length)]
}

/** `count` questions, as evenly from all sets as they have them, in a seeded order. */
export function questionsOf(sets: readonly Dataset[], count: number): string[] {
  const lists = sets.map(({ questions }, i) =>
      shuffled(
        questions.map(({ question }) => question),
        ORDER_SEED + i,
      ),
    ),
    out: string[] = []
  for (let round = 0; out.length < count && lists.some((list) => round < list.length); round++) {
    for (const list of lists) {
      const question = list[round]
      if (question !== undefined && out.length < count) out.push(question)
    }
  }
  return out
}

function sentencesOf(text: string): string[] {
  const sentences = sentenceSpans(text).map(({ start, end }) => text.slice(start, end))
  return sentences.length > 0 ? sentences : [text]
}

function pairedTitle(one: string, other: string): string {
  const first = one.split(' '),
    second = other.split(' ')
  return [
    ...first.slice(0, Math.ceil(first.length / 2)),
    ...second.slice(Math.ceil(second.length / 2)),
  ].join(' ')
}

/** Fisher-Yates by seeded numbers. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = seededRandom(seed),
    out = [...items]
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1)),
      item = out[i]!
    out[i] = out[j]!
    out[j] = item
  }
  return out
}
