/** Owns the ask column: question, steering, notes, packed context. Refuses: ranking and packing. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { SAMPLE } from '../platform/sample.ts'
import type { Answering } from '../session/answering.ts'
import type { Archives } from '../session/archives.ts'
import type { Asking } from '../session/asking.ts'
import type { Corpora } from '../session/corpora.ts'
import { hasSample } from '../session/entries.ts'
import type { State } from '../session/state.ts'
import { corpusLabel } from '../words/corpus_name.ts'
import { counted, grouped } from '../words/format.ts'
import { againWords, answerNotes } from '../words/states.ts'
import { AnswerView } from './answer_view.tsx'
import { BudgetSlider } from './budget_slider.tsx'
import { ContextView } from './context_view.tsx'
import { LinkOffer } from './link_offer.tsx'
import { ProblemNotice, Sentences } from './notice.tsx'
import { QuestionBox } from './question_box.tsx'
import { SeedChips } from './seed_chips.tsx'
import { Welcome } from './welcome.tsx'

export interface AskPanelProps {
  readonly state: State
  readonly corpora: Corpora
  readonly asking: Asking
  readonly answering: Answering
  readonly archives: Archives
  readonly toBlock: (n: number) => void
  readonly openSettings: () => void
  readonly tour: { readonly start: () => void; readonly decline: () => void }
  readonly toSource: (rank: number) => void
  /** Shows the corpus tab where the page has one column. */
  readonly toCorpus: (() => void) | null
}

export function AskPanel({
  state,
  corpora,
  asking,
  answering,
  archives,
  toSource,
  toBlock,
  openSettings,
  tour,
  toCorpus,
}: AskPanelProps): JSX.Element {
  const { answer, status, adding } = state
  const empty = !status || status.passages === 0
  const notes = useMemo(() => (answer ? answerNotes(answer) : []), [answer])
  const context = useMemo(
    () =>
      answer &&
      answer.sources.length > 0 && (
        <ContextView answer={answer} budget={state.settings.budget} toSource={toSource} />
      ),
    [answer, state.settings.budget],
  )
  const offer = state.link && <LinkOffer link={state.link} archives={archives} />
  if (!adding && state.boot === 'ready' && empty && !state.corpusProblem)
    return (
      <>
        <h2>Ask</h2>
        {offer}
        <Welcome
          corpora={corpora}
          sample={hasSample(state.corpora)}
          toCorpus={toCorpus}
          named={state.corpus === null ? null : corpusLabel(state.corpus)}
          tour={state.settings.toured || state.tour !== null ? null : tour}
        />
      </>
    )
  const again = answer && status ? againWords(answer, status) : null
  return (
    <>
      <h2>Ask</h2>
      {offer}
      {toCorpus && (adding || (status && status.passagesWithVectors < status.passages)) && (
        <button type="button" class="quiet state-line" onClick={toCorpus}>
          {stateLine(state)}
        </button>
      )}
      {state.corpusProblem && (toCorpus || empty) && (
        <p class="small warn">
          {toCorpus ? (
            <>
              {state.corpusProblem.title}.{' '}
              <button type="button" class="link" onClick={toCorpus}>
                See the corpus
              </button>
            </>
          ) : (
            'The corpus column says what happened, and what to do.'
          )}
        </p>
      )}
      <QuestionBox state={state} asking={asking} ready={!empty} />
      {state.asking && !answer && (
        <p class="small muted late">
          Looking{status && ` through ${counted(status.passages, 'passage')}`}…
        </p>
      )}
      {state.askProblem && (
        <ProblemNotice problem={state.askProblem} act={() => void asking.again()} />
      )}
      {state.asked !== '' && answer && <SeedChips state={state} asking={asking} />}
      {answer && (
        <>
          {notes.length > 0 && (
            <div class="notes">
              <Sentences list={notes} />
              {again !== null && (
                <button type="button" class="small-button" onClick={() => void asking.again()}>
                  {again}
                </button>
              )}
            </div>
          )}
          <AnswerView
            state={state}
            answering={answering}
            toBlock={toBlock}
            openSettings={openSettings}
          />
          <BudgetSlider
            settings={state.settings}
            used={answer.contextTokens}
            change={(budget) => {
              asking.setBudget(budget)
            }}
          />
          {context}
        </>
      )}
      {!answer &&
        !state.askProblem &&
        !empty &&
        state.asked === '' &&
        state.corpus === SAMPLE.corpus && (
          <p class="hint small muted">
            Most sample questions need two paragraphs, joined by a name that the question does not
            mention. Pick one and look at “Why”.
          </p>
        )}
    </>
  )
}

function stateLine(state: State): string {
  const { adding, status } = state
  if (adding)
    return adding.progress
      ? `Adding: ${grouped(adding.progress.done)} of ${grouped(adding.progress.total)}`
      : 'Adding…'
  return status
    ? `Vectors: ${grouped(status.passagesWithVectors)} of ` +
        `${grouped(status.passages)}${status.embedding.state === 'failed' ? ', stopped' : status.embedding.state === 'paused' ? ', paused' : ''}`
    : ''
}
