/** Records of any columns: text as `column: value` lines, metadata typed. */
import type { DocumentInput, Json } from '../../types.ts'
import { describeValue, isPlainObject } from '../metadata.ts'
import { unreadable } from './reader.ts'

/** Names of fields, best first, in lower case, as BEIR, LangChain, LlamaIndex and hubmesh spell. */
const TEXT_FIELDS = ['text', 'content', 'contents', 'body', 'page_content', 'passage', 'paragraph']
const TITLE_FIELDS = ['title', 'headline', 'heading', 'subject', 'name', 'question', 'label']
const ID_FIELDS = ['id', '_id', 'doc_id', 'docid', 'document_id']
const VECTOR_FIELDS = ['vector', 'embedding']
/** A field of labels: its own fields become the document's metadata, and no lines. */
const METADATA_FIELD = 'metadata'
/** Lines of one record and depth of its fields; the rest of a larger one is left out. */
const MOST_LINES = 2000
const MOST_DEPTH = 16
/** Longest first value taken as a title, UTF-16 units. */
const TITLE_CHARS = 200

interface Field {
  readonly key: string
  readonly value: unknown
}

/**
 * Turns record `index` of a file into a document. A string is a text. Of an object every field is
 * a line `column: value`, nested ones by path (`address.city`), behind its text where it has one;
 * scalars and lists of scalars become metadata. Without an id of its own it is `path#index`.
 */
export function recordToDocument(record: unknown, path: string, index: number): DocumentInput {
  const fallback = `${path}#${index}`
  if (typeof record === 'string') return { id: fallback, text: record }
  if (!isPlainObject(record))
    throw unreadable(
      fallback,
      `is ${describeValue(record)}`,
      'a record is a string or an object with fields',
    )
  const fields = new Map<string, Field>()
  for (const [key, value] of Object.entries(record))
    if (!fields.has(key.toLowerCase())) fields.set(key.toLowerCase(), { key, value })
  const text = take(fields, TEXT_FIELDS, isText)
  const vector = take(fields, VECTOR_FIELDS, (value) => Array.isArray(value) && value.length > 0)
  const id = take(fields, ID_FIELDS, (value) => isText(value) || typeof value === 'number')
  const title = text === undefined ? find(fields, TITLE_FIELDS) : take(fields, TITLE_FIELDS, isText)
  const { lines, metadata } = flatten(fields)
  if (text === undefined && id !== undefined) lines.unshift(`${id.key}: ${String(id.value)}`)
  const body = text === undefined ? lines : [text.value as string, ...lines]
  if (body.length === 0) throw unreadable(fallback, 'the record is empty', 'leave it out')
  const name = (title?.value ?? (text === undefined ? firstValue(fields) : '')) as string
  return {
    id: id === undefined ? fallback : String(id.value),
    text: body.join('\n'),
    ...(name === '' ? {} : { title: name }),
    ...(vector === undefined ? {} : { vector: vector.value as number[] }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

/** Every scalar below the fields as a line with its path, and what filters can use. */
function flatten(fields: ReadonlyMap<string, Field>): {
  readonly lines: string[]
  readonly metadata: { [key: string]: Json }
} {
  const lines: string[] = []
  const metadata: { [key: string]: Json } = {}
  const visit = (path: string, value: unknown, depth: number): void => {
    if (value === null || value === undefined || value === '' || lines.length >= MOST_LINES) return
    if (typeof value !== 'object') {
      lines.push(`${path}: ${String(value)}`)
      define(metadata, path, value)
    } else if (Array.isArray(value) && value.every(isScalar)) {
      if (value.length === 0) return
      lines.push(`${path}: ${value.join(', ')}`)
      define(metadata, path, value)
    } else if (depth < MOST_DEPTH) {
      for (const [key, inner] of Object.entries(value)) visit(`${path}.${key}`, inner, depth + 1)
    }
  }
  for (const [lower, { key, value }] of fields) {
    if (lower === METADATA_FIELD && isPlainObject(value))
      for (const [inner, label] of Object.entries(value)) define(metadata, inner, label)
    else visit(key, value, 1)
  }
  return { lines, metadata }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== 'object'
}

function find(fields: ReadonlyMap<string, Field>, names: readonly string[]): Field | undefined {
  return names.map((name) => fields.get(name)).find((field) => isText(field?.value))
}

/** Takes the first field of `names` whose value is fit, out of `fields`. */
function take(
  fields: Map<string, Field>,
  names: readonly string[],
  fit: (value: unknown) => boolean,
): Field | undefined {
  for (const name of names) {
    const field = fields.get(name)
    if (field === undefined || !fit(field.value)) continue
    fields.delete(name)
    return field
  }
  return undefined
}

/** The first short text with a letter: what a row is about in most tables. */
function firstValue(fields: ReadonlyMap<string, Field>): string {
  for (const { value } of fields.values())
    if (isText(value) && value.length <= TITLE_CHARS && /\p{L}/u.test(value)) return value
  return ''
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
