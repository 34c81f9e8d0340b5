/**
 * Owns the paths of a kept question beside those of the present one. Refuses: steering the kept
 * question; it is over.
 */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { RetrieveResult } from '../../src/index.ts'
import type { Asking } from '../session/asking.ts'
import type { Pinned } from '../session/state.ts'
import { comparePaths } from '../words/compare.ts'
import { counted } from '../words/format.ts'
import { Hint } from './hint.tsx'
import { PathList } from './path_list.tsx'
import { PictureView } from './picture_view.tsx'

export interface CompareViewProps {
  readonly pinned: Pinned
  readonly answer: RetrieveResult
  readonly question: string
  readonly asking: Asking
}

export function CompareView({ pinned, answer, question, asking }: CompareViewProps): JSX.Element {
  const same = pinned.answer === answer
  const { names, documents, sourcesBoth, sourcesFirst, sourcesSecond, shared } = useMemo(
    () => comparePaths(pinned.answer, answer),
    [pinned, answer],
  )
  return (
    <section class="block compare" aria-labelledby="compare-title">
      <div class="block-head">
        <h3 id="compare-title">Compared</h3>
        <button
          type="button"
          class="small-button"
          onClick={() => {
            asking.unpin()
          }}
        >
          End comparing
        </button>
      </div>
      {same ? (
        <p class="small muted">
          Kept: “{pinned.question}”. Ask another question, and both stand here.
        </p>
      ) : (
        <>
          <dl class="compare-facts small">
            <dt>
              <Hint about="shared">On paths of both</Hint>
            </dt>
            <dd>
              {names.length + documents.length === 0
                ? 'nothing: the two questions take separate ways'
                : [...names, ...documents].map((node) => (
                    <span key={`${node.kind}\n${node.id}`} class={`pill ${node.kind}`}>
                      {node.label}
                    </span>
                  ))}
            </dd>
            <dt>Documents found</dt>
            <dd class="figures">
              {sourcesBoth} by both, {sourcesFirst} only by the kept question, {sourcesSecond} only
              by this one
            </dd>
          </dl>
          <h4 class="compare-question">
            <span class="small muted">Kept</span> {pinned.question}
          </h4>
          {pinned.answer.reasoning.length > 0 ? (
            <>
              <PictureView
                answer={pinned.answer}
                asking={asking}
                toSource={null}
                shared={shared}
                label={`Picture of the kept question, ${counted(pinned.answer.reasoning.length, 'path')}`}
              />
              <PathList paths={pinned.answer.reasoning} />
            </>
          ) : (
            <p class="small muted">It had no path: no name of it was known.</p>
          )}
          <h4 class="compare-question">
            <span class="small muted">Now</span> {question}
          </h4>
        </>
      )}
    </section>
  )
}
