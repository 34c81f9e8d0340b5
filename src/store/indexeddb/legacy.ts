/** Reading of corpora as schema 1 stored them: one record a document, long texts in parts. */
import { append } from '../../base/grown.ts'
import { isHubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { compareIds } from '../../base/compare_ids.ts'
import { crc32 } from '../../base/checksum.ts'
import type { Sealer } from '../encryption/sealer.ts'
import {
  decodeOne,
  documentCheck,
  documentFault,
  parseMetadata,
} from '../records/document_codec.ts'
import { decodeLegacyBlock } from '../records/legacy_block.ts'
import { identityKey } from '../records/settings_codec.ts'
import type { LegacyCorpus } from '../segments/backend.ts'
import { newManifest } from '../segments/manifest.ts'
import { damaged } from '../segments/segment.ts'
import type { CorpusListing, QuarantinedRecord, StoredDocument } from '../storage.ts'
import { decodeRecord, type CorpusRecord } from './corpus_record.ts'
import type { Reader, ReadTransaction } from './read.ts'
import { LEGACY_RECORD_KEYS } from './schema.ts'

/** Records read by one transaction. */
const PAGE = 128

type Fields = Readonly<Record<string, unknown>>

/** The corpus record; null where none was ever written, undefined where it and its copy are damaged. */
async function recordOf(reader: Reader): Promise<CorpusRecord | null | undefined> {
  const copies = await reader(['meta'], async (transaction) => {
    const meta = transaction.objectStore('meta')
    return await Promise.all(LEGACY_RECORD_KEYS.map((key) => meta.get(key) as Promise<unknown>))
  })
  if (copies.every((copy) => copy === undefined)) return null
  return copies.map(decodeRecord).find((record) => record !== undefined)
}

export async function legacySizes(
  reader: Reader,
): Promise<Pick<CorpusListing, 'documents' | 'bytes'> | undefined> {
  const record = await recordOf(reader)
  if (record === null) return undefined
  return { documents: record?.documents ?? null, bytes: record?.bytes ?? null }
}

export async function readLegacy(reader: Reader, place: string): Promise<LegacyCorpus | null> {
  const record = await recordOf(reader)
  if (record === null) return null
  if (record === undefined) throw damaged(`the record that describes ${place} is damaged`)
  const { instance, settings, encryption, generation, documents } = record
  return {
    manifest: { ...newManifest(instance, settings, encryption), generation, documents },
    async *documents(sealer, report) {
      const pages = readDocuments(reader, sealer, report)
      if (sealer === null) {
        yield* pages
        return
      }
      // Their names say nothing of the order of ids.
      const all: StoredDocument[] = []
      for await (const page of pages) append(all, page)
      yield all.sort((a, b) => compareIds(a.id, b.id))
    },
    async *vectors(sealer, report) {
      const key = settings.embedder === null ? null : identityKey(settings.embedder)
      const numbers = await reader(['vectors'], (transaction) =>
        transaction.objectStore('vectors').getAllKeys(),
      )
      for (const number of numbers) {
        const name = `vectors ${String(number)}`
        const block = await orReported(name, report, async () => {
          const value: unknown = await reader(['vectors'], (transaction) =>
            transaction.objectStore('vectors').get(number),
          )
          return decodeLegacyBlock(sealer === null ? value : await sealer.open(name, value))
        })
        if (block !== null && block.head.identity === key) yield block.rows
      }
    },
    async kept(name, sealer) {
      const bytes = await reader(['meta'], (transaction) => keptOf(transaction, name))
      if (!bytes || sealer === null) return bytes
      return await sealer.open(`kept ${name}`, bytes).catch(() => undefined)
    },
  }
}

async function* readDocuments(
  reader: Reader,
  sealer: Sealer | null,
  report: (record: QuarantinedRecord) => void,
): AsyncGenerator<readonly StoredDocument[]> {
  const keys = await reader(['documents'], (transaction) =>
    transaction.objectStore('documents').getAllKeys(),
  )
  const one = async (transaction: ReadTransaction, key: IDBValidKey): Promise<Raw> => {
    const value: unknown = await transaction.objectStore('documents').get(key)
    return await rawOf(transaction, key, value)
  }
  for (let from = 0; from < keys.length; from += PAGE) {
    const some = keys.slice(from, from + PAGE)
    let raws: readonly (Raw | null)[]
    try {
      raws = await reader(['documents', 'parts'], (transaction) =>
        Promise.all(some.map((key) => one(transaction, key))),
      )
    } catch (error) {
      if (!isHubmeshError(error) || error.code !== 'store/corrupt') throw error
      // One value that the browser cannot read fails the page: then each is asked for by itself.
      raws = await Promise.all(
        some.map((key) =>
          orReported(String(key), report, () =>
            reader(['documents', 'parts'], (transaction) => one(transaction, key)),
          ),
        ),
      )
    }
    const documents: StoredDocument[] = []
    for (const raw of raws) {
      if (raw === null) continue
      const document = await orReported(String(raw.key), report, () => documentOf(raw, sealer))
      if (document !== null) documents.push(document)
    }
    if (documents.length > 0) yield documents
  }
}

async function orReported<T>(
  id: string,
  report: (record: QuarantinedRecord) => void,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (!isHubmeshError(error) || error.code !== 'store/corrupt') throw error
    report({ id, reason: error.message })
    return null
  }
}

/** A record with its parts. */
interface Raw {
  readonly key: IDBValidKey
  readonly record: Fields
  readonly parts: readonly unknown[]
}

async function rawOf(transaction: ReadTransaction, key: IDBValidKey, value: unknown): Promise<Raw> {
  const record = (typeof value === 'object' && value !== null ? value : {}) as Fields
  const { id, version } = record
  const parts =
    typeof id === 'string' && typeof version === 'number'
      ? ((await transaction
          .objectStore('parts')
          .getAll(IDBKeyRange.bound([id, version], [id, version, []]))) as unknown[])
      : []
  return { key, record, parts }
}

async function documentOf(raw: Raw, sealer: Sealer | null): Promise<StoredDocument> {
  return sealer === null ? plainDocument(raw) : await sealedDocument(raw, sealer)
}

function plainDocument({ key, record, parts }: Raw): StoredDocument {
  const { id, title, hash, metadata, textParts, passageParts, check } = record
  const count = Number(textParts)
  if (
    id !== key ||
    typeof title !== 'string' ||
    typeof hash !== 'string' ||
    typeof metadata !== 'string' ||
    parts.length !== count + Number(passageParts)
  )
    throw damaged('its record or parts of it are not what was written')
  const text = count > 0 ? parts.slice(0, count).join('') : record.text,
    offsets =
      Number(passageParts) > 0
        ? parts.slice(count).flatMap((part) => (part instanceof Int32Array ? [...part] : []))
        : record.passages
  const fields = parseMetadata(metadata)
  if (typeof text !== 'string' || !Array.isArray(offsets) || fields === undefined)
    throw damaged('its text, passages or metadata are missing')
  const document = {
    ...{ id: key as string, title, text, hash, metadata: fields },
    passages: Int32Array.from(offsets as number[]),
  }
  if (documentFault(document) !== null || documentCheck(document, metadata) !== check)
    throw damaged('its checksum does not match')
  return document
}

async function sealedDocument(
  { key, record, parts }: Raw,
  sealer: Sealer,
): Promise<StoredDocument> {
  const { version, sealed } = record
  if (record.parts !== parts.length) throw damaged('parts of it are missing')
  const bytes = sealed instanceof ArrayBuffer ? new Uint8Array(sealed) : joined(parts)
  const name = String(key)
  const document = decodeOne(
    await sealer.open(`document ${name} ${String(version)}`, bytes),
    'store/corrupt',
  )
  if (sealer.nameOf(document.id) !== name) throw damaged('it belongs to another id')
  return document
}

function joined(parts: readonly unknown[]): Uint8Array {
  const buffers = parts.filter((part) => part instanceof ArrayBuffer)
  const bytes = new Uint8Array(buffers.reduce((sum, part) => sum + part.byteLength, 0))
  let at = 0
  for (const part of buffers) {
    bytes.set(new Uint8Array(part), at)
    at += part.byteLength
  }
  return bytes
}

/** A head of length and checksum, and parts. */
async function keptOf(
  transaction: ReadTransaction,
  name: string,
): Promise<Uint8Array | null | undefined> {
  const store = transaction.objectStore('meta')
  const [head, parts] = await Promise.all([
    store.get(['kept', name]) as Promise<unknown>,
    store.getAll(IDBKeyRange.bound(['kept', name, 0], ['kept', name, []])) as Promise<unknown[]>,
  ])
  if (head === undefined && parts.length === 0) return null
  const { length, check } = (typeof head === 'object' && head !== null ? head : {}) as Fields
  const bytes = joined(parts)
  return bytes.length <= LIMITS.keptBytes * 2 && bytes.length === length && crc32(bytes) === check
    ? bytes
    : undefined
}
