/** The collections of this device: switch, save, share, delete after a second word, begin one. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Archives } from '../../session/archives.ts'
import type { Corpora } from '../../session/corpora.ts'
import { corpusLines, type Line } from '../../session/entries.ts'
import type { State } from '../../session/state.ts'
import { corpusLabel } from '../../words/corpus_name.ts'
import { bytes, moment } from '../../words/format.ts'
import { words } from '../../words/words.ts'
import { Confirm } from '../confirm.tsx'
import { Hint } from '../hint.tsx'

export interface CorporaListProps {
  readonly state: State
  readonly corpora: Corpora
  readonly archives: Archives
  readonly share: () => void
}

export function CorporaList(props: CorporaListProps): JSX.Element {
  const { state, corpora } = props
  // One corpus at a time is open: another is opened once what comes into this one is in.
  const busy =
    state.adding !== null || state.waiting > 0 || state.found !== null || state.deleting !== null
  const lines = corpusLines(
    state.corpora,
    state.example ? null : state.corpus,
    state.status,
    state.settings.notes,
  )
  return (
    <>
      {lines.length === 0 && !state.example && <p class="small muted">{words().shelf.none}</p>}
      <ul class="corpora">
        {lines.map((line) => (
          <Entry key={line.name} {...props} line={line} busy={busy} />
        ))}
      </ul>
      <NewCollection busy={busy} create={(name) => void corpora.create(name)} />
    </>
  )
}

type EntryProps = CorporaListProps & { readonly line: Line; readonly busy: boolean }

function Entry(props: EntryProps): JSX.Element {
  const { line, state, corpora, busy } = props,
    [doomed, setDoomed] = useState(false),
    t = words().shelf,
    { name } = line,
    label = corpusLabel(name),
    current = !state.example && name === state.corpus,
    deleting = state.deleting === name
  return (
    <li class={current ? 'current' : ''}>
      <div class="corpus-line">
        <button
          type="button"
          class="corpus-name"
          aria-current={current ? 'true' : undefined}
          disabled={busy && !current}
          onClick={() => void corpora.open(name)}
        >
          {label}
        </button>
        {deleting && <span class="small muted">{t.deleting}</span>}
        {!doomed && !deleting && (
          <button
            type="button"
            class="small-button"
            aria-label={t.deleteName(label)}
            onClick={() => {
              setDoomed(true)
            }}
          >
            {t.delete}
          </button>
        )}
      </div>
      <Facts line={line} current={current} />
      {current && (state.status?.documents ?? 0) > 0 && <FileLinks {...props} />}
      {doomed && (
        <Confirm
          question={`${t.deleteName(label)}?`}
          words={t.deleteQuestion}
          yes={t.delete}
          confirm={() => {
            setDoomed(false)
            void corpora.delete(name)
          }}
          cancel={() => {
            setDoomed(false)
          }}
        >
          {current && (state.status?.documents ?? 0) > 0 && (
            <button type="button" class="small-button" onClick={() => void props.archives.save()}>
              {t.saveFirst}
            </button>
          )}
        </Confirm>
      )}
    </li>
  )
}

function Facts({ line, current }: { readonly line: Line; readonly current: boolean }): JSX.Element {
  const t = words().shelf
  const facts = (
    [
      ['documents', line.documents === null ? '' : t.documents(line.documents)],
      ['size', line.bytes === null ? '' : bytes(line.bytes)],
      ['date', line.changed === null ? '' : moment(line.changed)],
    ] as const
  ).filter(([, fact]) => fact !== '')
  return (
    <p class="small muted figures facts">
      {facts.map(([about, fact]) => (
        <Hint key={about} about={about} quiet={!current}>
          {fact}
        </Hint>
      ))}
    </p>
  )
}

function FileLinks({ state, archives, share }: CorporaListProps): JSX.Element {
  const t = words().shelf
  return (
    <div class="row tight">
      <button
        type="button"
        class="link small"
        disabled={state.exporting}
        onClick={() => void archives.save()}
      >
        {state.exporting ? t.saving : t.save}
      </button>
      <button type="button" class="link small" aria-haspopup="dialog" onClick={share}>
        {t.share}
      </button>
    </div>
  )
}

function NewCollection({
  busy,
  create,
}: {
  readonly busy: boolean
  readonly create: (name: string) => void
}): JSX.Element {
  const [name, setName] = useState<string | null>(null),
    t = words().shelf
  if (name === null)
    return (
      <button
        type="button"
        class="link small"
        disabled={busy}
        onClick={() => {
          setName('')
        }}
      >
        {t.create}
      </button>
    )
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() === '') return
        setName(null)
        create(name)
      }}
    >
      <input
        type="text"
        aria-label={t.nameOf}
        placeholder={t.name}
        maxLength={48}
        value={name}
        ref={focusEmpty}
        onInput={(event) => {
          setName(event.currentTarget.value)
        }}
      />
      <button type="submit" class="primary" disabled={busy || name.trim() === ''}>
        {t.createIt}
      </button>
      <button
        type="button"
        onClick={() => {
          setName(null)
        }}
      >
        {words().page.cancel}
      </button>
    </form>
  )
}

function focusEmpty(element: HTMLInputElement | null): void {
  element?.focus()
}
