/** A folder that a collection is kept in step with, where the browser can read one again. */
import type { JSX } from 'preact'
import { canSync, chooseFolder } from '../../platform/folders.ts'
import type { Corpora } from '../../session/corpora.ts'
import type { State } from '../../session/state.ts'
import { words } from '../../words/words.ts'

export interface FolderSyncProps {
  readonly state: State
  readonly corpora: Corpora
  readonly busy: boolean
}

export function FolderSync({ state, corpora, busy }: FolderSyncProps): JSX.Element | null {
  const t = words().sync,
    { synced } = state
  if (!canSync()) return null
  if (synced === null) {
    // A collection of its own, so that nothing that is here is taken out of one.
    const start = async (): Promise<void> => {
      const folder = await chooseFolder()
      if (folder === null) return
      await corpora.create(folder.name)
      await corpora.documents.sync(folder)
    }
    return (
      <button type="button" class="link small" disabled={busy} onClick={() => void start()}>
        {t.start}
      </button>
    )
  }
  return (
    <div class="synced small">
      <p>
        {t.of(synced.folder)}{' '}
        {synced.last && t.done(synced.last.added, synced.last.replaced, synced.last.removed)}
      </p>
      <div class="row tight">
        <button
          type="button"
          class="link small"
          disabled={busy}
          onClick={() => void corpora.documents.again()}
        >
          {t.again}
        </button>
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
