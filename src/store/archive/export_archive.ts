/** Placeholder, uncommitted: replaced by the archive writer. */
import type { CorpusStorage } from '../storage.ts'
export function exportArchive(_storage: CorpusStorage, _options: { vectors?: 'f32' | 'none'; signal?: AbortSignal }): Promise<Blob> { return Promise.reject(new Error('not yet')) }
