/** The steering of a question: names found, names added, documents left out. */
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Asking } from '../../session/asking.ts'
import type { State } from '../../session/state.ts'
import { words } from '../../words/words.ts'
import { Hint } from '../hint.tsx'

export interface SeedChipsProps {
  readonly state: State
  readonly asking: Asking
}

export function SeedChips(props: SeedChipsProps): JSX.Element {
  const { state, asking } = props,
    t = words().why
  return (
    <section class="steering" aria-label={t.steering}>
      <div class="chips">
        <span class="chips-label">{t.starts}</span>
        <Seeds {...props} />
        {state.removedSeeds.length > 0 && (
          <button type="button" class="link small" onClick={() => void asking.restoreFound()}>
            {t.bringBack(state.removedSeeds.length)}
          </button>
        )}
        <AddName add={(name) => void asking.inject([name])} />
      </div>
      {state.excluded.length > 0 && (
        <div class="chips">
          <span class="chips-label">{t.leftOut}</span>
          {state.excluded.map(({ id, title }) => (
            <Chip
              key={id}
              remove={() => void asking.include(id)}
              label={t.include(title === '' ? id : title)}
            >
              {title === '' ? id : title}
            </Chip>
          ))}
        </div>
      )}
    </section>
  )
}

function Seeds({ state, asking }: SeedChipsProps): JSX.Element {
  const t = words().why,
    found = state.foundSeeds.filter((seed) => !state.removedSeeds.includes(seed.name))
  return (
    <>
      {found.map((seed, i) => (
        <Chip
          key={seed.name}
          remove={() => void asking.removeFound(seed.name)}
          label={t.doNot(seed.label)}
        >
          {seed.label}{' '}
          <span class="muted">
            <Hint about="rarity" quiet={i > 0}>
              {t.rarity(seed.passages)}
            </Hint>
            {seed.origin === 'fuzzy' ? t.alike : ''}
          </span>
        </Chip>
      ))}
      {state.injected.map((seed) => (
        <Chip
          key={`+${seed.label}`}
          added
          warn={seed.name === null}
          remove={() => void asking.removeInjected(seed.label)}
          label={t.doNot(seed.label)}
        >
          {seed.label}{' '}
          <span class="muted">{seed.name === null ? t.unknownHere : t.rarity(seed.passages)}</span>
        </Chip>
      ))}
      {found.length === 0 && state.injected.length === 0 && (
        <span class="small muted">{t.noneKnown}</span>
      )}
    </>
  )
}

function AddName({ add }: { readonly add: (name: string) => void }): JSX.Element {
  const [name, setName] = useState(''),
    t = words().why
  return (
    <form
      class="add-name"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() === '') return
        add(name)
        setName('')
      }}
    >
      <input
        type="text"
        aria-label={t.addName}
        placeholder={t.addNameHint}
        maxLength={200}
        value={name}
        onInput={(event) => {
          setName(event.currentTarget.value)
        }}
      />
      <button type="submit" class="small-button" disabled={name.trim() === ''}>
        {t.add}
      </button>
    </form>
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
