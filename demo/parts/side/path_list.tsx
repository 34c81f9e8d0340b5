/** The reasoning paths as the engine's sentences; weak ones look weak. */
import type { JSX } from 'preact'
import type { ReasoningPath } from '../../../src/index.ts'
import { WEAK } from '../../picture/best_path.ts'
import { straightened } from '../../words/format.ts'
import { words } from '../../words/words.ts'
import { Hint } from '../hint.tsx'

const OPEN = 3

export function PathList({ paths }: { readonly paths: readonly ReasoningPath[] }): JSX.Element {
  const line = (path: ReasoningPath, i: number): JSX.Element => (
    <li key={path.sentence} class={path.score < WEAK ? 'weak' : ''} dir="auto">
      <span>{straightened(path.sentence)}</span>{' '}
      <span class="small muted figures">
        <Hint about="pathShare" quiet={i > 0}>
          {share(path.score)}
        </Hint>
      </span>
    </li>
  )
  return (
    <div class="paths">
      <ol>{paths.slice(0, OPEN).map(line)}</ol>
      {paths.length > OPEN && (
        <details>
          <summary>{words().why.morePaths(paths.length - OPEN)}</summary>
          <ol start={OPEN + 1}>{paths.slice(OPEN).map(line)}</ol>
        </details>
      )}
    </div>
  )
}

/** Share of the walk's mass. */
function share(score: number): string {
  return score >= 0.0995
    ? `${Math.round(score * 100)}%`
    : score >= 0.001
      ? `${(score * 100).toFixed(1)}%`
      : 'under 0.1%'
}
