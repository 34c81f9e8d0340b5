/** A VectorStore wholly in memory. */
import { admitAll } from '../../document/admit.ts'
import { HubmeshError, invariant, throwIfAborted } from '../../base/errors.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import { compileFilter } from '../../document/filter.ts'
import type { AdmittedDocument, DocumentInput } from '../../types.ts'
import { createVectorIndex } from '../../vector/create_vector_index.ts'
import type { ChosenVectorIndex, IndexChoice } from '../../vector/create_vector_index.ts'
import { checkCount } from '../../vector/unit_rows.ts'
import { toUnitVector } from '../../vector/unit_vector.ts'
import type { VectorHit } from '../../vector/vector_index.ts'
import type { PlannerEmbed } from '../planner/result.ts'
import type {
  VectorDocument,
  VectorSearchOptions,
  VectorStore,
  VectorStoreHit,
} from './vector_store.ts'

export interface InMemoryStoreOptions {
  /** Neighbours that `neighbors(id)` gives; default 10. */
  readonly k?: number
  /** Default `auto`: an exact scan up to LIMITS.exactRows documents. */
  readonly index?: IndexChoice
}

export interface FromDocumentsOptions extends InMemoryStoreOptions {
  /** Makes the vectors of documents that bring none. */
  readonly embedder?: PlannerEmbed
  readonly signal?: AbortSignal
}

/** What a document's row holds besides its vector, which the index keeps. */
type Entry = Omit<VectorDocument, 'vector'>

const DEFAULT_K = 10
const STORE: KnownOptions<InMemoryStoreOptions> = { k: true, index: true }
const FROM_DOCUMENTS: KnownOptions<FromDocumentsOptions> = {
  ...STORE,
  embedder: true,
  signal: true,
}

/**
 * Rows are documents in order of id, so that equal scores are ordered by id. The constructor checks
 * everything; the index itself is made on the first call, as wasm starts asynchronously.
 */
export class InMemoryStore implements VectorStore {
  readonly dim: number
  /** The store never changes. */
  readonly mutationCounter = 0
  private readonly k: number
  private readonly choice: IndexChoice
  private readonly entries: readonly Entry[]
  private readonly rowOf = new Map<string, number>()
  /** Vectors on their way into the index. */
  private vectors: readonly Float32Array[]
  private index: Promise<ChosenVectorIndex> | null = null
  private closed = false

  /**
   * Documents must have a vector each, all of one length. Throws `input/invalid`,
   * `input/too-large`, and `input/conflict` for an id used twice with different texts.
   */
  constructor(documents: readonly DocumentInput[], options: InMemoryStoreOptions = {}) {
    checkOptions<InMemoryStoreOptions>('InMemoryStore()', options, STORE)
    this.k = options.k ?? DEFAULT_K
    checkCount(this.k)
    this.choice = options.index ?? 'auto'
    const sorted = admitAll(documents).documents.sort((a, b) => (a.id < b.id ? -1 : 1))
    this.dim = sorted[0]?.vector?.length ?? 0
    this.vectors = sorted.map((document) => unitVectorOf(document, this.dim))
    this.entries = sorted.map(({ id, title, text, metadata }) => ({ id, title, text, metadata }))
    this.entries.forEach((entry, row) => this.rowOf.set(entry.id, row))
  }

  /**
   * A store of texts, objects or documents; the embedder is asked for the vectors that are missing.
   * Rejects as the constructor throws, with `model/*` and `aborted`.
   */
  static async fromDocuments(
    inputs: readonly (string | DocumentInput)[],
    options: FromDocumentsOptions = {},
  ): Promise<InMemoryStore> {
    checkOptions<FromDocumentsOptions>('fromDocuments()', options, FROM_DOCUMENTS)
    const { embedder, signal, ...rest } = options
    throwIfAborted(signal)
    const documents = admitAll(inputs, signal ? { signal } : {}).documents
    const missing = documents.filter((document) => !document.vector)
    if (missing.length > 0 && !embedder) {
      throw new HubmeshError(
        'input/invalid',
        `${missing.length} of ${documents.length} documents have no vector; pass an embedder, ` +
          'or give every document its vector.',
        { details: { missing: missing.length } },
      )
    }
    const made = new Map<string, Float32Array>()
    if (embedder && missing.length > 0) {
      const vectors = await embedAll(embedder, missing.map(textToEmbed), signal)
      missing.forEach((document, i) => {
        const vector = vectors[i]
        if (vector) made.set(document.id, Float32Array.from(vector))
      })
    }
    return new InMemoryStore(
      documents.map(({ id, title, text, metadata, vector }) => {
        const own = vector ?? made.get(id)
        return own ? { id, title, text, metadata, vector: own } : { id, title, text, metadata }
      }),
      rest,
    )
  }

  async search(
    vector: ArrayLike<number>,
    k: number,
    options: VectorSearchOptions = {},
  ): Promise<readonly VectorStoreHit[]> {
    throwIfAborted(options.signal)
    checkCount(k)
    const passes = options.filter === undefined ? undefined : compileFilter(options.filter)
    const index = await this.open()
    throwIfAborted(options.signal)
    return index
      ? this.named(
          index.search(vector, k, passes && ((row) => passes(this.entries[row]!.metadata))),
        )
      : []
  }

  async get(id: string): Promise<VectorDocument | null> {
    return (await this.getMany([id]))[0] ?? null
  }

  async getMany(ids: readonly string[]): Promise<readonly (VectorDocument | null)[]> {
    const index = await this.open()
    return ids.map((id) => {
      const row = this.rowOf.get(id)
      if (row === undefined || !index) return null
      const vector = index.get(row)
      const entry = this.entries[row]
      invariant(vector && entry, 'A document of the store lost its vector.')
      return { ...entry, vector }
    })
  }

  async neighbors(id: string, k: number = this.k): Promise<readonly VectorStoreHit[]> {
    checkCount(k)
    const index = await this.open()
    const own = this.rowOf.get(id)
    const vector = own === undefined || !index ? null : index.get(own)
    return index && vector ? this.named(index.search(vector, k, (row) => row !== own)) : []
  }

  async allIds(): Promise<readonly string[]> {
    await this.open()
    return this.entries.map((entry) => entry.id)
  }

  async vectorOf(id: string): Promise<Float32Array | null> {
    const index = await this.open()
    const row = this.rowOf.get(id)
    return row === undefined || !index ? null : index.get(row)
  }

  async close(): Promise<void> {
    this.closed = true
    this.vectors = []
    await this.index?.then(
      (index) => {
        index.close()
      },
      () => undefined,
    )
  }

  private named(hits: readonly VectorHit[]): VectorStoreHit[] {
    return hits.map((hit) => ({ id: this.entries[hit.row]!.id, score: hit.score }))
  }

  /** The index, null where there is no document. */
  private async open(): Promise<ChosenVectorIndex | null> {
    if (this.closed) throw closed()
    if (this.entries.length === 0) return null
    this.index ??= this.build()
    const index = await this.index
    // Closed while the index was being made: `this` may have changed during the await.
    if (this.isClosed()) throw closed()
    return index
  }

  private isClosed(): boolean {
    return this.closed
  }

  private async build(): Promise<ChosenVectorIndex> {
    const index = await createVectorIndex({
      dims: this.dim,
      index: this.choice,
      expectedRows: this.entries.length,
    })
    this.vectors.forEach((vector, row) => {
      index.set(row, vector)
    })
    this.vectors = []
    return index
  }
}

async function embedAll(
  embedder: PlannerEmbed,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly ArrayLike<number>[]> {
  const options = signal ? { signal } : {}
  if (typeof embedder !== 'function') return embedder.embed(texts, { kind: 'passage', ...options })
  const vectors: ArrayLike<number>[] = []
  for (const text of texts) {
    throwIfAborted(signal)
    vectors.push(await embedder(text, options))
  }
  return vectors
}

/** What a whole document is embedded as. */
function textToEmbed(document: AdmittedDocument): string {
  return document.title === '' ? document.text : `${document.title}\n${document.text}`
}

function unitVectorOf(document: AdmittedDocument, dim: number): Float32Array {
  if (!document.vector) {
    throw new HubmeshError(
      'input/invalid',
      `Document '${document.id}' has no vector; use InMemoryStore.fromDocuments with an embedder, or give it one.`,
      { details: { id: document.id } },
    )
  }
  if (document.vector.length !== dim) {
    throw new HubmeshError(
      'input/invalid',
      `Document '${document.id}' has a vector of ${document.vector.length} components, others ` +
        `${dim}; vectors of different models cannot be compared.`,
      { details: { id: document.id } },
    )
  }
  return toUnitVector(document.vector, dim)
}

function closed(): HubmeshError {
  return new HubmeshError('store/closed', 'The store is closed; create a new one.')
}
