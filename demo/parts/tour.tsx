/**
 * Owns the tour: six steps, half a minute, each at the part of the page it tells of. Refuses:
 * locking the page meanwhile, and coming back unasked.
 */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { hasSample } from '../session/entries.ts'
import type { State } from '../session/state.ts'
import { questionWords, shelfWords, tourQuestion } from '../words/tour.ts'

export type TourTab = 'ask' | 'why' | 'corpus'

export interface TourStep {
  /** The part of the page that is lit. */
  readonly at: 'corpus' | 'question' | 'context' | 'picture' | 'sources' | 'own'
  readonly tab: TourTab
  readonly title: string
  /** Null where they depend on what is there. */
  readonly words: string | null
}

export const TOUR: readonly TourStep[] = [
  { at: 'corpus', tab: 'corpus', title: 'Your shelf', words: null },
  { at: 'question', tab: 'ask', title: 'Ask', words: null },
  {
    at: 'context',
    tab: 'ask',
    title: 'What to read',
    words:
      'The passages that answer, numbered and packed under a budget you set: ready to read or ' +
      'to paste to any language model.',
  },
  {
    at: 'picture',
    tab: 'why',
    title: 'Why these',
    words:
      'From the names of the question over documents to the names they share. The coloured ' +
      'line is the best path; point at a line to read its sentence.',
  },
  {
    at: 'sources',
    tab: 'why',
    title: 'What counts',
    words:
      'Each source shows what its score is made of. Open it whole, leave it out, or ask on from its names.',
  },
  {
    at: 'own',
    tab: 'corpus',
    title: 'Now yours',
    words: 'Drop a folder or files anywhere on the page, or paste a text here. That is all.',
  },
]

/** The part of the page that each step lights, as the style sheet does. */
const LIT: Readonly<Record<TourStep['at'], string>> = {
  corpus: '.panel-corpus h2',
  question: '.question',
  context: '.context',
  picture: '.paths-block',
  sources: '.sources-block',
  own: '.drop-zone',
}

export interface TourProps {
  readonly state: State
  readonly go: (step: number) => void
  readonly end: () => void
}

export function Tour({ state, go, end }: TourProps): JSX.Element | null {
  const card = useRef<HTMLDivElement>(null)
  const step = state.tour === null ? undefined : TOUR[state.tour]
  const before = useRef<Element | null>(null)
  useEffect(() => {
    before.current = document.activeElement
    return () => {
      if (before.current instanceof HTMLElement) before.current.focus()
    }
  }, [])
  useEffect(() => {
    card.current?.focus()
  }, [state.tour])
  useEffect(() => {
    // Wherever the focus went meanwhile; what lies over the page takes its Escape first.
    const leave = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && document.querySelector('dialog[open], .hint-words') === null)
        end()
    }
    document.addEventListener('keydown', leave)
    return () => {
      document.removeEventListener('keydown', leave)
    }
  }, [end])
  const lit = state.tour === null ? undefined : LIT[TOUR[state.tour]?.at ?? 'corpus'],
    there = state.answer !== null
  useEffect(() => {
    // What a step tells of may be far down its column, or not drawn yet: an answer is drawn in
    // several tasks.
    const turn = setTimeout(() => {
      if (lit !== undefined)
        document.querySelector(lit)?.scrollIntoView({
          block: 'start',
          behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
        })
    }, 50)
    return () => {
      clearTimeout(turn)
    }
  }, [lit, there])
  if (!step || state.tour === null) return null
  const at = state.tour,
    last = at === TOUR.length - 1
  // A step may go on only when what it tells of is there.
  const waits =
    (at === 1 && (state.status?.passages ?? 0) === 0) ||
    (at === 2 &&
      !state.answer &&
      !state.askProblem &&
      (state.asking || tourQuestion(state) !== null))
  const words =
    step.words ??
    (at === 0
      ? shelfWords((state.status?.passages ?? 0) > 0, hasSample(state.corpora))
      : questionWords(state))
  return (
    <div
      class="tour"
      ref={card}
      role="dialog"
      aria-labelledby="tour-title"
      aria-describedby="tour-words"
      tabIndex={-1}
    >
      <p class="small muted figures">
        {at + 1} of {TOUR.length}
      </p>
      <h2 id="tour-title">{step.title}</h2>
      <p id="tour-words">{words}</p>
      <div class="row">
        {at > 0 && (
          <button
            type="button"
            onClick={() => {
              go(at - 1)
            }}
          >
            Back
          </button>
        )}
        <button
          type="button"
          class="primary"
          disabled={waits}
          aria-busy={waits}
          onClick={() => {
            if (last) end()
            else go(at + 1)
          }}
        >
          {waits ? 'One moment' : last ? 'Done' : 'Next'}
        </button>
        {!last && (
          <button type="button" class="link tour-end" onClick={end}>
            End the tour
          </button>
        )}
      </div>
    </div>
  )
}
