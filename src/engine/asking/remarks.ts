/** What an answer says of itself: warnings, and why it has no path. */
import type { Corpus } from '../../corpus/corpus.ts'
import type { Ranking } from '../../retrieve/rank.ts'
import type { SettledQuery } from '../../retrieve/request.ts'
import type { Answer } from '../../types.ts'
import type { Vectorizer } from '../vectorizer.ts'

const UNREAD_QUESTION =
  'Ranked by names and words only: the model cannot read the script of the question.'

export interface Remarked {
  readonly settled: SettledQuery
  readonly ranking: Ranking
  /** The full tier. */
  readonly full: boolean
  readonly corpus: Corpus
  readonly vectorizer: Vectorizer | null
  /** Whether the model reads the question's script. */
  readonly isRead: boolean
}

export function remarksOn({
  settled,
  ranking,
  full,
  corpus,
  vectorizer,
  isRead,
}: Remarked): string[] {
  const out: string[] = []
  if (corpus.table.passages === 0) out.push('The corpus is empty.')
  else if (ranking.ranked.length === 0) out.push('Every document is excluded or filtered out.')
  else if (ranking.question.terms.length === 0 && !full)
    out.push(
      'No word of the question tells documents of this corpus apart; the order is that of the ids.',
    )
  if (ranking.question.respelt.length > 0)
    out.push(
      `Read as the corpus spells it: ${ranking.question.respelt
        .map((at) => corpus.text.vocabulary.word(ranking.question.words.ids[at]!))
        .join(', ')}.`,
    )
  if (full && corpus.passagesWithVectors < corpus.table.passages)
    out.push(
      `${corpus.passagesWithVectors} of ${corpus.table.passages} passages have a vector yet; ` +
        'the others are ranked by their words.',
    )
  if (settled.tier !== 'text' && !full && !isRead) out.push(UNREAD_QUESTION)
  else if (settled.tier === 'auto' && !full && vectorizer)
    out.push(
      vectorizer.error
        ? `Ranked by names and words only: ${vectorizer.error.message}`
        : 'Ranked by names and words only: meaning is not ready yet.',
    )
  if (settled.queryVector && !full && settled.tier !== 'text')
    out.push('The queryVector was left aside: the corpus has no vectors to compare it with.')
  if (ranking.walk?.capped) out.push('The walk was cut at its work limit.')
  if (!corpus.text.settled)
    out.push('Names of new documents are still being looked up in older ones.')
  return out
}

export function whyNoPath(state: Answer['state'], paths: number, seeds: number): string | null {
  if (state === 'none') return 'The documents hold no answer that a path could lead to.'
  if (paths > 0) return null
  return seeds === 0
    ? 'No name of the question is known here, and no name joins the passages that answer best.'
    : 'No name of the question stands in the passages that answer best.'
}
