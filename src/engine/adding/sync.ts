/** Keeping a corpus in step with a folder: what is new, what changed, what went. */
import { append } from '../../base/grown.ts'
import { throwIfAborted } from '../../base/errors.ts'
import { readFiles } from '../../document/readers/read_files.ts'
import type { CorpusTable } from '../../corpus/corpus_table.ts'
import type { AddResult, DocumentInput, Metadata, SyncOptions, SyncResult } from '../../types.ts'
import { Meter } from './meter.ts'
import type { FolderFile, FolderListing } from './list_folder.ts'

interface SyncParts {
  readonly table: CorpusTable
  readonly generation: () => number
  readonly update: (documents: readonly DocumentInput[]) => Promise<AddResult>
  readonly remove: (ids: readonly string[]) => Promise<{ readonly removed: readonly string[] }>
}

/** Field of the metadata that says which state of which file a document is of. */
const FIELD = 'synced'

/** Files read and kept at a time, and their bytes: what is done by then is done. */
const BATCH_FILES = 64,
  BATCH_BYTES = 16 * 1024 * 1024

export async function syncFolder(
  folder: FolderListing,
  parts: SyncParts,
  options: SyncOptions,
): Promise<SyncResult> {
  const held = heldFiles(parts.table, folder.root),
    state = new Sync(parts, held, options),
    totalBytes = folder.files.reduce((sum, { size }) => sum + size, 0)
  let batch: FolderFile[] = [],
    batchBytes = 0,
    bytes = 0
  const meter = new Meter(options)
  for (const [done, file] of folder.files.entries()) {
    meter.report('reading', done, folder.files.length, false, { bytes, totalBytes })
    bytes += file.size
    if (state.isAsItWas(file)) continue
    batch.push(file)
    batchBytes += file.size
    if (batch.length < BATCH_FILES && batchBytes < BATCH_BYTES) continue
    await state.take(batch)
    batch = []
    batchBytes = 0
  }
  await state.take(batch)
  const paths = new Set(folder.files.map(({ path }) => path))
  await state.drop([...held].filter(([path]) => !paths.has(path)).flatMap(([, { ids }]) => ids))
  meter.report('reading', folder.files.length, folder.files.length, true, { bytes, totalBytes })
  return { ...state.result(), skipped: folder.skipped, files: folder.files.length }
}

interface HeldFile {
  readonly ids: string[]
  /** Null where its documents are of several states of it: a sync was cut short between them. */
  stamp: string | null
}

/** What the corpus has of a folder's files, by path. */
function heldFiles(table: CorpusTable, root: string): Map<string, HeldFile> {
  const held = new Map<string, HeldFile>()
  for (const { id, metadata } of table.all()) {
    const synced = metadata[FIELD] as Metadata | undefined
    const path = synced?.['path']
    if (typeof path !== 'string' || !path.startsWith(`${root}/`)) continue
    const stamp = stampOf(Number(synced!['size']), Number(synced!['modified'])),
      known = held.get(path)
    if (known === undefined) held.set(path, { ids: [id], stamp })
    else {
      known.ids.push(id)
      if (known.stamp !== stamp) known.stamp = null
    }
  }
  return held
}

function stampOf(size: number, modified: number): string {
  return `${size} ${modified}`
}

class Sync {
  private readonly added: string[] = []
  private readonly replaced: string[] = []
  private readonly removed: string[] = []
  private readonly unchanged: string[] = []
  private readonly rejected: SyncResult['rejected'][number][] = []
  private readonly warnings: SyncResult['warnings'][number][] = []
  private readonly seen = new Set<string>()
  private filesRead = 0

  constructor(
    private readonly parts: SyncParts,
    private readonly held: ReadonlyMap<string, HeldFile>,
    private readonly options: SyncOptions,
  ) {}

  isAsItWas({ path, size, modified }: FolderFile): boolean {
    const held = this.held.get(path)
    if (held?.stamp !== stampOf(size, modified)) return false
    for (const id of held.ids) this.seen.add(id)
    append(this.unchanged, held.ids)
    return true
  }

  /** Reads files and keeps what they hold. */
  async take(files: readonly FolderFile[]): Promise<void> {
    const { signal } = this.options
    throwIfAborted(signal)
    if (files.length === 0) return
    const documents: DocumentInput[] = [],
      gone: string[] = []
    for (const file of files) {
      const read = await readFiles([await file.open()], signal ? { signal } : {})
      this.filesRead++
      append(this.rejected, read.rejected)
      append(this.warnings, read.warnings)
      const { path, size, modified } = file,
        synced = { path, size, modified },
        before = this.held.get(path)?.ids ?? []
      if (read.documents.length === 0) continue // unreadable now: what is held of it stays
      const own = this.firstOfTheirIds(read.documents)
      for (const one of own)
        documents.push({ ...one, metadata: { ...one.metadata, [FIELD]: synced } })
      const ids = new Set(own.map(({ id }) => id))
      append(
        gone,
        before.filter((id) => !ids.has(id)),
      )
    }
    const result = await this.parts.update(documents)
    append(this.added, result.added)
    append(this.replaced, result.replaced)
    append(this.unchanged, result.unchanged)
    append(this.rejected, result.rejected)
    await this.drop(gone)
  }

  async drop(ids: readonly string[]): Promise<void> {
    const unseen = ids.filter((id) => !this.seen.has(id))
    if (unseen.length === 0) return
    append(this.removed, (await this.parts.remove(unseen)).removed)
  }

  result(): Omit<SyncResult, 'skipped' | 'files'> {
    const { added, replaced, removed, unchanged, rejected, warnings, filesRead } = this
    return {
      ...{ added, replaced, removed, unchanged, rejected, warnings, filesRead },
      generation: this.parts.generation(),
    }
  }

  /** Records may bring ids of their own: the first file in order has them. */
  private firstOfTheirIds(documents: readonly DocumentInput[]): DocumentInput[] {
    return documents.filter(({ id }) => {
      if (id === undefined) return true
      if (!this.seen.has(id)) {
        this.seen.add(id)
        return true
      }
      this.rejected.push({
        name: id.slice(0, 80),
        code: 'input/conflict',
        reason: 'A document of this id was read before; give each its own.',
      })
      return false
    })
  }
}
