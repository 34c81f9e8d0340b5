/** JSON and JSON Lines. */
import { HubmeshError, isHubmeshError, throwIfAborted } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { DocumentInput } from '../../types.ts'
import { isPlainObject } from '../metadata.ts'
import { decodeText, invalidUtf8, invalidUtf8Offset, refuseBinary } from './decode.ts'
import { chatDocuments } from './chats/chats.ts'
import { unreadable, type Reader, type ReaderContext } from './reader.ts'
import { recordToDocument } from './records.ts'

/** Fields of a JSON object that hold its list of documents, best first. */
const LIST_FIELDS = [
  'documents',
  'docs',
  'passages',
  'texts',
  'data',
  'items',
  'rows',
  'records',
] as const

/** A chat export, a list of records, an object with such a list, records by key, or one record. */
export const readJson: Reader = async (file, context) => {
  const text = await decodeText(await file.bytes(), file.path, context)
  const value = parse(text, file.path, 'the file')
  const chats = chatDocuments(value, file.path)
  if (chats !== null) return chats
  const list = Array.isArray(value) ? value : listOf(value)
  if (list !== null) {
    const out: DocumentInput[] = []
    list.forEach((record, index) => {
      if (index % 1024 === 0) throwIfAborted(context.signal)
      takeRecord(record, file.path, index, out, context)
    })
    return out
  }
  const document = recordToDocument(value, file.path, 0)
  return [document.id === `${file.path}#0` ? { ...document, id: file.path } : document]
}

/**
 * One record a line; blank lines are passed over, a line that is no record is rejected alone.
 * Streams where the file can.
 */
export const readJsonLines: Reader = async (file, context) => {
  const out: DocumentInput[] = []
  let index = 0
  let line = 0
  for await (const text of lines(file.path, file.pieces())) {
    line++
    if (line % 1024 === 0) throwIfAborted(context.signal)
    if (text.trim() === '') continue
    const at = index++
    let record: unknown
    try {
      record = parse(text, `${file.path}#${at}`, `line ${line}`)
    } catch (error) {
      if (!isHubmeshError(error)) throw error
      context.reject(`${file.path}#${at}`, error)
      continue
    }
    takeRecord(record, file.path, at, out, context)
  }
  if (index === 0) throw unreadable(file.path, 'the file holds no lines', 'leave it out')
  return out
}

function takeRecord(
  record: unknown,
  path: string,
  index: number,
  out: DocumentInput[],
  context: ReaderContext,
): void {
  try {
    out.push(recordToDocument(record, path, index))
  } catch (error) {
    if (!isHubmeshError(error)) throw error
    context.reject(`${path}#${index}`, error)
  }
}

/** The list of a known name, the only list of records, or the records of an object of records. */
function listOf(value: unknown): unknown[] | null {
  if (!isPlainObject(value)) return null
  const fields = value as Record<string, unknown>
  for (const name of LIST_FIELDS)
    if (Object.hasOwn(fields, name) && Array.isArray(fields[name])) return fields[name] as unknown[]
  const values = Object.entries(fields)
  const lists = values.filter(
    ([, one]) => Array.isArray(one) && one.length > 1 && one.every(isPlainObject),
  )
  if (lists.length === 1 && values.length <= 4) return lists[0]![1] as unknown[]
  const keyed = values.length > 1 && values.every(([, one]) => isPlainObject(one))
  return keyed ? values.map(([key, one]) => ({ key, ...(one as object) })) : null
}

function parse(text: string, path: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The parser's own message quotes the text, so it is left out.
    throw unreadable(
      path,
      `${what} is not JSON (${text.length} characters)`,
      'check it with a JSON validator',
    )
  }
}

/**
 * Decodes pieces as strict UTF-8 and gives their lines, without line ends. Holds one line at a
 * time.
 */
async function* lines(path: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let parts: string[] = []
  let held = 0
  let offset = 0
  let carried: Uint8Array = new Uint8Array(0)
  const take = (piece: string): void => {
    held += piece.length
    if (held > LIMITS.documentChars)
      throw new HubmeshError(
        'input/too-large',
        `${JSON.stringify(path)}: a line is longer than ${LIMITS.documentChars} characters; split its document.`,
        { details: { limit: LIMITS.documentChars } },
      )
    parts.push(piece)
  }
  const decode = (bytes: Uint8Array | undefined): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
    } catch {
      throw invalidUtf8(
        path,
        offset - carried.length + invalidUtf8Offset(join(carried, bytes ?? new Uint8Array(0))),
      )
    }
  }
  for await (const piece of pieces) {
    if (offset === 0) refuseBinary(piece, path)
    const text = decode(piece)
    offset += piece.length
    carried = unfinished(join(carried, piece))
    let from = 0
    for (let newline = text.indexOf('\n'); newline >= 0; newline = text.indexOf('\n', from)) {
      take(text.slice(from, newline))
      yield parts.join('')
      parts = []
      held = 0
      from = newline + 1
    }
    if (from < text.length) take(text.slice(from))
  }
  const rest = decode(undefined)
  if (rest !== '') take(rest)
  if (held > 0) yield parts.join('')
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b
  const out = new Uint8Array(a.length + b.length)
  out.set(a)
  out.set(b, a.length)
  return out
}

/** The bytes of a character that the next piece will finish, at most three. */
function unfinished(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!
    if ((byte & 0xc0) === 0x80) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return needed > back ? bytes.slice(bytes.length - back) : new Uint8Array(0)
  }
  return new Uint8Array(0)
}
