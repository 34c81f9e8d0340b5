/**
 * Owns a VectorStore in a collection of a Chroma server, by its official client. Refuses: embedding
 * functions, and any other distance than the cosine.
 */
import { HubmeshError, isHubmeshError, throwIfAborted } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { compileFilter } from '../../document/filter.ts'
import type { DocumentInput, Metadata } from '../../types.ts'
import { checkCount } from '../../vector/unit_rows.ts'
import { toUnitVector } from '../../vector/unit_vector.ts'
import { chromaConnection } from './remote/chroma_connection.ts'
import type { ChromaConnection } from './remote/chroma_connection.ts'
import { chromaWhere, decodeRecord, isOurs, recordOf } from './remote/chroma_records.ts'
import { isNever, serverFilter } from './remote/filter_terms.ts'
import type { FilterTerm } from './remote/filter_terms.ts'
import { cosineFrom, rankedHits, unreadable } from './remote/ranked_hits.ts'
import { batches } from './remote/remote_options.ts'
import { readyToSend, sendInBatches } from './remote/upsert.ts'
import type { UpsertOptions } from './remote/upsert.ts'
import { VectorCache } from './remote/vector_cache.ts'
import type {
  VectorDocument,
  VectorSearchOptions,
  VectorStore,
  VectorStoreHit,
} from './vector_store.ts'

export interface ChromaStoreOptions {
  /** Address of the server, `http://127.0.0.1:8000`. */
  readonly url: string
  /** Name of 3 to 512 letters, digits, dots, hyphens and underscores. */
  readonly collection: string
  /** Sent as `x-chroma-token`; other schemes go through `headers`. */
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Default `default_tenant`. */
  readonly tenant?: string
  /** Default `default_database`. */
  readonly database?: string
  /** Neighbours that `neighbors(id)` gives; default 10. */
  readonly k?: number
  /** Milliseconds one request may take; default LIMITS.remoteTimeoutMs. */
  readonly timeoutMs?: number
  /** Documents of one upsert request; default LIMITS.remoteBatch. */
  readonly batchSize?: number
  /**
   * Keep vectors at hand that the server gave or confirmed; default true. Turn it off where others
   * write to the collection.
   */
  readonly cacheVectors?: boolean
  readonly signal?: AbortSignal
}

const SERVER = 'Chroma'

/**
 * A record holds the text as its document; title, metadata (as JSON) and tags for filters are its
 * metadata. A collection that the Python package filled can be read, not written to. Every method
 * rejects with `remote/unavailable`, `remote/timeout`, `remote/auth`, `remote/invalid`,
 * `store/closed` or `aborted`.
 */
export class ChromaStore implements VectorStore {
  readonly #connection: ChromaConnection
  readonly #options: ChromaStoreOptions
  readonly #cache: VectorCache | null
  /** Chroma's own id of the collection; '' until it exists. */
  #collection = ''
  #dim = 0
  #foreign = false
  #closed = false

  private constructor(connection: ChromaConnection, options: ChromaStoreOptions) {
    this.#connection = connection
    this.#options = options
    this.#cache = options.cacheVectors === false ? null : new VectorCache()
  }

  /**
   * Connects, and looks at the collection where it exists. Rejects also with `input/*`, and
   * `store/unavailable` where the optional dependency chromadb is not installed.
   */
  static async open(options: ChromaStoreOptions): Promise<ChromaStore> {
    checkCount(options.k ?? 1)
    const store = new ChromaStore(await chromaConnection(options), options)
    await store.#attach(options.signal)
    return store
  }

  /** Opens the collection and puts documents into it, each with its vector. */
  static async fromDocuments(
    documents: readonly DocumentInput[],
    options: ChromaStoreOptions,
  ): Promise<ChromaStore> {
    const store = await ChromaStore.open(options)
    await store.upsert(documents, options.signal ? { signal: options.signal } : {})
    return store
  }

  get dim(): number {
    return this.#dim
  }

  /**
   * Adds documents, or replaces those with their ids; makes the collection if there is none.
   * Rejects also with `input/*`; see sendInBatches for what a failure leaves.
   */
  async upsert(inputs: readonly DocumentInput[], options: UpsertOptions = {}): Promise<void> {
    this.#check(options.signal)
    const documents = readyToSend(inputs, this.#dim, options.signal)
    if (documents.length === 0) return
    if (this.#foreign)
      throw new HubmeshError(
        'input/conflict',
        `The collection '${this.#options.collection}' was filled by another program; its ` +
          'records lack what filters need. Upsert into a collection of its own.',
        { details: { collection: this.#options.collection } },
      )
    if (this.#collection === '') {
      const made = await this.#connection.client(options.signal, (client) =>
        client.getOrCreateCollection({
          name: this.#options.collection,
          configuration: { hnsw: { space: 'cosine' } },
          embeddingFunction: null,
        }),
      )
      this.#collection = made.id
    }
    await sendInBatches(
      documents,
      this.#options.batchSize ?? LIMITS.remoteBatch,
      this.#cache,
      options,
      async (batch) => {
        const ids = batch.map((document) => document.id)
        await this.#connection.collection(options.signal, this.#collection, async (collection) => {
          const known = await collection.get({ ids, include: ['metadatas'] })
          const before = new Map(known.ids.map((id, i) => [id, known.metadatas[i]]))
          await collection.upsert({
            ids,
            embeddings: batch.map((document) => [...document.vector]),
            documents: batch.map((document) => document.text),
            metadatas: batch.map((document) => recordOf(document, before.get(document.id))),
          })
        })
        this.#dim = batch[0]!.vector.length
      },
    )
  }

  /** Takes documents out; ids that are not there are passed over. */
  async remove(
    ids: readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    this.#check(options.signal)
    if (this.#collection === '') return
    for (const batch of batches([...new Set(ids)], LIMITS.remoteBatch)) {
      for (const id of batch) this.#cache?.forget(id)
      await this.#connection.collection(options.signal, this.#collection, (collection) =>
        collection.delete({ ids: batch }),
      )
    }
  }

  async search(
    vector: ArrayLike<number>,
    k: number,
    options: VectorSearchOptions = {},
  ): Promise<readonly VectorStoreHit[]> {
    this.#check(options.signal)
    checkCount(k)
    const passes = options.filter === undefined ? null : compileFilter(options.filter)
    if (this.#dim === 0) return []
    const query = toUnitVector(vector, this.#dim)
    const { term, exact } =
      options.filter === undefined
        ? { term: null, exact: true }
        : this.#foreign
          ? { term: null, exact: false }
          : serverFilter(options.filter, false)
    if (term !== null && isNever(term)) return []
    return await this.#ranked(query, k, term, exact ? null : passes, null, options.signal)
  }

  async get(id: string): Promise<VectorDocument | null> {
    return (await this.getMany([id]))[0] ?? null
  }

  async getMany(ids: readonly string[]): Promise<readonly (VectorDocument | null)[]> {
    this.#check()
    const found = new Map<string, VectorDocument>()
    if (this.#dim > 0) {
      for (const batch of batches([...new Set(ids)], LIMITS.remoteBatch)) {
        const answer = await this.#get({
          ids: batch,
          include: ['documents', 'metadatas', 'embeddings'],
        })
        answer.ids.forEach((id, i) => {
          const document = decodeRecord(
            id,
            answer.metadatas[i],
            answer.documents[i],
            answer.embeddings[i],
            this.#dim,
          )
          this.#cache?.set(id, document.vector)
          found.set(id, document)
        })
      }
    }
    return ids.map((id) => found.get(id) ?? null)
  }

  async neighbors(
    id: string,
    k: number = this.#options.k ?? 10,
  ): Promise<readonly VectorStoreHit[]> {
    checkCount(k)
    const vector = await this.vectorOf(id)
    return vector ? await this.#ranked(vector, k, null, null, id) : []
  }

  async allIds(): Promise<readonly string[]> {
    this.#check()
    const ids = new Set<string>()
    for (let offset = 0; this.#dim > 0; offset += LIMITS.remotePage) {
      const page = await this.#get({ limit: LIMITS.remotePage, offset, include: [] })
      for (const id of page.ids) ids.add(id)
      if (page.ids.length < LIMITS.remotePage) break
    }
    return [...ids].sort((a, b) => (a < b ? -1 : 1))
  }

  async vectorOf(id: string): Promise<Float32Array | null> {
    this.#check()
    return this.#cache?.get(id) ?? (await this.get(id))?.vector ?? null
  }

  /** The collection stays where it is. */
  close(): Promise<void> {
    this.#closed = true
    this.#cache?.clear()
    return Promise.resolve()
  }

  #check(signal?: AbortSignal): void {
    if (this.#closed) throw new HubmeshError('store/closed', 'The store is closed; open a new one.')
    throwIfAborted(signal)
  }

  async #attach(signal: AbortSignal | undefined): Promise<void> {
    const name = this.#options.collection
    let found
    try {
      found = await this.#connection.client(signal, (client) => client.getCollection({ name }))
    } catch (error) {
      // No such collection yet; an address that is no Chroma at all fails at the first write.
      if (isHubmeshError(error) && (error as HubmeshError).details['status'] === 404) return
      throw error
    }
    const { hnsw, spann } = found.configuration,
      space = hnsw?.space ?? spann?.space ?? found.metadata?.['hnsw:space']
    if (space !== 'cosine')
      throw new HubmeshError(
        'input/conflict',
        `The collection '${name}' compares by ${String(space ?? 'an unknown distance')}, not ` +
          'by cosine; name another collection.',
        { details: { collection: name } },
      )
    this.#collection = found.id
    const first = await this.#get({ limit: 1, include: ['metadatas', 'embeddings'] }, signal)
    if (first.ids.length === 0) return
    this.#dim = first.embeddings[0]?.length ?? 0
    this.#foreign = !isOurs(first.metadatas[0])
  }

  async #get(
    args: {
      readonly ids?: string[]
      readonly limit?: number
      readonly offset?: number
      readonly include: ('documents' | 'embeddings' | 'metadatas')[]
    },
    signal?: AbortSignal,
  ): Promise<{
    readonly ids: string[]
    readonly documents: readonly unknown[]
    readonly metadatas: readonly unknown[]
    readonly embeddings: readonly (number[] | undefined)[]
  }> {
    const answer = await this.#connection.collection(signal, this.#collection, (collection) =>
      collection.get(args),
    )
    if (
      !Array.isArray(answer.ids) ||
      !Array.isArray(answer.embeddings) ||
      !Array.isArray(answer.metadatas) ||
      !Array.isArray(answer.documents)
    )
      throw unreadable(SERVER, 'no list of records')
    return answer
  }

  /** `passes` decides about hits where the server's filter cannot; `but` is left out. */
  async #ranked(
    query: Float32Array,
    k: number,
    term: FilterTerm | null,
    passes: ((metadata: Metadata) => boolean) | null,
    but: string | null,
    signal?: AbortSignal,
  ): Promise<VectorStoreHit[]> {
    const passed = new Map<string, boolean>()
    return await rankedHits({
      k,
      passes: (id) => id !== but && (passed.get(id) ?? true),
      fetch: async (limit) => {
        const answer = await this.#connection.collection(
          signal,
          this.#collection,
          async (collection) => {
            const hits = await collection.query({
              queryEmbeddings: [[...query]],
              nResults: limit,
              include: passes === null ? ['distances'] : ['distances', 'metadatas'],
              ...(term === null ? {} : { where: chromaWhere(term) }),
            })
            const count =
              (hits.ids[0]?.length ?? 0) < limit && term === null ? await collection.count() : 0
            return {
              ids: hits.ids[0],
              distances: hits.distances[0],
              metadatas: hits.metadatas[0],
              count,
            }
          },
        )
        const { ids, distances, metadatas } = answer
        if (!Array.isArray(ids) || !Array.isArray(distances))
          throw unreadable(SERVER, 'no list of hits')
        if (ids.length < Math.min(limit, answer.count))
          throw new HubmeshError(
            'remote/invalid',
            `${SERVER} gave ${ids.length} of ${Math.min(limit, answer.count)} hits; its index ` +
              'overlooks records: make the collection again with a larger ef_search.',
            { details: { given: ids.length, wanted: Math.min(limit, answer.count) } },
          )
        return ids.map((id, i) => {
          if (passes !== null)
            passed.set(id, passes(decodeRecord(id, metadatas?.[i], '', null, 0).metadata))
          // Chroma's cosine distance is 1 - cosine.
          const distance: unknown = distances[i]
          return {
            id,
            score: cosineFrom(typeof distance === 'number' ? 1 - distance : null, SERVER),
          }
        })
      },
    })
  }
}
