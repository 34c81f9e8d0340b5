/** A folder that a collection is kept in step with. */
import type { JSX, RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { chooseFolder, keepsFolders, nameOfFolder, type Folder } from '../../platform/folders.ts'
import type { Corpora } from '../../session/corpora.ts'
import type { State } from '../../session/state.ts'
import { words } from '../../words/words.ts'

export interface FolderSyncProps {
  readonly state: State
  readonly corpora: Corpora
  readonly busy: boolean
}

export function FolderSync({ state, corpora, busy }: FolderSyncProps): JSX.Element {
  const t = words().sync,
    { synced } = state,
    input = useRef<HTMLInputElement>(null)
  // A collection of its own, so that a folder and what is here already stay apart.
  const take = async (folder: Folder | null): Promise<void> => {
    if (folder === null) return
    if (synced === null) await corpora.create(nameOfFolder(folder))
    await corpora.documents.sync(folder)
  }
  const choose = async (): Promise<void> => {
    if (keepsFolders()) await take(await chooseFolder())
    else input.current?.click()
  }
  const again = async (): Promise<void> => {
    if (!(await corpora.documents.again())) await choose()
  }
  const chooser = <Chooser input={input} label={t.folder} onChosen={(files) => void take(files)} />
  if (synced === null)
    return (
      <>
        <button type="button" class="link small" disabled={busy} onClick={() => void choose()}>
          {t.start}
        </button>
        {chooser}
      </>
    )
  return (
    <div class="synced small">
      <p>
        {t.of(synced.folder)}{' '}
        {synced.last && t.done(synced.last.added, synced.last.replaced, synced.last.removed)}
      </p>
      <div class="row tight">
        <button type="button" class="link small" disabled={busy} onClick={() => void again()}>
          {keepsFolders() ? t.again : t.chooseAgain}
        </button>
        {chooser}
        <button
          type="button"
          class="link small"
          onClick={() => {
            corpora.documents.stop()
          }}
        >
          {t.stop}
        </button>
      </div>
    </div>
  )
}

interface ChooserProps {
  readonly input: RefObject<HTMLInputElement>
  readonly label: string
  readonly onChosen: (files: readonly File[]) => void
}

/** For browsers that keep no folder: it is chosen anew each time. */
function Chooser({ input, label, onChosen }: ChooserProps): JSX.Element {
  return (
    <input
      ref={input}
      class="gone"
      type="file"
      {...{ webkitdirectory: true }}
      tabIndex={-1}
      aria-label={label}
      onChange={(event) => {
        const files = [...(event.currentTarget.files ?? [])]
        event.currentTarget.value = ''
        if (files.length > 0) onChosen(files)
      }}
    />
  )
}
