/** A VectorStore in a collection of a Chroma server, compared by cosine. */
import type { Collection } from 'chromadb'
import { HubmeshError, isHubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import type { DocumentInput } from '../../types.ts'
import { chromaConnection, type ChromaConnection } from './remote/chroma_connection.ts'
import { chromaWhere, decodeRecord, isOurs, recordOf } from './remote/chroma_records.ts'
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

/**
 * The collection's name has 3 to 512 letters, digits, dots, hyphens and underscores; `apiKey` is
 * sent as `x-chroma-token`, other schemes go through `headers`.
 */
export interface ChromaStoreOptions extends HttpStoreOptions {
  /** Default `default_tenant`. */
  readonly tenant?: string
  /** Default `default_database`. */
  readonly database?: string
}

const CHROMA_OPTIONS: KnownOptions<ChromaStoreOptions> = {
  ...HTTP_OPTIONS,
  tenant: true,
  database: true,
}

/**
 * A record holds the text as its document; title, metadata (as JSON) and tags for filters are its
 * metadata. A collection that the Python package filled can be read, not written to.
 */
export class ChromaStore extends RemoteStore {
  /**
   * Connects, and looks at the collection where it exists. Rejects also with `input/*`, and
   * `store/unavailable` where the optional dependency chromadb is not installed.
   */
  static async open(options: ChromaStoreOptions): Promise<ChromaStore> {
    checkOptions<ChromaStoreOptions>('ChromaStore.open()', options, CHROMA_OPTIONS)
    const driver = new ChromaDriver(await chromaConnection(options), options.collection)
    return new ChromaStore(driver, options).attach()
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
}

type Signal = AbortSignal | undefined
interface Page {
  readonly ids?: string[]
  readonly limit?: number
  readonly offset?: number
  readonly include: ('documents' | 'embeddings' | 'metadatas')[]
}
interface Records {
  readonly ids: string[]
  readonly documents: readonly unknown[]
  readonly metadatas: readonly unknown[]
  readonly embeddings: readonly (number[] | undefined)[]
}

class ChromaDriver implements RemoteDriver {
  readonly ranges = false
  /** Chroma's own id of the collection; '' until it exists. */
  private id = ''

  constructor(
    private readonly connection: ChromaConnection,
    private readonly name: string,
  ) {}

  async attach(signal: Signal): Promise<Attached | null> {
    const { name } = this
    let found
    try {
      found = await this.connection.client(signal, (client) => client.getCollection({ name }))
    } catch (error) {
      // No such collection yet; an address that is no Chroma at all fails at the first write.
      if (isHubmeshError(error) && (error as HubmeshError).details['status'] === 404) return null
      throw error
    }
    const { hnsw, spann } = found.configuration
    const space: unknown = hnsw?.space ?? spann?.space ?? found.metadata?.['hnsw:space']
    if (space !== 'cosine')
      throw new HubmeshError(
        'input/conflict',
        `The collection '${name}' compares by ${String(space ?? 'an unknown distance')}, not ` +
          'by cosine; name another collection.',
        { details: { collection: name } },
      )
    this.id = found.id
    const first = await this.page({ limit: 1, include: ['metadatas', 'embeddings'] }, signal)
    if (first.ids.length === 0) return { dim: 0, foreign: false }
    return { dim: first.embeddings[0]?.length ?? 0, foreign: !isOurs(first.metadatas[0]) }
  }

  async create(_dim: number, signal: Signal): Promise<Attached> {
    const configuration = { hnsw: { space: 'cosine' as const } }
    const { id } = await this.connection.client(signal, (client) =>
      client.getOrCreateCollection({ name: this.name, configuration, embeddingFunction: null }),
    )
    this.id = id
    return { dim: 0, foreign: false }
  }

  upsert(batch: readonly VectorDocument[], signal: Signal): Promise<void> {
    const ids = batch.map((document) => document.id)
    return this.send(signal, async (collection) => {
      const known = await collection.get({ ids, include: ['metadatas'] })
      const before = new Map(known.ids.map((id, i) => [id, known.metadatas[i]]))
      await collection.upsert({
        ids,
        embeddings: batch.map(({ vector }) => [...vector]),
        documents: batch.map(({ text }) => text),
        metadatas: batch.map((document) => recordOf(document, before.get(document.id))),
      })
    })
  }

  async remove(ids: readonly string[], signal: Signal): Promise<void> {
    await this.send(signal, (collection) => collection.delete({ ids: [...ids] }))
  }

  async fetch(ids: readonly string[], dim: number): Promise<VectorDocument[]> {
    const page = await this.page({
      ids: [...ids],
      include: ['documents', 'metadatas', 'embeddings'],
    })
    return page.ids.map((id, i) =>
      decodeRecord(id, page.metadatas[i], page.documents[i], page.embeddings[i], dim),
    )
  }

  async *ids(): AsyncIterable<string> {
    for (let offset = 0; ; offset += LIMITS.remotePage) {
      const page = await this.page({ limit: LIMITS.remotePage, offset, include: [] })
      yield* page.ids
      if (page.ids.length < LIMITS.remotePage) return
    }
  }

  async nearest(
    { vector, limit, term, withMetadata }: NearestRequest,
    signal: Signal,
  ): Promise<RemoteHit[]> {
    const { ids, distances, metadatas, count } = await this.send(signal, async (collection) => {
      const hits = await collection.query({
        queryEmbeddings: [[...vector]],
        nResults: limit,
        include: withMetadata ? ['distances', 'metadatas'] : ['distances'],
        ...(term === null ? {} : { where: chromaWhere(term) }),
      })
      const short = (hits.ids[0]?.length ?? 0) < limit && term === null
      return {
        ids: hits.ids[0],
        distances: hits.distances[0],
        metadatas: hits.metadatas[0],
        count: short ? await collection.count() : 0,
      }
    })
    if (!Array.isArray(ids) || !Array.isArray(distances))
      throw unreadable('Chroma', 'no list of hits')
    const wanted = Math.min(limit, count)
    if (ids.length < wanted)
      throw new HubmeshError(
        'remote/invalid',
        `Chroma gave ${ids.length} of ${wanted} hits; its index misses records: make the ` +
          'collection again with a larger ef_search.',
        { details: { given: ids.length, wanted } },
      )
    return ids.map((id, i) => {
      // Chroma's cosine distance is 1 - cosine.
      const distance: unknown = distances[i]
      const cosine = typeof distance === 'number' ? 1 - distance : null
      const metadata = withMetadata ? decodeRecord(id, metadatas?.[i], '', null, 0).metadata : null
      return { id, score: cosineFrom(cosine, 'Chroma'), metadata }
    })
  }

  private send<T>(signal: Signal, work: (collection: Collection) => Promise<T>): Promise<T> {
    return this.connection.collection(signal, this.id, work)
  }

  private async page(args: Page, signal?: AbortSignal): Promise<Records> {
    const answer = await this.send(signal, (collection) => collection.get(args))
    const { ids, embeddings, metadatas, documents } = answer
    if (![ids, embeddings, metadatas, documents].every(Array.isArray))
      throw unreadable('Chroma', 'no list of records')
    return answer
  }
}
