/** Sentences of the best passages as they stand, with the question's words and names in them. */
import type { PassageReader } from '../graph/passage_reader.ts'
import type { TextIndex } from '../graph/text_index.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'
import type { Question } from '../retrieve/question.ts'
import type { Span } from '../types.ts'
import type { QuestionKind } from './question_kind.ts'
import type { QuestionTerms } from './question_terms.ts'

/** A ranked passage, best first. */
export interface AnswerPassage {
  readonly slot: number
  readonly score: number
  readonly cosine: number | null
  readonly documentId: string
  readonly title: string
  /** Text of the passage, which begins at `start` of its document. */
  readonly text: string
  readonly start: number
}

export interface SentenceRequest {
  readonly question: Question
  readonly kind: QuestionKind
  readonly seeds: ReadonlySet<number>
  readonly passages: readonly AnswerPassage[]
  readonly terms: QuestionTerms
  readonly index: TextIndex
  readonly reader: PassageReader
}

/** Sentences of one passage that are looked at: one that was never cut may have any number. */
const MOST_OF_PASSAGE = 64
/** Passages whose names lead to others. */
const LEADING = 4

export interface RawSentence {
  readonly passage: number
  readonly at: number
  readonly start: number
  readonly end: number
  readonly text: string
  readonly mask: number
  readonly titleMask: number
  readonly pairs: number
  readonly seedsHere: number
  readonly bridge: number
  readonly asked: readonly Span[]
  /** Names in it. */
  readonly names: ReadonlySet<number>
}

const title = new WordBuffer()

export function rawSentences({
  seeds,
  passages,
  terms,
  index,
  reader,
}: SentenceRequest): RawSentence[] {
  const raws: RawSentence[] = []
  // Names of the best passages' sentences: a passage about one of them is led to.
  const ledTo = new Map<number, number>()
  passages.forEach((passage, p) => {
    const { ids, starts, ends } = reader.wordsOf(passage.slot),
      bridge = ledTo.get(index.aboutOf(passage.slot)) ?? 0
    title.read(passage.title, index.vocabulary, true)
    const titleMask = terms.maskOf(title.ids, 0, title.length)
    let from = 0
    for (const [at, { start, end }] of reader
      .sentencesOf(passage.slot)
      .slice(0, MOST_OF_PASSAGE)
      .entries()) {
      let to = from
      while (to < ids.length && starts[to]! < end) to++
      const names = new Set<number>(),
        asked: Span[] = []
      index.namesIn(ids.subarray(from, to), to - from, true, (name) => names.add(name))
      for (let i = from; i < to; i++)
        if (terms.maskOf(ids, i, i + 1) !== 0)
          asked.push({ start: starts[i]! - start, end: ends[i]! - start })
      raws.push({
        ...{ passage: p, at, start, end, titleMask, bridge, asked, names },
        text: passage.text.slice(start, end),
        mask: terms.maskOf(ids, from, to),
        pairs: terms.pairs(ids, from, to),
        seedsHere: [...names].filter((name) => seeds.has(name)).length,
      })
      from = to
      if (p < LEADING)
        for (const name of names)
          if (!seeds.has(name)) ledTo.set(name, Math.max(ledTo.get(name) ?? 0, 1 / (1 + p)))
    }
  })
  return raws
}
