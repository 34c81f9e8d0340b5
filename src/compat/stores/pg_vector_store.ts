/** A VectorStore in a table of PostgreSQL with the extension pgvector, compared by cosine. */
import { HubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import type { DocumentInput } from '../../types.ts'
import { decodeRow, sqlCondition, tableName, type PgRow, upsertRows } from './remote/pg_rows.ts'
import { cosineFrom, unreadable } from './remote/ranked_hits.ts'
import { remoteCall, type Refusal } from './remote/remote_call.ts'
import { readTimeout } from './remote/remote_options.ts'
import {
  REMOTE_OPTIONS,
  RemoteStore,
  type Attached,
  type NearestRequest,
  type RemoteDriver,
  type RemoteHit,
  type RemoteStoreOptions,
} from './remote/remote_store.ts'
import type { VectorDocument } from './vector_store.ts'

/** A connection or a pool: `pg`, PGlite, and most other clients have this method. */
export interface PgClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
}

export interface PgVectorStoreOptions extends Omit<RemoteStoreOptions, 'collection'> {
  /** Opened and closed by the caller; the store only sends queries. */
  readonly client: PgClient
  /** `name` or `schema.name`, of letters, digits and underscores; made if there is none. */
  readonly table: string
  /**
   * `exact` (default) compares with every row; `hnsw` makes an index with the table, for many rows
   * at the price of a hit now and then.
   */
  readonly index?: 'exact' | 'hnsw'
}

const OPTIONS: KnownOptions<PgVectorStoreOptions> = (() => {
  const { collection: _collection, ...rest } = REMOTE_OPTIONS
  return { ...rest, client: true, table: true, index: true }
})()

/**
 * A row holds id, title, text, metadata (as JSON), its tags and numbers for filters, and the vector.
 * Rejects as RemoteStore; `remote/invalid` carries the server's own error as its cause.
 */
export class PgVectorStore extends RemoteStore {
  /**
   * Takes the table's vector length where it exists. Rejects also with `input/invalid` for options
   * out of range and `input/conflict` for a table of another shape.
   */
  static async open(options: PgVectorStoreOptions): Promise<PgVectorStore> {
    checkOptions<PgVectorStoreOptions>('PgVectorStore.open()', options, OPTIONS)
    const { client, table, index = 'exact', timeoutMs, ...rest } = options
    if (typeof (client as Partial<PgClient> | undefined)?.query !== 'function')
      throw new HubmeshError(
        'input/invalid',
        'client has no method query(text, values); pass a connection or pool of a PostgreSQL client.',
        { details: { option: 'client' } },
      )
    const driver = new PgDriver(
      client,
      tableName(table),
      index,
      readTimeout(timeoutMs ?? LIMITS.remoteTimeoutMs),
    )
    return new PgVectorStore(driver, { ...rest, collection: table }).attach()
  }

  /** Opens the table and puts documents into it, each with its vector. */
  static async fromDocuments(
    documents: readonly DocumentInput[],
    options: PgVectorStoreOptions,
  ): Promise<PgVectorStore> {
    const store = await PgVectorStore.open(options)
    await store.upsert(documents, options.signal ? { signal: options.signal } : {})
    return store
  }
}

type Signal = AbortSignal | undefined

class PgDriver implements RemoteDriver {
  readonly ranges = true

  constructor(
    private readonly client: PgClient,
    private readonly table: string,
    private readonly index: 'exact' | 'hnsw',
    private readonly timeoutMs: number,
  ) {}

  async attach(signal: Signal): Promise<Attached | null> {
    const columns = await this.query(
      `SELECT attname AS id, atttypmod AS score FROM pg_attribute
       WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
      [this.table],
      signal,
    )
    if (columns.length === 0) return null
    const dims = columns.find(({ id }) => id === 'vector')?.score
    const named = new Set(columns.map(({ id }) => id))
    if (!COLUMNS.every((column) => named.has(column)) || typeof dims !== 'number' || dims < 1)
      throw new HubmeshError(
        'input/conflict',
        `The table ${this.table} is not one of hubmesh: it needs the columns ` +
          `${COLUMNS.join(', ')}, and vector of a fixed length. Name another table.`,
        { details: { collection: this.table } },
      )
    return { dim: dims, foreign: false }
  }

  async create(dim: number, signal: Signal): Promise<Attached> {
    await this.query('CREATE EXTENSION IF NOT EXISTS vector', [], signal)
    await this.query(
      `CREATE TABLE IF NOT EXISTS ${this.table} (id text COLLATE "C" PRIMARY KEY, title text NOT NULL,
         text text NOT NULL, metadata text NOT NULL, tags text[] NOT NULL, numbers jsonb NOT NULL,
         vector vector(${dim}) NOT NULL)`,
      [],
      signal,
    )
    if (this.index === 'hnsw')
      await this.query(
        `CREATE INDEX IF NOT EXISTS ${this.table.replace(/^.*\./, '').replaceAll('"', '')}_hubmesh_hnsw
         ON ${this.table} USING hnsw (vector vector_cosine_ops)`,
        [],
        signal,
      )
    // Another client may have made it in the meantime, for vectors of another length.
    const made = await this.attach(signal)
    if (made === null) throw unreadable('PostgreSQL', 'no table after it was made')
    return made
  }

  async upsert(batch: readonly VectorDocument[], signal: Signal): Promise<void> {
    await this.query(
      `INSERT INTO ${this.table} (id, title, text, metadata, tags, numbers, vector)
       SELECT r->>'id', r->>'title', r->>'text', r->>'metadata',
         ARRAY(SELECT jsonb_array_elements_text(r->'tags')), r->'numbers', (r->>'vector')::vector
       FROM jsonb_array_elements($1::jsonb) AS r
       ON CONFLICT (id) DO UPDATE SET title = excluded.title, text = excluded.text,
         metadata = excluded.metadata, tags = excluded.tags, numbers = excluded.numbers,
         vector = excluded.vector`,
      [upsertRows(batch)],
      signal,
    )
  }

  async remove(ids: readonly string[], signal: Signal): Promise<void> {
    await this.query(`DELETE FROM ${this.table} WHERE ${IN_LIST}`, [JSON.stringify(ids)], signal)
  }

  async fetch(ids: readonly string[], dim: number): Promise<VectorDocument[]> {
    const rows = await this.query(
      `SELECT id, title, text, metadata, vector::text AS vector FROM ${this.table} WHERE ${IN_LIST}`,
      [JSON.stringify(ids)],
    )
    return rows.map((row) => decodeRow(row, dim))
  }

  async *ids(): AsyncIterable<string> {
    for (let last = ''; ;) {
      const page = await this.query(
        `SELECT id FROM ${this.table} WHERE id > $1 ORDER BY id LIMIT ${LIMITS.remotePage}`,
        [last],
      )
      for (const { id } of page) yield (last = String(id))
      if (page.length < LIMITS.remotePage) return
    }
  }

  async nearest(
    { vector, limit, term, except, withMetadata }: NearestRequest,
    signal: Signal,
  ): Promise<RemoteHit[]> {
    const values: unknown[] = [`[${vector.join(',')}]`]
    const where = term === null ? [] : [sqlCondition(term, values)]
    if (except !== null) where.push(`id <> $${values.push(except)}`)
    const rows = await this.query(
      `SELECT id, 1 - (vector <=> $1::vector) AS score${withMetadata ? ', metadata' : ''}
       FROM ${this.table}${where.length > 0 ? ` WHERE ${where.join(' AND ')}` : ''}
       ORDER BY vector <=> $1::vector, id LIMIT ${limit}`,
      values,
      signal,
    )
    return rows.map((row) => ({
      id: String(row.id),
      score: cosineFrom(Number(row.score), 'PostgreSQL'),
      metadata: withMetadata ? decodeRow({ title: '', text: '', ...row }, 0).metadata : null,
    }))
  }

  private async query(text: string, values: unknown[], signal?: AbortSignal): Promise<PgRow[]> {
    const { timeoutMs } = this
    const answer = await remoteCall({ server: 'PostgreSQL', timeoutMs, signal, refusalOf }, () =>
      this.client.query(text, values),
    )
    if (!Array.isArray(answer.rows)) throw unreadable('PostgreSQL', 'no list of rows')
    return answer.rows as PgRow[]
  }
}

const COLUMNS = ['id', 'title', 'text', 'metadata', 'tags', 'numbers', 'vector']
const IN_LIST = 'id IN (SELECT jsonb_array_elements_text($1::jsonb))'

/** Classes of SQLSTATE: 28 and 42501 are rights, 53 and 57 resources; no code: no answer. */
function refusalOf(error: unknown): Refusal | null {
  const code = (error as { readonly code?: unknown } | null)?.code
  if (typeof code !== 'string') return null
  if (/^E[A-Z]+$/.test(code) || code.startsWith('08')) return { status: undefined }
  if (code.startsWith('28') || code === '42501') return { status: 403 }
  return { status: code.startsWith('53') || code.startsWith('57') ? 503 : 400 }
}
