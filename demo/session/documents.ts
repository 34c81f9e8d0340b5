/** The documents of the open corpus: their list, replacing one, and a folder kept in step. */
import type { DocumentListing, Engine } from '../../src/index.ts'
import { filesOfFolder, type FolderHandle } from '../platform/folders.ts'
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
  private readonly handles = new Map<string, FolderHandle>()

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

  /** Reads a folder, and makes the corpus hold its files and no others. */
  async sync(handle: FolderHandle): Promise<void> {
    const { engine, corpus } = this.store.state
    if (!engine || corpus === null) return
    this.handles.set(corpus, handle)
    this.store.set({ synced: { folder: handle.name, last: null } })
    await this.additions.inLine(async () => {
      try {
        const files = await filesOfFolder(handle)
        const came = await engine.update(files, { others: 'remove', onInvalid: 'skip' })
        if (this.store.state.engine !== engine) return
        const last = {
          added: came.added.length,
          replaced: came.replaced.length,
          removed: came.removed?.length ?? 0,
        }
        this.store.set({
          synced: { folder: handle.name, last },
          status: await engine.status(),
          announcement: words().sync.done(last.added, last.replaced, last.removed),
          reports:
            came.rejected.length + (came.warnings?.length ?? 0) === 0
              ? []
              : [
                  {
                    label: handle.name,
                    unchanged: came.unchanged.length,
                    leftAside: 0,
                    ...last,
                    rejected: came.rejected,
                    noted: came.warnings ?? [],
                  },
                ],
        })
      } catch (error) {
        this.store.set({ corpusProblem: problemOf(error) })
      }
    })
  }

  /** Reads the folder of the open corpus once more. */
  async again(): Promise<void> {
    const handle = this.handles.get(this.store.state.corpus ?? '')
    if (handle) await this.sync(handle)
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
