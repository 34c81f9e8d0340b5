/**
 * Owns the copy of all documents in few large values, from which a corpus opens in half the time: a
 * browser takes some 20 µs for a record, however short. Refuses: being the documents; the copy is
 * derived, of one generation, and any commit drops it.
 */
import { LIMITS } from '../../base/limits.ts'
import { compareIds } from '../../base/compare_ids.ts'
import type { Writer } from './commit.ts'
import {
  documentCheck,
  documentFault,
  metadataText,
  parseMetadata,
} from '../records/document_codec.ts'
import type { Reader } from './read.ts'
import type { StoredDocument } from '../storage.ts'

/** Documents in columns, which a browser reads back quicker than objects. */
interface Part {
  readonly generation: number
  readonly ids: readonly string[]
  readonly titles: readonly string[]
  readonly texts: readonly string[]
  readonly hashes: readonly string[]
  readonly metadata: readonly string[]
  /** CRC-32 of each whole document. */
  readonly checks: readonly number[]
  /** Passages of each document, and the offsets of all. */
  readonly passages: readonly number[]
  readonly offsets: Int32Array
}

/**
 * The copy lies at ['packed', 0], ['packed', 1] … in `derived`; its head at ['packed'] is written
 * last and makes it whole.
 */
const NAME = 'packed'
const keyOf = (part: number): IDBValidKey => [NAME, part]

interface Head {
  readonly generation: number
  readonly documents: number
  readonly parts: number
}

/**
 * Writes into the derived data; false where the documents have changed since the copy was begun, or
 * it is not wanted any more.
 */
export type WriteDerived = (bytes: number, put: (writer: Writer) => void) => Promise<boolean>

/**
 * The documents of the copy of `generation` in order of id, as far as it is whole; the generator
 * returns true where that was all of the `expected` ones. One part is always asked for ahead.
 */
export async function* readPacked(
  reader: Reader,
  generation: number,
  expected: number,
): AsyncGenerator<readonly StoredDocument[], boolean> {
  if (expected < LIMITS.packedDocuments) return false
  const ask = (key: IDBValidKey): Promise<unknown> => {
    // of another generation: the copy is none, and neither is what follows it; not to be read back:
    // the records are
    const value = reader(['derived'], async (transaction, record) =>
      record?.generation === generation
        ? ((await transaction.objectStore('derived').get(key)) as unknown)
        : undefined,
    )
    return value.catch(() => undefined)
  }
  let coming = ask(keyOf(0))
  const head = decodeHead(await ask([NAME]))
  if (head === null || head.generation !== generation || head.documents !== expected) return false
  let last = '',
    given = 0
  for (let part = 0; part < head.parts; part++) {
    const value = await coming
    if (part + 1 < head.parts) coming = ask(keyOf(part + 1))
    const documents = decodePart(value, generation)
    if (documents === null || documents.length === 0) return false
    for (const { id } of documents) {
      if (last !== '' && compareIds(last, id) >= 0) return false
      last = id
    }
    given += documents.length
    yield documents
  }
  return given === expected
}

/** Copies the documents, given in order of id. False where a write was refused. */
export async function writePacked(
  documents: AsyncIterable<readonly StoredDocument[]>,
  generation: number,
  write: WriteDerived,
): Promise<boolean> {
  let parts = 0,
    count = 0,
    pending: StoredDocument[] = [],
    chars = 0
  const flush = async (): Promise<boolean> => {
    const part = encodePart(pending, generation),
      bytes = chars * 2,
      key = keyOf(parts++),
      first = parts === 1
    pending = []
    chars = 0
    return await write(bytes, (writer) => {
      if (first) writer.delete('derived', IDBKeyRange.bound([NAME], [NAME, []]))
      writer.put('derived', key, part)
    })
  }
  for await (const page of documents) {
    for (const document of page) {
      pending.push(document)
      count++
      chars += document.text.length + document.title.length + 256
      if (chars >= LIMITS.packedPartChars && !(await flush())) return false
    }
  }
  if (pending.length > 0 && !(await flush())) return false
  return await write(256, (writer) => {
    writer.put('derived', [NAME], { generation, documents: count, parts } satisfies Head)
  })
}

function encodePart(documents: readonly StoredDocument[], generation: number): Part {
  const offsets = new Int32Array(documents.reduce((sum, { passages }) => sum + passages.length, 0)),
    metadata = documents.map((document) => metadataText(document.metadata))
  let at = 0
  for (const { passages } of documents) {
    offsets.set(passages, at)
    at += passages.length
  }
  return {
    generation,
    metadata,
    offsets,
    ids: documents.map(({ id }) => id),
    titles: documents.map(({ title }) => title),
    texts: documents.map(({ text }) => text),
    hashes: documents.map(({ hash }) => hash),
    checks: documents.map((document, i) => documentCheck(document, metadata[i] as string)),
    passages: documents.map(({ passages }) => passages.length / 2),
  }
}

/**
 * The documents of a part; null where it is none of this generation, or one of them does not check.
 */
function decodePart(value: unknown, generation: number): StoredDocument[] | null {
  if (!isObject(value) || value['generation'] !== generation) return null
  const { ids, titles, texts, hashes, metadata, checks, passages, offsets } = value
  if (
    ![titles, texts, hashes, metadata, checks, passages].every(
      (column) => Array.isArray(column) && Array.isArray(ids) && column.length === ids.length,
    ) ||
    !(offsets instanceof Int32Array)
  )
    return null
  const part = value as unknown as Part,
    documents: StoredDocument[] = []
  let at = 0
  for (const [i, id] of part.ids.entries()) {
    const count = part.passages[i] as number,
      said = part.metadata[i] as string,
      fields = parseMetadata(said)
    if (
      !Number.isSafeInteger(count) ||
      count < 0 ||
      at + count * 2 > offsets.length ||
      fields === undefined
    )
      return null
    const document = {
      id,
      title: part.titles[i] as string,
      text: part.texts[i] as string,
      metadata: fields,
      hash: part.hashes[i] as string,
      passages: offsets.slice(at, at + count * 2),
    }
    at += count * 2
    if (documentFault(document) !== null || documentCheck(document, said) !== part.checks[i])
      return null
    documents.push(document)
  }
  return at === offsets.length ? documents : null
}

function decodeHead(value: unknown): Head | null {
  if (!isObject(value)) return null
  const { generation, documents, parts } = value
  return [generation, documents, parts].every((number) => Number.isSafeInteger(number))
    ? (value as unknown as Head)
    : null
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
