/** The parts of an engine and how they depend on each other. */
import { Corpus } from '../corpus/corpus.ts'
import type { CorpusStorage } from '../store/storage.ts'
import { Ingest } from './adding/ingest.ts'
import { Retriever } from './asking/retriever.ts'
import { Curation } from './curation.ts'
import type { EngineOptions } from './engine_options.ts'
import { Follower } from './follower.ts'
import type { PlannedRanking } from './planned_ranking.ts'
import { Readiness } from './readiness.ts'
import { Settler } from './settler.ts'
import { Snapshots } from './snapshots.ts'
import { Vectorizer } from './vectorizer.ts'
import { WriteQueue } from './write_queue.ts'

export interface EngineParts {
  readonly corpus: Corpus
  readonly writeQueue: WriteQueue
  /** Null without an embedder. */
  readonly vectorizer: Vectorizer | null
  readonly settler: Settler
  readonly snapshots: Snapshots
  readonly readiness: Readiness
  readonly curation: Curation
  readonly ingest: Ingest
  readonly follower: Follower
  readonly retriever: Retriever
}

export function assembleParts(
  options: EngineOptions,
  storage: CorpusStorage,
  planned: PlannedRanking | null,
  changed: () => void,
): EngineParts {
  const { embedder } = options,
    corpus = new Corpus(storage.settings.chunk.embeddedText),
    writeQueue = new WriteQueue(storage),
    vectorizer = embedder ? new Vectorizer(embedder, corpus, storage, changed, writeQueue) : null,
    settler = new Settler(corpus, changed),
    snapshots = new Snapshots(corpus, storage, writeQueue),
    readiness = new Readiness(corpus, settler, vectorizer),
    curation = new Curation(corpus, storage, writeQueue, snapshots, settler, changed),
    shared = { corpus, storage, writeQueue, vectorizer, settler, snapshots, curation, changed }
  return {
    ...{ corpus, writeQueue, vectorizer, settler, snapshots, readiness, curation },
    ingest: new Ingest({ ...shared, embedder }),
    follower: new Follower({ ...shared, readiness }),
    retriever: new Retriever(corpus, storage, embedder, vectorizer, options, planned),
  }
}
