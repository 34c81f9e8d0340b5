/** What every VectorStore behind a server has in common; a driver speaks to the server. */
import { HubmeshError, throwIfAborted } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import type { KnownOptions } from '../../../base/options.ts'
import { compileFilter } from '../../../document/filter.ts'
import type { DocumentInput, Metadata } from '../../../types.ts'
import { checkCount } from '../../../vector/unit_rows.ts'
import { toUnitVector } from '../../../vector/unit_vector.ts'
import type {
  VectorDocument,
  VectorSearchOptions,
  VectorStore,
  VectorStoreHit,
} from '../vector_store.ts'
import { isNever, serverFilter, type FilterTerm } from './filter_terms.ts'
import { rankedHits } from './ranked_hits.ts'
import { batches } from './remote_options.ts'
import { readyToSend, sendInBatches, type UpsertOptions } from './upsert.ts'
import { VectorCache } from './vector_cache.ts'

export interface RemoteStoreOptions {
  readonly collection: string
  /** Neighbours that `neighbors(id)` gives; default 10. */
  readonly k?: number
  /** Milliseconds one request may take; default LIMITS.remoteTimeoutMs. */
  readonly timeoutMs?: number
  /** Documents of one upsert request; default LIMITS.remoteBatch. */
  readonly batchSize?: number
  /**
   * Cache vectors that the server gave or confirmed; default true. Turn it off where others write
   * to the collection.
   */
  readonly cacheVectors?: boolean
  readonly signal?: AbortSignal
}

/** Options of a store behind an HTTP address. */
export interface HttpStoreOptions extends RemoteStoreOptions {
  /** Address of the server. */
  readonly url: string
  readonly apiKey?: string
  /** More request headers. */
  readonly headers?: Readonly<Record<string, string>>
}

/** For the check of a driver's options. */
export const REMOTE_OPTIONS: KnownOptions<RemoteStoreOptions> = {
  collection: true,
  k: true,
  timeoutMs: true,
  batchSize: true,
  cacheVectors: true,
  signal: true,
}

export const HTTP_OPTIONS: KnownOptions<HttpStoreOptions> = {
  ...REMOTE_OPTIONS,
  url: true,
  apiKey: true,
  headers: true,
}

/** A collection as it was found. */
export interface Attached {
  /** Components of its vectors; 0 while that is unknown. */
  readonly dim: number
  /** Filled by another program: readable, without what filters need, not to be written to. */
  readonly foreign: boolean
}

export interface NearestRequest {
  readonly vector: Float32Array
  readonly limit: number
  /** What the server filters by. */
  readonly term: FilterTerm | null
  /** An id that need not be given. */
  readonly except: string | null
  readonly withMetadata: boolean
  readonly foreign: boolean
}

export interface RemoteHit extends VectorStoreHit {
  /** There where it was asked for. */
  readonly metadata: Metadata | null
}

type Signal = AbortSignal | undefined

/** Requests to one collection. Every method rejects with `remote/*` or `aborted`. */
export interface RemoteDriver {
  /** Whether the server compares numbers. */
  readonly ranges: boolean
  /** Null where there is no such collection. Rejects with `input/conflict` for another distance. */
  attach(signal: Signal): Promise<Attached | null>
  /** Makes the collection for vectors of `dim` components. */
  create(dim: number, signal: Signal): Promise<Attached>
  upsert(batch: readonly VectorDocument[], signal: Signal): Promise<void>
  remove(ids: readonly string[], signal: Signal): Promise<void>
  /** In any order; ids that are not there are left out. */
  fetch(ids: readonly string[], dim: number): Promise<readonly VectorDocument[]>
  ids(): AsyncIterable<string>
  /** The best `limit` hits, best first; fewer only where there are no more. */
  nearest(request: NearestRequest, signal: Signal): Promise<readonly RemoteHit[]>
}

/**
 * Every method rejects with `remote/unavailable`, `remote/timeout`, `remote/auth`,
 * `remote/invalid`, `store/closed` or `aborted`.
 */
export abstract class RemoteStore implements VectorStore {
  private readonly cache: VectorCache | null
  private attached: Attached | null = null
  private mutations = 0
  private closed = false

  protected constructor(
    private readonly driver: RemoteDriver,
    private readonly options: RemoteStoreOptions,
  ) {
    this.cache = options.cacheVectors === false ? null : new VectorCache()
  }

  /** Looks at the collection where it exists. */
  protected async attach(): Promise<this> {
    checkCount(this.options.k ?? 1)
    this.attached = await this.driver.attach(this.options.signal)
    return this
  }

  get dim(): number {
    return this.attached?.dim ?? 0
  }

  get mutationCounter(): number {
    return this.mutations
  }

  /**
   * Adds documents, or replaces those with their ids; makes the collection if there is none.
   * Rejects also with `input/*`; see sendInBatches for what a failure leaves.
   */
  async upsert(inputs: readonly DocumentInput[], options: UpsertOptions = {}): Promise<void> {
    this.check(options.signal)
    const documents = readyToSend(inputs, this.dim, options.signal)
    const first = documents[0]
    if (first === undefined) return
    if (this.attached?.foreign) {
      const { collection } = this.options
      throw new HubmeshError(
        'input/conflict',
        `The collection '${collection}' was filled by another program and lacks the fields that ` +
          'filters need. Upsert into a collection of its own.',
        { details: { collection } },
      )
    }
    const { length } = first.vector
    this.attached ??= await this.driver.create(length, options.signal)
    const size = this.options.batchSize ?? LIMITS.remoteBatch
    await sendInBatches(documents, size, this.cache, options, async (batch) => {
      // A request that failed may have arrived.
      this.mutations++
      await this.driver.upsert(batch, options.signal)
      this.mutations++
      this.attached = { dim: length, foreign: false }
    })
  }

  /** Takes documents out; unknown ids are ignored. */
  async remove(
    ids: readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    this.check(options.signal)
    if (this.attached === null) return
    for (const batch of batches([...new Set(ids)], LIMITS.remoteBatch)) {
      for (const id of batch) this.cache?.forget(id)
      this.mutations++
      await this.driver.remove(batch, options.signal)
      this.mutations++
    }
  }

  async search(
    vector: ArrayLike<number>,
    k: number,
    { filter, signal }: VectorSearchOptions = {},
  ): Promise<readonly VectorStoreHit[]> {
    this.check(signal)
    checkCount(k)
    const passes = filter === undefined ? null : compileFilter(filter)
    if (this.dim === 0) return []
    const query = toUnitVector(vector, this.dim)
    if (filter === undefined) return this.ranked(query, k, {}, signal)
    if (this.attached?.foreign) return this.ranked(query, k, { passes }, signal)
    const { term, exact } = serverFilter(filter, this.driver.ranges)
    if (term !== null && isNever(term)) return []
    return this.ranked(query, k, { term, passes: exact ? null : passes }, signal)
  }

  async get(id: string): Promise<VectorDocument | null> {
    return (await this.getMany([id]))[0] ?? null
  }

  async getMany(ids: readonly string[]): Promise<readonly (VectorDocument | null)[]> {
    this.check()
    const found = new Map<string, VectorDocument>()
    const wanted = this.dim === 0 ? [] : [...new Set(ids)]
    for (const batch of batches(wanted, LIMITS.remoteBatch)) {
      for (const document of await this.driver.fetch(batch, this.dim)) {
        this.cache?.set(document.id, document.vector)
        found.set(document.id, document)
      }
    }
    return ids.map((id) => found.get(id) ?? null)
  }

  async neighbors(id: string, k = this.options.k ?? 10): Promise<readonly VectorStoreHit[]> {
    checkCount(k)
    const vector = await this.vectorOf(id)
    return vector ? this.ranked(vector, k, { except: id }) : []
  }

  async allIds(): Promise<readonly string[]> {
    this.check()
    const ids = new Set<string>()
    if (this.dim > 0) for await (const id of this.driver.ids()) ids.add(id)
    return [...ids].sort((a, b) => (a < b ? -1 : 1))
  }

  async vectorOf(id: string): Promise<Float32Array | null> {
    this.check()
    return this.cache?.get(id) ?? (await this.get(id))?.vector ?? null
  }

  /** The collection stays where it is. */
  close(): Promise<void> {
    this.closed = true
    this.cache?.clear()
    return Promise.resolve()
  }

  private check(signal?: AbortSignal): void {
    if (this.closed) throw new HubmeshError('store/closed', 'The store is closed; open a new one.')
    throwIfAborted(signal)
  }

  /** `passes` decides about hits where the server's filter cannot; `except` is left out. */
  private ranked(
    vector: Float32Array,
    k: number,
    how: {
      readonly term?: FilterTerm | null
      readonly passes?: ((metadata: Metadata) => boolean) | null
      readonly except?: string
    },
    signal?: AbortSignal,
  ): Promise<VectorStoreHit[]> {
    const { term = null, passes = null, except = null } = how
    const failed = new Set<string>()
    const withMetadata = passes !== null
    const foreign = this.attached?.foreign ?? false
    return rankedHits({
      k,
      passes: (id) => id !== except && !failed.has(id),
      fetch: async (limit) => {
        const hits = await this.driver.nearest(
          { vector, limit, term, except, withMetadata, foreign },
          signal,
        )
        for (const { id, metadata } of hits) if (passes && !passes(metadata ?? {})) failed.add(id)
        return hits.map(({ id, score }) => ({ id, score }))
      },
    })
  }
}
