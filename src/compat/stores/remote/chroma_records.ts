/** Documents as records of Chroma, filters as its `where`, and the way back. */
import type { Metadata as ChromaMetadata, Where } from 'chromadb'
import { copyMetadata } from '../../../document/metadata.ts'
import { isHubmeshError } from '../../../base/errors.ts'
import { toUnitVector } from '../../../vector/unit_vector.ts'
import type { VectorDocument } from '../vector_store.ts'
import { tagsOf } from './filter_terms.ts'
import type { FilterTerm } from './filter_terms.ts'
import { unreadable } from './ranked_hits.ts'

export const TITLE_KEY = 'hubmesh_title'
/** Chroma keeps flat metadata only, and no nulls: so the whole goes in as JSON. */
export const METADATA_KEY = 'hubmesh_metadata'
/** In front of each tag's own field, which is true. */
const TAG_PREFIX = 'hubmesh_tag_'

/**
 * An upsert merges into the fields that a record had before (and null leaves one as it was), so
 * tags that no longer hold are sent as false.
 */
export function recordOf(document: VectorDocument, before: object | null = null): ChromaMetadata {
  const record: ChromaMetadata = {
    [TITLE_KEY]: document.title,
    [METADATA_KEY]: JSON.stringify(document.metadata),
  }
  for (const tag of tagsOf(document.metadata)) record[`${TAG_PREFIX}${tag}`] = true
  for (const key of Object.keys(before ?? {}))
    if (key.startsWith(TAG_PREFIX) && !Object.hasOwn(record, key)) record[key] = false
  return record
}

/** False for a record that another program made. */
export function isOurs(metadata: unknown): boolean {
  return (
    typeof metadata === 'object' &&
    metadata !== null &&
    typeof (metadata as Record<string, unknown>)[METADATA_KEY] === 'string'
  )
}

/** With `dims` 0 the vector is left out, and empty. Throws `remote/invalid`. */
export function decodeRecord(
  id: string,
  metadata: unknown,
  text: unknown,
  vector: unknown,
  dims: number,
): VectorDocument {
  const fields = (metadata ?? {}) as Record<string, unknown>
  const title = isOurs(fields) ? (fields[TITLE_KEY] ?? '') : '',
    said = text ?? fields['text'] ?? ''
  if (typeof title !== 'string' || typeof said !== 'string')
    throw unreadable('Chroma', 'a record whose text is no string')
  try {
    // What the Python package wrote: the metadata as it is, and the text beside it.
    const held: unknown = isOurs(fields)
      ? JSON.parse(fields[METADATA_KEY] as string)
      : Object.fromEntries(Object.entries(fields).filter(([key]) => key !== 'text'))
    return {
      id,
      title,
      text: said,
      metadata: copyMetadata(held, 'a record'),
      vector: dims === 0 ? new Float32Array(0) : toUnitVector(vector as number[], dims),
    }
  } catch (error) {
    if (!isHubmeshError(error) && !(error instanceof SyntaxError)) throw error
    throw unreadable('Chroma', 'a record whose metadata or vector cannot be used')
  }
}

export function chromaWhere(term: FilterTerm): Where {
  switch (term.kind) {
    case 'any':
      return joined(
        '$or',
        term.tags.map((tag) => ({ [`${TAG_PREFIX}${tag}`]: true })),
      )
    // A record without the field is unequal too.
    case 'none':
      return joined(
        '$and',
        term.tags.map((tag) => ({ [`${TAG_PREFIX}${tag}`]: { $ne: true } })),
      )
    case 'and':
      return joined('$and', term.terms.map(chromaWhere))
    case 'or':
      return joined('$or', term.terms.map(chromaWhere))
    case 'range':
      throw unreadable('Chroma', 'no way to compare numbers of two kinds')
  }
}

/** Chroma wants at least two parts. */
function joined(operator: '$and' | '$or', parts: readonly Where[]): Where {
  return parts.length === 1 ? parts[0]! : ({ [operator]: [...parts] } as Where)
}
