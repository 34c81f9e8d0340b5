/** One document of the list. */
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Asking } from '../../session/asking.ts'
import type { Corpora } from '../../session/corpora.ts'
import type { DocumentLine } from '../../session/documents.ts'
import { removeDocument } from '../../session/removal.ts'
import type { State } from '../../session/state.ts'
import { titleOf } from '../../words/arrange.ts'
import { corpusLabel } from '../../words/corpus_name.ts'
import { words } from '../../words/words.ts'
import { Confirm } from '../confirm.tsx'

export interface DocumentRowProps {
  readonly line: DocumentLine
  readonly state: State
  readonly corpora: Corpora
  readonly asking: Asking
}

export function DocumentRow(props: DocumentRowProps): JSX.Element {
  const { line, state, asking } = props,
    [more, setMore] = useState(false),
    t = words().list,
    title = titleOf(line)
  return (
    <li class={state.opened?.id === line.id ? 'document-row current' : 'document-row'}>
      <div class="document-line">
        <button
          type="button"
          class="document-name"
          aria-label={t.open(title)}
          title={line.id}
          onClick={() => {
            asking.openDocument(line.id)
          }}
        >
          <bdi>{title}</bdi>
        </button>
        <button
          type="button"
          class="more-button"
          aria-label={t.actions(title)}
          aria-expanded={more}
          onClick={() => {
            setMore(!more)
          }}
        >
          <svg viewBox="0 0 16 4" aria-hidden="true">
            <circle cx="2" cy="2" r="1.5" />
            <circle cx="8" cy="2" r="1.5" />
            <circle cx="14" cy="2" r="1.5" />
          </svg>
        </button>
      </div>
      <p class="small muted figures">
        {stateWords(line, state)} · {t.size(line.chars)}
      </p>
      {more && <Actions {...props} />}
    </li>
  )
}

/** Searchable at once; how far its meaning is while that is computed. */
function stateWords({ passages, passagesWithVectors }: DocumentLine, { status }: State): string {
  const t = words().list
  const computing = status !== null && status.embedding.state !== 'off'
  return computing && passagesWithVectors < passages
    ? t.meaning(passagesWithVectors, passages)
    : t.searchable
}

function Actions({ line, state, corpora, asking }: DocumentRowProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null),
    [step, setStep] = useState<'offered' | 'asked' | 'going'>('offered'),
    t = words().list,
    title = titleOf(line)
  const remove = async (): Promise<void> => {
    setStep('going')
    const problem = await removeDocument(corpora.store, asking, line.id, title)
    if (problem) corpora.store.set({ corpusProblem: problem })
    setStep('offered')
  }
  if (step === 'asked')
    return (
      <Confirm
        question={t.removeQuestion(title)}
        words={t.removeHelp(corpusLabel(state.corpus ?? ''))}
        yes={t.remove}
        confirm={() => void remove()}
        cancel={() => {
          setStep('offered')
        }}
      />
    )
  return (
    <div class="row tight">
      <button type="button" class="link small" onClick={() => input.current?.click()}>
        {t.replace}
      </button>
      <input
        ref={input}
        class="gone"
        type="file"
        tabIndex={-1}
        aria-label={t.fileFor(title)}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          event.currentTarget.value = ''
          if (file) void corpora.documents.replace(line.id, file)
        }}
      />
      {state.synced !== null && (
        <button type="button" class="link small" onClick={() => void corpora.documents.again()}>
          {t.reread}
        </button>
      )}
      <button
        type="button"
        class="link small"
        disabled={step === 'going'}
        onClick={() => {
          setStep('asked')
        }}
      >
        {step === 'going' ? t.removing : t.remove}
      </button>
    </div>
  )
}
