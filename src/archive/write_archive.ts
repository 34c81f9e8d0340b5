/** Writes an archive, `*.hubmesh`: no times, no machine, so the same corpus gives the same bytes. */
import { throwIfAborted } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { encodeDocuments } from '../store/records/document_codec.ts'
import { documentBytes } from '../store/records/document_codec.ts'
import { KEPT_NAMES, type CorpusStorage, type StoredDocument } from '../store/storage.ts'
import { ByteWriter } from '../base/bytes.ts'
import { FrameWriter } from './frame.ts'
import { encodeIndex } from './index_section.ts'
import {
  encodeVectors,
  rowSize,
  type ArchivedDocument,
  type NumberedRow,
  type VectorForm,
} from './vector_section.ts'

/** What is read of a storage; both may be read several times. */
export type ArchiveSource = Pick<CorpusStorage, 'settings' | 'documents' | 'vectors'> &
  Partial<Pick<CorpusStorage, 'kept'>>

export interface WriteArchiveOptions {
  readonly vectors?: VectorForm
  /**
   * The text tier of exactly these documents, in order of id and passage (`TextIndex.snapshot`), so
   * that opening the archive need not read them.
   */
  readonly index?: Uint8Array
  readonly signal?: AbortSignal
  /** Documents written so far. */
  readonly onProgress?: (documents: number) => void
}

/**
 * Rows held at once while they are put in order; with more, the vectors are read once for each
 * share.
 */
const SORT_BYTES = 32 * 1024 * 1024

/**
 * The archive as chunks, of about 1 MiB or one document: settings, kept records where there are
 * any, documents in order of id, the index where it is given, vectors in order of document and
 * passage, the end. Rejects with what the source rejects with, or `aborted`.
 */
export async function* writeArchive(
  source: ArchiveSource,
  options: WriteArchiveOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { embedder } = source.settings,
    form = embedder === null ? 'none' : (options.vectors ?? 'f32')
  const out = new FrameWriter(),
    documents: ArchivedDocument[] = []
  yield out.header()
  yield out.frame(
    'META',
    new TextEncoder().encode(
      JSON.stringify({ settings: settingsToWrite(source.settings), vectors: form }),
    ),
  )
  for (const name of KEPT_NAMES) {
    const bytes = (await source.kept?.(name)) ?? null
    if (bytes !== null) yield out.frame('KEPT', keptFrame(name, bytes))
  }
  for await (const batch of documentBatches(source, documents, options))
    yield out.frame('DOCS', encodeDocuments(batch))
  if (options.index) yield out.frame('TEXT', encodeIndex(options.index))
  let rows = 0
  if (form !== 'none' && embedder !== null)
    for await (const batch of rowBatches(source, documents, form, embedder.dims, options.signal)) {
      yield out.frame(form === 'f32' ? 'VF32' : 'VI08', encodeVectors(form, embedder.dims, batch))
      rows += batch.length
    }
  const end = new ByteWriter(16)
  end.varint(documents.length)
  end.varint(rows)
  yield out.frame('DONE', end.finish())
}

/** The settings in one order of fields: the same corpus gives the same bytes. */
function settingsToWrite({ formatVersion, chunk, embedder }: ArchiveSource['settings']): object {
  return {
    formatVersion,
    chunk: {
      strategy: chunk.strategy,
      tokens: chunk.tokens,
      overlap: chunk.overlap,
      ...(chunk.cutting === undefined ? {} : { cutting: chunk.cutting }),
      ...(chunk.embeddedText === undefined ? {} : { embeddedText: chunk.embeddedText }),
    },
    embedder:
      embedder === null
        ? null
        : {
            model: embedder.model,
            revision: embedder.revision,
            dtype: embedder.dtype,
            dims: embedder.dims,
            pooling: embedder.pooling,
            ...(embedder.runtime === undefined ? {} : { runtime: embedder.runtime }),
          },
  }
}

function keptFrame(name: string, bytes: Uint8Array): Uint8Array {
  const payload = new ByteWriter(bytes.length + name.length + 1)
  payload.u8(name.length)
  payload.raw(new TextEncoder().encode(name))
  payload.raw(bytes)
  return payload.finish()
}

/** Documents in batches of one frame; what is needed of each for its vectors goes into `seen`. */
async function* documentBatches(
  source: ArchiveSource,
  seen: ArchivedDocument[],
  { signal, onProgress }: WriteArchiveOptions,
): AsyncGenerator<StoredDocument[]> {
  let batch: StoredDocument[] = [],
    bytes = 0
  for await (const page of source.documents()) {
    throwIfAborted(signal)
    for (const document of page) {
      const more = documentBytes(document)
      if (batch.length > 0 && bytes + more > LIMITS.archiveFrameTarget) {
        yield batch
        batch = []
        bytes = 0
      }
      batch.push(document)
      bytes += more
      seen.push({ id: document.id, hash: document.hash, passages: document.passages.length / 2 })
    }
    onProgress?.(seen.length)
  }
  if (batch.length > 0) yield batch
}

async function* rowBatches(
  source: ArchiveSource,
  documents: readonly ArchivedDocument[],
  form: 'f32' | 'int8',
  dims: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<NumberedRow[]> {
  const step = Math.max(1, Math.floor(LIMITS.archiveFrameTarget / rowSize(form, dims)))
  for (const [from, to] of shares(documents, dims)) {
    const sorted = await rowsOf(source, documents, from, to, signal)
    for (let at = 0; at < sorted.length; at += step) yield sorted.slice(at, at + step)
  }
}

/** Ranges of documents whose vectors fit SORT_BYTES together; a function of the corpus alone. */
function shares(
  documents: readonly ArchivedDocument[],
  dims: number,
): [from: number, to: number][] {
  const ranges: [number, number][] = []
  let from = 0
  let bytes = 0
  documents.forEach(({ passages }, i) => {
    const more = passages * dims * 4
    if (i > from && bytes + more > SORT_BYTES) {
      ranges.push([from, i])
      from = i
      bytes = 0
    }
    bytes += more
  })
  if (from < documents.length) ranges.push([from, documents.length])
  return ranges
}

async function rowsOf(
  source: ArchiveSource,
  documents: readonly ArchivedDocument[],
  from: number,
  to: number,
  signal: AbortSignal | undefined,
): Promise<NumberedRow[]> {
  const numbers = new Map<string, number>()
  for (let i = from; i < to; i++) numbers.set(documents[i]!.id, i)
  const found = new Map<string, NumberedRow>()
  for await (const rows of source.vectors()) {
    throwIfAborted(signal)
    for (const { documentId, hash, passage, vector } of rows) {
      const document = numbers.get(documentId)
      if (
        document === undefined ||
        documents[document]!.hash !== hash ||
        passage >= documents[document]!.passages
      )
        continue
      found.set(`${document} ${passage}`, { document, passage, vector: vector.slice() })
    }
  }
  return [...found.values()].sort((a, b) => a.document - b.document || a.passage - b.passage)
}

/** The whole archive as one Blob. */
export async function archiveBlob(
  source: ArchiveSource,
  options: WriteArchiveOptions = {},
): Promise<Blob> {
  const chunks: BlobPart[] = []
  for await (const chunk of writeArchive(source, options)) chunks.push(chunk)
  return new Blob(chunks, { type: 'application/octet-stream' })
}
