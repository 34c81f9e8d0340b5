/**
 * A small Qdrant: the requests that QdrantStore sends, answered from memory by comparing with
 * every vector. Each request and each answer is checked against Qdrant's published description, as
 * the official client carries it.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Schemas } from '@qdrant/js-client-rest'
import { faultyServer } from './faulty_server.ts'
import type { FaultyServer, HttpAnswer, HttpRequest } from './faulty_server.ts'
import { openApiShapes } from './openapi_shapes.ts'
import type { OpenApiShapes } from './openapi_shapes.ts'

type Point = {
  readonly id: string
  readonly vector: number[]
  readonly payload: Record<string, unknown>
}
type Collection = { readonly size: number; readonly points: Map<string, Point> }
type Body = Record<string, unknown>
type Condition = Schemas['Condition']

export interface QdrantDouble extends FaultyServer {
  readonly collections: Map<string, Collection>
  /** Requests and answers that did not fit the description. */
  readonly misfits: readonly string[]
}

export interface QdrantDoubleOptions {
  readonly apiKey?: string
  /** Hits that its index overlooks unless asked to be exact. */
  readonly overlooks?: number
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
let shapes: OpenApiShapes | null = null

/** The d.ts of the client's generated types, which are Qdrant's OpenAPI description. */
function qdrantShapes(): OpenApiShapes {
  const entry = createRequire(import.meta.url).resolve('@qdrant/js-client-rest')
  return (shapes ??= openApiShapes(join(dirname(entry), '../types/openapi/generated_schema.d.ts')))
}

export async function qdrantDouble(options: QdrantDoubleOptions = {}): Promise<QdrantDouble> {
  const collections = new Map<string, Collection>(),
    misfits: string[] = []
  const server = await faultyServer((request) => {
    if (options.apiKey !== undefined && request.headers['api-key'] !== options.apiKey)
      return { status: 401, body: 'Must provide an API key or an Authorization bearer token' }
    const [path, query = ''] = request.path.split('?') as [string, string?]
    const parts = path.split('/').slice(1).map(decodeURIComponent)
    const template = ['', 'collections', '{collection_name}', ...parts.slice(2)].join('/')
    const answered = answerOf(collections, request, parts, options.overlooks ?? 0)
    for (const problem of qdrantShapes().request(request.method, template, request.body))
      misfits.push(`${request.method} ${template} ${problem}`)
    for (const problem of qdrantShapes().response(
      request.method,
      template,
      answered.status,
      answered.body,
    ))
      misfits.push(`${request.method} ${template} ${problem}`)
    if (request.method === 'PUT' && parts[2] === 'points' && query !== 'wait=true')
      misfits.push(`${template} does not wait for the write: ${query}`)
    return answered
  })
  return { ...server, collections, misfits }
}

function ok(result: unknown): HttpAnswer & { readonly status: number; readonly body: unknown } {
  return { status: 200, body: { result, status: 'ok', time: 0.001 } }
}

function refused(
  status: number,
  error: string,
): HttpAnswer & { readonly status: number; readonly body: unknown } {
  return { status, body: { time: 0.001, status: { error }, result: null } }
}

function answerOf(
  collections: Map<string, Collection>,
  request: HttpRequest,
  parts: readonly string[],
  overlooks: number,
): { readonly status: number; readonly body: unknown } {
  const name = parts[1]!,
    collection = collections.get(name),
    body = (request.body ?? {}) as Body
  const route = `${request.method} ${parts.slice(2).join('/')}`
  if (route === 'GET exists') return ok({ exists: collection !== undefined })
  if (route === 'PUT ') {
    if (collection) return refused(409, `Wrong input: Collection \`${name}\` already exists!`)
    collections.set(name, { size: (body['vectors'] as { size: number }).size, points: new Map() })
    return ok(true)
  }
  if (!collection) return refused(404, `Not found: Collection \`${name}\` doesn't exist!`)
  const points = [...collection.points.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  switch (route) {
    case 'GET ':
      return ok(info(collection))
    case 'PUT index':
      return ok({ operation_id: 1, status: 'completed' })
    case 'PUT points': {
      for (const point of body['points'] as Point[]) {
        if (!UUID.test(point.id)) return refused(400, `value ${point.id} is not a valid point ID`)
        if (point.vector.length !== collection.size)
          return refused(
            400,
            `Wrong input: Vector dimension error: expected dim: ${collection.size}, got ${point.vector.length}`,
          )
        const length = Math.hypot(...point.vector)
        collection.points.set(point.id, {
          ...point,
          vector: point.vector.map((x) => Math.fround(x / length)),
        })
      }
      return ok({ operation_id: 2, status: 'completed' })
    }
    case 'POST points/delete':
      for (const point of points)
        if (matches(body['filter'] as Condition, point)) collection.points.delete(point.id)
      return ok({ operation_id: 3, status: 'completed' })
    case 'POST points/scroll': {
      const limit = body['limit'] as number,
        offset = body['offset'] as string | undefined
      const left = points.filter(
        (point) =>
          matches(body['filter'] as Condition | undefined, point) &&
          (offset === undefined || point.id >= offset),
      )
      return ok({
        points: left.slice(0, limit).map((point) => shown(point, body)),
        next_page_offset: left[limit]?.id ?? null,
      })
    }
    case 'POST points/query': {
      const query = body['query'] as number[]
      if (query.length !== collection.size)
        return refused(
          400,
          `Wrong input: Vector dimension error: expected dim: ${collection.size}, got ${query.length}`,
        )
      const exact = (body['params'] as { exact?: boolean } | undefined)?.exact === true
      // Equals in another order than ours, so that the store has to bring them into it.
      const scored = points
        .reverse()
        .filter((point) => matches(body['filter'] as Condition | undefined, point))
        .map((point) => ({
          point,
          score: Math.fround(point.vector.reduce((sum, x, i) => sum + x * query[i]!, 0)),
        }))
        .sort((a, b) => b.score - a.score)
      const seen = exact ? scored : scored.slice(0, Math.max(0, scored.length - overlooks))
      return ok({
        points: seen
          .slice(0, body['limit'] as number)
          .map(({ point, score }) => ({ ...shown(point, body), version: 1, score })),
      })
    }
    default:
      return refused(404, 'Not found')
  }
}

function shown(point: Point, body: Body): Body {
  const wanted = body['with_payload']
  const payload = Array.isArray(wanted)
    ? Object.fromEntries(Object.entries(point.payload).filter(([key]) => wanted.includes(key)))
    : wanted === true
      ? point.payload
      : null
  return {
    id: point.id,
    payload,
    ...(body['with_vector'] === true ? { vector: point.vector } : {}),
  }
}

/**
 * Qdrant's rules: https://qdrant.tech/documentation/concepts/filtering/ A condition on a list holds
 * when one of its items meets it.
 */
function matches(condition: Condition | undefined, point: Point): boolean {
  if (condition === undefined) return true
  if ('key' in condition) {
    const value = (condition.key as string)
      .split('.')
      .reduce<unknown>((held, key) => (held as Body | undefined)?.[key], point.payload)
    const items = Array.isArray(value) ? value : value === undefined ? [] : [value]
    const wanted = (condition.match as { any?: unknown[] } | undefined)?.any
    const range = condition.range as { gte?: number; lte?: number } | undefined
    return items.some(
      (item) =>
        (!wanted || wanted.includes(item)) &&
        (!range ||
          (typeof item === 'number' &&
            item >= (range.gte ?? -Infinity) &&
            item <= (range.lte ?? Infinity))),
    )
  }
  const { must, must_not, should } = condition as {
    must?: Condition[]
    must_not?: Condition[]
    should?: Condition[]
  }
  return (
    (must ?? []).every((part) => matches(part, point)) &&
    !(must_not ?? []).some((part) => matches(part, point)) &&
    (!should || should.length === 0 || should.some((part) => matches(part, point)))
  )
}

function info(collection: Collection): Schemas['CollectionInfo'] {
  return {
    status: 'green',
    optimizer_status: 'ok',
    points_count: collection.points.size,
    indexed_vectors_count: 0,
    segments_count: 1,
    payload_schema: {},
    config: {
      params: { vectors: { size: collection.size, distance: 'Cosine' } },
      hnsw_config: { m: 16, ef_construct: 100, full_scan_threshold: 10000 },
      optimizer_config: {
        deleted_threshold: 0.2,
        vacuum_min_vector_number: 1000,
        default_segment_number: 0,
        flush_interval_sec: 5,
      },
      wal_config: { wal_capacity_mb: 32, wal_segments_ahead: 0 },
    },
  }
}
