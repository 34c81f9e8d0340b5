/** Sentences of the best passages as they stand, with the question's words and names in them. */
import { headingLevel } from '../chunk/lines.ts'
import type { PassageReader } from '../graph/passage_reader.ts'
import type { TextIndex } from '../graph/text_index.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'
import type { Question } from '../retrieve/question.ts'
import type { Label, Span } from '../types.ts'
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
  /** What stands over its parts, by offsets of the document. */
  readonly labels: readonly Label[]
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
  /** Its place among the passage's sentences, headings not counted. */
  readonly at: number
  /** Number of the passage's part that it stands in, from one heading to the next. */
  readonly section: number
  readonly start: number
  readonly end: number
  readonly text: string
  readonly mask: number
  /** Of the title, and of the headings and the table's header over it. */
  readonly titleMask: number
  readonly pairs: number
  readonly seedsHere: number
  readonly bridge: number
  readonly asked: readonly Span[]
  /** Names in it. */
  readonly names: ReadonlySet<number>
}

const buffer = new WordBuffer()

function maskOfText(text: string, terms: QuestionTerms, index: TextIndex): number {
  buffer.read(text, index.vocabulary, true)
  return terms.maskOf(buffer.ids, 0, buffer.length)
}

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
    const titleMask = maskOfText(passage.title, terms, index),
      above = passage.labels.map(
        ({ section, header }) => titleMask | maskOfText(`${section} ${header}`, terms, index),
      )
    let from = 0,
      section = -1,
      at = 0
    for (const { start, end } of reader.sentencesOf(passage.slot).slice(0, MOST_OF_PASSAGE)) {
      while (
        passage.labels[section + 1] &&
        passage.labels[section + 1]!.start <= passage.start + start
      )
        section++
      let to = from
      while (to < ids.length && starts[to]! < end) to++
      const names = new Set<number>(),
        asked: Span[] = []
      index.namesIn(ids.subarray(from, to), to - from, true, (name) => names.add(name))
      for (let i = from; i < to; i++)
        if (terms.maskOf(ids, i, i + 1) !== 0)
          asked.push({ start: starts[i]! - start, end: ends[i]! - start })
      const text = passage.text.slice(start, end)
      // a heading says of what the sentences under it are, and answers nothing
      if (!isHeading(text))
        raws.push({
          ...{ passage: p, at: at++, section, start, end, bridge, asked, names, text },
          titleMask: above[section] ?? titleMask,
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

/** Lines of Markdown's headings and nothing else. */
function isHeading(text: string): boolean {
  return (
    text.startsWith('#') &&
    text.split('\n').every((line) => {
      const level = headingLevel(line, 0, line.length)
      return line.trim() === '' || (level > 0 && level < 7 && /[ \t]/.test(line.charAt(level)))
    })
  )
}
