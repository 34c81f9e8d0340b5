/** A whole document opened at its place, every used span marked; one leaf of a long one at a time. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { DocumentView as Document, RetrieveResult } from '../../../src/index.ts'
import type { Asking } from '../../session/asking.ts'
import type { State } from '../../session/state.ts'
import { leafOf, leavesOf } from '../../words/leaves.ts'
import type { Mark } from '../../words/marks.ts'
import { pageStarts, sheetParts, type SheetPart } from '../../words/sheets.ts'
import { problemOf, type Problem } from '../../words/problems.ts'
import { words } from '../../words/words.ts'
import { isMarkdown, Markdown } from '../markdown.tsx'
import { MarkedText } from '../marked_text.tsx'
import { ProblemNotice } from '../notice.tsx'
import { Removal } from './removal.tsx'

export interface DocumentViewProps {
  readonly state: State
  readonly asking: Asking
}

/** A document as it is read: undefined until it came, null where it is gone. */
interface Read {
  readonly document: Document | null | undefined
  readonly problem: Problem | null
}

export function DocumentView({ state, asking }: DocumentViewProps): JSX.Element {
  const t = words().doc,
    { opened } = state,
    { document, problem } = useDocument(state)
  if (!opened) return <p class="muted">{t.none}</p>
  if (problem) return <ProblemNotice problem={problem} />
  if (document === null) return <p class="warn">{t.missing}</p>
  if (document === undefined) return <></>
  return <Opened key={document.id} document={document} state={state} asking={asking} />
}

function useDocument({ engine, opened, status }: State): Read {
  const [read, setRead] = useState<Read>({ document: undefined, problem: null }),
    id = opened?.id ?? null
  useEffect(() => {
    if (!engine || id === null) return
    let gone = false
    engine.getDocument(id).then(
      (document) => {
        if (!gone) setRead({ document, problem: null })
      },
      (error: unknown) => {
        if (!gone) setRead({ document: undefined, problem: problemOf(error) })
      },
    )
    return () => {
      gone = true
    }
  }, [engine, id, status?.documents])
  return read.document && read.document.id !== id ? { ...read, document: undefined } : read
}

interface OpenedProps extends DocumentViewProps {
  readonly document: Document
}

function Opened({ document, state, asking }: OpenedProps): JSX.Element {
  const { answer, opened } = state,
    t = words().doc,
    title = document.title === '' ? document.id : document.title,
    at = opened?.at ?? null,
    body = useRef<HTMLDivElement>(null)
  const leaves = useMemo(() => leavesOf(document.text), [document]),
    [leaf, setLeaf] = useState(() => leafOf(leaves, at ?? 0)),
    mark = opened?.mark ?? null,
    marks = useMemo(
      () => [
        ...(mark === null ? [] : [{ ...mark, kind: 'answer' as const }]),
        ...marksOf(answer, document.id),
      ],
      [answer, document, mark],
    ),
    starts = useMemo(() => pageStarts(document.metadata), [document])
  useEffect(() => {
    if (at !== null) setLeaf(leafOf(leaves, at))
  }, [at, leaves])
  useScrollToMark(body.current, at, leaf, document)
  const span = leaves[leaf]
  return (
    <div class="document" ref={body}>
      <h2 dir="auto">{title}</h2>
      <p class="small muted figures">{t.facts(document.text.length, document.passages.length)}</p>
      {leaves.length > 1 && <Leaves at={leaf} of={leaves.length} go={setLeaf} />}
      <div class="document-body" tabIndex={0} role="region" aria-label={t.text} dir="auto">
        {span && (
          <Leaf
            key={span.start}
            markdown={leaves.length === 1 && isMarkdown(document.id)}
            text={document.text.slice(span.start, span.end)}
            base={span.start}
            marks={marks}
            starts={starts}
          />
        )}
      </div>
      <Removal state={state} asking={asking} id={document.id} title={title} />
    </div>
  )
}

function Leaf({
  markdown,
  text,
  base,
  marks,
  starts,
}: {
  readonly markdown: boolean
  readonly text: string
  readonly base: number
  readonly marks: readonly Mark[]
  /** Where pages begin. */
  readonly starts: readonly number[]
}): JSX.Element {
  if (!markdown)
    return (
      <>
        {sheetParts({ start: base, end: base + text.length }, starts).map((part) => (
          <Sheet key={part.start} part={part} text={text} base={base} marks={marks} />
        ))}
      </>
    )
  return (
    <Markdown
      text={text}
      show={(part) =>
        part.exact ? (
          <MarkedText text={part.text} base={base + part.start} marks={marks} />
        ) : (
          part.text
        )
      }
    />
  )
}

function Sheet({
  part,
  text,
  base,
  marks,
}: {
  readonly part: SheetPart
  readonly text: string
  readonly base: number
  readonly marks: readonly Mark[]
}): JSX.Element {
  return (
    <>
      {part.page !== null && (
        <p class="sheet-number small muted figures">{words().card.page(part.page)}</p>
      )}
      <p class="whole">
        <MarkedText
          text={text.slice(part.start - base, part.end - base)}
          base={part.start}
          marks={marks}
        />
      </p>
    </>
  )
}

function Leaves({
  at,
  of,
  go,
}: {
  readonly at: number
  readonly of: number
  readonly go: (leaf: number) => void
}): JSX.Element {
  const t = words().doc
  return (
    <div class="row tight leaves">
      <button
        type="button"
        disabled={at === 0}
        onClick={() => {
          go(at - 1)
        }}
      >
        {t.earlier}
      </button>
      <span class="small figures">{t.part(at + 1, of)}</span>
      <button
        type="button"
        disabled={at >= of - 1}
        onClick={() => {
          go(at + 1)
        }}
      >
        {t.later}
      </button>
    </div>
  )
}

/** What the present answer used of a document. */
function marksOf(answer: RetrieveResult | null, id: string): readonly Mark[] {
  if (!answer) return []
  const marks: Mark[] = []
  for (const quote of answer.answer.quotes)
    if (quote.documentId === id) marks.push({ ...quote.highlight, kind: 'answer' })
  for (const source of answer.sources) if (source.documentId === id) marks.push(...source.evidence)
  for (const path of answer.reasoning)
    for (const step of path.steps)
      if (step.documentId === id && !step.inTitle)
        marks.push({ start: step.start, end: step.end, kind: 'name' })
  return marks
}

/** Shows the place, or else the first mark; once the text is drawn, and drawn as Markdown. */
function useScrollToMark(
  body: HTMLElement | null,
  at: number | null,
  leaf: number,
  document: Document,
): void {
  useEffect(() => {
    let tries = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = (): void => {
      const found = nearestMark(body ?? globalThis.document.querySelector('.document'), at)
      found?.scrollIntoView({ block: 'center' })
      if (tries++ < 3) timer = setTimeout(look, 120)
    }
    look()
    return () => {
      clearTimeout(timer)
    }
  }, [document, leaf, at])
}

function nearestMark(body: Element | null, at: number | null): Element | null {
  const marks = [...(body?.querySelectorAll('mark[data-start]') ?? [])]
  if (at === null) return marks[0] ?? null
  const place = (mark: Element): number => Number(mark.getAttribute('data-start'))
  return marks.reduce<Element | null>(
    (best, mark) =>
      best === null || Math.abs(place(mark) - at) < Math.abs(place(best) - at) ? mark : best,
    null,
  )
}
