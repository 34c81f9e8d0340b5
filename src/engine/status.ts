/** Owns the honest account of how an engine is. Refuses: changing anything. */
import type { Embedder } from '../embed/embedder.ts'
import type { CorpusStorage } from '../store/storage.ts'
import type { EngineStatus } from '../types.ts'
import type { Corpus } from '../corpus/corpus.ts'
import type { Vectorizer } from './vectorizer.ts'

export async function statusOf(
  name: string,
  corpus: Corpus,
  storage: CorpusStorage,
  vectorizer: Vectorizer | null,
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
