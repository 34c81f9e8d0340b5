/** Which fields of a foreign record are its text, title and id. */
import type { DocumentInput, Json } from '../../types.ts'
import { describeValue, isPlainObject } from '../metadata.ts'
import { unreadable } from './reader.ts'

/**
 * Names of fields, best first; compared in lower case. BEIR, LangChain, LlamaIndex and hubmesh
 * spell them so.
 */
export const TEXT_FIELDS = [
  'text',
  'content',
  'contents',
  'body',
  'page_content',
  'passage',
  'paragraph',
] as const
export const TITLE_FIELDS = ['title', 'headline', 'heading', 'subject'] as const
export const ID_FIELDS = ['id', '_id', 'doc_id', 'docid', 'document_id'] as const
/** A field of labels whose own fields become the document's. */
const METADATA_FIELD = 'metadata'

/**
 * Turns record `index` of a file into a document: a string is a text; an object's other fields
 * become metadata. Without an id of its own it is `path#index`. Values are checked when the
 * document is admitted. Throws `input/invalid` where there is no text.
 */
export function recordToDocument(record: unknown, path: string, index: number): DocumentInput {
  const fallback = `${path}#${index}`
  if (typeof record === 'string') return { id: fallback, text: record }
  if (!isPlainObject(record))
    throw unreadable(
      fallback,
      `is ${describeValue(record)}`,
      'a record is a string or an object with a text',
    )
  const fields = new Map<string, { key: string; value: unknown }>()
  for (const key of Object.keys(record)) {
    const lower = key.toLowerCase()
    if (!fields.has(lower))
      fields.set(lower, { key, value: (record as Record<string, unknown>)[key] })
  }
  const text = take(fields, TEXT_FIELDS, (value) => typeof value === 'string')
  if (text === undefined)
    throw unreadable(fallback, 'has no text', `name the field one of ${TEXT_FIELDS.join(', ')}`)
  const title = take(fields, TITLE_FIELDS, (value) => typeof value === 'string')
  const id = take(
    fields,
    ID_FIELDS,
    (value) => (typeof value === 'string' && value.trim() !== '') || typeof value === 'number',
  )
  const vector = take(
    fields,
    ['vector', 'embedding'],
    (value) => Array.isArray(value) && value.length > 0,
  )
  const metadata: { [key: string]: Json } = {}
  for (const { key, value } of fields.values()) {
    if (value === null) continue
    if (key.toLowerCase() === METADATA_FIELD && isPlainObject(value))
      for (const inner of Object.keys(value))
        define(metadata, inner, (value as Record<string, unknown>)[inner])
    else define(metadata, key, value)
  }
  return {
    id: id === undefined ? fallback : String(id),
    text: text as string,
    ...(title === undefined || title === '' ? {} : { title: title as string }),
    ...(vector === undefined ? {} : { vector: vector as number[] }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

/** Takes the first field of `names` whose value is fit, out of `fields`. */
function take(
  fields: Map<string, { key: string; value: unknown }>,
  names: readonly string[],
  fit: (value: unknown) => boolean,
): unknown {
  for (const name of names) {
    const field = fields.get(name)
    if (field !== undefined && fit(field.value)) {
      fields.delete(name)
      return field.value
    }
  }
  return undefined
}

/** An own property whatever the key is called; `__proto__` is a name like any other. */
export function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  })
}
