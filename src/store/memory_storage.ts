/** A corpus that lives as long as its program. */
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { EmbedderIdentity } from '../types.ts'
import { compareIds } from '../base/compare_ids.ts'
import { keepsVectors, settleCommit } from './records/commit_batch.ts'
import { modelChanged, type ModelChange } from './records/model_change.ts'
import { identityKey } from './records/settings_codec.ts'
import type {
  Commit,
  CorpusSettings,
  CorpusStorage,
  QuarantinedRecord,
  StorageUsage,
  StoredDocument,
  VectorRow,
} from './storage.ts'
import { checkRow } from './segments/vector_segment.ts'

export function openMemoryStorage(settings: CorpusSettings): CorpusStorage {
  return new MemoryStorage(settings)
}

class MemoryStorage implements CorpusStorage {
  readonly kind = 'memory'
  readonly quarantined: readonly QuarantinedRecord[] = []
  readonly warnings: readonly string[] = []
  private readonly byId = new Map<string, StoredDocument>()
  private readonly rowsById = new Map<string, Map<number, VectorRow>>()
  private readonly snapshots = new Map<
    string,
    { readonly generation: number; readonly bytes: Uint8Array }
  >()
  private readonly records = new Map<string, Uint8Array>()
  private corpusSettings: CorpusSettings
  private commits = 0
  private isClosed = false

  constructor(settings: CorpusSettings) {
    this.corpusSettings = settings
  }

  get generation(): number {
    return this.commits
  }
  get settings(): CorpusSettings {
    return this.corpusSettings
  }

  async *documents(
    skip: (id: string, hash: string, isNew: boolean) => boolean = () => false,
  ): AsyncGenerator<readonly StoredDocument[]> {
    this.assertOpen()
    const ids = [...this.byId.keys()].sort(compareIds)
    for (let from = 0; from < ids.length; from += LIMITS.readPageRecords) {
      yield await Promise.resolve(
        ids
          .slice(from, from + LIMITS.readPageRecords)
          .flatMap((id) => this.byId.get(id) ?? [])
          .filter(({ id, hash }) => !skip(id, hash, true)),
      )
    }
  }

  async acquire(): Promise<number> {
    this.assertOpen()
    return await Promise.resolve(this.commits)
  }

  async *vectors(): AsyncGenerator<readonly VectorRow[]> {
    this.assertOpen()
    for (const id of [...this.rowsById.keys()]) {
      const rows = this.rowsById.get(id)
      if (rows !== undefined) yield await Promise.resolve([...rows.values()])
    }
  }

  async commit(commit: Commit): Promise<number> {
    throwIfAborted(commit.signal)
    this.assertOpen()
    const { put, remove, keep } = settleCommit(commit)
    if (put.length === 0 && remove.length === 0 && keep.length === 0) return this.commits
    for (const id of remove) {
      this.byId.delete(id)
      this.rowsById.delete(id)
    }
    for (const document of put) {
      if (!keepsVectors(this.byId.get(document.id) ?? null, document))
        this.rowsById.delete(document.id)
      this.byId.set(document.id, {
        ...document,
        metadata: structuredClone(document.metadata),
        passages: Int32Array.from(document.passages),
      })
    }
    for (const { name, bytes } of keep) {
      if (bytes.length === 0) this.records.delete(name)
      else this.records.set(name, bytes.slice())
    }
    this.commits++
    if (commit.rows?.length) await this.putVectors(commit.rows)
    return this.commits
  }

  async putVectors(rows: readonly VectorRow[]): Promise<void> {
    this.assertOpen()
    const { embedder } = this.corpusSettings
    if (rows.length === 0) return
    if (embedder === null)
      throw new HubmeshError(
        'bug/invariant',
        'Vectors came before the corpus knew its embedder. Call setEmbedder first.',
      )
    for (const row of rows) checkRow(row, embedder.dims)
    for (const row of rows) {
      const document = this.byId.get(row.documentId)
      if (
        document === undefined ||
        document.hash !== row.hash ||
        row.passage * 2 >= document.passages.length
      )
        continue
      const held = this.rowsById.get(row.documentId) ?? new Map<number, VectorRow>()
      held.set(row.passage, { ...row, vector: Float32Array.from(row.vector) })
      this.rowsById.set(row.documentId, held)
    }
    await Promise.resolve()
  }

  async setEmbedder(identity: EmbedderIdentity, change: ModelChange = 'reembed'): Promise<void> {
    this.assertOpen()
    const { embedder } = this.corpusSettings
    if (embedder !== null && identityKey(embedder) === identityKey(identity)) return
    if (embedder !== null && change === 'refuse')
      throw modelChanged('this corpus', embedder, identity)
    this.rowsById.clear()
    this.corpusSettings = { ...this.corpusSettings, embedder: identity }
    await Promise.resolve()
  }

  async kept(name: string): Promise<Uint8Array | null> {
    this.assertOpen()
    return await Promise.resolve(this.records.get(name)?.slice() ?? null)
  }

  async readDerived(name: string): Promise<Uint8Array | null> {
    this.assertOpen()
    const held = this.snapshots.get(name)
    return await Promise.resolve(
      held === undefined || held.generation !== this.commits ? null : held.bytes.slice(),
    )
  }

  async writeDerived(name: string, bytes: Uint8Array): Promise<void> {
    this.assertOpen()
    this.snapshots.set(name, { generation: this.commits, bytes: bytes.slice() })
    await Promise.resolve()
  }

  async usage(): Promise<StorageUsage> {
    return await Promise.resolve({ persisted: false, usageBytes: null, quotaBytes: null })
  }

  onForeignCommit(): () => void {
    return () => undefined
  }

  async destroy(): Promise<void> {
    this.byId.clear()
    this.rowsById.clear()
    this.snapshots.clear()
    this.records.clear()
    this.commits = 0
    await this.close()
  }

  async close(): Promise<void> {
    this.isClosed = true
    await Promise.resolve()
  }

  private assertOpen(): void {
    if (this.isClosed)
      throw new HubmeshError(
        'store/closed',
        'The storage was closed by this program. Create a new one.',
      )
  }
}
