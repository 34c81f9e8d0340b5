/**
 * Owns documents as a caller reads them back, one whole or a page of them counted. Refuses:
 * changing them, and ranking.
 */
import { whole } from '../base/options.ts'
import type { DocumentListing, DocumentView } from '../types.ts'
import type { Corpus } from '../corpus/corpus.ts'
import { spanOf } from '../corpus/corpus_table.ts'

/** The document with its text exactly as it was given; null where there is none of this id. */
export function viewDocument(corpus: Corpus, id: string): DocumentView | null {
  const entry = corpus.table.get(id)
  return entry
    ? {
        id,
        title: entry.title,
        text: entry.text,
        metadata: entry.metadata,
        passages: entry.slots.map((_, passage) => spanOf(entry, passage)),
      }
    : null
}

/**
 * In the order of ids, from `offset` (default 0), at most `limit` (1 to 10,000; default 100).
 * Throws `input/invalid` for options out of range.
 */
export function listDocuments(
  { table, vectors }: Corpus,
  options: { readonly offset?: number; readonly limit?: number },
): DocumentListing {
  const offset = whole('offset', options.offset ?? 0, 0, Number.MAX_SAFE_INTEGER),
    limit = whole('limit', options.limit ?? 100, 1, 10_000)
  const documents = table
    .ids()
    .slice(offset, offset + limit)
    .map((id) => {
      const entry = table.get(id)!
      return {
        id,
        title: entry.title,
        chars: entry.text.length,
        passages: entry.slots.length,
        passagesWithVectors: entry.slots.filter((slot) => vectors?.has(slot)).length,
      }
    })
  return { total: table.documents, documents }
}
