/**
 * Owns the steering of a question: names found, names added, documents left out. Refuses: guessing
 * names itself.
 */
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Asking } from '../session/asking.ts'
import type { State } from '../session/state.ts'
import { counted } from '../words/format.ts'
import { rarityWords } from '../words/states.ts'
import { Hint } from './hint.tsx'

export function SeedChips({
  state,
  asking,
}: {
  readonly state: State
  readonly asking: Asking
}): JSX.Element {
  const [name, setName] = useState('')
  const found = state.foundSeeds.filter((seed) => !state.removedSeeds.includes(seed.name))
  return (
    <section class="steering" aria-label="Names and documents that steer this question">
      <div class="chips">
        <span class="chips-label">Names</span>
        {found.map((seed, i) => (
          <Chip
            key={seed.name}
            remove={() => void asking.removeFound(seed.name)}
            label={`Do not start from ${seed.label}`}
          >
            {seed.label}{' '}
            <span class="muted">
              <Hint about="rarity" quiet={i > 0}>
                {rarityWords(seed.passages)}
              </Hint>
              {seed.origin === 'fuzzy' ? ', spelled alike' : ''}
            </span>
          </Chip>
        ))}
        {state.injected.map((seed) => (
          <Chip
            key={`+${seed.label}`}
            added
            warn={seed.name === null}
            remove={() => void asking.removeInjected(seed.label)}
            label={`Do not start from ${seed.label}`}
          >
            {seed.label}{' '}
            <span class="muted">
              {seed.name === null ? 'unknown here' : rarityWords(seed.passages)}
            </span>
          </Chip>
        ))}
        {found.length === 0 && state.injected.length === 0 && (
          <span class="small muted">none known here</span>
        )}
        {state.removedSeeds.length > 0 && (
          <button type="button" class="link small" onClick={() => void asking.restoreFound()}>
            bring back {counted(state.removedSeeds.length, 'name')}
          </button>
        )}
        <form
          class="add-name"
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim() === '') return
            void asking.inject([name])
            setName('')
          }}
        >
          <input
            type="text"
            aria-label="Add a name to start from"
            placeholder="Add a name"
            maxLength={200}
            value={name}
            onInput={(event) => {
              setName(event.currentTarget.value)
            }}
          />
          <button type="submit" class="small-button" disabled={name.trim() === ''}>
            Add
          </button>
        </form>
      </div>
      {state.excluded.length > 0 && (
        <div class="chips">
          <span class="chips-label">Left out</span>
          {state.excluded.map((document) => (
            <Chip
              key={document.id}
              remove={() => void asking.include(document.id)}
              label={`Include ${document.title || document.id} again`}
            >
              {document.title || document.id}
            </Chip>
          ))}
        </div>
      )}
    </section>
  )
}

function Chip({
  children,
  remove,
  label,
  added,
  warn,
}: {
  readonly children: ComponentChildren
  readonly remove: () => void
  readonly label: string
  readonly added?: boolean
  readonly warn?: boolean
}): JSX.Element {
  return (
    <span class={`chip${added ? ' added' : ''}${warn ? ' warn' : ''}`}>
      <span class="chip-text">{children}</span>
      <button type="button" aria-label={label} onClick={remove}>
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <path d="M2 2l6 6M8 2 2 8" />
        </svg>
      </button>
    </span>
  )
}
