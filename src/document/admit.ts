/**
 * Where a foreign value becomes a document. Errors name field, size and remedy, never the text.
 */
import { HubmeshError, isHubmeshError, throwIfAborted } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { invalid, shown } from '../base/options.ts'
import type { AdmittedDocument, Rejection } from '../types.ts'
import { contentHash } from './content_hash.ts'
import { guarded, readFields } from './fields.ts'
import { copyMetadata, describeValue, invalidField, sameMetadata } from './metadata.ts'
import { copyVector } from './vector.ts'

/** Hex digits of an id made from content: 64 bits, one collision in 30 million corpora of 1e6. */
const ID_DIGITS = 16
/** Entries between two looks at the signal, and their characters. */
const SLICE_ENTRIES = 256
const SLICE_CHARS = 256 * 1024

/**
 * Admits one entry: a string, or an object with `text` and perhaps `id`, `title`, `metadata`,
 * `vector` (see DocumentInput). `position` is its place in the call, from 0, for messages. Text and
 * title are kept unit by unit, lone surrogates included. Without an id it becomes `doc-` and 16 hex
 * digits of the content hash. Throws `input/invalid` or `input/too-large`.
 */
export function admit(input: unknown, position: number): AdmittedDocument {
  const fields = readFields(input, position)
  const where =
    fields.id === undefined ? `document at position ${position}` : nameOf(fields.id, position)
  const text = checkText(fields.text, where)
  const title = checkTitle(fields.title, where)
  const hash = contentHash(title, text)
  const id =
    fields.id === undefined ? `doc-${hash.slice(0, ID_DIGITS)}` : checkId(fields.id, position)
  const metadata = guarded(where, 'metadata', () => copyMetadata(fields.metadata, where))
  const document = { id, title, text, metadata, hash }
  if (fields.vector === undefined || fields.vector === null) return document
  return { ...document, vector: guarded(where, 'vector', () => copyVector(fields.vector, where)) }
}

export interface AdmitOptions {
  /** `error` (default) throws at the first bad entry; `skip` reports it and takes the rest. */
  readonly onInvalid?: 'error' | 'skip'
  readonly signal?: AbortSignal
}

export interface Admitted {
  /** In the order given, each id once. */
  readonly documents: AdmittedDocument[]
  readonly rejected: Rejection[]
}

/**
 * Admits many. The same id with the same title, text and metadata is taken once; with others
 * it is `input/conflict`. Throws as `admit`, `input/too-large` beyond the documents one call
 * may bring, and `aborted`.
 */
export function admitAll(inputs: readonly unknown[], options: AdmitOptions = {}): Admitted {
  const admission = new Admission(inputs, options)
  while (admission.more) admission.slice()
  return admission.admitted()
}

/** The same, yielding to other work every few milliseconds. */
export async function admitInSlices(
  inputs: readonly unknown[],
  options: AdmitOptions,
  pause: () => Promise<void>,
): Promise<Admitted> {
  const admission = new Admission(inputs, options)
  while (admission.more) {
    admission.slice()
    if (admission.more) await pause()
  }
  return admission.admitted()
}

class Admission {
  private readonly taken = new Map<string, AdmittedDocument>()
  private readonly rejected: Rejection[] = []
  private position = 0

  constructor(
    private readonly inputs: readonly unknown[],
    private readonly options: AdmitOptions,
  ) {
    if (!Array.isArray(inputs))
      throw invalid('documents', shown(inputs), 'Give a list of texts or documents.')
    if (inputs.length > LIMITS.documentsPerAdd) {
      throw new HubmeshError(
        'input/too-large',
        `${inputs.length} documents in one call; at most ${LIMITS.documentsPerAdd} are taken. Add them in batches.`,
        { details: { length: inputs.length, limit: LIMITS.documentsPerAdd } },
      )
    }
  }

  get more(): boolean {
    return this.position < this.inputs.length
  }

  admitted(): Admitted {
    return { documents: [...this.taken.values()], rejected: this.rejected }
  }

  /** The next entries, up to a number of them and of their characters. */
  slice(): void {
    throwIfAborted(this.options.signal)
    const last = Math.min(this.inputs.length, this.position + SLICE_ENTRIES)
    for (let chars = 0; this.position < last && chars < SLICE_CHARS; this.position++)
      chars += this.next(this.position)
  }

  /** Admits one entry; gives its characters. */
  private next(position: number): number {
    const { inputs, options, taken } = this
    try {
      const document = admit(inputs[position], position)
      const before = taken.get(document.id)
      if (before === undefined) taken.set(document.id, document)
      else if (before.hash !== document.hash || !sameMetadata(before.metadata, document.metadata))
        throw conflict(document.id, position)
      return document.text.length
    } catch (error) {
      if (options.onInvalid !== 'skip' || !isHubmeshError(error)) throw error
      this.rejected.push({
        name: entryName(inputs[position], position),
        code: error.code,
        reason: error.message,
      })
      return 0
    }
  }
}

function checkText(text: unknown, where: string): string {
  if (typeof text !== 'string')
    throw invalidField(
      where,
      'text',
      `is ${describeValue(text)}`,
      'pass the document as a string in the field text',
    )
  if (text.length > LIMITS.documentChars)
    throw tooLarge(
      where,
      'text',
      text.length,
      LIMITS.documentChars,
      'split it into several documents',
    )
  if (!/\S/.test(text))
    throw invalidField(
      where,
      'text',
      text.length === 0 ? 'is empty' : `is blank (${text.length} characters of white space)`,
      'leave the document out',
    )
  return text
}

function checkTitle(title: unknown, where: string): string {
  if (title === undefined) return ''
  if (typeof title !== 'string')
    throw invalidField(
      where,
      'title',
      `is ${describeValue(title)}`,
      'pass a string or leave it out',
    )
  if (title.length > LIMITS.titleChars)
    throw tooLarge(
      where,
      'title',
      title.length,
      LIMITS.titleChars,
      'shorten it; it stands in front of every passage',
    )
  return title
}

function checkId(id: unknown, position: number): string {
  const where = `document at position ${position}`
  if (typeof id !== 'string')
    throw invalidField(
      where,
      'id',
      `is ${describeValue(id)}`,
      'pass a string, or leave it out to have one made from the content',
    )
  if (!/\S/.test(id))
    throw invalidField(
      where,
      'id',
      'is blank',
      'pass a name, or leave it out to have one made from the content',
    )
  if (id.length > LIMITS.idChars)
    throw tooLarge(where, 'id', id.length, LIMITS.idChars, 'use a shorter one, such as a hash')
  if (hasLoneSurrogate(id))
    throw invalidField(
      where,
      'id',
      'holds half of a surrogate pair, which no file can hold',
      'pass well-formed Unicode',
    )
  return id
}

function tooLarge(
  where: string,
  field: string,
  length: number,
  limit: number,
  remedy: string,
): HubmeshError {
  return new HubmeshError(
    'input/too-large',
    `${where}: ${field} has ${length} characters, at most ${limit} are taken; ${remedy}.`,
    { details: { field, length, limit } },
  )
}

function conflict(id: string, position: number): HubmeshError {
  return new HubmeshError(
    'input/conflict',
    `${nameOf(id, position)}: an earlier entry of the same call has this id and another text; give each its own id.`,
    { details: { field: 'id' } },
  )
}

/** A document's name in messages: its id, cut, or its place where the id is no good. */
function nameOf(id: unknown, position: number): string {
  return typeof id === 'string' && id.length > 0
    ? `document ${JSON.stringify(id.length > 80 ? `${id.slice(0, 80)}…` : id)}`
    : `document at position ${position}`
}

/** An entry's name in a list of rejections: its id where it has a usable one. */
function entryName(input: unknown, position: number): string {
  try {
    const id: unknown =
      typeof input === 'object' && input !== null
        ? (input as Record<string, unknown>)['id']
        : undefined
    if (typeof id === 'string' && id.trim() !== '') return id.slice(0, 80)
  } catch {
    // admit reported the throwing getter
  }
  return `entry ${position}`
}

function hasLoneSurrogate(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0xd800 || unit > 0xdfff) continue
    const low = text.charCodeAt(i + 1)
    if (unit > 0xdbff || !(low >= 0xdc00 && low <= 0xdfff)) return true
    i++
  }
  return false
}
