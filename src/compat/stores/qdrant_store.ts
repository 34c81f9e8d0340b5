/**
 * Owns a VectorStore in a collection of a Qdrant server, by its official client. Refuses: more than
 * one vector a document, and any other distance than the cosine.
 */
import { HubmeshError, isHubmeshError, throwIfAborted } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { compileFilter } from '../../document/filter.ts'
import type { DocumentInput, Metadata } from '../../types.ts'
import { checkCount } from '../../vector/unit_rows.ts'
import { toUnitVector } from '../../vector/unit_vector.ts'
import { qdrantConnection } from './remote/qdrant_connection.ts'
import type { QdrantConnection, QdrantFilter } from './remote/qdrant_connection.ts'
import {
  decodePoint,
  hasTags,
  ID_KEY,
  idIn,
  idOf,
  METADATA_KEY,
  pointOf,
  qdrantFilter,
  TAGS_KEY,
  withIds,
} from './remote/qdrant_points.ts'
import { isNever, serverFilter } from './remote/filter_terms.ts'
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

export interface QdrantStoreOptions {
  /** Address of the server, `http://127.0.0.1:6333`. */
  readonly url: string
  readonly collection: string
  readonly apiKey?: string
  /** More request headers. */
  readonly headers?: Readonly<Record<string, string>>
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
  /** Let the server compare with every vector, not by its index; default false. */
  readonly exact?: boolean
  readonly signal?: AbortSignal
}

const SERVER = 'Qdrant'

/**
 * Payload of a point: `hubmesh_id`, `text`, `title`, `hubmesh_metadata` (as it came),
 * `hubmesh_tags` and `hubmesh_numbers` (for filters). A collection that the Python package filled
 * (`hubmesh_id`, `text`, `meta_*`) can be read, not written to. Every method rejects with
 * `remote/unavailable`, `remote/timeout`, `remote/auth`, `remote/invalid`, `store/closed` or
 * `aborted`.
 */
export class QdrantStore implements VectorStore {
  readonly #connection: QdrantConnection
  readonly #options: QdrantStoreOptions
  readonly #cache: VectorCache | null
  #dim = 0
  /** Another layout: without tags the server cannot filter. */
  #foreign = false
  #closed = false

  private constructor(connection: QdrantConnection, options: QdrantStoreOptions) {
    this.#connection = connection
    this.#options = options
    this.#cache = options.cacheVectors === false ? null : new VectorCache()
  }

  /**
   * Connects, and takes the collection's vector length where it exists. Rejects also with
   * `input/invalid` for options out of range and `store/unavailable` where the client, the optional
   * dependency @qdrant/js-client-rest, is not installed.
   */
  static async open(options: QdrantStoreOptions): Promise<QdrantStore> {
    checkCount(options.k ?? 1)
    const store = new QdrantStore(await qdrantConnection(options), options)
    await store.#attach(options.signal)
    return store
  }

  /** Opens the collection and puts documents into it, each with its vector. */
  static async fromDocuments(
    documents: readonly DocumentInput[],
    options: QdrantStoreOptions,
  ): Promise<QdrantStore> {
    const store = await QdrantStore.open(options)
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
          'points have other ids. Upsert into a collection of its own.',
        { details: { collection: this.#options.collection } },
      )
    if (this.#dim === 0) await this.#create(documents[0]!.vector.length, options.signal)
    await sendInBatches(
      documents,
      this.#options.batchSize ?? LIMITS.remoteBatch,
      this.#cache,
      options,
      async (batch) => {
        await this.#connection.call(options.signal, (api, init) =>
          api.upsertPoints(
            { collection_name: this.#options.collection, wait: true, points: batch.map(pointOf) },
            init,
          ),
        )
      },
    )
  }

  /** Takes documents out; ids that are not there are passed over. */
  async remove(
    ids: readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    this.#check(options.signal)
    for (const batch of batches(ids, LIMITS.remoteBatch)) {
      for (const id of batch) this.#cache?.forget(id)
      await this.#connection.call(options.signal, (api, init) =>
        api.deletePoints(
          { collection_name: this.#options.collection, wait: true, filter: withIds(batch) },
          init,
        ),
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
          : serverFilter(options.filter, true)
    if (term !== null && isNever(term)) return []
    return await this.#ranked(
      query,
      k,
      term === null ? undefined : qdrantFilter(term),
      exact ? null : passes,
      options.signal,
    )
  }

  async get(id: string): Promise<VectorDocument | null> {
    return (await this.getMany([id]))[0] ?? null
  }

  async getMany(ids: readonly string[]): Promise<readonly (VectorDocument | null)[]> {
    this.#check()
    const found = new Map<string, VectorDocument>()
    if (this.#dim > 0) {
      for (const batch of batches([...new Set(ids)], LIMITS.remoteBatch)) {
        await this.#scroll(
          withIds(batch),
          batch.length + 1,
          { with_payload: true, with_vector: true },
          (point) => {
            const document = decodePoint(point, this.#dim)
            this.#cache?.set(document.id, document.vector)
            found.set(document.id, document)
          },
        )
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
    return vector ? await this.#ranked(vector, k, { must_not: [idIn([id])] }, null) : []
  }

  async allIds(): Promise<readonly string[]> {
    this.#check()
    const ids = new Set<string>()
    if (this.#dim > 0)
      await this.#scroll(
        undefined,
        LIMITS.remotePage,
        { with_payload: [ID_KEY], with_vector: false },
        (point) => {
          ids.add(idOf(point.payload))
        },
      )
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
    const collection_name = this.#options.collection
    const exists = await this.#connection.call(signal, (api, init) =>
      api.collectionExists({ collection_name }, init),
    )
    if (exists.exists !== true) return
    const { config } = await this.#connection.call(signal, (api, init) =>
      api.getCollection({ collection_name }, init),
    )
    const vectors: { readonly size?: unknown; readonly distance?: unknown } | undefined =
      config?.params?.vectors
    if (typeof vectors?.size !== 'number' || vectors.distance !== 'Cosine') {
      throw new HubmeshError(
        'input/conflict',
        `The collection '${collection_name}' does not hold one vector a point compared by ` +
          'cosine; name another collection.',
        { details: { collection: collection_name } },
      )
    }
    this.#dim = vectors.size
    await this.#scroll(
      undefined,
      1,
      { with_payload: [TAGS_KEY], with_vector: false },
      (point) => {
        this.#foreign = !hasTags(point.payload)
      },
      signal,
      1,
    )
  }

  async #create(size: number, signal: AbortSignal | undefined): Promise<void> {
    const collection_name = this.#options.collection
    try {
      await this.#connection.call(signal, (api, init) =>
        api.createCollection({ collection_name, vectors: { size, distance: 'Cosine' } }, init),
      )
    } catch (error) {
      // Somebody else may have made it in the meantime.
      if (!isHubmeshError(error) || error.code !== 'remote/invalid') throw error
      await this.#attach(signal)
      if (this.#dim === size) return
      throw error
    }
    for (const field_name of [ID_KEY, TAGS_KEY])
      await this.#connection.call(signal, (api, init) =>
        api.createFieldIndex(
          { collection_name, wait: true, field_name, field_schema: 'keyword' },
          init,
        ),
      )
    this.#dim = size
  }

  /** `passes` decides about hits where the server's filter cannot. */
  async #ranked(
    query: Float32Array,
    k: number,
    filter: QdrantFilter | undefined,
    passes: ((metadata: Metadata) => boolean) | null,
    signal?: AbortSignal,
  ): Promise<VectorStoreHit[]> {
    const passed = new Map<string, boolean>()
    const ask = async (limit: number, exact: boolean): Promise<VectorStoreHit[]> => {
      const { points } = await this.#connection.call(signal, (api, init) =>
        api.queryPoints(
          {
            collection_name: this.#options.collection,
            query: [...query],
            limit,
            ...(filter === undefined ? {} : { filter }),
            ...(exact ? { params: { exact } } : {}),
            with_payload:
              passes === null ? [ID_KEY] : this.#foreign ? true : [ID_KEY, METADATA_KEY],
            with_vector: false,
          },
          init,
        ),
      )
      if (!Array.isArray(points)) throw unreadable(SERVER, 'no list of points')
      return points.map((point) => {
        const id = idOf(point.payload)
        if (passes !== null) passed.set(id, passes(decodePoint(point, 0).metadata))
        return { id, score: cosineFrom(point.score, SERVER) }
      })
    }
    return await rankedHits({
      k,
      passes: (id) => passed.get(id) ?? true,
      // The index may give fewer than there are; comparing with all may not.
      fetch: async (limit) => {
        const exact = this.#options.exact ?? false
        const hits = await ask(limit, exact)
        return hits.length < limit && !exact ? await ask(limit, true) : hits
      },
    })
  }

  async #scroll(
    filter: QdrantFilter | undefined,
    limit: number,
    shape: { readonly with_payload: boolean | string[]; readonly with_vector: boolean },
    take: (point: { readonly payload?: unknown; readonly vector?: unknown }) => void,
    signal?: AbortSignal,
    pages = Infinity,
  ): Promise<void> {
    let offset: string | number | undefined
    for (let page = 0; page < pages; page++) {
      const answer = await this.#connection.call(signal, (api, init) =>
        api.scrollPoints(
          {
            collection_name: this.#options.collection,
            limit,
            ...shape,
            ...(filter === undefined ? {} : { filter }),
            ...(offset === undefined ? {} : { offset }),
          },
          init,
        ),
      )
      if (!Array.isArray(answer.points)) throw unreadable(SERVER, 'no list of points')
      for (const point of answer.points) take(point)
      const next: unknown = answer.next_page_offset
      if (typeof next !== 'string' && typeof next !== 'number') return
      offset = next
    }
  }
}
