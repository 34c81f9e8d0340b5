/** The words under the picture: the sentence that carries a line, or what a box is. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { RetrieveResult } from '../../../src/index.ts'
import type { PictureEdge, PictureNode } from '../../picture/layout.ts'
import type { Asking } from '../../session/asking.ts'
import { excerptAround, type Mark } from '../../words/marks.ts'
import { words } from '../../words/words.ts'
import { MarkedText } from '../marked_text.tsx'
import type { Item } from './picture_items.tsx'

export interface StepDetailProps {
  readonly active: Item
  readonly answer: RetrieveResult
  readonly asking: Asking
  readonly toSource: ((rank: number) => void) | null
  readonly centre: ((name: string) => void) | null
}

/** Longer sentences, as in lists without full stops, are shown around the name. */
const LONGEST = 300

export function StepDetail(props: StepDetailProps): JSX.Element {
  const { active } = props
  return active.kind === 'edge' ? (
    <EdgeDetail edge={active.edge} asking={props.asking} />
  ) : (
    <NodeDetail {...props} item={active.node} />
  )
}

function NodeDetail({
  item,
  answer,
  asking,
  toSource,
  centre,
}: StepDetailProps & { readonly item: PictureNode }): JSX.Element {
  const { node } = item,
    t = words().why,
    source =
      node.kind === 'document'
        ? answer.sources.find((candidate) => candidate.documentId === node.id)
        : undefined
  const links: (readonly [string, () => void])[] = []
  if (node.kind === 'entity') {
    links.push([t.startFrom, () => void asking.inject([node.label])])
    if (centre)
      links.push([
        t.inGraph,
        () => {
          centre(node.id)
        },
      ])
  } else {
    if (source && toSource)
      links.push([
        t.toSource,
        () => {
          toSource(source.rank)
        },
      ])
    links.push([
      t.open,
      () => {
        asking.openDocument(node.id)
      },
    ])
  }
  const kind = node.kind === 'entity' ? t.name : source ? t.docSource(source.rank) : t.docOther
  return (
    <div class="step-detail">
      <p class="small muted">{kind}</p>
      <p class="step-sentence" dir="auto">
        {node.label}
      </p>
      <div class="row tight">
        {links.map(([label, act]) => (
          <button key={label} type="button" class="link small" onClick={act}>
            {label}
          </button>
        ))}
      </div>
    </div>
  )
}

const NONE: readonly Mark[] = []

function EdgeDetail({
  edge,
  asking,
}: {
  readonly edge: PictureEdge
  readonly asking: Asking
}): JSX.Element {
  const { step } = edge,
    fromDocument = edge.from.node.kind === 'document',
    document = fromDocument ? edge.from.node : edge.to.node,
    name = fromDocument ? edge.to.node : edge.from.node
  const marks = useMemo(
    (): readonly Mark[] => [{ start: step.start, end: step.end, kind: 'name' }],
    [step],
  )
  // The span of a title is not one of the text, so the sentence is then shown without it.
  const { text, start } = step.sentence,
    sentence = step.inTitle
      ? { text, start, cutBefore: false, cutAfter: false }
      : excerptAround(text, start, marks, LONGEST)
  return (
    <div class="step-detail">
      <p class="small muted" dir="auto">
        {step.relation ? (
          <>
            {step.relation.subject} <strong>{step.relation.predicate}</strong>{' '}
            {step.relation.object} · {document.label}
          </>
        ) : (
          <>
            {name.label} · {document.label}
          </>
        )}
      </p>
      <p class="step-sentence" dir="auto">
        {step.inTitle && (
          <>
            <MarkedText text={step.text} base={step.start} marks={marks} /> ·{' '}
          </>
        )}
        {sentence.cutBefore && '… '}
        <MarkedText
          text={sentence.text}
          base={sentence.start}
          marks={step.inTitle ? NONE : marks}
        />
        {sentence.cutAfter && ' …'}
      </p>
      <button
        type="button"
        class="link small"
        onClick={() => {
          asking.openDocument(step.documentId, step.inTitle ? null : step.start)
        }}
      >
        {words().why.openHere}
      </button>
    </div>
  )
}
