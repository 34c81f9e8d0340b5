/**
 * Owns the list of corpora: switch, delete, begin a new one. Refuses: deleting without a second
 * word.
 */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Archives } from '../session/archives.ts'
import type { Corpora } from '../session/corpora.ts'
import { corpusLines } from '../session/entries.ts'
import type { State } from '../session/state.ts'
import { corpusLabel } from '../words/corpus_name.ts'
import { bytes, counted, moment } from '../words/format.ts'
import { Hint } from './hint.tsx'

export interface CorporaListProps {
  readonly state: State
  readonly corpora: Corpora
  readonly archives: Archives
  readonly share: () => void
}

export function CorporaList({ state, corpora, archives, share }: CorporaListProps): JSX.Element {
  const [doomed, setDoomed] = useState<string | null>(null)
  const [name, setName] = useState<string | null>(null)
  // One corpus at a time is open: another is opened once what comes into this one is in.
  const busy =
    state.adding !== null || state.waiting > 0 || state.found !== null || state.deleting !== null
  const lines = corpusLines(state.corpora, state.corpus, state.status, state.settings.notes)
  return (
    <>
      {lines.length === 0 && (
        <p class="small muted">No corpus yet. The first documents begin one.</p>
      )}
      <ul class="corpora">
        {lines.map((entry) => {
          const current = entry.name === state.corpus
          const facts = (
            [
              ['documents', entry.documents === null ? '' : counted(entry.documents, 'document')],
              ['passages', entry.passages === null ? '' : counted(entry.passages, 'passage')],
              ['size', entry.bytes === null ? '' : bytes(entry.bytes)],
              ['date', entry.changed === null ? '' : moment(entry.changed)],
            ] as const
          ).filter(([, fact]) => fact !== '')
          const filled = current && (state.status?.documents ?? 0) > 0
          return (
            <li key={entry.name} class={current ? 'current' : ''}>
              <div class="corpus-line">
                <button
                  type="button"
                  class="corpus-name"
                  aria-current={current ? 'true' : undefined}
                  disabled={busy && !current}
                  onClick={() => void corpora.open(entry.name)}
                >
                  {corpusLabel(entry.name)}
                </button>
                {state.deleting === entry.name && <span class="small muted">Deleting…</span>}
                {doomed !== entry.name && state.deleting !== entry.name && (
                  <button
                    type="button"
                    class="small-button"
                    aria-label={`Delete ${corpusLabel(entry.name)}`}
                    onClick={() => {
                      setDoomed(entry.name)
                    }}
                  >
                    Delete
                  </button>
                )}
              </div>
              <p class="small muted figures facts">
                {facts.map(([about, fact]) => (
                  <Hint key={about} about={about} quiet={!current}>
                    {fact}
                  </Hint>
                ))}
              </p>
              {filled && (
                <div class="row tight">
                  <button
                    type="button"
                    class="link small"
                    disabled={state.exporting}
                    onClick={() => void archives.save()}
                  >
                    {state.exporting ? 'Saving…' : 'Save as a file'}
                  </button>
                  <button type="button" class="link small" aria-haspopup="dialog" onClick={share}>
                    Share…
                  </button>
                </div>
              )}
              {doomed === entry.name && (
                <div class="confirm" role="group" aria-label={`Delete ${corpusLabel(entry.name)}?`}>
                  <span class="small">Delete its documents and vectors?</span>
                  <button
                    type="button"
                    class="small-button danger"
                    onClick={() => {
                      setDoomed(null)
                      void corpora.delete(entry.name)
                    }}
                  >
                    Delete
                  </button>
                  <button
                    type="button"
                    class="small-button"
                    ref={(element) => {
                      element?.focus()
                    }}
                    onClick={() => {
                      setDoomed(null)
                    }}
                  >
                    Keep
                  </button>
                </div>
              )}
            </li>
          )
        })}
      </ul>
      {name === null ? (
        <button
          type="button"
          class="quiet"
          disabled={busy}
          onClick={() => {
            setName('')
          }}
        >
          New corpus…
        </button>
      ) : (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim() === '') return
            setName(null)
            void corpora.create(name)
          }}
        >
          <input
            type="text"
            aria-label="Name of the new corpus"
            placeholder="Name"
            maxLength={48}
            value={name}
            ref={(element) => {
              if (element && name === '') element.focus()
            }}
            onInput={(event) => {
              setName(event.currentTarget.value)
            }}
          />
          <button type="submit" class="primary" disabled={busy || name.trim() === ''}>
            Create
          </button>
          <button
            type="button"
            onClick={() => {
              setName(null)
            }}
          >
            Cancel
          </button>
        </form>
      )}
    </>
  )
}
