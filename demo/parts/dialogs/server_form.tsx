/** A server with OpenAI's interface: its address, its models, its key, and what is sent to it. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { connectedOrigins, listModels, reachTrouble, readAddress } from '../../platform/models.ts'
import { ANSWERS, WINDOWS, type ModelChoice } from '../../platform/settings.ts'
import { words } from '../../words/words.ts'

/** Where Ollama listens: the example of how a server is allowed. */
const USUAL = 'http://127.0.0.1:11434'

export interface ServerFormProps {
  readonly model: ModelChoice
  readonly change: (part: Partial<ModelChoice>) => void
  readonly secret: string
  readonly setSecret: (secret: string) => void
}

export function ServerForm({ model, change, secret, setSecret }: ServerFormProps): JSX.Element {
  const t = words().models,
    origins = connectedOrigins(),
    host = readAddress(model.url, location.href)?.host
  return (
    <div class="server">
      <label>
        {t.address}
        <input
          type="text"
          inputMode="url"
          autocomplete="off"
          spellcheck={false}
          placeholder={t.addressHint}
          value={model.url}
          onInput={(event) => {
            change({ url: event.currentTarget.value })
          }}
        />
      </label>
      <ModelName model={model} change={change} secret={secret} />
      <label>
        <span>
          {t.key} <span class="muted">{t.keyHelp}</span>
        </span>
        <input
          type="password"
          autocomplete="off"
          value={secret}
          onInput={(event) => {
            setSecret(event.currentTarget.value)
          }}
        />
      </label>
      <div class="pair">
        <Tokens
          label={t.window}
          value={model.window}
          values={WINDOWS}
          change={(window) => {
            change({ window })
          }}
        />
        <Tokens
          label={t.longest}
          value={model.answer}
          values={ANSWERS}
          change={(answer) => {
            change({ answer })
          }}
        />
      </div>
      {model.url.trim() !== '' && <p class="small warn">{t.sends(host ?? t.thatServer)}</p>}
      <p class="small muted">
        {origins.length === 0 ? `${t.mayTalkOwn} ${t.allow(USUAL)}` : t.mayTalk(origins.join(', '))}
      </p>
    </div>
  )
}

function ModelName({
  model,
  change,
  secret,
}: Pick<ServerFormProps, 'model' | 'change' | 'secret'>): JSX.Element {
  const [names, setNames] = useState<readonly string[]>([]),
    [said, setSaid] = useState<{ readonly good: boolean; readonly text: string } | null>(null),
    t = words().models
  const list = async (): Promise<void> => {
    const url = readAddress(model.url, location.href),
      trouble = url === null ? t.giveAddress : reachTrouble(url, location.href, connectedOrigins())
    if (url === null || trouble !== null) {
      setSaid({ good: false, text: trouble ?? t.giveAddress })
      return
    }
    try {
      const found = await listModels(url, secret)
      setNames(found)
      setSaid({ good: true, text: t.listed(found.length) })
      if (model.name === '' && found[0] !== undefined) change({ name: found[0] })
    } catch (error) {
      setSaid({ good: false, text: error instanceof Error ? error.message : String(error) })
    }
  }
  return (
    <>
      <label>
        {t.model}
        <input
          type="text"
          list="model-names"
          autocomplete="off"
          spellcheck={false}
          value={model.name}
          onInput={(event) => {
            change({ name: event.currentTarget.value })
          }}
        />
      </label>
      <datalist id="model-names">
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div class="row tight">
        <button type="button" class="link small" onClick={() => void list()}>
          {t.list}
        </button>
        {said && (
          <span class={`small ${said.good ? 'muted' : 'warn'}`} role="status">
            {said.text}
          </span>
        )}
      </div>
    </>
  )
}

function Tokens({
  label,
  value,
  values,
  change,
}: {
  readonly label: string
  readonly value: number
  readonly values: readonly number[]
  readonly change: (value: number) => void
}): JSX.Element {
  return (
    <label>
      {label}
      <select
        value={value}
        onChange={(event) => {
          change(Number(event.currentTarget.value))
        }}
      >
        {values.map((n) => (
          <option key={n} value={n}>
            {words().models.tokens(n)}
          </option>
        ))}
      </select>
    </label>
  )
}
