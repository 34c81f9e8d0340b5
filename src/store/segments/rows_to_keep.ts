/** Which vectors belong to the documents of a corpus. */
import type { SettledCommit } from '../records/commit_batch.ts'
import type { VectorRow } from '../storage.ts'
import type { CorpusState } from './corpus_state.ts'

/** Those of a document and passage that is there once `put` came and `remove` went. */
export function rowsToKeep(
  rows: readonly VectorRow[],
  documents: CorpusState['documents'],
  { put, remove }: Pick<SettledCommit, 'put' | 'remove'> = { put: [], remove: [] },
): readonly VectorRow[] {
  const versions = new Map(put.map((document) => [document.id, document])),
    gone = new Set(remove)
  return rows.filter(({ documentId, hash, passage }) => {
    const document = versions.get(documentId)
    if (document !== undefined)
      return document.hash === hash && passage * 2 < document.passages.length
    const known = gone.has(documentId) ? null : documents.known(documentId)
    return known !== null && known.hash === hash && passage < known.passages
  })
}
