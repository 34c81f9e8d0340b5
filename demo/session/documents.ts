/** The documents of the open corpus: their list, replacing one, and a folder kept in step. */
import type { DocumentListing, Engine, SyncResult } from '../../src/index.ts'
import { nameOfFolder, type Folder } from '../platform/folders.ts'
import { problemOf, type Problem } from '../words/problems.ts'
import { words } from '../words/words.ts'
import type { Additions } from './additions.ts'
import type { Store } from './state.ts'

export type DocumentLine = DocumentListing['documents'][number]

/** Documents listed at a time. */
const PAGE = 1000

/** All documents in the order of the engine; what was read is given page by page. */
export async function listAll(
  engine: Pick<Engine, 'listDocuments'>,
  show: (lines: readonly DocumentLine[]) => void,
  gone: () => boolean,
): Promise<void> {
  const lines: DocumentLine[] = []
  for (;;) {
    const { documents, total } = await engine.listDocuments({ offset: lines.length, limit: PAGE })
    if (gone()) return
    lines.push(...documents)
    if (documents.length === 0 || lines.length >= total) break
  }
  show(lines)
}

/** The file under the name that the document has, so that it takes its place. */
export function namedLike(file: File, id: string): File {
  return file.name === id
    ? file
    : new File([file], id, { type: file.type, lastModified: file.lastModified })
}

function ending(name: string): string {
  return /\.[^./]+$/.exec(name)?.[0].toLowerCase() ?? ''
}

export class Documents {
  private readonly store: Store
  private readonly additions: Additions
  private readonly handles = new Map<string, FileSystemDirectoryHandle>()

  constructor(store: Store, additions: Additions) {
    this.store = store
    this.additions = additions
  }

  /**
   * Puts a file in the place of a document. One of another kind is read under its own name, and the
   * old document goes once that is in.
   */
  async replace(id: string, file: File): Promise<Problem | null> {
    const { engine, corpus } = this.store.state
    if (!engine || corpus === null) return null
    const same = ending(file.name) === ending(id)
    await this.additions.take({
      corpus,
      label: file.name,
      read: () => Promise.resolve(same ? namedLike(file, id) : file),
      added: () => {
        if (!same && file.name !== id) void this.remove(engine, id)
      },
    })
    return null
  }

  /** Brings the open corpus in step with a folder; what is of elsewhere stays. */
  async sync(folder: Folder): Promise<void> {
    const { engine, corpus } = this.store.state,
      name = nameOfFolder(folder)
    if (!engine || corpus === null) return
    if ('name' in folder) this.handles.set(corpus, folder)
    this.store.set({ synced: { folder: name, last: null }, corpusProblem: null })
    try {
      const came = await this.additions.alongside(corpus, name, (options) =>
        engine.sync(folder, options),
      )
      if (this.store.state.engine === engine) await this.tell(engine, name, came)
    } catch (error) {
      this.store.set({ corpusProblem: problemOf(error) })
    }
  }

  private async tell(engine: Engine, folder: string, came: SyncResult): Promise<void> {
    const last = {
      added: came.added.length,
      replaced: came.replaced.length,
      removed: came.removed.length,
    }
    const { rejected, warnings } = came,
      unchanged = came.unchanged.length
    this.store.set({
      synced: { folder, last },
      status: await engine.status(),
      announcement: words().sync.done(last.added, last.replaced, last.removed),
      reports:
        rejected.length + warnings.length === 0
          ? []
          : [
              {
                label: folder,
                unchanged,
                leftAside: came.skipped.length,
                ...last,
                rejected,
                noted: warnings,
              },
            ],
    })
  }

  /** Reads the folder of the open corpus once more; false where it has to be chosen anew. */
  async again(): Promise<boolean> {
    const handle = this.handles.get(this.store.state.corpus ?? '')
    if (handle) await this.sync(handle)
    return handle !== undefined
  }

  stop(): void {
    this.handles.delete(this.store.state.corpus ?? '')
    this.store.set({ synced: null })
  }

  private async remove(engine: Engine, id: string): Promise<void> {
    try {
      await engine.remove(id)
    } catch (error) {
      this.store.set({ corpusProblem: problemOf(error) })
    }
  }
}
