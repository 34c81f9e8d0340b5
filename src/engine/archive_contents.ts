/** What an archive holds, collected until its end was read and the whole is valid. */
import { admit } from '../document/admit.ts'
import { throwIfAborted } from '../base/errors.ts'
import type { ArchiveInput } from '../archive/byte_source.ts'
import { readArchive } from '../archive/read_archive.ts'
import type { KeptRecord, VectorRow } from '../store/storage.ts'
import type { AdmittedDocument, EmbedderIdentity } from '../types.ts'
import { checkKept } from './curated.ts'

export interface ArchiveContents {
  readonly embedder: EmbedderIdentity | null
  /** Version of the text of its words and vectors, see versions.ts. */
  readonly embeddedText: number
  /** In order of their ids, as the archive cut them. */
  readonly documents: readonly (AdmittedDocument & { readonly passages: Int32Array })[]
  readonly vectors: ReadonlyMap<string, readonly VectorRow[]>
  /** Merges and given relations. */
  readonly kept: readonly KeptRecord[]
  /** The text tier of exactly these documents; null where there is none, or one by other rules. */
  readonly index: Uint8Array | null
}

/**
 * Reads all of an archive; `onDocuments` hears how many were read so far. Rejects with `archive/*`,
 * `input/*` or `aborted`.
 */
export async function readContents(
  archive: ArchiveInput,
  signal: AbortSignal | undefined,
  onDocuments: (count: number) => void,
): Promise<ArchiveContents> {
  const documents: (AdmittedDocument & { readonly passages: Int32Array })[] = [],
    vectors = new Map<string, VectorRow[]>(),
    kept: KeptRecord[] = []
  let embedder: EmbedderIdentity | null = null,
    embeddedText = 1,
    index: Uint8Array | null = null
  for await (const part of readArchive(archive, {
    untilEnd: true,
    ...(signal ? { signal } : {}),
  })) {
    throwIfAborted(signal)
    switch (part.kind) {
      case 'settings':
        embedder = part.settings.embedder
        embeddedText = part.settings.chunk.embeddedText ?? 1
        break
      case 'kept':
        checkKept(part.record)
        kept.push(part.record)
        break
      case 'documents':
        for (const { passages, hash: _hash, ...fields } of part.documents)
          documents.push({ ...admit(fields, documents.length), passages })
        onDocuments(documents.length)
        break
      case 'index':
        index = part.index
        break
      case 'vectors':
        for (const row of part.rows) {
          const rows = vectors.get(row.documentId)
          if (rows) rows.push(row)
          else vectors.set(row.documentId, [row])
        }
        break
      case 'end':
        break
    }
  }
  return { embedder, embeddedText, documents, vectors, kept, index }
}
