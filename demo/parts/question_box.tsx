/**
 * Owns the question and the questions one may pick. Refuses: asking while there is nothing to ask.
 */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Asking } from '../session/asking.ts'
import type { State } from '../session/state.ts'

const AT_ONCE = 4

export function QuestionBox({
  state,
  asking,
  ready,
}: {
  readonly state: State
  readonly asking: Asking
  readonly ready: boolean
}): JSX.Element {
  const [page, setPage] = useState(0)
  const history = state.corpus === null ? [] : (state.settings.history.get(state.corpus) ?? [])
  const offered = state.suggestions.length > 0 ? state.suggestions : history
  const pages = Math.max(1, Math.ceil(offered.length / AT_ONCE))
  const at = (page % pages) * AT_ONCE
  const list = offered.slice(at, at + AT_ONCE)
  const submit = (event: Event): void => {
    event.preventDefault()
    void asking.submit()
  }
  return (
    <div class="question">
      <form onSubmit={submit} role="search">
        <label class="sr-only" for="question">
          Your question
        </label>
        <textarea
          id="question"
          rows={2}
          value={state.question}
          disabled={!ready}
          placeholder={ready ? 'Ask a question about this corpus' : waitingWords(state)}
          onInput={(event) => {
            asking.type(event.currentTarget.value)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) submit(event)
          }}
        />
        <button
          type="submit"
          class="primary"
          disabled={!ready || state.question.trim() === ''}
          aria-busy={state.asking}
        >
          Ask
        </button>
      </form>
      {list.length > 0 && (
        <details
          class="suggestions"
          open={state.asked === ''}
          key={state.asked === '' ? 'open' : 'closed'}
        >
          <summary>{state.suggestions.length > 0 ? 'Questions to try' : 'Asked before'}</summary>
          <ul>
            {list.map((question) => (
              <li key={question}>
                <button
                  type="button"
                  class="suggestion"
                  disabled={!ready}
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
              Other questions
            </button>
          )}
        </details>
      )}
      {list.length === 0 && state.hubs.length > 0 && state.asked === '' && (
        <div class="hubs small">
          <span class="muted">Often mentioned here:</span>{' '}
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
              {hub}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

/** Why there is nothing to ask yet. */
function waitingWords(state: State): string {
  if (state.deleting !== null && state.deleting === state.corpus)
    return 'The corpus is being deleted'
  if (state.boot === 'opening' || state.adding) return 'Getting the corpus ready'
  return state.boot === 'failed' || state.corpus === null
    ? 'No corpus is open'
    : 'This corpus is empty'
}
