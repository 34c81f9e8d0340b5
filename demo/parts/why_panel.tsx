/**
 * Owns the why column: picture, paths in words, ranked sources, what each stage took. Refuses: an
 * order of its own.
 */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { TOP_KS } from '../platform/settings.ts'
import type { RetrieveResult } from '../../src/index.ts'
import type { Asking } from '../session/asking.ts'
import type { State } from '../session/state.ts'
import { comparePaths } from '../words/compare.ts'
import { useLater, useWidth } from './hooks.ts'
import { CompareView } from './compare_view.tsx'
import { CopyButton } from './copy_button.tsx'
import { PathList } from './path_list.tsx'
import { PictureView } from './picture_view.tsx'
import { ScoreLegend } from './score_bar.tsx'
import { SourceCard } from './source_card.tsx'
import { StageView } from './stage_view.tsx'
import { WhyLegend } from './why_legend.tsx'

export function WhyPanel({
  state,
  asking,
  toSource,
}: {
  readonly state: State
  readonly asking: Asking
  readonly toSource: (rank: number) => void
}): JSX.Element {
  const { settings, pinned, asked } = state,
    answer = useLater(state.answer, null)
  // The answer is drawn once, not at every change of status while vectors stream in.
  const body = useMemo(() => {
    if (!answer) return null
    return (
      <>
        {pinned && <CompareView pinned={pinned} answer={answer} question={asked} asking={asking} />}
        <section class="block paths-block" aria-labelledby="paths-title">
          <div class="block-head">
            <h3 id="paths-title">Reasoning paths</h3>
            {pinned === null && (
              <button
                type="button"
                class="link small"
                onClick={() => {
                  asking.pin()
                }}
              >
                Compare…
              </button>
            )}
            {answer.reasoning.length > 0 && (
              <CopyButton
                text={answer.reasoning.map((path) => path.sentence).join('\n')}
                label="Copy"
                what="Paths"
              />
            )}
          </div>
          {answer.reasoning.length > 0 ? (
            <>
              <PictureView
                key={answer.debug.generation}
                answer={answer}
                asking={asking}
                toSource={toSource}
                shared={
                  pinned && pinned.answer !== answer
                    ? comparePaths(pinned.answer, answer).shared
                    : NONE
                }
                label={null}
              />
              <PathList paths={answer.reasoning} />
            </>
          ) : (
            <p class="small muted">
              {answer.debug.seeds.length === 0
                ? 'No name of the question is known here, so there is no path to draw.'
                : answer.sources.length === 0
                  ? 'There is none without a source.'
                  : 'The names of the question lead to no ranked source.'}
            </p>
          )}
        </section>
        <Sources answer={answer} topK={settings.topK} asking={asking} />
        <StageView answer={answer} />
      </>
    )
  }, [answer, settings.topK, pinned])
  return (
    <>
      <h2>Why</h2>
      {body ?? <WhyLegend />}
    </>
  )
}

const NONE: ReadonlySet<string> = new Set()

/**
 * About the characters of two lines at a width in pixels, less what wrapping and the marks of a cut
 * take; the style sheet sees to the rest.
 */
function twoLines(width: number): number {
  return Math.max(60, Math.min(180, Math.floor((2 * width) / 8.1) - 10))
}

function Sources({
  answer,
  topK,
  asking,
}: {
  readonly answer: RetrieveResult
  readonly topK: number
  readonly asking: Asking
}): JSX.Element {
  const drawn = useLater<RetrieveResult | null>(answer, null),
    sources = drawn?.sources ?? []
  const [list, width] = useWidth<HTMLOListElement>(),
    room = twoLines(width)
  const best = Math.max(0, ...sources.map((source) => source.score))
  const packed = new Set(drawn?.blocks.flatMap((block) => block.ranks) ?? [])
  return (
    <section class="block sources-block" aria-labelledby="sources-title">
      <div class="block-head">
        <h3 id="sources-title">Sources</h3>
        <label class="small muted">
          show{' '}
          <select
            value={topK}
            onChange={(event) => void asking.setTopK(Number(event.currentTarget.value))}
          >
            {TOP_KS.map((k) => (
              <option key={k} value={k}>
                {k}
              </option>
            ))}
          </select>
        </label>
      </div>
      {sources.length > 0 && <ScoreLegend />}
      {drawn === answer && sources.length === 0 && (
        <p class="small muted">None: nothing was found.</p>
      )}
      <ol class="sources" ref={list}>
        {sources.map((source) => (
          <SourceCard
            key={`${source.documentId}\n${source.passage}`}
            source={source}
            best={best}
            packed={packed.has(source.rank)}
            room={room}
            asking={asking}
          />
        ))}
      </ol>
    </section>
  )
}
