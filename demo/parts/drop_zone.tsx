/** Owns the ways in: files, a folder, pasted text. Refuses: deciding what a file is. */
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { intakeOfInput } from '../platform/intake.ts'
import type { Corpora } from '../session/corpora.ts'

export interface DropZoneProps {
  readonly corpora: Corpora
  /** Where additions go, in words. */
  readonly target: string
  /** A saved archive goes there too. */
  readonly archives: boolean
  readonly busy: boolean
  readonly dragging: boolean
}

export function DropZone({
  corpora,
  target,
  archives,
  busy,
  dragging,
}: DropZoneProps): JSX.Element {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const [pasting, setPasting] = useState(false)
  const take = (input: HTMLInputElement): void => {
    if (!input.files || input.files.length === 0) return
    const list = [...input.files]
    input.value = ''
    void corpora.addFound((found, signal) => intakeOfInput(list, found, signal))
  }
  return (
    <div class={`drop-zone${dragging ? ' over' : ''}`}>
      <p class="drop-title">Drop files or a folder</p>
      <p class="small muted">
        .txt .md .html .json .jsonl .csv{archives && ', or a saved .hubmesh'}, read on this device
        only. Goes into <strong>{target}</strong>
        {!archives && '; a saved .hubmesh opens as a corpus of its own'}.
      </p>
      <div class="row">
        <button type="button" disabled={busy} onClick={() => files.current?.click()}>
          Files
        </button>
        <button type="button" disabled={busy} onClick={() => folder.current?.click()}>
          Folder
        </button>
        <button
          type="button"
          disabled={busy}
          aria-expanded={pasting}
          onClick={() => {
            setPasting(!pasting)
          }}
        >
          Paste text
        </button>
      </div>
      <input
        ref={files}
        class="gone"
        type="file"
        multiple
        tabIndex={-1}
        aria-label="Files to add"
        onChange={(event) => {
          take(event.currentTarget)
        }}
      />
      <input
        ref={folder}
        class="gone"
        type="file"
        multiple
        tabIndex={-1}
        aria-label="Folder to add"
        {...{ webkitdirectory: true }}
        onChange={(event) => {
          take(event.currentTarget)
        }}
      />
      {pasting && (
        <PasteForm
          busy={busy}
          add={(title, text) => {
            setPasting(false)
            void corpora.addText(title, text)
          }}
        />
      )}
    </div>
  )
}

function PasteForm({
  busy,
  add,
}: {
  readonly busy: boolean
  readonly add: (title: string, text: string) => void
}): JSX.Element {
  const [title, setTitle] = useState('')
  const [text, setText] = useState('')
  return (
    <form
      class="paste"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') add(title, text)
      }}
    >
      <label>
        Title <span class="muted">(optional)</span>
        <input
          type="text"
          value={title}
          maxLength={300}
          onInput={(event) => {
            setTitle(event.currentTarget.value)
          }}
        />
      </label>
      <label>
        Text
        <textarea
          rows={6}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
          }}
        />
      </label>
      <button type="submit" class="primary" disabled={busy || text.trim() === ''}>
        Add text
      </button>
    </form>
  )
}
