/**
 * The one place where the page reads the short answer of `retrieve`, until every engine it can
 * meet gives one.
 */
import type { RetrieveOptions, RetrieveResult, Span } from '../../src/index.ts'

export interface Quote extends Span {
  readonly documentId: string
  readonly title: string
  readonly page?: number
  readonly text: string
  /** Offsets into the document's text. */
  readonly highlight: Span
}

export interface Answer {
  readonly state: 'found' | 'unsure' | 'none'
  readonly confidence: number
  readonly quotes: readonly Quote[]
}

/** What was said before, oldest first. */
export type History = readonly (string | { readonly role: string; readonly content: string })[]

export type AskOptions = RetrieveOptions & { readonly history?: History }

/**
 * Whether the engine that gave an answer takes `history`: one that does says how it read the
 * question, and one that does not rejects the option.
 */
export function takesHistory(result: RetrieveResult | null | undefined): boolean {
  return result !== null && result !== undefined && 'question' in result.debug
}

type Answered = RetrieveResult & { readonly answer?: Answer }

/** The short answer; the best sentences of the first sources where the engine gives none. */
export function answerOf(result: RetrieveResult): Answer {
  return (result as Answered).answer ?? nearest(result)
}

/** The question as it was read, where that is not as it was asked. */
export function readQuestion(result: RetrieveResult, asked: string): string | null {
  const { question } = result.debug as { readonly question?: string }
  return question === undefined || question === asked ? null : question
}

function nearest({ sources, debug }: RetrieveResult): Answer {
  const quotes = sources.slice(0, 3).flatMap((source): Quote[] => {
    const sentence = source.evidence.find(({ kind }) => kind === 'sentence')
    return sentence === undefined
      ? []
      : [
          {
            documentId: source.documentId,
            title: source.title,
            start: sentence.start,
            end: sentence.end,
            text: sentence.text,
            highlight: { start: sentence.start, end: sentence.end },
          },
        ]
  })
  const best = sources[0]?.score ?? 0
  const state = best <= 0 ? 'none' : debug.seeds.length === 0 ? 'unsure' : 'found'
  return { state, confidence: state === 'found' ? 0.7 : 0.3, quotes }
}
