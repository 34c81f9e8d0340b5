/** Placeholder, uncommitted: replaced by the archive reader. */
import type { CorpusSettings, StoredDocument, VectorRow } from '../storage.ts'
export interface OpenedArchive { readonly settings: CorpusSettings; readonly documentCount: number; documents(): AsyncIterable<readonly StoredDocument[]>; vectors(): AsyncIterable<readonly VectorRow[]> }
export function readArchive(_archive: Blob | Uint8Array, _options: { signal?: AbortSignal }): Promise<OpenedArchive> { return Promise.reject(new Error('not yet')) }
