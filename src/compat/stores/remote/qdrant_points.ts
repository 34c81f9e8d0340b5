/** Documents as points of Qdrant, filters as its conditions, and both ways back. */
import type { Schemas } from '@qdrant/js-client-rest'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { copyMetadata, isPlainObject } from '../../../document/metadata.ts'
import { isHubmeshError } from '../../../base/errors.ts'
import type { Metadata } from '../../../types.ts'
import { toUnitVector } from '../../../vector/unit_vector.ts'
import type { VectorDocument } from '../vector_store.ts'
import { fieldKey, numbersOf, tagsOf } from './filter_terms.ts'
import type { FilterTerm } from './filter_terms.ts'
import type { QdrantFilter } from './qdrant_connection.ts'
import { unreadable } from './ranked_hits.ts'

export const ID_KEY = 'hubmesh_id'
export const METADATA_KEY = 'hubmesh_metadata'
export const TAGS_KEY = 'hubmesh_tags'
const NUMBERS_KEY = 'hubmesh_numbers'
/** What the Python package puts before each field of the metadata. */
const FOREIGN_PREFIX = 'meta_'

type Condition = Schemas['Condition']

/**
 * Qdrant takes numbers and UUIDs as ids: ours is made of the document's, in the layout of RFC 9562,
 * version 8.
 */
function pointId(id: string): string {
  const hex = bytesToHex(sha256(utf8ToBytes(id)))
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export function pointOf(document: VectorDocument): Schemas['PointStruct'] {
  const { id, title, text, metadata, vector } = document
  return {
    id: pointId(id),
    vector: [...vector],
    payload: {
      [ID_KEY]: id,
      title,
      text,
      [METADATA_KEY]: metadata,
      [TAGS_KEY]: tagsOf(metadata),
      [NUMBERS_KEY]: numbersOf(metadata),
    },
  }
}

/**
 * The document of a point; with `dims` 0 its vector is left out, and empty. Throws
 * `remote/invalid`.
 */
export function decodePoint(
  point: { readonly payload?: unknown; readonly vector?: unknown },
  dims: number,
): VectorDocument {
  const payload = payloadOf(point.payload),
    id = idOf(payload)
  const text = payload['text'] ?? '',
    title = payload['title'] ?? ''
  if (typeof text !== 'string' || typeof title !== 'string')
    throw unreadable('Qdrant', 'a point whose text is no string')
  try {
    const metadata: Metadata = copyMetadata(
      METADATA_KEY in payload ? payload[METADATA_KEY] : foreignMetadata(payload),
      'a point',
    )
    return {
      id,
      title,
      text,
      metadata,
      vector: dims === 0 ? new Float32Array(0) : toUnitVector(point.vector as number[], dims),
    }
  } catch (error) {
    if (!isHubmeshError(error)) throw error
    throw unreadable('Qdrant', 'a point whose metadata or vector cannot be used')
  }
}

export function idOf(payload: unknown): string {
  const id = payloadOf(payload)[ID_KEY]
  if (typeof id !== 'string') throw unreadable('Qdrant', `a point without ${ID_KEY}`)
  return id
}

/** False for a point that another program made. */
export function hasTags(payload: unknown): boolean {
  return isPlainObject(payload) && Array.isArray((payload as Record<string, unknown>)[TAGS_KEY])
}

function payloadOf(payload: unknown): Record<string, unknown> {
  if (!isPlainObject(payload)) throw unreadable('Qdrant', 'a point without payload')
  return payload as Record<string, unknown>
}

function foreignMetadata(payload: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(payload)
      .filter(([key]) => key.startsWith(FOREIGN_PREFIX))
      .map(([key, value]) => [key.slice(FOREIGN_PREFIX.length), value]),
  )
}

/** Points of these documents. */
export function idIn(ids: readonly string[]): Condition {
  return { key: ID_KEY, match: { any: [...ids] } }
}

export function withIds(ids: readonly string[]): QdrantFilter {
  return { must: [idIn(ids)] }
}

export function qdrantFilter(term: FilterTerm): QdrantFilter {
  const condition = conditionOf(term)
  return 'key' in condition ? { must: [condition] } : (condition as QdrantFilter)
}

function conditionOf(term: FilterTerm): Condition {
  switch (term.kind) {
    case 'any':
      return { key: TAGS_KEY, match: { any: [...term.tags] } }
    case 'none':
      return { must_not: [{ key: TAGS_KEY, match: { any: [...term.tags] } }] }
    // A list matches when one of its numbers does.
    case 'range':
      return {
        key: `${NUMBERS_KEY}.${fieldKey(term.field)}`,
        range: {
          ...(term.gte === undefined ? {} : { gte: term.gte }),
          ...(term.lte === undefined ? {} : { lte: term.lte }),
        },
      }
    case 'and':
      return { must: term.terms.map(conditionOf) }
    case 'or':
      return { should: term.terms.map(conditionOf) }
  }
}
