/** Which language model writes answers: what is there, what is allowed, tested before it is saved. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import {
  browserHasModel,
  connectedOrigins,
  modelTrouble,
  testModel,
} from '../../platform/models.ts'
import type { ModelChoice } from '../../platform/settings.ts'
import type { Answering } from '../../session/answering.ts'
import type { State } from '../../session/state.ts'
import { problemOf } from '../../words/problems.ts'
import { words } from '../../words/words.ts'
import { Modal } from './modal.tsx'
import { ServerForm } from './server_form.tsx'

export interface ModelsDialogProps {
  readonly state: State
  readonly answering: Answering
  readonly close: () => void
}

export function ModelsDialog({ state, answering, close }: ModelsDialogProps): JSX.Element {
  const [model, setModel] = useState<ModelChoice>(state.settings.model),
    [key, setKey] = useState(answering.key),
    [tried, setTried] = useState(false),
    t = words().models
  const trouble = modelTrouble(model, location.href, connectedOrigins(), browserHasModel())
  const change = (part: Partial<ModelChoice>): void => {
    setTried(false)
    setModel({ ...model, ...part })
  }
  const save = (event: Event): void => {
    event.preventDefault()
    setTried(true)
    if (trouble !== null) return
    answering.choose(model, model.kind === 'server' ? key : '')
    close()
    if (state.answer && model.kind !== 'off') void answering.write()
  }
  return (
    <Modal title={t.title} close={close}>
      <form class="settings" onSubmit={save}>
        <p class="small muted">{t.lead}</p>
        <Kinds model={model} change={change} />
        {model.kind === 'server' && (
          <ServerForm model={model} change={change} secret={key} setSecret={setKey} />
        )}
        {tried && trouble !== null && (
          <p class="notice warn small" role="alert">
            {trouble}
          </p>
        )}
        <div class="row">
          <button type="submit" class="primary">
            {words().settings.save}
          </button>
          {model.kind !== 'off' && trouble === null && <Test model={model} secret={key} />}
        </div>
      </form>
    </Modal>
  )
}

function Kinds({
  model,
  change,
}: {
  readonly model: ModelChoice
  readonly change: (part: Partial<ModelChoice>) => void
}): JSX.Element {
  const t = words().models
  const kinds = [
    ['off', t.off, t.offHelp],
    ['browser', t.browser, browserHasModel() ? t.browserHere : t.browserMissing],
    ['server', t.server, t.serverHelp],
  ] as const
  return (
    <fieldset>
      <legend class="sr-only">{t.title}</legend>
      {kinds.map(([kind, label, help]) => (
        <label key={kind} class="choice">
          <input
            type="radio"
            name="model-kind"
            value={kind}
            checked={model.kind === kind}
            onChange={() => {
              change({ kind })
            }}
          />
          <span>
            <strong>{label}</strong>
            <span class="small muted">{help}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function Test({
  model,
  secret,
}: {
  readonly model: ModelChoice
  readonly secret: string
}): JSX.Element {
  const [result, setResult] = useState<{ readonly good: boolean; readonly text: string } | null>(
      null,
    ),
    [busy, setBusy] = useState(false),
    t = words().models
  const run = async (): Promise<void> => {
    setBusy(true)
    setResult(null)
    try {
      setResult({ good: true, text: t.works(await testModel(model, secret, location.href)) })
    } catch (error) {
      const { title, message } = problemOf(error)
      setResult({ good: false, text: `${title}: ${message}` })
    }
    setBusy(false)
  }
  return (
    <>
      <button type="button" disabled={busy} onClick={() => void run()}>
        {busy ? t.testing : t.test}
      </button>
      {result && (
        <p class={`small test-result ${result.good ? 'good' : 'warn'}`} role="status">
          {result.text}
        </p>
      )}
    </>
  )
}
