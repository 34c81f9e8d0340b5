/** A corpus that lives as long as its program. */
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { EmbedderIdentity } from '../types.ts'
import { compareIds } from '../base/compare_ids.ts'
import { keepsVectors, settleCommit } from './records/commit_batch.ts'
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
  readonly #documents = new Map<string, StoredDocument>()
  readonly #vectors = new Map<string, Map<number, VectorRow>>()
  readonly #derived = new Map<string, { readonly generation: number; readonly bytes: Uint8Array }>()
  readonly #kept = new Map<string, Uint8Array>()
  #settings: CorpusSettings
  #generation = 0
  #closed = false

  constructor(settings: CorpusSettings) {
    this.#settings = settings
  }

  get generation(): number {
    return this.#generation
  }
  get settings(): CorpusSettings {
    return this.#settings
  }

  async *documents(
    skip: (id: string, hash: string) => boolean = () => false,
  ): AsyncGenerator<readonly StoredDocument[]> {
    this.#open()
    const ids = [...this.#documents.keys()].sort(compareIds)
    for (let from = 0; from < ids.length; from += LIMITS.readPageRecords) {
      yield await Promise.resolve(
        ids
          .slice(from, from + LIMITS.readPageRecords)
          .flatMap((id) => this.#documents.get(id) ?? [])
          .filter(({ id, hash }) => !skip(id, hash)),
      )
    }
  }

  async acquire(): Promise<number> {
    this.#open()
    return await Promise.resolve(this.#generation)
  }

  async *vectors(): AsyncGenerator<readonly VectorRow[]> {
    this.#open()
    for (const id of [...this.#vectors.keys()]) {
      const rows = this.#vectors.get(id)
      if (rows !== undefined) yield await Promise.resolve([...rows.values()])
    }
  }

  async commit(commit: Commit): Promise<number> {
    throwIfAborted(commit.signal)
    this.#open()
    const { put, remove, keep } = settleCommit(commit)
    if (put.length === 0 && remove.length === 0 && keep.length === 0) return this.#generation
    for (const id of remove) {
      this.#documents.delete(id)
      this.#vectors.delete(id)
    }
    for (const document of put) {
      if (!keepsVectors(this.#documents.get(document.id) ?? null, document))
        this.#vectors.delete(document.id)
      this.#documents.set(document.id, {
        ...document,
        metadata: structuredClone(document.metadata),
        passages: Int32Array.from(document.passages),
      })
    }
    for (const { name, bytes } of keep) {
      if (bytes.length === 0) this.#kept.delete(name)
      else this.#kept.set(name, bytes.slice())
    }
    this.#generation++
    if (commit.rows?.length) await this.putVectors(commit.rows)
    return this.#generation
  }

  async putVectors(rows: readonly VectorRow[]): Promise<void> {
    this.#open()
    const { embedder } = this.#settings
    if (rows.length === 0) return
    if (embedder === null)
      throw new HubmeshError(
        'bug/invariant',
        'Vectors came before the corpus knew its embedder. Call setEmbedder first.',
      )
    for (const row of rows) checkRow(row, embedder.dims)
    for (const row of rows) {
      const document = this.#documents.get(row.documentId)
      if (
        document === undefined ||
        document.hash !== row.hash ||
        row.passage * 2 >= document.passages.length
      )
        continue
      const held = this.#vectors.get(row.documentId) ?? new Map<number, VectorRow>()
      held.set(row.passage, { ...row, vector: Float32Array.from(row.vector) })
      this.#vectors.set(row.documentId, held)
    }
    await Promise.resolve()
  }

  async setEmbedder(identity: EmbedderIdentity): Promise<void> {
    this.#open()
    const { embedder } = this.#settings
    if (embedder !== null && identityKey(embedder) === identityKey(identity)) return
    this.#vectors.clear()
    this.#settings = { ...this.#settings, embedder: identity }
    await Promise.resolve()
  }

  async kept(name: string): Promise<Uint8Array | null> {
    this.#open()
    return await Promise.resolve(this.#kept.get(name)?.slice() ?? null)
  }

  async readDerived(name: string): Promise<Uint8Array | null> {
    this.#open()
    const held = this.#derived.get(name)
    return await Promise.resolve(
      held === undefined || held.generation !== this.#generation ? null : held.bytes.slice(),
    )
  }

  async writeDerived(name: string, bytes: Uint8Array): Promise<void> {
    this.#open()
    this.#derived.set(name, { generation: this.#generation, bytes: bytes.slice() })
    await Promise.resolve()
  }

  async usage(): Promise<StorageUsage> {
    return await Promise.resolve({ persisted: false, usageBytes: null, quotaBytes: null })
  }

  onForeignCommit(): () => void {
    return () => undefined
  }

  async destroy(): Promise<void> {
    this.#documents.clear()
    this.#vectors.clear()
    this.#derived.clear()
    this.#kept.clear()
    this.#generation = 0
    await this.close()
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.resolve()
  }

  #open(): void {
    if (this.#closed)
      throw new HubmeshError(
        'store/closed',
        'The storage was closed by this program. Create a new one.',
      )
  }
}
