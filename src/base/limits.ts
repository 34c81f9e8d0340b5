/** Every limit of the package, each with its reason: here and in limits/, nowhere else. */
import { SERVICE_LIMITS } from './limits/services.ts'
import { WORKER_LIMITS } from './limits/workers.ts'

export const LIMITS = {
  ...WORKER_LIMITS,
  ...SERVICE_LIMITS,
  /**
   * A document's text, UTF-16 units. 64 Mi units are 128 MiB in memory: a page that holds more than
   * one of them is near its end.
   */
  documentChars: 64 * 1024 * 1024,
  /** A document id, UTF-16 units: ids are keys of every map and index, and shown in lists. */
  idChars: 1024,
  /** A title, UTF-16 units: it is repeated in front of every passage. */
  titleChars: 2048,
  /** Metadata of one document as JSON, UTF-16 units: it travels with every source. */
  metadataChars: 16 * 1024,
  /**
   * Nesting of metadata: deeper values are programs, not labels, and recursion must stay bounded.
   */
  metadataDepth: 8,
  /**
   * Documents in one `add` call: beyond it the caller should batch, so that progress and
   * cancellation mean something.
   */
  documentsPerAdd: 1_000_000,
  /**
   * What of a stream is kept as one batch: documents, and their characters or bytes. Small enough
   * to be seen soon, large enough that a commit's own cost hardly counts.
   */
  streamItems: 256,
  streamChars: 4 * 1024 * 1024,
  /** Files listed of one folder that is synced: beyond it the folder is not one of documents. */
  syncFiles: 200_000,
  /** Folders inside folders that are synced: deeper ones are a loop of links or made to be. */
  syncDepth: 64,
  /** One dropped file, bytes. */
  fileBytes: 256 * 1024 * 1024,
  /**
   * A question, UTF-16 units. Longer ones are cut for names and terms, and said so in
   * `debug.warnings`.
   */
  queryChars: 8 * 1024,
  /** Sources one question may ask for. */
  topK: 1000,
  /** A context's token budget: no model's window is larger today. */
  budgetTokens: 4_000_000,
  /**
   * A passage's target, tokens by the approximate counter (chars / 4): under the 254 word pieces
   * MiniLM reads.
   */
  passageTokens: 200,
  /**
   * Word pieces of a text that reach the model, without [CLS] and [SEP] (MiniLM was trained on 256
   * in all).
   */
  modelTokens: 254,
  /**
   * A single word, UTF-16 units: longer runs are not words, and the word-piece tokenizer is
   * quadratic in them.
   */
  wordChars: 100,
  /**
   * Word numbers kept of passages that wait to be read for their names, 4 bytes each: some 100,000
   * passages; those beyond are read from their text again.
   */
  keptWords: 16_000_000,
  /** Words of a name: longer capitalised runs are headings or shouting. */
  nameWords: 10,
  /**
   * Share of the budget that passages of one document may take, so that one poisoned document
   * cannot fill the context.
   */
  budgetShareOfDocument: 1 / 3,
  /**
   * Wait of a question for names of a fresh addition: 120 ms at 7,580 passages, so that a second
   * holds for some 60,000; no caller should wait longer than a minute.
   */
  settleMs: 1_000,
  settleMostMs: 60_000,
  /**
   * Rows of a vector scan that are scored again in full precision: well past what any question
   * returns, and .1 ms of work.
   */
  rescoreRows: 200,
  /**
   * Components of a vector: no embedder of today has more, and the sums of the 8-bit scan stay far
   * inside 32 bits.
   */
  vectorDims: 8192,
  /**
   * Rows of one vector index: 4 Mi rows of 384 bytes are 1.5 GiB of the 4 GiB a wasm memory can
   * have.
   */
  vectorRows: 4 * 1024 * 1024,
  /** A corpus' name: part of a database name and of a folder name. */
  corpusNameChars: 64,
  /**
   * Bytes of a full segment of documents or vectors: large enough that reading all is quick, small
   * enough to rewrite one when a document goes. A larger document has one of its own.
   */
  segmentBytes: 1024 * 1024,
  /** Bytes written ahead of a switch at a time: what a long write holds in memory. */
  writeAheadBytes: 8 * 1024 * 1024,
  /** Bytes of one stored value in a browser: larger ones fail in some engines. */
  storePartBytes: 4 * 1024 * 1024,
  /** Bytes kept free for a removal on a full disk, beside the largest segments: manifests, a lease. */
  reserveBytes: 16 * 1024,
  /**
   * Between two beats of a folder's lease, ms, and how many may be missing: a program that is busy
   * for longer is taken for dead, and refused when it writes next.
   */
  leaseBeatMs: 500,
  leaseBeats: 8,
  /**
   * Bytes a page of read records aims at, and records it never exceeds: bounds memory and time to
   * the first one.
   */
  readPageBytes: 2 * 1024 * 1024,
  readPageRecords: 2048,
  /**
   * Milliseconds until an open request counts as unanswered: a healthy database opens within one
   * second even on a phone.
   */
  storeOpenMs: 8_000,
  /**
   * Milliseconds the browser's log may take to be renewed after a kill: it takes a tenth of a
   * second, and a frozen tab must not stop the others.
   */
  storeLogMs: 8_000,
  /**
   * Milliseconds after a write until it counts as over for good: Chromium tidies up behind a
   * transaction, at its leisure.
   */
  storeMarkMs: 5_000,
  /**
   * Rounds of PBKDF2-HMAC-SHA-256 over a passphrase: what OWASP has advised since 2023, about a
   * third of a second.
   */
  passphraseIterations: 600_000,
  /** Milliseconds to wait for other tabs that keep an old version open. */
  storeBlockedMs: 30_000,
  /** Milliseconds until a write that neither completes nor aborts is reported as indeterminate. */
  storeCommitMs: 120_000,
  /** Milliseconds a write waits for another tab's writer lock before it gives up. */
  writerWaitMs: 1_500,
  /**
   * Between two questions whether the writer in another tab is alive, ms, and how many it may leave
   * unanswered: it yields many times a second unless it is frozen.
   */
  writerPingMs: 2_000,
  writerPings: 4,
  /** Bytes of an archive as read, whatever it claims: about a million passages with f32 vectors. */
  archiveBytes: 4 * 1024 * 1024 * 1024,
  /**
   * Bytes of one section frame of an archive: the largest document in its longest encoding, and its
   * labels.
   */
  archiveFrameBytes: 224 * 1024 * 1024,
  /** Bytes a frame aims at when written: few frames to check, little held at once. */
  archiveFrameTarget: 1024 * 1024,
  /**
   * A document whose headings, links and lists are read for the steps of a path, UTF-16 units: some
   * 20 ms on a slow machine.
   */
  layoutChars: 2 * 1024 * 1024,
  /** Pairs of names that are looked at closely for one list of suggestions: some 50 us each. */
  mergeCandidates: 5_000,
  /** Pairs in one list of suggestions: a person reads no more. */
  mergeSuggestions: 200,
  /** Names in one part of the graph: a picture shows no more, and edges grow with their square. */
  subgraphNames: 2_000,
  /** Merges of names in one corpus: each is the work of a person. */
  nameMerges: 10_000,
  /** Names of one merge: more spellings of one thing are a list of something else. */
  mergedNames: 100,
  /**
   * A record kept beside the documents, bytes: some 300,000 relations; it is written whole at every
   * change.
   */
  keptBytes: 32 * 1024 * 1024,
  /**
   * Rows up to which `index: 'auto'` scans exactly: about 25 ms a question, while HNSW would take
   * minutes to build.
   */
  exactRows: 500_000,
  /**
   * Names of one document that a co-occurrence graph joins each with each: their edges grow by the
   * square, two million here.
   */
  entitiesPerClique: 2_000,
  /**
   * One file of a corpus folder that is imported, bytes, packed and unpacked: about 300,000
   * documents with their vectors.
   */
  importFileBytes: 512 * 1024 * 1024,
  /**
   * What a docx unpacks to, bytes: its parser makes ten times as much of it, and a book of 1,000
   * pages has three million.
   */
  officeBytes: 64 * 1024 * 1024,
  /**
   * Memory that reading one pdf or docx file may take, bytes: a page of a pdf unpacks to a few
   * megabytes.
   */
  officeMemoryBytes: 1024 * 1024 * 1024,
  /** Milliseconds that reading one of them may take: a thousand pages need a quarter of it. */
  officeMs: 120_000,
  /** Members of a docx file: a long one with pictures has some hundred. */
  officeMembers: 10_000,
  /** The meta.json of such a folder: it holds six numbers and a name. */
  importMetaBytes: 64 * 1024,
  /** Nesting of imported JSON: kg.json has five levels, and metadata eight. */
  importJsonDepth: 32,
} as const
