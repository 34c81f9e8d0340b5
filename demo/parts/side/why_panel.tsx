/** Why: the names it started from, the paths drawn and in words, the ranked sources. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { RetrieveResult } from '../../../src/index.ts'
import { TOP_KS } from '../../platform/settings.ts'
import type { Asking } from '../../session/asking.ts'
import type { State } from '../../session/state.ts'
import { comparePaths } from '../../words/compare.ts'
import { words } from '../../words/words.ts'
import { CopyButton } from '../copy_button.tsx'
import { useLater, useWidth } from '../hooks.ts'
import { CompareView } from './compare_view.tsx'
import { PathList } from './path_list.tsx'
import { PictureView } from './picture_view.tsx'
import { ScoreLegend } from './score_bar.tsx'
import { SeedChips } from './seed_chips.tsx'
import { SourceCard } from './source_card.tsx'

export interface WhyPanelProps {
  readonly state: State
  readonly asking: Asking
  readonly centre: (name: string) => void
}

export function WhyPanel(props: WhyPanelProps): JSX.Element {
  const { state, asking } = props,
    { settings, pinned, asked } = state,
    answer = useLater(state.answer, null)
  // The answer is drawn once, not at every change of status while vectors stream in.
  const body = useMemo(() => {
    if (!answer) return null
    return (
      <>
        {pinned && <CompareView pinned={pinned} answer={answer} question={asked} asking={asking} />}
        <Paths {...props} answer={answer} />
        <Sources answer={answer} topK={settings.topK} asking={asking} />
      </>
    )
  }, [answer, settings.topK, pinned])
  if (state.asked === '' || (!answer && !state.answer))
    return <p class="muted">{words().why.legend}</p>
  return (
    <>
      {!state.example && <SeedChips state={state} asking={asking} />}
      {body}
    </>
  )
}

const NONE: ReadonlySet<string> = new Set()

export function toSource(rank: number): void {
  const card = document.getElementById(`source-${rank}`)
  card?.scrollIntoView({
    block: 'start',
    behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
  })
  card?.focus({ preventScroll: true })
}

function Paths({
  state,
  asking,
  centre,
  answer,
}: WhyPanelProps & { readonly answer: RetrieveResult }): JSX.Element {
  const { pinned } = state,
    t = words().why,
    shown = answer.answer.state === 'none' ? [] : answer.reasoning
  return (
    <section class="block paths-block" aria-labelledby="paths-title">
      <div class="block-head">
        <h3 id="paths-title">{t.paths}</h3>
        {pinned === null && (
          <button
            type="button"
            class="link small"
            onClick={() => {
              asking.pin()
            }}
          >
            {words().card.compare}
          </button>
        )}
        {shown.length > 0 && (
          <CopyButton
            text={shown.map((path) => path.sentence).join('\n')}
            label={words().page.copy}
            what={t.pathsWhat}
          />
        )}
      </div>
      {shown.length > 0 ? (
        <>
          <PictureView
            key={answer.debug.generation}
            answer={answer}
            asking={asking}
            toSource={toSource}
            centre={centre}
            shared={
              pinned && pinned.answer !== answer ? comparePaths(pinned.answer, answer).shared : NONE
            }
            label={null}
          />
          <PathList paths={shown} />
        </>
      ) : (
        <p class="small muted">{noPathWords(answer)}</p>
      )}
    </section>
  )
}

function noPathWords(answer: RetrieveResult): string {
  const t = words().why
  if (answer.sources.length === 0) return t.noSource
  if (answer.answer.state === 'none') return t.notFound
  return answer.debug.seeds.length === 0 ? t.noSeeds : t.noPath
}

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
    sources = drawn?.sources ?? [],
    t = words().why
  const [list, width] = useWidth<HTMLOListElement>(),
    room = twoLines(width)
  const best = Math.max(0, ...sources.map((source) => source.score))
  const packed = new Set(drawn?.blocks.flatMap((block) => block.ranks) ?? [])
  return (
    <section class="block sources-block" aria-labelledby="sources-title">
      <div class="block-head">
        <h3 id="sources-title">{t.sources}</h3>
        <label class="small muted">
          {t.show}{' '}
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
      {drawn === answer && sources.length === 0 && <p class="small muted">{t.noSources}</p>}
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
