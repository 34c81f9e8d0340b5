/** The stacked bar of a score and the words for its parts. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ScoreContributions } from '../../../src/index.ts'
import { PARTS } from '../../words/states.ts'
import { words } from '../../words/words.ts'
import { Hint } from '../hint.tsx'

export interface ScoreBarProps {
  readonly contributions: ScoreContributions
  readonly score: number
  readonly best: number
}

interface Part {
  readonly key: (typeof PARTS)[number]
  readonly value: number
  readonly name: string
  readonly words: string
}

export function ScoreBar({ contributions, score, best }: ScoreBarProps): JSX.Element {
  const [open, setOpen] = useState(false),
    t = words()
  const parts = PARTS.map((key): Part => {
    const [name, text] = t.parts[key]
    return { key, value: contributions[key], name, words: text }
  }).filter((part) => part.value > 0)
  const spoken = parts.map((part) => `${part.name} ${part.value.toFixed(2)}`).join(', ')
  const show = (): void => {
      setOpen(true)
    },
    hide = (): void => {
      setOpen(false)
    }
  return (
    <div class="score" onPointerEnter={show} onPointerLeave={hide}>
      <div class="score-line">
        <button
          type="button"
          class="score-track"
          aria-expanded={open}
          aria-label={t.why.score(score.toFixed(2), spoken)}
          onFocus={show}
          onBlur={hide}
          onKeyDown={(event) => {
            if (event.key === 'Escape') hide()
          }}
          onClick={show}
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
      {open && <Parts parts={parts} />}
    </div>
  )
}

function Parts({ parts }: { readonly parts: readonly Part[] }): JSX.Element {
  return (
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
      {parts.length === 0 && <li>{words().why.noParts}</li>}
    </ul>
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
      {PARTS.map((key) => (
        <span key={key}>
          <span class={`swatch p-${key}`} />
          {words().parts[key][0]}
        </span>
      ))}
    </p>
  )
}
