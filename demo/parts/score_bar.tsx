/**
 * Owns the stacked bar of a score and the words for its parts. Refuses: parts that do not add up;
 * the engine's do.
 */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ScoreContributions } from '../../src/index.ts'
import { PARTS } from '../words/states.ts'
import { Hint } from './hint.tsx'

export interface ScoreBarProps {
  readonly contributions: ScoreContributions
  readonly score: number
  readonly best: number
}

export function ScoreBar({ contributions, score, best }: ScoreBarProps): JSX.Element {
  const [open, setOpen] = useState(false)
  const parts = PARTS.map((part) => ({ ...part, value: contributions[part.key] })).filter(
    (part) => part.value > 0,
  )
  const spoken = parts.map((part) => `${part.name} ${part.value.toFixed(2)}`).join(', ')
  return (
    <div
      class="score"
      onPointerEnter={() => {
        setOpen(true)
      }}
      onPointerLeave={() => {
        setOpen(false)
      }}
    >
      <div class="score-line">
        <button
          type="button"
          class="score-track"
          aria-expanded={open}
          aria-label={`Score ${score.toFixed(2)}: ${spoken}`}
          onFocus={() => {
            setOpen(true)
          }}
          onBlur={() => {
            setOpen(false)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setOpen(false)
          }}
          onClick={() => {
            setOpen(true)
          }}
        >
          {parts.map((part) => (
            <span
              key={part.key}
              class={`part p-${part.key}`}
              style={{ width: `${(best > 0 ? (100 * part.value) / best : 0).toFixed(2)}%` }}
            />
          ))}
        </button>
        <span class="figures small">
          <Hint about="score" quiet>
            {score.toFixed(2)}
          </Hint>
        </span>
      </div>
      {open && (
        <ul class="score-parts" ref={place}>
          {parts.map((part) => (
            <li key={part.key}>
              <span class={`swatch p-${part.key}`} />
              <span class="figures">{part.value.toFixed(2)}</span>
              <span>
                <strong>{part.name}</strong>: {part.words}
              </span>
            </li>
          ))}
          {parts.length === 0 && <li>Nothing speaks for it.</li>}
        </ul>
      )}
    </div>
  )
}

/** Over the bar where the window ends below it. */
function place(list: HTMLElement | null): void {
  if (list !== null && list.getBoundingClientRect().bottom > innerHeight)
    list.classList.add('above')
}

export function ScoreLegend(): JSX.Element {
  return (
    <p class="legend small muted" aria-hidden="true">
      {PARTS.map((part) => (
        <span key={part.key}>
          <span class={`swatch p-${part.key}`} />
          {part.name}
        </span>
      ))}
    </p>
  )
}
