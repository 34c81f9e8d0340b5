/** The two bars: searchable and meaning. Asking needs only the first. */
import type { JSX } from 'preact'
import type { Corpora } from '../../session/corpora.ts'
import { pauseMeaning } from '../../session/meaning.ts'
import type { State } from '../../session/state.ts'
import { percent } from '../../words/format.ts'
import { timeLeft } from '../../words/pace.ts'
import { problemOfCode } from '../../words/problems.ts'
import { addedPercent, progressFigures, vectorWords } from '../../words/states.ts'
import { words } from '../../words/words.ts'
import { Hint } from '../hint.tsx'
import { ProblemNotice } from '../notice.tsx'

type Status = NonNullable<State['status']>

export interface ProgressBarsProps {
  readonly state: State
  readonly corpora: Corpora
}

export function ProgressBars({ state, corpora }: ProgressBarsProps): JSX.Element {
  const { status, adding } = state,
    t = words().bars
  return (
    <div class="bars">
      {adding ? <Adding state={state} corpora={corpora} /> : status && <Ready status={status} />}
      {status && status.passages > 0 && (
        <Meaning status={status} metered={state.metered} corpora={corpora} />
      )}
      {!status && !adding && state.corpus !== null && (
        <p class="small muted">{state.deleting === state.corpus ? t.deletingIt : t.openingIt}</p>
      )}
      {status && status.passages === 0 && !adding && <p class="small muted">{t.empty}</p>}
    </div>
  )
}

function Adding({ state, corpora }: ProgressBarsProps): JSX.Element | null {
  const { adding } = state,
    t = words().bars
  if (!adding) return null
  const { progress } = adding,
    value = progress ? addedPercent(progress) : 0,
    left =
      progress?.secondsLeft != null && progress.secondsLeft >= 1
        ? t.left(timeLeft(progress.secondsLeft))
        : ''
  const text = progress
    ? `${t.phases[progress.phase]}: ${progressFigures(progress)}${left}`
    : t.opening(adding.label)
  return (
    <Bar
      label={t.searchable}
      value={value}
      figures={`${value}%`}
      words={text + (state.waiting > 0 ? t.after(state.waiting) : '')}
    >
      <button
        type="button"
        class="small-button"
        disabled={adding.cancelling}
        onClick={() => {
          corpora.filling.cancel()
        }}
      >
        {adding.cancelling ? t.cancelling : words().page.cancel}
      </button>
    </Bar>
  )
}

function Ready({ status }: { readonly status: Status }): JSX.Element | null {
  const t = words().bars
  if (status.passages === 0) return null
  const [documents, names] = [words().shelf.documents(status.documents), t.names(status.entities)],
    rest = status.settled ? '' : t.rest
  return (
    <Bar
      label={t.searchable}
      value={100}
      figures={t.ready}
      words={`${documents}, ${names}${rest}`}
      shown={
        <>
          <Hint about="documents">{documents}</Hint>, <Hint about="names">{names}</Hint>
          {rest}
        </>
      }
    />
  )
}

interface MeaningProps {
  readonly status: Status
  readonly metered: boolean
  readonly corpora: Corpora
}

function Meaning({ status, metered, corpora }: MeaningProps): JSX.Element {
  const { passages, passagesWithVectors: done, embedding } = status,
    t = words().bars,
    line = vectorWords(status),
    unfinished = done < passages
  if (metered && embedding.state === 'off')
    return (
      <div class="metered small">
        <p>{t.metered}</p>
        <button type="button" class="small-button" onClick={() => void corpora.loadMeaning()}>
          {t.load}
        </button>
      </div>
    )
  return (
    <>
      <Bar
        label={t.meaning}
        value={percent(done, passages)}
        figures={unfinished ? <Hint about="vectors">{t.of(done, passages)}</Hint> : t.ready}
        words={line.text}
        tone={line.tone}
      >
        {unfinished && (embedding.state === 'running' || embedding.state === 'loading') && (
          <button
            type="button"
            class="small-button"
            onClick={() => void pauseMeaning(corpora.store, true)}
          >
            {t.pause}
          </button>
        )}
        {unfinished && embedding.state === 'paused' && (
          <button
            type="button"
            class="small-button"
            onClick={() => void pauseMeaning(corpora.store, false)}
          >
            {t.resume}
          </button>
        )}
      </Bar>
      {embedding.error && (unfinished || embedding.state === 'failed') && (
        <ProblemNotice
          problem={problemOfCode(embedding.error.code, embedding.error.message)}
          act={(remedy) =>
            void (remedy === 'forget'
              ? corpora.delete(status.corpus)
              : pauseMeaning(corpora.store, false))
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

function Bar({ label, value, figures, words: text, shown, tone, children }: BarProps): JSX.Element {
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
        aria-valuetext={words().bars.percentWords(value, text)}
      >
        <div class={value >= 100 ? 'fill done' : 'fill'} style={{ width: `${value}%` }} />
      </div>
      <div class="bar-foot">
        <p class={`small ${tone === 'warn' ? 'warn' : 'muted'}`}>{shown ?? text}</p>
        {children}
      </div>
    </div>
  )
}
