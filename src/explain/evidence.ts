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
  const text = table.entry(slot).text,
    { start: offset } = table.span(slot)
  const words = reader.wordsOf(slot),
    wanted = new Set(question.terms)
  const spans: (Span & { kind: 'name' | 'term'; weight: number; key: number })[] = []
  for (const mention of reader.of(slot)) {
    if (!mention.inTitle && !mention.heading && seeds.has(mention.name))
      spans.push({
        start: mention.start,
        end: mention.end,
        kind: 'name',
        weight: 0,
        key: -1 - mention.name,
      })
  }
  for (let i = 0; i < words.ids.length; i++) {
    const id = words.ids[i]!,
      term = id < 0 ? -1 : index.vocabulary.termOf(id)
    if (term < 0 || !wanted.has(term)) continue
    spans.push({
      start: words.starts[i]! + offset,
      end: words.ends[i]! + offset,
      kind: 'term',
      weight: index.lexical.idf(term),
      key: term,
    })
  }
  spans.sort((a, b) => a.start - b.start || b.end - a.end || (a.kind < b.kind ? -1 : 1))

  let best = reader.sentencesOf(slot)[0]!,
    most = -1,
    from = 0
  for (const sentence of reader.sentencesOf(slot)) {
    const seen = new Set<number>()
    let sum = 0
    while (from < spans.length && spans[from]!.start < sentence.start) from++
    for (; from < spans.length; from++) {
      const span = spans[from] as (typeof spans)[number]
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
  const out: Evidence[] = [
    { kind: 'sentence', start: best.start, end: best.end, text: text.slice(best.start, best.end) },
  ]
  let last = -1
  for (const span of spans) {
    if (span.start < last || out.length > MOST_SPANS) continue
    last = span.end
    out.push({
      kind: span.kind,
      start: span.start,
      end: span.end,
      text: text.slice(span.start, span.end),
    })
  }
  return out
}
