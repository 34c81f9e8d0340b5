/** The ways in: files, a folder, pasted text. What a file is, the engine says. */
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { READABLE_EXTENSIONS } from '../../../src/index.ts'
import { intakeOfInput } from '../../platform/intake.ts'
import type { Corpora } from '../../session/corpora.ts'
import { words } from '../../words/words.ts'

export interface DropZoneProps {
  readonly corpora: Corpora
  /** Where additions go, in words. */
  readonly target: string
  /** A saved archive goes there too. */
  readonly archives: boolean
  readonly busy: boolean
  readonly dragging: boolean
}

export function DropZone(props: DropZoneProps): JSX.Element {
  const { corpora, target, archives, busy, dragging } = props,
    [pasting, setPasting] = useState(false),
    t = words().shelf
  const take = (list: readonly File[]): void => {
    void corpora.filling.found((found, signal) => intakeOfInput(list, found, signal))
  }
  return (
    <div class={`drop-zone${dragging ? ' over' : ''}`}>
      <p class="drop-title">{t.drop}</p>
      <div class="row">
        <Chooser label={t.filesToAdd} words={t.files} busy={busy} folder={false} take={take} />
        <Chooser label={t.folderToAdd} words={t.folder} busy={busy} folder take={take} />
        <button
          type="button"
          disabled={busy}
          aria-expanded={pasting}
          onClick={() => {
            setPasting(!pasting)
          }}
        >
          {t.paste}
        </button>
      </div>
      <p class="small muted">
        {t.dropInto(target)} {archives ? t.dropArchiveInto : t.dropArchive}
      </p>
      <details class="small muted formats">
        <summary>{t.formats}</summary>
        <p>
          {t.allFormats(READABLE_EXTENSIONS.length)}: {READABLE_EXTENSIONS.join(' ')}
        </p>
      </details>
      {pasting && (
        <PasteForm
          busy={busy}
          add={(title, text) => {
            setPasting(false)
            void corpora.filling.text(title, text)
          }}
        />
      )}
    </div>
  )
}

interface ChooserProps {
  readonly label: string
  readonly words: string
  readonly busy: boolean
  readonly folder: boolean
  readonly take: (list: readonly File[]) => void
}

function Chooser({ label, words: text, busy, folder, take }: ChooserProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" disabled={busy} onClick={() => input.current?.click()}>
        {text}
      </button>
      <input
        ref={input}
        class="gone"
        type="file"
        multiple
        tabIndex={-1}
        aria-label={label}
        {...(folder ? { webkitdirectory: true } : {})}
        onChange={(event) => {
          const list = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          if (list.length > 0) take(list)
        }}
      />
    </>
  )
}

function PasteForm({
  busy,
  add,
}: {
  readonly busy: boolean
  readonly add: (title: string, text: string) => void
}): JSX.Element {
  const [title, setTitle] = useState(''),
    [text, setText] = useState(''),
    t = words().shelf
  return (
    <form
      class="paste"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') add(title, text)
      }}
    >
      <label>
        <span>
          {t.pasteTitle} <span class="muted">{t.optional}</span>
        </span>
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
        {t.pasteText}
        <textarea
          rows={6}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
          }}
        />
      </label>
      <button type="submit" class="primary" disabled={busy || text.trim() === ''}>
        {t.addText}
      </button>
    </form>
  )
}
