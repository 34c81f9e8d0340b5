/** The paths of a kept question beside those of the present one. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { RetrieveResult } from '../../../src/index.ts'
import type { Asking } from '../../session/asking.ts'
import type { Pinned } from '../../session/state.ts'
import { comparePaths, type Comparison } from '../../words/compare.ts'
import { words } from '../../words/words.ts'
import { Hint } from '../hint.tsx'
import { PathList } from './path_list.tsx'
import { PictureView } from './picture_view.tsx'

export interface CompareViewProps {
  readonly pinned: Pinned
  readonly answer: RetrieveResult
  readonly question: string
  readonly asking: Asking
}

export function CompareView({ pinned, answer, question, asking }: CompareViewProps): JSX.Element {
  const comparison = useMemo(() => comparePaths(pinned.answer, answer), [pinned, answer]),
    t = words().compare
  return (
    <section class="block compare" aria-labelledby="compare-title">
      <div class="block-head">
        <h3 id="compare-title">{t.region}</h3>
        <button
          type="button"
          class="small-button"
          onClick={() => {
            asking.unpin()
          }}
        >
          {t.end}
        </button>
      </div>
      <p class="small" dir="auto">
        {t.kept(pinned.question)}
      </p>
      {pinned.answer === answer ? (
        <p class="small muted">{t.askAnother}</p>
      ) : (
        <>
          <Facts comparison={comparison} />
          <h4 class="compare-question">{t.keptQuestion}</h4>
          {pinned.answer.reasoning.length > 0 ? (
            <>
              <PictureView
                answer={pinned.answer}
                asking={asking}
                toSource={null}
                centre={null}
                shared={comparison.shared}
                label={t.picture(pinned.question)}
              />
              <PathList paths={pinned.answer.reasoning} />
            </>
          ) : (
            <p class="small muted">{words().why.noSeeds}</p>
          )}
          <h4 class="compare-question" dir="auto">
            {question}
          </h4>
        </>
      )}
    </section>
  )
}

function Facts({ comparison }: { readonly comparison: Comparison }): JSX.Element {
  const { names, documents, sourcesBoth, sourcesFirst, sourcesSecond } = comparison,
    t = words().compare
  return (
    <dl class="compare-facts small">
      <dt>
        <Hint about="shared">{t.sharedNames}</Hint>
      </dt>
      <dd>
        {names.length + documents.length === 0
          ? t.none
          : [...names, ...documents].map((node) => (
              <span key={`${node.kind}\n${node.id}`} class={`pill ${node.kind}`}>
                {node.label}
              </span>
            ))}
      </dd>
      <dt>{t.sources}</dt>
      <dd class="figures">{t.counts(sourcesBoth, sourcesFirst, sourcesSecond)}</dd>
    </dl>
  )
}
