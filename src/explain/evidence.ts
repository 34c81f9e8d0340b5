/**
 * Spans of a passage that show why it answers: its best sentence, the question's names and words.
 */
import type { CorpusTable } from '../corpus/corpus_table.ts'
import type { TextIndex } from '../graph/text_index.ts'
import type { Question } from '../retrieve/question.ts'
import type { Evidence, Span } from '../types.ts'
import type { MentionReader } from './mentions.ts'

/** Spans shown of one passage; more would mark everything and so nothing. */
const MOST_SPANS = 24

interface Marked extends Span {
  readonly kind: 'name' | 'term'
  readonly weight: number
  /** What counts once in a sentence. */
  readonly key: number
}

/**
 * The best sentence first (most idf of the question's terms, a seed's name counting as a term; the
 * earlier of equals), then names and terms in reading order, without overlap. Offsets into the
 * document's text.
 */
export function evidenceOf(
  slot: number,
  question: Question,
  seeds: ReadonlySet<number>,
  index: TextIndex,
  table: CorpusTable,
  reader: MentionReader,
): Evidence[] {
  const { text } = table.entry(slot),
    spans = [
      ...namesIn(slot, seeds, reader),
      ...termsIn(slot, new Set(question.terms), index, table.span(slot).start, reader),
    ].sort((a, b) => a.start - b.start || b.end - a.end || (a.kind < b.kind ? -1 : 1))
  const best = bestSentence(reader.sentencesOf(slot), spans),
    out: Evidence[] = [
      {
        kind: 'sentence',
        start: best.start,
        end: best.end,
        text: text.slice(best.start, best.end),
      },
    ]
  let last = -1
  for (const { kind, start, end } of spans) {
    if (start < last || out.length > MOST_SPANS) continue
    last = end
    out.push({ kind, start, end, text: text.slice(start, end) })
  }
  return out
}

function namesIn(slot: number, seeds: ReadonlySet<number>, reader: MentionReader): Marked[] {
  return reader
    .of(slot)
    .filter(({ inTitle, heading, name }) => !inTitle && !heading && seeds.has(name))
    .map(({ start, end, name }) => ({ start, end, kind: 'name', weight: 0, key: -1 - name }))
}

function termsIn(
  slot: number,
  wanted: ReadonlySet<number>,
  { vocabulary, lexical }: TextIndex,
  offset: number,
  reader: MentionReader,
): Marked[] {
  const words = reader.wordsOf(slot),
    out: Marked[] = []
  for (let i = 0; i < words.ids.length; i++) {
    const id = words.ids[i]!,
      term = id < 0 ? -1 : vocabulary.termOf(id)
    if (term < 0 || !wanted.has(term)) continue
    out.push({
      start: words.starts[i]! + offset,
      end: words.ends[i]! + offset,
      kind: 'term',
      weight: lexical.idf(term),
      key: term,
    })
  }
  return out
}

/** The earliest of those whose distinct spans weigh most; spans are in reading order. */
function bestSentence(sentences: readonly Span[], spans: readonly Marked[]): Span {
  let best = sentences[0]!,
    most = -1,
    from = 0
  for (const sentence of sentences) {
    const seen = new Set<number>()
    let sum = 0
    while (from < spans.length && spans[from]!.start < sentence.start) from++
    for (; from < spans.length; from++) {
      const span = spans[from]!
      if (span.start >= sentence.end) break
      if (seen.has(span.key)) continue
      seen.add(span.key)
      sum += span.weight
    }
    if (sum > most + 1e-12) {
      most = sum
      best = sentence
    }
  }
  return best
}
