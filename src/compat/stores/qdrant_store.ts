/** A VectorStore in a collection of a Qdrant server: one vector a point, compared by cosine. */
import { HubmeshError, isHubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import type { DocumentInput } from '../../types.ts'
import {
  qdrantConnection,
  type QdrantConnection,
  type QdrantFilter,
} from './remote/qdrant_connection.ts'
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
import { cosineFrom, unreadable } from './remote/ranked_hits.ts'
import {
  HTTP_OPTIONS,
  RemoteStore,
  type Attached,
  type NearestRequest,
  type RemoteDriver,
  type RemoteHit,
  type HttpStoreOptions,
} from './remote/remote_store.ts'
import type { VectorDocument } from './vector_store.ts'

export interface QdrantStoreOptions extends HttpStoreOptions {
  /** Let the server compare with every vector instead of using its index; default false. */
  readonly exact?: boolean
}

const QDRANT_OPTIONS: KnownOptions<QdrantStoreOptions> = { ...HTTP_OPTIONS, exact: true }

/**
 * Payload of a point: `hubmesh_id`, `text`, `title`, `hubmesh_metadata` (as given),
 * `hubmesh_tags` and `hubmesh_numbers` (for filters). A collection that the Python package filled
 * (`hubmesh_id`, `text`, `meta_*`) can be read, not written to.
 */
export class QdrantStore extends RemoteStore {
  /**
   * Connects, and takes the collection's vector length where it exists. Rejects also with
   * `input/invalid` for options out of range and `store/unavailable` where the client, the optional
   * dependency @qdrant/js-client-rest, is not installed.
   */
  static async open(options: QdrantStoreOptions): Promise<QdrantStore> {
    checkOptions<QdrantStoreOptions>('QdrantStore.open()', options, QDRANT_OPTIONS)
    const driver = new QdrantDriver(await qdrantConnection(options), options)
    return new QdrantStore(driver, options).attach()
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
}

type Signal = AbortSignal | undefined
interface Scroll {
  readonly filter?: QdrantFilter
  readonly limit: number
  readonly with_payload: boolean | string[]
  readonly with_vector: boolean
}
type Point = { readonly payload?: unknown; readonly vector?: unknown }

class QdrantDriver implements RemoteDriver {
  readonly ranges = true
  private readonly collection_name: string
  private readonly exact: boolean

  constructor(
    private readonly connection: QdrantConnection,
    { collection, exact = false }: QdrantStoreOptions,
  ) {
    this.collection_name = collection
    this.exact = exact
  }

  async attach(signal: Signal): Promise<Attached | null> {
    const { collection_name } = this
    const { exists } = await this.connection.call(signal, (api, init) =>
      api.collectionExists({ collection_name }, init),
    )
    if (exists !== true) return null
    const { config } = await this.connection.call(signal, (api, init) =>
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
    const first = { limit: 1, with_payload: [TAGS_KEY], with_vector: false }
    for await (const point of this.scroll(first, signal))
      return { dim: vectors.size, foreign: !hasTags(point.payload) }
    return { dim: vectors.size, foreign: false }
  }

  async create(size: number, signal: Signal): Promise<Attached> {
    const { collection_name } = this
    try {
      await this.connection.call(signal, (api, init) =>
        api.createCollection({ collection_name, vectors: { size, distance: 'Cosine' } }, init),
      )
    } catch (error) {
      // Another client may have made it in the meantime.
      if (!isHubmeshError(error) || error.code !== 'remote/invalid') throw error
      const made = await this.attach(signal)
      if (made?.dim === size) return made
      throw error
    }
    for (const field_name of [ID_KEY, TAGS_KEY]) {
      const index = { collection_name, wait: true, field_name, field_schema: 'keyword' } as const
      await this.connection.call(signal, (api, init) => api.createFieldIndex(index, init))
    }
    return { dim: size, foreign: false }
  }

  async upsert(batch: readonly VectorDocument[], signal: Signal): Promise<void> {
    const { collection_name } = this
    const points = batch.map(pointOf)
    await this.connection.call(signal, (api, init) =>
      api.upsertPoints({ collection_name, wait: true, points }, init),
    )
  }

  async remove(ids: readonly string[], signal: Signal): Promise<void> {
    const { collection_name } = this
    await this.connection.call(signal, (api, init) =>
      api.deletePoints({ collection_name, wait: true, filter: withIds(ids) }, init),
    )
  }

  async fetch(ids: readonly string[], dim: number): Promise<VectorDocument[]> {
    const found: VectorDocument[] = []
    const limit = ids.length + 1
    const all = { filter: withIds(ids), limit, with_payload: true, with_vector: true }
    for await (const point of this.scroll(all)) found.push(decodePoint(point, dim))
    return found
  }

  async *ids(): AsyncIterable<string> {
    const page = { limit: LIMITS.remotePage, with_payload: [ID_KEY], with_vector: false }
    for await (const point of this.scroll(page)) yield idOf(point.payload)
  }

  async nearest(request: NearestRequest, signal: Signal): Promise<RemoteHit[]> {
    const hits = await this.query(request, this.exact, signal)
    // The index may give fewer than there are; comparing with all may not.
    return hits.length < request.limit && !this.exact ? this.query(request, true, signal) : hits
  }

  private async query(
    { vector, limit, term, except, withMetadata, foreign }: NearestRequest,
    exact: boolean,
    signal: Signal,
  ): Promise<RemoteHit[]> {
    const filter: QdrantFilter = {
      ...(term === null ? {} : qdrantFilter(term)),
      ...(except === null ? {} : { must_not: [idIn([except])] }),
    }
    const request = {
      collection_name: this.collection_name,
      query: [...vector],
      limit,
      ...(Object.keys(filter).length > 0 ? { filter } : {}),
      ...(exact ? { params: { exact } } : {}),
      with_payload: !withMetadata ? [ID_KEY] : foreign ? true : [ID_KEY, METADATA_KEY],
      with_vector: false,
    }
    const { points } = await this.connection.call(signal, (api, init) =>
      api.queryPoints(request, init),
    )
    if (!Array.isArray(points)) throw unreadable('Qdrant', 'no list of points')
    return points.map((point) => ({
      id: idOf(point.payload),
      score: cosineFrom(point.score, 'Qdrant'),
      metadata: withMetadata ? decodePoint(point, 0).metadata : null,
    }))
  }

  private async *scroll(page: Scroll, signal?: AbortSignal): AsyncGenerator<Point> {
    const { collection_name } = this
    let offset: string | number | undefined
    do {
      const request = { collection_name, ...page, ...(offset === undefined ? {} : { offset }) }
      const answer = await this.connection.call(signal, (api, init) =>
        api.scrollPoints(request, init),
      )
      if (!Array.isArray(answer.points)) throw unreadable('Qdrant', 'no list of points')
      yield* answer.points
      const next: unknown = answer.next_page_offset
      offset = typeof next === 'string' || typeof next === 'number' ? next : undefined
    } while (offset !== undefined)
  }
}
