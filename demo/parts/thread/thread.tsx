/** The thread: earlier turns, the present one, what may be asked, the question box. */
import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { Answering } from '../../session/answering.ts'
import type { Archives } from '../../session/archives.ts'
import type { Asking } from '../../session/asking.ts'
import type { Corpora } from '../../session/corpora.ts'
import { hasSample } from '../../session/entries.ts'
import type { State } from '../../session/state.ts'
import { corpusLabel } from '../../words/corpus_name.ts'
import { answerNotes } from '../../words/states.ts'
import { words } from '../../words/words.ts'
import { LinkOffer } from '../link_offer.tsx'
import { ProblemNotice, Sentences } from '../notice.tsx'
import { BudgetSlider } from './budget_slider.tsx'
import { QuestionBox } from './question_box.tsx'
import { Suggestions } from './suggestions.tsx'
import { TurnView, type TurnActs } from './turn.tsx'
import { Welcome } from './welcome.tsx'
import { PastWritten, WrittenView } from './written_view.tsx'

export interface ThreadProps extends TurnActs {
  readonly state: State
  readonly corpora: Corpora
  readonly asking: Asking
  readonly answering: Answering
  readonly archives: Archives
  readonly wide: boolean
  readonly toShelf: () => void
  readonly toWhy: () => void
  readonly chooseModel: () => void
}

export function Thread(props: ThreadProps): JSX.Element {
  const { state, asking, corpora, archives, toShelf, chooseModel } = props
  useScrollToTurn(state.turns.length === 0 ? 0 : state.turn, props.wide)
  const empty = (state.status?.passages ?? 0) === 0,
    fresh = state.boot === 'ready' && empty && state.adding === null && !state.corpusProblem
  return (
    <>
      <div class="turns">
        {state.link && <LinkOffer link={state.link} archives={archives} />}
        {fresh && (
          <Welcome
            corpora={corpora}
            sample={hasSample(state.corpora)}
            toShelf={toShelf}
            named={state.corpus === null ? null : corpusLabel(state.corpus)}
          />
        )}
        {state.example && <ExampleHead toShelf={toShelf} />}
        <PastTurns {...props} />
        {state.asked !== '' && <Present {...props} />}
        {!empty && state.asked === '' && state.turns.length === 0 && !state.example && (
          <p class="lead begin">{words().ask.begin(state.status?.documents ?? 0)}</p>
        )}
        {!empty && (state.example ? state.answer !== null : state.asked === '') && (
          <Suggestions state={state} asking={asking} />
        )}
      </div>
      <QuestionBox state={state} asking={asking} ready={!empty} chooseModel={chooseModel} />
    </>
  )
}

function ExampleHead({ toShelf }: { readonly toShelf: () => void }): JSX.Element {
  const t = words().welcome
  return (
    <div class="example-head">
      <p class="lead">{t.lead}</p>
      <div class="row">
        <button type="button" class="primary" onClick={toShelf}>
          {t.own}
        </button>
        <span class="small muted">{t.example}</span>
      </div>
    </div>
  )
}

function PastTurns({ state, wide, open, centre }: ThreadProps): JSX.Element {
  const { turns, settings } = state
  // Earlier turns change only when one joins them.
  return useMemo(
    () => (
      <>
        {turns.map((turn) => (
          <TurnView
            key={turn.id}
            {...turn}
            budget={settings.budget}
            wide={wide}
            present={false}
            open={open}
            centre={centre}
            above={
              turn.written && (
                <PastWritten
                  written={turn.written}
                  toBlock={(n) => {
                    toBlock(turn.id, n)
                  }}
                />
              )
            }
          />
        ))}
      </>
    ),
    [turns, wide, open, centre],
  )
}

/** Shows a block of a turn's context, which it unfolds first. */
export function toBlock(turn: number, n: number): void {
  const block = (): HTMLElement | null => document.getElementById(`block-${turn}-${n}`)
  if (block() === null)
    document
      .getElementById(`question-${turn}`)
      ?.closest('.turn')
      ?.querySelector<HTMLElement>('.fold:last-child .fold-button[aria-expanded="false"]')
      ?.click()
  requestAnimationFrame(() => {
    const found = block()
    found?.scrollIntoView({ block: 'center' })
    found?.focus({ preventScroll: true })
  })
}

function Present(props: ThreadProps): JSX.Element {
  const { state, asking, answering, wide, open, centre } = props,
    { answer, turn, settings } = state
  return (
    <>
      <TurnView
        id={turn}
        question={state.asked}
        card={answer?.answer ?? null}
        answer={answer}
        written={state.written}
        budget={settings.budget}
        wide={wide}
        present
        open={open}
        centre={centre}
        above={
          <WrittenView
            state={state}
            answering={answering}
            toBlock={(n) => {
              toBlock(turn, n)
            }}
          />
        }
        slider={
          answer && (
            <BudgetSlider
              budget={settings.budget}
              used={answer.contextTokens}
              change={(budget) => {
                asking.setBudget(budget)
              }}
            />
          )
        }
        foot={<Foot {...props} />}
      />
    </>
  )
}

/** What the answer needs said, below it: what did not take part, what is in the way. */
function Foot({ state, asking, wide, toWhy }: ThreadProps): JSX.Element {
  const { answer, askProblem } = state,
    notes = useMemo(() => (answer ? answerNotes(answer) : []), [answer])
  return (
    <>
      {state.asking && !answer && <p class="small muted late">{words().ask.looking}</p>}
      {askProblem && <ProblemNotice problem={askProblem} act={() => void asking.again()} />}
      {notes.length > 0 && !state.example && (
        <div class="notes">
          <Sentences list={notes} />
        </div>
      )}
      {answer && !wide && (
        <button type="button" class="link small" onClick={toWhy}>
          {words().card.why}
        </button>
      )}
    </>
  )
}

/**
 * A new question comes to the top, however long the thread is; so does the present one where another
 * layout begins, which has a scroller of its own.
 */
function useScrollToTurn(turn: number, wide: boolean): void {
  useEffect(() => {
    if (turn === 0) return
    const frame = requestAnimationFrame(() => {
      document.getElementById(`question-${turn}`)?.scrollIntoView({
        block: 'start',
        behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
      })
    })
    return () => {
      cancelAnimationFrame(frame)
    }
  }, [turn, wide])
}
