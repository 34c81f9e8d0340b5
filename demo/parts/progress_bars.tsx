/**
 * Owns the two bars: searchable and vectors. Refuses: one bar that mixes them, since asking needs
 * only the first.
 */
import type { JSX } from 'preact'
import type { Corpora } from '../session/corpora.ts'
import type { State } from '../session/state.ts'
import { counted, grouped, percent, timeLeft } from '../words/format.ts'
import { problemOfCode } from '../words/problems.ts'
import { addedPercent, progressFigures, vectorWords } from '../words/states.ts'
import { Hint } from './hint.tsx'
import { ProblemNotice } from './notice.tsx'

export function ProgressBars({
  state,
  corpora,
}: {
  readonly state: State
  readonly corpora: Corpora
}): JSX.Element {
  const { status, adding } = state
  return (
    <div class="bars">
      <Searchable
        state={state}
        cancel={() => {
          corpora.cancel()
        }}
      />
      {status && status.passages > 0 && <Vectors status={status} corpora={corpora} />}
      {!status && !adding && state.corpus !== null && (
        <p class="small muted">
          {state.deleting === state.corpus ? 'Deleting it.' : 'Opening it.'}
        </p>
      )}
      {status && status.passages === 0 && !adding && (
        <p class="small muted">Empty so far. Drop documents above.</p>
      )}
    </div>
  )
}

const PHASES = {
  fetching: 'Fetching',
  reading: 'Reading',
  text: 'Finding names and words',
  saving: 'Saving',
  vectors: 'Making vectors',
} as const

function Searchable({
  state,
  cancel,
}: {
  readonly state: State
  readonly cancel: () => void
}): JSX.Element | null {
  const { status, adding } = state
  if (adding) {
    const { progress } = adding
    const value = progress ? addedPercent(progress) : 0
    const words = progress
      ? `${PHASES[progress.phase]}: ` +
        `${progressFigures(progress)}${progress.secondsLeft !== null && progress.secondsLeft >= 1 ? `, ${timeLeft(progress.secondsLeft)} left` : ''}`
      : `Opening ${adding.label}`
    const more = state.waiting > 0 ? `; ${counted(state.waiting, 'more addition')} after it` : ''
    return (
      <Bar label="Searchable" value={value} figures={`${value}%`} words={words + more}>
        <button type="button" class="small-button" disabled={adding.cancelling} onClick={cancel}>
          {adding.cancelling ? 'Cancelling' : 'Cancel'}
        </button>
      </Bar>
    )
  }
  if (!status || status.passages === 0) return null
  const [documents, passages, names] = [
      counted(status.documents, 'document'),
      counted(status.passages, 'passage'),
      counted(status.entities, 'name'),
    ],
    rest = status.settled ? '' : '; still looking for new names in older documents'
  const shown = (
    <>
      <Hint about="documents">{documents}</Hint>, <Hint about="passages">{passages}</Hint>,{' '}
      <Hint about="names">{names}</Hint>
      {rest}
    </>
  )
  return (
    <Bar
      label="Searchable"
      value={100}
      figures="ready"
      words={`${documents}, ${passages}, ${names}${rest}`}
      shown={shown}
    />
  )
}

function Vectors({
  status,
  corpora,
}: {
  readonly status: NonNullable<State['status']>
  readonly corpora: Corpora
}): JSX.Element {
  const { passages, passagesWithVectors: done, embedding } = status
  const words = vectorWords(status)
  const unfinished = done < passages
  return (
    <>
      <Bar
        label="Vectors"
        value={percent(done, passages)}
        figures={
          unfinished ? (
            <Hint about="vectors">
              {grouped(done)} of {grouped(passages)}
            </Hint>
          ) : (
            'ready'
          )
        }
        words={words.text}
        tone={words.tone}
      >
        {unfinished && (embedding.state === 'running' || embedding.state === 'loading') && (
          <button type="button" class="small-button" onClick={() => void corpora.pause()}>
            Pause
          </button>
        )}
        {unfinished && embedding.state === 'paused' && (
          <button type="button" class="small-button" onClick={() => void corpora.resume()}>
            Resume
          </button>
        )}
      </Bar>
      {embedding.error && (unfinished || embedding.state === 'failed') && (
        <ProblemNotice
          problem={problemOfCode(embedding.error.code, embedding.error.message)}
          act={(remedy) =>
            void (remedy === 'forget' ? corpora.delete(status.corpus) : corpora.resume())
          }
        />
      )}
    </>
  )
}

interface BarProps {
  readonly label: string
  readonly value: number
  readonly figures: string | JSX.Element
  readonly words: string
  /** The same words with help to their numbers. */
  readonly shown?: JSX.Element
  readonly tone?: string
  readonly children?: JSX.Element | false | readonly (JSX.Element | false)[]
}

function Bar({ label, value, figures, words, shown, tone, children }: BarProps): JSX.Element {
  return (
    <div class="bar">
      <div class="bar-head">
        <span class="bar-label">{label}</span>
        <span class="figures">{figures}</span>
      </div>
      <div
        class="track"
        role="progressbar"
        aria-label={label}
        aria-valuenow={value}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={`${value} percent, ${words}`}
      >
        <div class={value >= 100 ? 'fill done' : 'fill'} style={{ width: `${value}%` }} />
      </div>
      <div class="bar-foot">
        <p class={`small ${tone === 'warn' ? 'warn' : 'muted'}`}>{shown ?? words}</p>
        {children}
      </div>
    </div>
  )
}
