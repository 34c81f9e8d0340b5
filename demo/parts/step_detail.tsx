/**
 * Owns the words under the picture: the sentence that carries a line, or what a name is. Refuses:
 * sentences without their offsets.
 */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { RetrieveResult } from '../../src/index.ts'
import type { PictureEdge, PictureNode } from '../picture/layout.ts'
import type { Asking } from '../session/asking.ts'
import { excerptAround, type Mark } from '../words/marks.ts'
import { MarkedText } from './marked_text.tsx'

export interface StepDetailProps {
  readonly active:
    | { readonly kind: 'edge'; readonly edge: PictureEdge }
    | { readonly kind: 'node'; readonly node: PictureNode }
  readonly answer: RetrieveResult
  readonly asking: Asking
  readonly toSource: ((rank: number) => void) | null
}

/** Longer sentences, as in lists without full stops, are shown around the name. */
const LONGEST = 300

export function StepDetail({ active, answer, asking, toSource }: StepDetailProps): JSX.Element {
  if (active.kind === 'edge') return <EdgeDetail edge={active.edge} asking={asking} />
  const { node } = active.node
  const source =
    node.kind === 'document'
      ? answer.sources.find((candidate) => candidate.documentId === node.id)
      : undefined
  return (
    <div class="step-detail">
      <p class="small muted">
        {node.kind === 'entity'
          ? 'Name'
          : source
            ? `Document, source ${source.rank}`
            : 'Document, not among the sources shown'}
      </p>
      <p class="step-sentence">{node.label}</p>
      <div class="row tight">
        {node.kind === 'entity' && (
          <button type="button" class="link small" onClick={() => void asking.inject([node.label])}>
            Start from this name too
          </button>
        )}
        {source && toSource && (
          <button
            type="button"
            class="link small"
            onClick={() => {
              toSource(source.rank)
            }}
          >
            Go to the source
          </button>
        )}
        {node.kind === 'document' && (
          <button
            type="button"
            class="link small"
            onClick={() => {
              asking.openDocument(node.id)
            }}
          >
            Open
          </button>
        )}
      </div>
    </div>
  )
}

function EdgeDetail({
  edge,
  asking,
}: {
  readonly edge: PictureEdge
  readonly asking: Asking
}): JSX.Element {
  const { step } = edge
  const document = edge.from.node.kind === 'document' ? edge.from.node : edge.to.node
  const name = edge.from.node.kind === 'document' ? edge.to.node : edge.from.node
  const marks = useMemo(
    (): readonly Mark[] => [{ start: step.start, end: step.end, kind: 'name' }],
    [step],
  )
  // The span of a title is not one of the text, so the sentence is then shown without it.
  const sentence = step.inTitle
    ? { text: step.sentence.text, start: step.sentence.start, cutBefore: false, cutAfter: false }
    : excerptAround(step.sentence.text, step.sentence.start, marks, LONGEST)
  return (
    <div class="step-detail">
      <p class="small muted">
        {step.relation ? (
          <>
            “{step.relation.subject}” <strong>{step.relation.predicate}</strong> “
            {step.relation.object}”, as <em>{document.label}</em> says
          </>
        ) : step.inTitle ? (
          <>
            “{name.label}” is what <em>{document.label}</em> is about
          </>
        ) : (
          <>
            “{name.label}” in <em>{document.label}</em>
          </>
        )}
      </p>
      <p class="step-sentence">
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
      <div class="row tight">
        <button
          type="button"
          class="link small"
          onClick={() => {
            asking.openDocument(step.documentId, step.inTitle ? null : step.start)
          }}
        >
          Open the document here
        </button>
      </div>
    </div>
  )
}

const NONE: readonly Mark[] = []
