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

/** What a document states of two names, where a step follows it. */
export interface StepRelation {
  readonly subject: string
  readonly predicate: string
  readonly object: string
  /** `given` by `addRelations`, or read off a `heading`, a `link` or a `list`. */
  readonly origin: 'given' | 'heading' | 'link' | 'list'
}

/** One edge of a path, with the text that carries it: `document.text.slice(start, end) === text`. */
export interface PathStep {
  /** `mentions`; `titled` where the document is about the name; `similar` between neighbours in kNN mode; else what the document states: a given predicate, `links to`, `under heading`, `listed under`. */
  readonly predicate: 'mentions' | 'titled' | 'similar' | (string & {})
  /** There where the predicate is that of a relation. */
  readonly relation?: StepRelation
  readonly documentId: string
  /** The mention itself; of a given relation the range from one name to the other, of a link its label, of a heading or an item its words. For `titled`, the span is of the title and `inTitle` is true. */
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
  /** `candidates`: passages that walk, titles and bridges put forward, one by each of them counting once for each. */
  readonly walk: { readonly pushes: number; readonly touchedEdges: number; readonly residual: number; readonly candidates: number }
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

export type AddPhase = 'fetching' | 'reading' | 'text' | 'saving' | 'vectors'

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
  /** Documents that the call took out; only with `others: 'remove'`. */
  readonly removed?: readonly string[]
  readonly generation: number
}

export interface AddOptions {
  /** What to do with a document whose id is taken by another text; default is the error `input/conflict`. */
  readonly onConflict?: 'error' | 'replace'
  /** `error` (default) refuses the whole call for one bad entry; `skip` reports it in `rejected` and takes the rest. */
  readonly onInvalid?: 'error' | 'skip'
  /**
   * `keep` (default) leaves the documents that are not named; `remove` makes the corpus hold the documents of this call and no others, in one switch
   * however large: after a crash the corpus of before is there, or the new one.
   */
  readonly others?: 'keep' | 'remove'
  readonly onProgress?: (progress: Progress) => void
  readonly signal?: AbortSignal
}

/** A file, its bytes, a stream of them, an answer of `fetch`, or the address of one. */
export type ArchiveSource = Blob | Uint8Array | ReadableStream<Uint8Array> | Response | URL | string

export interface ImportOptions extends AddOptions {
  /** True lets an address on another origin be asked, without credentials; the page's policy must allow it too. */
  readonly crossOrigin?: boolean
}

export interface ExportOptions {
  /** `f32` (default) keeps every bit; `int8` takes a quarter of the room, a component being off by at most half a 127th of its row's largest; `none` leaves them out. */
  readonly vectors?: 'f32' | 'int8' | 'none'
  /** True adds the index of words and names, so that an empty corpus that imports the archive need not read its documents; it is made anew, which takes as long as adding them. */
  readonly index?: boolean
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
    /** Why it goes slowly, one text at a time with rests: the tab is hidden, or the battery low and not being charged. Left out: it does not. */
    readonly throttled?: 'hidden' | 'battery'
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
  /** The text tier: bytes of its arrays, maps and tables beyond the texts themselves; passages read for names since the engine opened, each reading counted; passages that wait to be read again. */
  readonly text: { readonly bytes: number; readonly read: number; readonly unread: number }
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

/** Names that a user made one. Kept with the corpus as digests: it holds no text of a document that is gone. */
export interface NameMerge {
  /** 16 hex digits, the same for the same names; `undoMerge` takes it. */
  readonly id: string
  /** What the names are known by now, and how that is written; null while the corpus holds none of them. */
  readonly name: string | null
  readonly label: string | null
  /** Those of its names that the corpus holds, in order of UTF-16 code units. */
  readonly names: readonly string[]
  /** The one of them by which the others were to be known; null where nobody said, or the corpus does not hold it. */
  readonly into: string | null
  /** Its other names: no document holds them now, and they join again when one does. */
  readonly absent: number
  /** Passages that mention one of the names, or of those they were merged with by other merges. */
  readonly passages: number
}

export interface MergeNamesOptions {
  /** The name by which the others shall be known, one of them or another; default the longest that the corpus holds. */
  readonly into?: string
  readonly signal?: AbortSignal
}

export interface SuggestMergesOptions {
  /** 1 to 200; default 20. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

/** Why two names may be one. */
export interface MergeReason {
  /**
   * `acronym`: the first letters of the other's words. `spelling`: one word a slip apart. `joining`: the same letters, parted otherwise (Jean-Paul, Jean Paul).
   * `initials`: given names shortened. `part`: the one longer name of the corpus that ends or begins with it. `neighbours`: they stand beside the same names, and not in one passage.
   * `meaning`: cosine of the two names by the corpus' own embedder.
   */
  readonly kind: 'acronym' | 'spelling' | 'joining' | 'initials' | 'part' | 'neighbours' | 'meaning'
  /** How strong, in (0, 1]. */
  readonly value: number
}

/** Where one of the names stands. `text` is that of the document, or of its title where `inTitle`. */
export interface NamePlace extends Span {
  readonly documentId: string
  readonly text: string
  readonly inTitle: boolean
  readonly sentence: Span & { readonly text: string }
}

/** Two names that may be one, with what speaks for it. A person decides. */
export interface MergeSuggestion {
  /** The one they would be known by first. */
  readonly names: readonly [SuggestedName, SuggestedName]
  /** In (0, 1]; only the order means something. */
  readonly score: number
  readonly reasons: readonly MergeReason[]
  /** Names that stand beside both, by how rare they are; at most five. */
  readonly shared: readonly string[]
}

export interface SuggestedName {
  readonly name: string
  readonly label: string
  readonly passages: number
  /** Up to three places, those beside a shared name first. */
  readonly places: readonly NamePlace[]
}

/** A relation of two names that a document states; the relations of `buildEntityKGLLM` are such. */
export interface RelationInput {
  readonly documentId: string
  /** Letter by letter as it stands in the text. */
  readonly subject: string
  /** At most 100 characters; how it is called is the caller's. */
  readonly predicate: string
  readonly object: string
  /** Range of the text in which both stand; left out, their nearest mentions are taken. */
  readonly start?: number
  readonly end?: number
}

/** A list, or an extraction of `buildEntityKGLLM`. */
export type RelationsInput = readonly RelationInput[] | { readonly relations: readonly RelationInput[] }

export interface RelationsOptions {
  /** A name at either end, or one that was merged with it. */
  readonly name?: string
  readonly documentId?: string
  /** From 0; default 0. */
  readonly offset?: number
  /** 1 to 10,000; default 100. */
  readonly limit?: number
}

export interface AddRelationsResult {
  readonly added: number
  /** Those that were there already. */
  readonly known: number
  /** `at` is the place in the list that was given. */
  readonly rejected: readonly { readonly at: number; readonly reason: 'unknown-document' | 'not-in-text' }[]
  readonly generation: number
}

/** A relation that was given, with its exact places: `text.slice(subject.start, subject.end)` is the subject. */
export interface Relation {
  readonly documentId: string
  readonly subject: Span & { readonly text: string }
  readonly predicate: string
  readonly object: Span & { readonly text: string }
  readonly sentence: Span & { readonly text: string }
}

export interface RelationListing {
  readonly total: number
  readonly relations: readonly Relation[]
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
  /**
   * Makes names one, for every question from now on, and for documents still to come; kept with the corpus and its archives. Merges that share a name join; their order
   * does not matter. Rejects with `input/invalid` for a name the corpus does not know, and for fewer than two.
   */
  mergeNames(names: readonly string[], options?: MergeNamesOptions): Promise<NameMerge>
  /** Takes a name out of every merge it is in. Rejects with `input/invalid` for one that is in none. */
  splitName(name: string): Promise<void>
  /** Undoes one merge as if it had never been made. Rejects with `input/invalid` for an unknown id. */
  undoMerge(id: string): Promise<void>
  /** In order of their ids. */
  mergedNames(): Promise<readonly NameMerge[]>
  /** Pairs of names that may be one, most likely first; 1 to 200, default 20. */
  suggestMerges(options?: SuggestMergesOptions): Promise<readonly MergeSuggestion[]>
  /**
   * Takes relations of names, as a language model or a person reads them in documents of the corpus. They show in reasoning paths with predicate and span, and their names
   * count as names. Those of a document that is removed or changed go with it. Rejects with `input/invalid` for entries of another shape.
   */
  addRelations(relations: RelationsInput, options?: { readonly signal?: AbortSignal }): Promise<AddRelationsResult>
  /** Forgets the relations of some documents, or all. */
  removeRelations(documentIds?: readonly string[]): Promise<{ readonly removed: number; readonly generation: number }>
  /** The relations that were given, by document id and place; of one document, or with a name at either end. */
  relations(options?: RelationsOptions): Promise<RelationListing>
  /** One file of the whole corpus, `*.hubmesh`. */
  export(options?: ExportOptions): Promise<Blob>
  /**
   * Adds what an archive holds; its vectors are taken over when made by the same embedder. An address is fetched, a string taken as relative to the page.
   * Nothing is added before the last byte was found right. Rejects with `archive/invalid` (no archive, cut short, changed), `archive/version`,
   * `archive/too-large`, `remote/unavailable` (no answer, or an error's status in `details.status`), `input/invalid` (another origin without `crossOrigin`) or `aborted`.
   */
  import(archive: ArchiveSource, options?: ImportOptions): Promise<AddResult>
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
