/** Documents in the order of metadata fields. */
import { invalid } from '../base/options.ts'
import type { Json, Metadata, SortField } from '../types.ts'
import { valueAt } from './filter.ts'

/**
 * Compares two things by the fields of their metadata, null where no field is given. Numbers come
 * before texts and truth values, a missing field, a list or an object last in both directions.
 * Throws `input/invalid` for another shape.
 */
export function compareByFields<T>(
  sort: readonly SortField[],
  metadataOf: (item: T) => Metadata,
): ((a: T, b: T) => number) | null {
  if (!Array.isArray(sort)) throw badSort(typeof sort)
  if (sort.length === 0) return null
  const fields = (sort as readonly unknown[]).map((entry) => {
    const { field, order = 'asc' } = (entry ?? {}) as { field?: unknown; order?: unknown }
    if (typeof field !== 'string' || (order !== 'asc' && order !== 'desc'))
      throw badSort('another entry')
    return { field, path: field.split('.'), sign: order === 'asc' ? 1 : -1 }
  })
  return (a, b) => {
    const left = metadataOf(a),
      right = metadataOf(b)
    for (const { field, path, sign } of fields) {
      const difference = compare(valueAt(left, field, path), valueAt(right, field, path), sign)
      if (difference !== 0) return difference
    }
    return 0
  }
}

function compare(a: Json | undefined, b: Json | undefined, sign: number): number {
  const kind = kindOf(a) - kindOf(b)
  if (kind !== 0) return kindOf(a) === MISSING || kindOf(b) === MISSING ? kind : kind * sign
  if (a === b || kindOf(a) === MISSING) return 0
  return (a as number) < (b as number) ? -sign : sign
}

const KINDS: Readonly<Record<string, number>> = { number: 0, string: 1, boolean: 2 },
  MISSING = 3

function kindOf(value: Json | undefined): number {
  return KINDS[typeof value] ?? MISSING
}

function badSort(what: string): Error {
  return invalid('sort', what, 'Use a list such as [{ field: "year", order: "desc" }].')
}
