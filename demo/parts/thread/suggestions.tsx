/** What one may ask to begin with: sample questions, earlier ones, or well-known names. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Asking } from '../../session/asking.ts'
import type { State } from '../../session/state.ts'
import { words } from '../../words/words.ts'

const AT_ONCE = 4

export function Suggestions({
  state,
  asking,
}: {
  readonly state: State
  readonly asking: Asking
}): JSX.Element | null {
  const [page, setPage] = useState(0),
    t = words().ask
  const history = state.corpus === null ? [] : (state.settings.history.get(state.corpus) ?? [])
  const samples = state.suggestions.length > 0,
    offered = (samples ? state.suggestions : history).filter((text) => text !== state.asked)
  const pages = Math.max(1, Math.ceil(offered.length / AT_ONCE)),
    at = (page % pages) * AT_ONCE,
    list = offered.slice(at, at + AT_ONCE)
  if (list.length === 0) return state.asked === '' ? <Names state={state} asking={asking} /> : null
  return (
    <section class="suggestions" aria-label={samples ? t.examples : t.before}>
      <h3 class="small muted">{samples ? t.examples : t.before}</h3>
      <ul>
        {list.map((question) => (
          <li key={question}>
            <button
              type="button"
              class="suggestion"
              dir="auto"
              onClick={() => void asking.ask(question)}
            >
              {question}
            </button>
          </li>
        ))}
      </ul>
      {pages > 1 && (
        <button
          type="button"
          class="link small"
          onClick={() => {
            setPage(page + 1)
          }}
        >
          {t.other}
        </button>
      )}
    </section>
  )
}

function Names({
  state,
  asking,
}: {
  readonly state: State
  readonly asking: Asking
}): JSX.Element | null {
  if (state.hubs.length === 0) return null
  return (
    <div class="hubs small">
      <span class="muted">{words().ask.mentioned}</span>{' '}
      {state.hubs.map((hub) => (
        <button
          key={hub}
          type="button"
          class="chip-button"
          onClick={() => {
            asking.type(state.question === '' ? hub : `${state.question} ${hub}`)
            document.getElementById('question')?.focus()
          }}
        >
          <bdi>{hub}</bdi>
        </button>
      ))}
    </div>
  )
}
