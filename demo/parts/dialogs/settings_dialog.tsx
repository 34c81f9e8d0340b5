/** Settings of the page: language, conversation, agents, index; everything can be deleted here. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Settings } from '../../platform/settings.ts'
import type { State } from '../../session/state.ts'
import { agentWords } from '../../words/states.ts'
import { LANGUAGES, words, type Language } from '../../words/words.ts'
import { Modal } from './modal.tsx'

type Chosen = Pick<Settings, 'agents' | 'keepThread' | 'index'>

export interface SettingsDialogProps {
  readonly state: State
  readonly language: Language
  readonly speak: (language: Language) => void
  readonly save: (chosen: Chosen) => void
  readonly wipe: () => void
  readonly close: () => void
  readonly install: () => void
}

export function SettingsDialog(props: SettingsDialogProps): JSX.Element {
  const { state, save, close } = props,
    { agents, keepThread, index } = state.settings,
    [chosen, setChosen] = useState<Chosen>({ agents, keepThread, index }),
    t = words().settings
  const change = (part: Partial<Chosen>): void => {
    setChosen({ ...chosen, ...part })
  }
  return (
    <Modal title={t.title} close={close}>
      <form
        class="settings"
        onSubmit={(event) => {
          event.preventDefault()
          save(chosen)
          close()
        }}
      >
        <LanguageChoice language={props.language} speak={props.speak} />
        <Conversation chosen={chosen} change={change} />
        <Agents state={state} chosen={chosen} change={change} />
        <IndexChoice chosen={chosen} change={change} />
        <button type="submit" class="primary">
          {t.save}
        </button>
      </form>
      <div class="settings-more">
        {state.installable && (
          <button type="button" class="link" onClick={props.install}>
            {t.install}
          </button>
        )}
        <button type="button" class="link" onClick={props.wipe}>
          {t.wipe}
        </button>
      </div>
    </Modal>
  )
}

function LanguageChoice({
  language,
  speak,
}: Pick<SettingsDialogProps, 'language' | 'speak'>): JSX.Element {
  return (
    <fieldset>
      <legend>{words().page.language}</legend>
      <select
        aria-label={words().page.language}
        value={language}
        onChange={(event) => {
          speak(event.currentTarget.value as Language)
        }}
      >
        {LANGUAGES.map(({ id, name }) => (
          <option key={id} value={id} lang={id}>
            {name}
          </option>
        ))}
      </select>
      {language !== 'en' && <p class="small muted">{words().settings.languageHelp}</p>}
    </fieldset>
  )
}

interface PartProps {
  readonly chosen: Chosen
  readonly change: (part: Partial<Chosen>) => void
}

function Conversation({ chosen, change }: PartProps): JSX.Element {
  const t = words().settings
  return (
    <fieldset>
      <legend>{t.conversation}</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={chosen.keepThread}
          onChange={(event) => {
            change({ keepThread: event.currentTarget.checked })
          }}
        />
        {t.keepThread}
      </label>
      <p class="small muted">{t.keepThreadHelp}</p>
    </fieldset>
  )
}

function Agents({ state, chosen, change }: PartProps & { readonly state: State }): JSX.Element {
  const t = words().settings,
    access = agentWords(state.agents)
  return (
    <fieldset>
      <legend>{t.agents}</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={chosen.agents}
          disabled={state.agents.state === 'missing'}
          onChange={(event) => {
            change({ agents: event.currentTarget.checked })
          }}
        />
        {t.agentsMay}
      </label>
      <p class={`small ${access.tone === 'plain' ? 'muted' : access.tone}`}>{access.text}</p>
    </fieldset>
  )
}

function IndexChoice({ chosen, change }: PartProps): JSX.Element {
  const t = words().settings
  return (
    <fieldset>
      <legend>{t.developer}</legend>
      <label class="small">
        {t.index}{' '}
        <select
          value={chosen.index}
          onChange={(event) => {
            change({ index: event.currentTarget.value as Chosen['index'] })
          }}
        >
          <option value="auto">{t.indexAuto}</option>
          <option value="exact">{t.indexExact}</option>
          <option value="hnsw">{t.indexHnsw}</option>
        </select>
      </label>
      <p class="small muted">{t.indexHelp}</p>
    </fieldset>
  )
}
