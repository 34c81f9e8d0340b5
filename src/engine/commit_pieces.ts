/**
 * Owns how the documents of one addition are cut into pieces that are written one by one. Refuses:
 * to cut a document.
 */
import type { StoredDocument } from '../store/storage.ts'

/**
 * Characters committed at a time: an add below the first is one transaction, whole or not at all. A
 * larger one is cut between documents into pieces of the second, each of which is written while the
 * one before is read: only the first is waited for.
 */
const COMMIT_CHARS = 8 * 1024 * 1024,
  PIECE_CHARS = 2 * 1024 * 1024

export function* commitPieces(
  documents: readonly StoredDocument[],
): Generator<readonly StoredDocument[]> {
  const whole = documents.reduce((sum, { text }) => sum + text.length, 0) <= COMMIT_CHARS
  let group: StoredDocument[] = [],
    chars = 0
  for (const document of documents) {
    if (!whole && group.length > 0 && chars + document.text.length > PIECE_CHARS) {
      yield group
      group = []
      chars = 0
    }
    group.push(document)
    chars += document.text.length
  }
  if (group.length > 0) yield group
}
