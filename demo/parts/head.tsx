/** The head of the page: what it is, what leaves the device, whether it works offline. */
import type { JSX } from 'preact'
import type { State } from '../session/state.ts'
import { offlineWords } from '../words/states.ts'
import { words } from '../words/words.ts'

export interface HeadProps {
  readonly state: State
  readonly wide: boolean
  readonly toShelf: () => void
  readonly openSettings: () => void
}

export function Head({ state, wide, toShelf, openSettings }: HeadProps): JSX.Element {
  const t = words().page,
    offline = offlineWords(state.offline, state.online)
  return (
    <header class="head">
      <p class="brand">
        <Logo />
        <span>hubmesh</span>
      </p>
      <p class="claim">{claim(state)}</p>
      <p class={`network ${offline.tone}`}>{offline.text}</p>
      <div class="head-buttons">
        {!wide && (
          <button type="button" class="head-button" aria-haspopup="dialog" onClick={toShelf}>
            {t.documents}
          </button>
        )}
        <button type="button" class="head-button" aria-haspopup="dialog" onClick={openSettings}>
          {t.settings}
        </button>
      </div>
    </header>
  )
}

/** What is promised of the documents; less where others may read them. */
function claim({ settings, agents }: State): string {
  const t = words().page
  if (settings.model.kind === 'server') return t.claimServer
  return agents.state === 'offered' ? t.claimAgents : t.claimOwn
}

function Logo(): JSX.Element {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M7 9 16 16 25 7M16 16 8 24M16 16l9 8" />
      <circle cx="16" cy="16" r="4" />
      <circle cx="7" cy="9" r="2.5" />
      <circle cx="25" cy="7" r="2.5" />
      <circle cx="8" cy="24" r="2.5" />
      <circle cx="25" cy="24" r="2.5" />
    </svg>
  )
}
