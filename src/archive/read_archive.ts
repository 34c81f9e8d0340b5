/** Reads an archive; one byte that is not as it was written, or a number that does not fit, fails. */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { ByteReader } from '../base/bytes.ts'
import { decodeDocuments } from '../store/records/document_codec.ts'
import { FORMAT_VERSION, decodeSettings } from '../store/records/settings_codec.ts'
import type { CorpusSettings, KeptRecord, StoredDocument, VectorRow } from '../store/storage.ts'
import { byteSource, isRereadable, type ArchiveInput } from './byte_source.ts'
import { invalid, readFrames, type FrameTag } from './frame.ts'
import { decodeIndex } from './index_section.ts'
import { decodeVectors, type ArchivedDocument, type VectorForm } from './vector_section.ts'

/**
 * What an archive gives, in this order: settings once, kept records, documents by id, vectors, the
 * end once.
 */
export type ArchivePart =
  | { readonly kind: 'settings'; readonly settings: CorpusSettings; readonly vectors: VectorForm }
  | { readonly kind: 'kept'; readonly record: KeptRecord }
  | { readonly kind: 'documents'; readonly documents: readonly StoredDocument[] }
  /**
   * The text tier of all documents, or null where it is of other rules than this version's; it is
   * the archive's own claim, and bounds are checked where it is restored.
   */
  | { readonly kind: 'index'; readonly index: Uint8Array<ArrayBuffer> | null }
  | { readonly kind: 'vectors'; readonly rows: readonly VectorRow[] }
  | { readonly kind: 'end'; readonly documents: number; readonly vectors: number }

export interface ReadArchiveOptions {
  readonly signal?: AbortSignal
  /** Bytes read at most; `LIMITS.archiveBytes` if left out. */
  readonly maxBytes?: number
  readonly maxDocuments?: number
  /**
   * True for a caller that uses nothing before `end`: an array or Blob is then read once instead of
   * twice.
   */
  readonly untilEnd?: boolean
}

const META_BYTES = 64 * 1024

/**
 * Reads an archive. An array or Blob is checked to its last byte before anything is given; a stream
 * is checked section by section, and only the part `end` says that it was whole. The content hashes
 * are the archive's own claim: admit its documents like any others. Rejects with
 * `archive/version|too-large|invalid` or `aborted`.
 */
export async function* readArchive(
  input: ArchiveInput,
  options: ReadArchiveOptions = {},
): AsyncGenerator<ArchivePart> {
  if (isRereadable(input) && options.untilEnd !== true) {
    for await (const { tag } of readFrames(byteSource(input, options.signal, options.maxBytes)))
      if (tag === 'DONE') break
  }
  const source = byteSource(input, options.signal, options.maxBytes)
  try {
    const reading = new Reading(options.maxDocuments ?? LIMITS.documentsPerAdd)
    for await (const { tag, payload } of readFrames(source)) {
      const part = reading.part(tag, payload)
      if (part !== null) yield part
    }
  } finally {
    await source.cancel()
  }
}

/** What has been read so far, which decides what may come next. */
class Reading {
  private readonly documents: ArchivedDocument[] = []
  private meta: { readonly settings: CorpusSettings; readonly vectors: VectorForm } | null = null
  private indexed = false
  private rows = 0
  private last = { document: -1, passage: 0 }

  constructor(private readonly maxDocuments: number) {}

  part(tag: FrameTag, payload: Uint8Array): ArchivePart | null {
    if ((this.meta === null) !== (tag === 'META'))
      throw invalid('its settings are not where they belong')
    switch (tag) {
      case 'META':
        this.meta = readMeta(payload)
        return { kind: 'settings', ...this.meta }
      case 'KEPT':
        if (this.documents.length > 0) throw invalid('kept records come after documents')
        return { kind: 'kept', record: readKeptFrame(payload) }
      case 'DOCS':
        return { kind: 'documents', documents: this.readDocuments(payload) }
      case 'TEXT':
        if (this.indexed || this.rows > 0) throw invalid('its index is not where it belongs')
        this.indexed = true
        return { kind: 'index', index: decodeIndex(payload) }
      case 'VF32':
        return { kind: 'vectors', rows: this.readVectors('f32', payload) }
      case 'VI08':
        return { kind: 'vectors', rows: this.readVectors('int8', payload) }
      case 'DONE': {
        const input = new ByteReader(payload, 'archive/invalid')
        const [documents, vectors] = [input.varint(), input.varint()]
        input.end()
        if (documents !== this.documents.length || vectors !== this.rows)
          throw invalid('it holds another number of documents or vectors than it says')
        return { kind: 'end', documents, vectors }
      }
    }
  }

  private readDocuments(payload: Uint8Array): StoredDocument[] {
    if (this.rows > 0 || this.indexed)
      throw invalid('documents come after vectors or after the index')
    const documents = decodeDocuments(payload, 'archive/invalid')
    for (const { id, hash, passages } of documents) {
      const before = this.documents[this.documents.length - 1]
      if (before !== undefined && !(before.id < id)) throw invalid('its documents are out of order')
      this.documents.push({ id, hash, passages: passages.length / 2 })
    }
    if (this.documents.length > this.maxDocuments)
      throw new HubmeshError(
        'archive/too-large',
        `This archive has more than ${this.maxDocuments} documents, which is the most that is read.`,
        { details: { documents: this.documents.length } },
      )
    return documents
  }

  private readVectors(form: 'f32' | 'int8', payload: Uint8Array): VectorRow[] {
    const { settings, vectors } = this.meta!
    if (vectors !== form || settings.embedder === null)
      throw invalid('it holds vectors of another form than it says')
    const { rows, last } = decodeVectors(
      form,
      settings.embedder.dims,
      payload,
      this.documents,
      this.last,
    )
    this.last = last
    this.rows += rows.length
    return rows
  }
}

function readKeptFrame(payload: Uint8Array): KeptRecord {
  const input = new ByteReader(payload, 'archive/invalid'),
    name = new TextDecoder().decode(input.raw(input.u8()))
  if (!/^[a-z]{1,32}$/.test(name)) throw invalid('a kept record has no proper name')
  return { name, bytes: input.raw(input.left).slice() }
}

function readMeta(payload: Uint8Array): {
  readonly settings: CorpusSettings
  readonly vectors: VectorForm
} {
  if (payload.length > META_BYTES) throw invalid('its settings are too long')
  let value: { settings?: unknown; vectors?: unknown } | null
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)) as typeof value
  } catch {
    throw invalid('its settings cannot be read')
  }
  const settings = decodeSettings(value?.settings)
  const vectors = value?.vectors
  if (settings === undefined || (vectors !== 'f32' && vectors !== 'int8' && vectors !== 'none'))
    throw invalid('its settings are not valid')
  if (settings.formatVersion > FORMAT_VERSION)
    throw new HubmeshError(
      'archive/version',
      `The corpus in this archive has format ${settings.formatVersion}; this version of ` +
        `hubmesh reads up to ${FORMAT_VERSION}. Update hubmesh.`,
      { details: { version: settings.formatVersion } },
    )
  return { settings, vectors }
}
