/** One ranked source: two lines of it, and what its score is made of. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Source } from '../../../src/index.ts'
import type { Asking } from '../../session/asking.ts'
import { excerptAround } from '../../words/marks.ts'
import { words } from '../../words/words.ts'
import { MarkedText } from '../marked_text.tsx'
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
  const title = source.title === '' ? source.documentId : source.title,
    t = words().why
  return (
    <li
      class="source"
      id={`source-${source.rank}`}
      tabIndex={-1}
      aria-label={t.source(source.rank, title)}
    >
      <div class="source-head">
        <span class="number" aria-hidden="true">
          {source.rank}
        </span>
        <h4>
          {title}
          {source.passage > 0 && <span class="muted">{t.partOf(source.passage + 1)}</span>}
        </h4>
        {packed && <span class="tag">{t.inContext}</span>}
      </div>
      <p class="excerpt" dir="auto">
        {excerpt.cutBefore && '… '}
        <MarkedText text={excerpt.text} base={excerpt.start} marks={source.evidence} />
        {excerpt.cutAfter && ' …'}
      </p>
      <ScoreBar contributions={source.contributions} score={source.score} best={best} />
      <Links source={source} title={title} asking={asking} />
    </li>
  )
}

function Links({
  source,
  title,
  asking,
}: Pick<SourceCardProps, 'source' | 'asking'> & { readonly title: string }): JSX.Element {
  const t = words().why
  return (
    <div class="row tight">
      <button
        type="button"
        class="link small"
        aria-label={t.openTitle(title)}
        onClick={() => {
          asking.openDocument(source.documentId, source.evidence[0]?.start ?? source.start)
        }}
      >
        {t.open}
      </button>
      <button
        type="button"
        class="link small"
        aria-label={t.excludeTitle(title)}
        onClick={() => void asking.exclude(source)}
      >
        {t.exclude}
      </button>
      <button
        type="button"
        class="link small"
        aria-label={t.askFromTitle(title)}
        onClick={() => void asking.askFrom(source)}
      >
        {t.askFrom}
      </button>
    </div>
  )
}
