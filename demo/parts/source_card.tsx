/** Owns one ranked source. Refuses: more than two lines of it until it is opened. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Source } from '../../src/index.ts'
import type { Asking } from '../session/asking.ts'
import { excerptAround } from '../words/marks.ts'
import { MarkedText } from './marked_text.tsx'
import { ScoreBar } from './score_bar.tsx'

export interface SourceCardProps {
  readonly source: Source
  /** The best score of the answer: bars are drawn to one scale. */
  readonly best: number
  readonly packed: boolean
  /** Characters that two lines hold. */
  readonly room: number
  readonly asking: Asking
}

export function SourceCard({ source, best, packed, room, asking }: SourceCardProps): JSX.Element {
  const excerpt = useMemo(
    () => excerptAround(source.text, source.start, source.evidence, room),
    [source, room],
  )
  const title = source.title || source.documentId
  return (
    <li
      class="source"
      id={`source-${source.rank}`}
      tabIndex={-1}
      aria-label={`Source ${source.rank}: ${title}`}
    >
      <div class="source-head">
        <span class="number" aria-hidden="true">
          {source.rank}
        </span>
        <h4>
          {title}
          {source.passage > 0 && <span class="muted">, part {source.passage + 1}</span>}
        </h4>
        {packed && <span class="tag">in the context</span>}
      </div>
      <p class="excerpt">
        {excerpt.cutBefore && '… '}
        <MarkedText text={excerpt.text} base={excerpt.start} marks={source.evidence} />
        {excerpt.cutAfter && ' …'}
      </p>
      <ScoreBar contributions={source.contributions} score={source.score} best={best} />
      <div class="row tight">
        <button
          type="button"
          class="link small"
          aria-label={`Open ${title}`}
          onClick={() => {
            asking.openDocument(source.documentId, source.evidence[0]?.start ?? source.start)
          }}
        >
          Open
        </button>
        <button
          type="button"
          class="link small"
          aria-label={`Exclude ${title}`}
          onClick={() => void asking.exclude(source)}
        >
          Exclude
        </button>
        <button
          type="button"
          class="link small"
          aria-label={`Ask from here: start from the names of ${title}`}
          onClick={() => void asking.askFrom(source)}
        >
          Ask from here
        </button>
      </div>
    </li>
  )
}
