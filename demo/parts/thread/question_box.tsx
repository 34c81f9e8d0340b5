/** The question box at the foot of the thread, and who answers. */
import type { JSX } from 'preact'
import { modelName } from '../../platform/models.ts'
import type { Asking } from '../../session/asking.ts'
import type { State } from '../../session/state.ts'
import { words } from '../../words/words.ts'

export interface QuestionBoxProps {
  readonly state: State
  readonly asking: Asking
  readonly ready: boolean
  readonly chooseModel: () => void
}

export function QuestionBox({ state, asking, ready, chooseModel }: QuestionBoxProps): JSX.Element {
  const t = words().ask
  const submit = (event: Event): void => {
    event.preventDefault()
    void asking.submit()
  }
  return (
    <div class="question">
      <form onSubmit={submit} role="search">
        <label class="sr-only" for="question">
          {t.label}
        </label>
        <textarea
          id="question"
          rows={1}
          dir="auto"
          value={state.question}
          disabled={!ready}
          placeholder={ready ? placeholder(state) : waitingWords(state)}
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
          {t.ask}
        </button>
      </form>
      <p class="model-line small muted">
        {modelWords(state)}{' '}
        <button type="button" class="link small" aria-haspopup="dialog" onClick={chooseModel}>
          {words().models.button}
        </button>
      </p>
    </div>
  )
}

function placeholder({ asked }: State): string {
  return asked === '' ? words().ask.placeholder : words().ask.followUp
}

/** Who answers, where it runs and what leaves the device. */
function modelWords({ settings: { model } }: State): string {
  const t = words().models
  if (model.kind === 'off') return t.stateOff
  return model.kind === 'browser' ? t.stateBrowser : t.stateServer(modelName(model, location.href))
}

/** Why there is nothing to ask yet. */
function waitingWords(state: State): string {
  const t = words().ask
  if (state.deleting !== null && state.deleting === state.corpus) return t.waitDeleting
  if (state.boot === 'opening' || state.adding) return t.waitOpening
  return state.boot === 'failed' || state.corpus === null ? t.waitNone : t.waitEmpty
}
