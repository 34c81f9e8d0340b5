/** Documents as rows of a table, filters as its conditions, and the way back. */
import { HubmeshError, isHubmeshError } from '../../../base/errors.ts'
import { copyMetadata } from '../../../document/metadata.ts'
import { toUnitVector } from '../../../vector/unit_vector.ts'
import type { VectorDocument } from '../vector_store.ts'
import { fieldKey, numbersOf, tagsOf, type FilterTerm } from './filter_terms.ts'
import { unreadable } from './ranked_hits.ts'

export type PgRow = Readonly<Record<string, unknown>>

/** The name, quoted. Throws `input/invalid`: a name cannot be sent as a value. */
export function tableName(name: string): string {
  if (typeof name !== 'string' || !/^(?:[a-z_]\w{0,62}\.)?[a-z_]\w{0,50}$/i.test(name))
    throw new HubmeshError(
      'input/invalid',
      `table is "${String(name).slice(0, 60)}"; use NAME or SCHEMA.NAME of letters, digits and underscores.`,
      { details: { option: 'table' } },
    )
  return name
    .split('.')
    .map((part) => `"${part}"`)
    .join('.')
}

/** A batch as one JSON value. Throws `input/invalid` for a text with U+0000, which it cannot hold. */
export function upsertRows(batch: readonly VectorDocument[]): string {
  return JSON.stringify(
    batch.map(({ id, title, text, metadata, vector }) => {
      const row = { id, title, text, metadata: JSON.stringify(metadata) }
      if (Object.values(row).some((value) => value.includes('\0')))
        throw new HubmeshError(
          'input/invalid',
          `Document '${id}' holds U+0000, which PostgreSQL cannot store; take it out.`,
          { details: { id } },
        )
      const tags = tagsOf(metadata)
      return { ...row, tags, numbers: numbersOf(metadata), vector: `[${vector.join(',')}]` }
    }),
  )
}

/** With `dims` 0 the vector is left out, and empty. Throws `remote/invalid`. */
export function decodeRow(row: PgRow, dims: number): VectorDocument {
  const { id, title, text, metadata, vector } = row
  if (![id, title, text, metadata].every((value) => typeof value === 'string'))
    throw unreadable('PostgreSQL', 'a row without id, title, text or metadata')
  try {
    return {
      id: id as string,
      title: title as string,
      text: text as string,
      metadata: copyMetadata(JSON.parse(metadata as string), 'a row'),
      vector:
        dims === 0
          ? new Float32Array(0)
          : toUnitVector(JSON.parse(String(vector)) as number[], dims),
    }
  } catch (error) {
    if (!isHubmeshError(error) && !(error instanceof SyntaxError)) throw error
    throw unreadable('PostgreSQL', 'a row whose metadata or vector cannot be used')
  }
}

/** A condition over the columns `tags` and `numbers`; what it compares with is added to `values`. */
export function sqlCondition(term: FilterTerm, values: unknown[]): string {
  switch (term.kind) {
    case 'any':
    case 'none': {
      const list = `ARRAY(SELECT jsonb_array_elements_text($${values.push(JSON.stringify(term.tags))}::jsonb))`
      return `${term.kind === 'none' ? 'NOT ' : ''}(tags && ${list})`
    }
    // A list matches when one of its numbers does.
    case 'range': {
      const numbers = `jsonb_array_elements_text(numbers->'${fieldKey(term.field)}')`
      const bounds = [
        ...(term.gte === undefined ? [] : [`n::float8 >= $${values.push(term.gte)}::float8`]),
        ...(term.lte === undefined ? [] : [`n::float8 <= $${values.push(term.lte)}::float8`]),
      ]
      return `EXISTS (SELECT 1 FROM ${numbers} AS n WHERE ${bounds.join(' AND ') || 'true'})`
    }
    case 'and':
    case 'or': {
      const parts = term.terms.map((part) => sqlCondition(part, values))
      return parts.length === 0
        ? term.kind === 'and'
          ? 'true'
          : 'false'
        : `(${parts.join(term.kind === 'and' ? ' AND ' : ' OR ')})`
    }
  }
}
