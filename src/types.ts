/** Owns the public vocabulary: what goes in, what comes out. Types only; refuses behaviour. */

/** A JSON value: what metadata may hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Labels of a document; filters compare its top-level fields. */
export type Metadata = { readonly [key: string]: Json }

/** A document as a caller hands it over. A bare string is a document without title and id. */
export interface DocumentInput {
  /** Unique in the corpus. Left out, it is derived from title and text, so the same content is the same document. */
  readonly id?: string
  readonly title?: string
  readonly text: string
  readonly metadata?: Metadata
  /** A vector of the whole document, made by the corpus' own embedder; only for documents of a single passage. */
  readonly vector?: ArrayLike<number>
}

/** Half-open range of UTF-16 offsets: `text.slice(start, end)`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** An admitted document: every field checked, id settled, text exactly as the user gave it. */
export interface AdmittedDocument {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly metadata: Metadata
  /** Hex SHA-256 of title and text, with lone surrogates kept apart: the identity of the content. */
  readonly hash: string
  readonly vector?: Float32Array
}

/** What is ranked, packed and embedded: a span of one document. */
export interface PassageRef {
  readonly documentId: string
  /** Position of the passage in its document, from 0. */
  readonly index: number
  /** Offsets into the document's text. */
  readonly start: number
  readonly end: number
}

/** Identity of an embedder: vectors of two identities must never be compared. */
export interface EmbedderIdentity {
  readonly model: string
  readonly revision: string
  readonly dtype: string
  readonly dims: number
  readonly pooling: string
}

/** Where a passage's score comes from; the parts add up to `score` (within 1e-9). */
export interface ScoreContributions {
  /** Cosine of question and passage. */
  readonly meaning: number
  /** BM25 of the question's words. */
  readonly words: number
  /** Random walk from the question's names over the entity graph. */
  readonly graph: number
  /** Its document is about a name in the question. */
  readonly title: number
  /** A sentence of one of the best passages leads to it by a name, and it covers words of the question that one lacks. */
  readonly bridge: number
}

/** A span of a document that shows why it is here. */
export interface Evidence extends Span {
  readonly text: string
  readonly kind: 'name' | 'term' | 'sentence'
}

/** A ranked passage. `text === document.text.slice(start, end)`. */
export interface Source {
  /** From 1. */
  readonly rank: number
  readonly documentId: string
  readonly title: string
  /** Position of the passage in its document, from 0. */
  readonly passage: number
  readonly start: number
  readonly end: number
  readonly text: string
  /** Rounded to 1e-9. */
  readonly score: number
  readonly contributions: ScoreContributions
  /** Cosine of question and passage in [-1, 1]; null where the passage has no vector yet or the question none. */
  readonly cosine: number | null
  /** Best sentence first in reading order; offsets into the document's text. */
  readonly evidence: readonly Evidence[]
  readonly metadata: Metadata
}

/** A numbered block of the packed context. */
export interface ContextBlock {
  /** The number shown as `[n]`, from 1; also the rank order of packing. */
  readonly n: number
  readonly documentId: string
  readonly title: string
  /** Ranks of the passages whose text is in this block; those up to `topK` are among the sources, the context may reach further down. */
  readonly ranks: readonly number[]
  /** Offsets into the document's text of each piece, in reading order. */
  readonly spans: readonly Span[]
  readonly text: string
  readonly tokens: number
}

/** A ranked passage that is not in the context, and why. */
export interface Omission {
  readonly rank: number
  readonly documentId: string
  readonly passage: number
  readonly reason: 'budget' | 'duplicate' | 'document-share' | 'nothing-new'
}

export interface PathNode {
  readonly kind: 'entity' | 'document'
  /** Canonical name of an entity, or a document id. */
  readonly id: string
  readonly label: string
}

/** One edge of a path, with the text that carries it: `document.text.slice(start, end) === text`. */
export interface PathStep {
  readonly predicate: 'mentions' | 'titled' | 'similar' | (string & {})
  readonly documentId: string
  /** The mention itself. For `titled`, the span is of the title and `inTitle` is true. */
  readonly start: number
  readonly end: number
  readonly text: string
  readonly inTitle: boolean
  /** The sentence around the mention, offsets into the document's text. */
  readonly sentence: Span & { readonly text: string }
}

/** seed -> document -> entity -> document …; `steps[i]` joins `nodes[i]` and `nodes[i + 1]`. */
export interface ReasoningPath {
  /** Share of the walk's mass that this route carries, in (0, 1]. */
  readonly score: number
  readonly nodes: readonly PathNode[]
  readonly steps: readonly PathStep[]
  /** The path in words. */
  readonly sentence: string
}

/** A name of the question that the corpus knows. */
export interface SeedReport {
  readonly name: string
  readonly label: string
  /** Passages that mention it. */
  readonly passages: number
  readonly origin: 'question' | 'injected' | 'fuzzy'
  /** Part of the restart distribution, in (0, 1]. */
  readonly weight: number
}

export type Tier = 'text' | 'full'

export interface RetrieveDebug {
  /** Which tier answered: `full` used the question's vector. */
  readonly tier: Tier
  readonly mode: 'graph' | 'hybrid' | 'kg' | 'knn'
  readonly passages: number
  readonly passagesWithVectors: number
  readonly seeds: readonly SeedReport[]
  /** Names given as `seedEntities` that the corpus does not know. */
  readonly unknownSeeds: readonly string[]
  readonly excludedDocuments: readonly string[]
  /** Trust in the graph for this question, in [0, 1]. */
  readonly gate: number
  readonly walk: { readonly pushes: number; readonly touchedEdges: number; readonly residual: number }
  /** Milliseconds of each stage; outside the determinism promise. */
  readonly timings: Readonly<Record<string, number>>
  readonly warnings: readonly string[]
  /** Generation of the corpus that was answered from. */
  readonly generation: number
}

export interface RetrieveResult {
  readonly context: string
  readonly contextTokens: number
  readonly blocks: readonly ContextBlock[]
  readonly omitted: readonly Omission[]
  readonly sources: readonly Source[]
  readonly reasoning: readonly ReasoningPath[]
  readonly debug: RetrieveDebug
}

export type FilterScalar = string | number | boolean | null
export interface FilterCondition {
  readonly in?: readonly FilterScalar[]
  readonly gte?: number | string
  readonly lte?: number | string
  readonly not?: FilterScalar
}
/** Data, not a function: fields of the document's metadata, all of which must hold. */
export type Filter =
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly [field: string]: FilterScalar | FilterCondition }

export interface RetrieveOptions {
  /** Sources to return, 1 to 1000; default 10. */
  readonly topK?: number
  /** Hard bound of the context by the counter in use; default 4000. */
  readonly budgetTokens?: number
  readonly queryVector?: ArrayLike<number>
  /** Names to start from besides those of the question. */
  readonly seedEntities?: readonly string[]
  /** Replaces the names found in the question: an empty list turns them off. */
  readonly questionSeeds?: readonly string[]
  readonly excludeDocs?: readonly string[]
  readonly filter?: Filter
  /** `auto` uses meaning as soon as the embedder is ready; `full` waits for it; `text` never does. */
  readonly tier?: 'auto' | Tier
  readonly signal?: AbortSignal
}

export type TokenCounter = (text: string) => number
export type TokenCounterChoice = 'approx' | 'o200k' | 'cl100k' | TokenCounter

export type AddPhase = 'reading' | 'text' | 'saving' | 'vectors'

export interface Progress {
  readonly phase: AddPhase
  readonly done: number
  readonly total: number
  /** Units a second over the last moments; 0 until known. */
  readonly rate: number
  /** Seconds to go at this rate; null until known. */
  readonly secondsLeft: number | null
}

/** A file or entry that could not be taken, and why; the others were. */
export interface Rejection {
  readonly name: string
  readonly code: string
  readonly reason: string
}

export interface AddResult {
  readonly added: readonly string[]
  readonly unchanged: readonly string[]
  readonly replaced: readonly string[]
  readonly rejected: readonly Rejection[]
  readonly generation: number
}

export interface AddOptions {
  /** What to do with a document whose id is taken by another text; default is the error `input/conflict`. */
  readonly onConflict?: 'error' | 'replace'
  /** `error` (default) refuses the whole call for one bad entry; `skip` reports it in `rejected` and takes the rest. */
  readonly onInvalid?: 'error' | 'skip'
  readonly onProgress?: (progress: Progress) => void
  readonly signal?: AbortSignal
}

export type StorageKind = 'indexeddb' | 'memory' | 'directory'

export interface EngineStatus {
  readonly corpus: string
  readonly documents: number
  readonly passages: number
  readonly passagesWithVectors: number
  readonly entities: number
  readonly generation: number
  readonly embedding: {
    /** `following`: another tab is the writer and makes the vectors; they are taken over as it saves them. */
    readonly state: 'off' | 'loading' | 'running' | 'paused' | 'idle' | 'failed' | 'following'
    readonly rate: number
    readonly secondsLeft: number | null
    readonly identity: EmbedderIdentity | null
    readonly error: { readonly code: string; readonly message: string } | null
  }
  readonly storage: {
    readonly kind: StorageKind
    /** True where the browser promised not to evict; null where it cannot say. */
    readonly persisted: boolean | null
    readonly usageBytes: number | null
    readonly quotaBytes: number | null
  }
  readonly index: { readonly kind: 'exact' | 'hnsw'; readonly simd: boolean; readonly reason: string }
  /** True while names of new documents are still to be looked up in older ones. */
  readonly settled: boolean
  readonly warnings: readonly string[]
}

/** A stored document as `getDocument` gives it. */
export interface DocumentView {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly metadata: Metadata
  readonly passages: readonly Span[]
}

export interface DocumentListing {
  readonly total: number
  readonly documents: readonly { readonly id: string; readonly title: string; readonly chars: number; readonly passages: number; readonly passagesWithVectors: number }[]
}

export interface ResolvedEntity {
  readonly mention: string
  readonly name: string
  readonly label: string
  readonly passages: number
  readonly type: EntityType | null
  /** Documents that mention it, by id; the first thousand. */
  readonly documents?: readonly string[]
}

/** What compromise makes of a name; for display and filters only, it does not rank. */
export type EntityType = 'person' | 'place' | 'organisation' | 'other'

export interface EntityNeighbor {
  readonly name: string
  readonly label: string
  readonly weight: number
  readonly documents: readonly string[]
}

export interface RouteBetween {
  readonly hops: number
  readonly nodes: readonly PathNode[]
  readonly steps: readonly PathStep[]
}

export interface GraphStats {
  readonly documents: number
  readonly passages: number
  readonly entities: number
  readonly edges: number
  readonly hubs: readonly { readonly name: string; readonly label: string; readonly degree: number }[]
}

export interface SearchOptions {
  readonly topK?: number
  readonly mode?: 'lexical' | 'dense' | 'hybrid'
  readonly queryVector?: ArrayLike<number>
  readonly excludeDocs?: readonly string[]
  readonly filter?: Filter
  readonly signal?: AbortSignal
}

/** What `add` takes: one thing or many. */
export type AddInput = string | DocumentInput | File | readonly (string | DocumentInput | File)[]

/** How far the corpus is: `text` names and words answer, `vectors` every passage has its vector, `settled` equals a fresh build. */
export type ReadyStep = 'text' | 'vectors' | 'settled'

/** The engine as a page or a Node program holds it. Every call rejects with a HubmeshError only. */
export interface Engine {
  readonly corpus: string
  add(input: AddInput, options?: AddOptions): Promise<AddResult>
  /** `add` with `onConflict: 'replace'`. */
  update(input: AddInput, options?: AddOptions): Promise<AddResult>
  remove(ids: string | readonly string[], options?: { readonly signal?: AbortSignal }): Promise<{ readonly removed: readonly string[]; readonly missing: readonly string[]; readonly generation: number }>
  retrieve(query: string, options?: RetrieveOptions): Promise<RetrieveResult>
  search(query: string, options?: SearchOptions): Promise<readonly Source[]>
  resolveEntities(mentions: readonly string[]): Promise<readonly (ResolvedEntity | null)[]>
  entityNeighbors(name: string, options?: { readonly limit?: number }): Promise<readonly EntityNeighbor[]>
  pathBetween(a: string, b: string, options?: { readonly k?: number }): Promise<readonly RouteBetween[]>
  getDocument(id: string): Promise<DocumentView | null>
  listDocuments(options?: { readonly offset?: number; readonly limit?: number }): Promise<DocumentListing>
  graphStats(): Promise<GraphStats>
  /** One file of the whole corpus, `*.hubmesh`. */
  export(options?: { readonly vectors?: 'f32' | 'none'; readonly signal?: AbortSignal }): Promise<Blob>
  /** Adds what an archive holds; its vectors are taken over when made by the same embedder. */
  import(archive: Blob | Uint8Array, options?: AddOptions): Promise<AddResult>
  status(): Promise<EngineStatus>
  /** Calls back on every change of status, at most a few times a second; returns the unsubscribe function. */
  onStatus(listener: (status: EngineStatus) => void): () => void
  ready(step: ReadyStep, options?: { readonly signal?: AbortSignal }): Promise<void>
  pauseEmbedding(): Promise<void>
  resumeEmbedding(): Promise<void>
  /** Removes every document and vector of the corpus, then closes. */
  destroy(): Promise<void>
  close(): Promise<void>
}
