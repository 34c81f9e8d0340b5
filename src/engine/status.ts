/** What a caller reads of an engine: its status, one document, a page of documents. */
import { whole } from '../base/options.ts'
import { spanOf } from '../corpus/corpus_table.ts'
import type { Embedder } from '../embed/embedder.ts'
import type { CorpusStorage } from '../store/storage.ts'
import type { DocumentListing, DocumentView, EngineStatus } from '../types.ts'
import type { Corpus } from '../corpus/corpus.ts'
import type { EngineParts } from './parts.ts'

export async function statusOf(
  name: string,
  { corpus, vectorizer, snapshots, curation, follower, retriever }: EngineParts,
  storage: CorpusStorage,
  embedder: Embedder | null,
  noted: readonly string[],
): Promise<EngineStatus> {
  const usage = await storage.usage()
  const progress = vectorizer?.progress(),
    { vectors } = corpus
  const failed = progress?.failed ?? 0
  const warnings = [
    ...storage.warnings,
    ...noted,
    ...[snapshots, curation, follower, retriever]
      .map(({ warning }) => warning)
      .filter((warning) => warning !== null),
    ...(embedder?.notices ?? []),
    ...storage.quarantined.map(
      ({ id, reason }) => `Stored record ${id} could not be used: ${reason}.`,
    ),
    ...(failed > 0
      ? [`${failed} passages could not be embedded; they are ranked by their words.`]
      : []),
  ]
  return {
    corpus: name,
    documents: corpus.table.documents,
    passages: corpus.table.passages,
    passagesWithVectors: corpus.passagesWithVectors,
    entities: corpus.text.graph.entities,
    generation: storage.generation,
    embedding: {
      state: vectorizer?.state ?? 'off',
      rate: progress?.rate ?? 0,
      secondsLeft: progress?.secondsLeft ?? null,
      ...(vectorizer?.throttle ? { throttled: vectorizer.throttle } : {}),
      identity: embedder?.identity ?? storage.settings.embedder,
      error: vectorizer?.error
        ? { code: vectorizer.error.code, message: vectorizer.error.message }
        : null,
    },
    storage: {
      kind: storage.kind,
      persisted: usage.persisted,
      usageBytes: usage.usageBytes,
      quotaBytes: usage.quotaBytes,
    },
    index: vectors
      ? { kind: vectors.kind, simd: vectors.simd, reason: vectors.reason }
      : { kind: 'exact', simd: false, reason: 'no vectors: the corpus has no embedder' },
    text: {
      bytes: corpus.text.bytes + corpus.table.bytes,
      read: corpus.text.passagesRead,
      unread: corpus.text.unread,
    },
    settled: corpus.text.settled,
    warnings,
  }
}

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
