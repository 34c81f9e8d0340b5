/** The fields of a foreign object that stands for a document. */
import { HubmeshError, isHubmeshError } from '../base/errors.ts'
import { describeValue, isPlainObject } from './metadata.ts'

/** Objects that people pass by mistake, and that have no text. */
const NO_DOCUMENTS = [Promise, Map, Set, Date, URL, ArrayBuffer, Uint8Array]

export interface Fields {
  readonly id: unknown
  readonly title: unknown
  readonly text: unknown
  readonly metadata: unknown
  readonly vector: unknown
}

/**
 * Reads each field once; a getter that throws is an error of the entry. Fields that a document does
 * not have are kept as metadata; one given there, too, holds.
 */
export function readFields(input: unknown, position: number): Fields {
  if (typeof input === 'string')
    return { id: undefined, title: undefined, text: input, metadata: undefined, vector: undefined }
  const where = `document at position ${position}`
  if (
    typeof input !== 'object' ||
    input === null ||
    Array.isArray(input) ||
    NO_DOCUMENTS.some((kind) => input instanceof kind)
  ) {
    const remedy = input instanceof Promise ? 'await it, and pass' : 'pass'
    throw new HubmeshError(
      'input/invalid',
      `${where} is ${describeValue(input)}; ${remedy} a string or an object with a text.`,
      { details: { position } },
    )
  }
  return guarded(where, 'fields', () => {
    // a document of getDocument() brings its passages, which are made anew
    const {
      id,
      title,
      text,
      metadata,
      vector,
      passages: _made,
      ...others
    } = input as Record<string, unknown>
    return {
      id: id ?? undefined,
      title: title ?? undefined,
      text,
      metadata: withOthers(metadata, others),
      vector,
    }
  })
}

function withOthers(metadata: unknown, others: Readonly<Record<string, unknown>>): unknown {
  const values = Object.entries(others).filter(([, value]) => typeof value !== 'function')
  if (values.length === 0) return metadata
  if (metadata === undefined || metadata === null) return Object.fromEntries(values)
  return isPlainObject(metadata) ? { ...Object.fromEntries(values), ...metadata } : metadata
}

/** Runs code that touches foreign objects; what they throw becomes `input/invalid`. */
export function guarded<T>(where: string, field: string, run: () => T): T {
  try {
    return run()
  } catch (cause) {
    if (isHubmeshError(cause)) throw cause
    throw new HubmeshError(
      'input/invalid',
      `${where}: ${field} cannot be read, its own code throws; pass plain data.`,
      { details: { field } },
    )
  }
}
