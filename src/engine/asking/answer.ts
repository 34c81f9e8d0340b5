/** Turns a ranking into sources and reasoning: text, spans, labels. */
import {
  ANSWER_PASSAGES,
  answerShares,
  scoreSentences,
  type ScoredSentences,
} from '../../sentences/scores.ts'
import type { Corpus } from '../../corpus/corpus.ts'
import type { CorpusTable } from '../../corpus/corpus_table.ts'
import { evidenceOf } from '../../explain/evidence.ts'
import { labelOf } from '../../explain/labels.ts'
import type { MentionReader } from '../../explain/mentions.ts'
import type { PassageReader } from '../../graph/passage_reader.ts'
import { explainRoutes } from '../../explain/reasoning.ts'
import { findRoutes } from '../../explain/routes.ts'
import { ShownNames } from '../../explain/shown_names.ts'
import { StatedRelations } from '../../explain/stated_relations.ts'
import { roundScore } from '../../base/math.ts'
import type { PackCandidate } from '../../pack/candidates.ts'
import type { Place, ReasoningPath, SeedReport, Source } from '../../types.ts'
import type { RankedSlot, Ranking } from '../../retrieve/rank.ts'

/** Paths shown of one answer, as hubmesh shows at most five. */
export const MOST_PATHS = 5

export function sourcesOf(
  ranked: readonly RankedSlot[],
  ranking: Ranking,
  corpus: Corpus,
  reader: MentionReader,
): Source[] {
  const { table } = corpus,
    seeds = new Set(ranking.seeds.map((seed) => seed.name))
  return ranked.map(({ slot, score, cosine, contributions }, i): Source => {
    const entry = table.entry(slot),
      span = table.span(slot)
    return {
      rank: i + 1,
      documentId: entry.id,
      title: entry.title,
      passage: table.passage(slot),
      ...table.placeAt(slot, span.start),
      ...span,
      text: entry.text.slice(span.start, span.end),
      score,
      cosine: cosine === null ? null : roundScore(cosine),
      contributions,
      evidence: evidenceOf(slot, ranking.question, seeds, corpus.text, table, reader),
      metadata: entry.metadata,
      ...labelled(slot, table),
    }
  })
}

/**
 * What may be packed: the ranked passages, as far down as they were asked for, and others in place
 * of copies.
 */
export function candidatesOf(
  { ranked, spare = [] }: Ranking,
  { table }: Corpus,
  reader: PassageReader,
): PackCandidate[] {
  return [...ranked, ...spare].map(({ slot, score }, i) => {
    const { id, title, text } = table.entry(slot),
      span = table.span(slot)
    return {
      rank: i + 1,
      documentId: id,
      title,
      passage: table.passage(slot),
      ...span,
      text: text.slice(span.start, span.end),
      score,
      ...labelled(slot, table),
      sentences: reader.knownSentences(slot),
    }
  })
}

function labelled(slot: number, table: CorpusTable): Pick<Source, 'labels'> {
  const labels = table.labels(slot)
  return labels.length === 0 ? {} : { labels }
}

/** The short answer as far as words tell. */
export function draftOf(
  ranking: Ranking,
  { table, text }: Corpus,
  reader: PassageReader,
): ScoredSentences {
  return scoreSentences({
    question: ranking.question,
    seeds: new Set(ranking.seeds.map(({ name }) => name)),
    passages: ranking.ranked.slice(0, ANSWER_PASSAGES).map(({ slot, score, cosine }) => {
      const { id, title, text: document } = table.entry(slot),
        { start, end } = table.span(slot)
      return {
        ...{ slot, score, cosine, title, start, labels: table.labels(slot) },
        documentId: id,
        text: document.slice(start, end),
      }
    }),
    index: text,
    reader,
  })
}

export function reasoningOf(
  ranking: Ranking,
  draft: ScoredSentences,
  corpus: Corpus,
  reader: MentionReader,
): ReasoningPath[] {
  const routes = findRoutes({
    ...ranking,
    answers: answerShares(draft),
    index: corpus.text,
    reader: reader.passages,
    same: corpus.table.same,
    most: MOST_PATHS,
  })
  return explainRoutes(routes, corpus.text, corpus.table, reader, new StatedRelations(corpus))
}

/** Blocks and quotes with the place of their first character. */
export function placed<T extends { readonly documentId: string }>(
  items: readonly T[],
  startOf: (item: T) => number,
  { table }: Corpus,
): (T & Place)[] {
  return items.map((item) => {
    const slot = table.get(item.documentId)?.slots[0]
    return slot === undefined ? item : { ...item, ...table.placeAt(slot, startOf(item)) }
  })
}

export function seedReports(ranking: Ranking, corpus: Corpus, reader: MentionReader): SeedReport[] {
  const { text, table } = corpus,
    shown = new ShownNames(text, table)
  // what was given is shown whatever it is
  const seeds = ranking.seeds.filter(
    ({ name, origin }) => origin === 'injected' || shown.isShown(name),
  )
  return seeds.map(({ name, weight, origin }) => ({
    name: text.nameText(name),
    label: labelOf(name, text, table, reader),
    passages: text.graph.documentFrequency(name),
    origin,
    weight: roundScore(weight),
  }))
}
