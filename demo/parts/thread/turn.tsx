/** One turn of the thread: the question, what a model wrote, the card, its path and context. */
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Answer, RetrieveResult, Span } from '../../../src/index.ts'
import { words } from '../../words/words.ts'
import type { Written } from '../../session/state.ts'
import { Hint } from '../hint.tsx'
import { Card } from './card.tsx'
import { ContextView } from './context_view.tsx'
import { PathLine } from './path_line.tsx'

export interface TurnActs {
  /** `mark`: what a quote marks there. */
  readonly open: (documentId: string, at: number | null, mark?: Span) => void
  readonly centre: (name: string) => void
}

export interface TurnViewProps extends TurnActs {
  readonly id: number
  readonly question: string
  readonly card: Answer | null
  readonly answer: RetrieveResult | null
  readonly budget: number
  readonly wide: boolean
  readonly present: boolean
  readonly written: Written | null
  /** What stands above the card: a written answer, notes. */
  readonly above?: JSX.Element | null
  /** What stands in the context's strip: the budget. */
  readonly slider?: JSX.Element | null
  readonly foot?: JSX.Element | null
}

export function TurnView(props: TurnViewProps): JSX.Element {
  const { id, question, card, answer, present, above, foot } = props,
    read = answer ? readWords(answer.debug.question, question) : null
  return (
    <article class={present ? 'turn present' : 'turn'} aria-labelledby={`question-${id}`}>
      <h2 id={`question-${id}`} class="turn-question" dir="auto">
        {question}
      </h2>
      {read !== null && (
        <p class="small muted read-as" dir="auto">
          {read}
        </p>
      )}
      {above}
      {card && <Card card={card} unknown={answer?.debug.unknownSeeds ?? NONE} open={props.open} />}
      {card && answer && answer.sources.length > 0 && (
        <Under {...props} card={card} answer={answer} />
      )}
      {foot}
    </article>
  )
}

/** How a question was read that leans on those before it; null where it stands alone. */
function readWords(read: string, asked: string): string | null {
  const t = words().card
  if (read === asked) return null
  return read.startsWith(asked) ? t.takenOver(read.slice(asked.length).trim()) : t.readAs(read)
}

const NONE: readonly string[] = []

type UnderProps = TurnViewProps & { readonly card: Answer; readonly answer: RetrieveResult }

/** Path and context: open on wide screens for the present question, one tap away else. */
function Under(props: UnderProps): JSX.Element {
  const { id, card, answer, budget, wide, present, open, centre, slider } = props,
    t = words(),
    used = answer.contextTokens
  const context = useMemo(
    () => <ContextView answer={answer} card={card} budget={budget} turn={id} open={open} />,
    [answer, card, budget, id, open],
  )
  return (
    <div class="under">
      {card.state !== 'none' && (
        <Fold title={t.path.title} open={wide && present}>
          <PathLine card={card} paths={answer.reasoning} open={open} centre={centre} />
        </Fold>
      )}
      <Fold
        title={t.context.title}
        open={wide && present && card.state !== 'none'}
        aside={
          <Hint about="budget">
            {present ? (
              <output class="figures" for="budget">
                {t.context.used(used, budget)}
              </output>
            ) : (
              <span class="figures">{t.context.tokens(used)}</span>
            )}
          </Hint>
        }
      >
        {slider}
        {context}
      </Fold>
    </div>
  )
}

interface FoldProps {
  readonly title: string
  readonly open: boolean
  readonly aside?: JSX.Element
  readonly children: JSX.Element | readonly (JSX.Element | null | undefined)[]
}

function Fold({ title, open, aside, children }: FoldProps): JSX.Element {
  const [own, setOwn] = useState<boolean | null>(null),
    shown = own ?? open
  return (
    <section class="fold">
      <div class="fold-head">
        <h3>
          <button
            type="button"
            class="fold-button"
            aria-expanded={shown}
            onClick={() => {
              setOwn(!shown)
            }}
          >
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <path d="M3 1.5 7 5 3 8.5" />
            </svg>
            {title}
          </button>
        </h3>
        {aside}
      </div>
      {shown && <div class="fold-body">{children}</div>}
    </section>
  )
}
