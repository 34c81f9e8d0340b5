/**
 * Owns the whole document with every used span marked, and the way to take it out of its corpus.
 * Refuses: doing that without a second word, putting more than one leaf of a very long text on the
 * page.
 */
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { DocumentView } from '../../src/index.ts'
import type { State } from '../session/state.ts'
import { corpusLabel } from '../words/corpus_name.ts'
import { counted, grouped } from '../words/format.ts'
import type { Mark } from '../words/marks.ts'
import { leafOf, leavesOf } from '../words/leaves.ts'
import { problemOf, type Problem } from '../words/problems.ts'
import { MarkedText } from './marked_text.tsx'
import { ProblemNotice } from './notice.tsx'

export interface DocumentDialogProps {
  readonly state: State
  readonly close: () => void
  /** Takes it out of the corpus, and closes this; gives what is in the way. */
  readonly remove: (id: string, title: string) => Promise<Problem | null>
}

export function DocumentDialog({ state, close, remove }: DocumentDialogProps): JSX.Element {
  const { opened, engine, answer } = state
  const dialog = useRef<HTMLDialogElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<DocumentView | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [missing, setMissing] = useState(false)
  const [leaf, setLeaf] = useState(0)
  const id = opened?.id ?? ''
  const at = opened?.at ?? null
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement || before instanceof SVGElement) before.focus()
    }
  }, [])
  useEffect(() => {
    let gone = false
    engine?.getDocument(id).then(
      (found) => {
        if (gone) return
        setMissing(found === null)
        setView(found)
        if (found) setLeaf(leafOf(leavesOf(found.text), at ?? 0))
      },
      (error: unknown) => {
        if (!gone) setProblem(problemOf(error))
      },
    )
    return () => {
      gone = true
    }
  }, [engine, id])
  const marks = useMemo((): readonly Mark[] => {
    const out: Mark[] = []
    for (const source of answer?.sources ?? [])
      if (source.documentId === id) out.push(...source.evidence)
    for (const path of answer?.reasoning ?? [])
      for (const step of path.steps)
        if (step.documentId === id && !step.inTitle)
          out.push({ start: step.start, end: step.end, kind: 'name' })
    return out
  }, [answer, id])
  const leaves = useMemo(() => leavesOf(view?.text ?? ''), [view])
  useEffect(() => {
    // Without a place to go to, the first mark of the leaf is shown.
    const target = at === null ? null : body.current?.querySelector(`[data-start="${at}"]`)
    ;(target ?? body.current?.querySelector('mark'))?.scrollIntoView({ block: 'center' })
  }, [view, leaf])
  const span = leaves[leaf]
  const shown = span ? view?.text.slice(span.start, span.end) : undefined
  return (
    <dialog
      ref={dialog}
      class="document"
      aria-labelledby="document-title"
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current?.close()
      }}
    >
      <div class="document-head">
        <h2 id="document-title">{view ? view.title || view.id : id}</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      {view && (
        <p class="small muted figures">
          {grouped(view.text.length)} characters, {counted(view.passages.length, 'passage')},{' '}
          {counted(marks.length, 'marked span')}. Marked:{' '}
          <mark class="m-sentence">best sentences</mark> <mark class="m-name">names</mark>{' '}
          <mark class="m-term">words of the question</mark>
        </p>
      )}
      {problem && <ProblemNotice problem={problem} />}
      {missing && <p class="warn">This document is no longer in the corpus.</p>}
      {leaves.length > 1 && (
        <div class="row tight leaves">
          <button
            type="button"
            disabled={leaf === 0}
            onClick={() => {
              setLeaf(leaf - 1)
            }}
          >
            Earlier
          </button>
          <span class="small figures">
            part {leaf + 1} of {leaves.length}
          </span>
          <button
            type="button"
            disabled={leaf >= leaves.length - 1}
            onClick={() => {
              setLeaf(leaf + 1)
            }}
          >
            Later
          </button>
        </div>
      )}
      <div
        class="document-body"
        ref={body}
        tabIndex={0}
        role="region"
        aria-label="Text of the document"
      >
        {shown !== undefined && span && (
          <p class="whole">
            <MarkedText text={shown} base={span.start} marks={marks} />
          </p>
        )}
      </div>
      {view && (
        <Removal
          title={view.title || view.id}
          corpus={corpusLabel(state.corpus ?? '')}
          remove={async () => {
            setProblem(await remove(view.id, view.title || view.id))
          }}
        />
      )}
    </dialog>
  )
}

function Removal({
  title,
  corpus,
  remove,
}: {
  readonly title: string
  readonly corpus: string
  readonly remove: () => Promise<void>
}): JSX.Element {
  const [step, setStep] = useState<'offered' | 'asked' | 'going'>('offered')
  if (step !== 'asked')
    return (
      <div class="row">
        <button
          type="button"
          class="small-button"
          disabled={step === 'going'}
          onClick={() => {
            setStep('asked')
          }}
        >
          {step === 'going' ? 'Removing…' : 'Remove from this corpus'}
        </button>
      </div>
    )
  return (
    <div class="confirm" role="group" aria-label={`Remove ${title}?`}>
      <span class="small">Remove it from {corpus}, with its vectors?</span>
      <button
        type="button"
        class="small-button danger"
        onClick={() => {
          setStep('going')
          void remove().finally(() => {
            setStep('offered')
          })
        }}
      >
        Remove
      </button>
      <button
        type="button"
        class="small-button"
        ref={(element) => {
          element?.focus()
        }}
        onClick={() => {
          setStep('offered')
        }}
      >
        Keep
      </button>
    </div>
  )
}
