/**
 * Owns the settings: which language model writes answers, whether agents may ask, the tour,
 * installing. Refuses: saving a choice that cannot work, and keeping a key.
 */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { browserHasModel, connectedOrigins, modelTrouble, readAddress } from '../platform/models.ts'
import { ANSWERS, WINDOWS, type ModelChoice } from '../platform/settings.ts'
import type { Agents } from '../session/agents.ts'
import type { Answering } from '../session/answering.ts'
import type { State } from '../session/state.ts'
import { grouped } from '../words/format.ts'
import { agentWords } from '../words/states.ts'
import { Modal } from './modal.tsx'

export interface SettingsDialogProps {
  readonly state: State
  readonly answering: Answering
  readonly agents: Agents
  readonly close: () => void
  readonly startTour: () => void
  readonly install: () => void
}

export function SettingsDialog({
  state,
  answering,
  agents,
  close,
  startTour,
  install,
}: SettingsDialogProps): JSX.Element {
  const [model, setModel] = useState<ModelChoice>(state.settings.model)
  const [key, setKey] = useState(answering.key)
  const [agentsMay, setAgentsMay] = useState(state.settings.agents)
  const [tried, setTried] = useState(false)
  const origins = connectedOrigins(),
    trouble = modelTrouble(model, location.href, origins, browserHasModel())
  const change = (part: Partial<ModelChoice>): void => {
    setTried(false)
    setModel({ ...model, ...part })
  }
  const save = (event: Event): void => {
    event.preventDefault()
    setTried(true)
    if (trouble !== null) return
    agents.allow(agentsMay)
    answering.choose(model, model.kind === 'server' ? key : '')
    close()
    if (state.answer && model.kind !== 'off') void answering.write()
  }
  const kind = (value: ModelChoice['kind'], label: string, words: string): JSX.Element => (
    <label class="choice">
      <input
        type="radio"
        name="model-kind"
        value={value}
        checked={model.kind === value}
        onChange={() => {
          change({ kind: value })
        }}
      />
      <span>
        <strong>{label}</strong>
        <span class="small muted">{words}</span>
      </span>
    </label>
  )
  const access = agentWords(state.agents),
    host = readAddress(model.url, location.href)?.host
  return (
    <Modal title="Settings" close={close}>
      <form class="settings" onSubmit={save}>
        <fieldset>
          <legend>Language model that writes answers</legend>
          {kind(
            'off',
            'None',
            'You get passages and the packed context. Nothing is sent anywhere.',
          )}
          {kind(
            'browser',
            'The one in this browser',
            browserHasModel()
              ? 'Runs on this device; nothing is sent anywhere. The browser may have to download it once.'
              : 'Not in this browser. Chrome has one on machines that can run it.',
          )}
          {kind(
            'server',
            'A server',
            'Any that speaks OpenAI’s chat completions: Ollama, llama.cpp, vLLM, a provider.',
          )}
          {model.kind === 'server' && (
            <div class="server">
              <label>
                Address
                <input
                  type="text"
                  inputMode="url"
                  autocomplete="off"
                  spellcheck={false}
                  placeholder="/v1"
                  value={model.url}
                  onInput={(event) => {
                    change({ url: event.currentTarget.value })
                  }}
                />
              </label>
              <label>
                Model
                <input
                  type="text"
                  autocomplete="off"
                  spellcheck={false}
                  placeholder="gemma3:4b"
                  value={model.name}
                  onInput={(event) => {
                    change({ name: event.currentTarget.value })
                  }}
                />
              </label>
              <label>
                Key <span class="muted">(if it wants one; kept until this page closes)</span>
                <input
                  type="password"
                  autocomplete="off"
                  value={key}
                  onInput={(event) => {
                    setKey(event.currentTarget.value)
                  }}
                />
              </label>
              <div class="pair">
                <label>
                  Its window
                  <select
                    value={model.window}
                    onChange={(event) => {
                      change({ window: Number(event.currentTarget.value) })
                    }}
                  >
                    {WINDOWS.map((n) => (
                      <option key={n} value={n}>
                        {grouped(n)} tokens
                      </option>
                    ))}
                  </select>
                </label>
                <label>
                  Longest answer
                  <select
                    value={model.answer}
                    onChange={(event) => {
                      change({ answer: Number(event.currentTarget.value) })
                    }}
                  >
                    {ANSWERS.map((n) => (
                      <option key={n} value={n}>
                        {grouped(n)} tokens
                      </option>
                    ))}
                  </select>
                </label>
              </div>
              <p class="small warn">
                Your question and the quoted passages are sent to {host ?? 'that server'} each time
                you ask.
              </p>
              <p class="small muted">
                This page may talk to{' '}
                {origins.length === 0
                  ? 'its own address only'
                  : `its own address and ${origins.join(', ')}`}
                ; its security policy holds it to that.
              </p>
            </div>
          )}
          {tried && trouble !== null && (
            <p class="notice warn small" role="alert">
              {trouble}
            </p>
          )}
        </fieldset>
        <fieldset>
          <legend>Agents in this browser</legend>
          <label class="check">
            <input
              type="checkbox"
              checked={agentsMay}
              disabled={state.agents.state === 'missing'}
              onChange={(event) => {
                setAgentsMay(event.currentTarget.checked)
              }}
            />
            They may read the open corpus
          </label>
          <p class={`small ${access.tone === 'plain' ? 'muted' : access.tone}`}>{access.text}</p>
        </fieldset>
        <div class="row">
          <button type="submit" class="primary">
            Save
          </button>
        </div>
      </form>
      <div class="settings-more">
        <button type="button" class="link" onClick={startTour}>
          Take the 30-second tour
        </button>
        {state.installable && (
          <button type="button" class="link" onClick={install}>
            Install as an app
          </button>
        )}
      </div>
    </Modal>
  )
}
