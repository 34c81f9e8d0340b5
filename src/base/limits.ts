/** Every limit of the package, each with its reason. No limit is written anywhere else. */

export const LIMITS = {
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
   * Between two progress reports of one call, ms: people do not read faster, and each one is a task
   * of the page.
   */
  progressIntervalMs: 100,
  /** From making a worker to its ready message, ms: a cold disk and a busy machine included. */
  workerStartMs: 30_000,
  /**
   * A worker that leaves a call and this many pings in a row unanswered is taken for dead; its work
   * yields far more often.
   */
  workerPings: 12,
  /**
   * Between two pings, ms. Counting pings, not time, keeps a page that slept from blaming its
   * worker.
   */
  workerPingMs: 5_000,
  /**
   * Deaths of one worker in a row before it stays down: a cause that lasts is not mended by a
   * fourth start.
   */
  workerStrikes: 3,
  /** Wait before the first restart, ms; doubled each time. */
  workerBackoffMs: 250,
  /**
   * Wait of a question for names of a fresh addition: 120 ms at 7,580 passages, so that a second
   * holds for some 60,000; no caller should wait longer than a minute.
   */
  settleMs: 1_000,
  settleMostMs: 60_000,
  /**
   * Wait before the restart of a worker that did not answer, at least, ms: a loop in it is ended
   * two seconds after terminate(), and until then it holds its locks.
   */
  hungWorkerMs: 2_500,
  /** A worker that lived this long starts with a clean record, ms. */
  workerForgiveMs: 60_000,
  /**
   * One slice of an `add` on its way to the worker, UTF-16 units: about 2 ms of cloning on the
   * page's thread.
   */
  stageChars: 256 * 1024,
  /** Entries of one slice. */
  stageItems: 256,
  /**
   * One file of a model or of its runtime, bytes: a browser tab cannot hold a larger one beside its
   * working memory.
   */
  modelFileBytes: 512 * 1024 * 1024,
  /**
   * Milliseconds without a byte after which a download counts as stalled: a slow line still sends
   * something in that time.
   */
  downloadStallMs: 60_000,
  /**
   * Milliseconds one text may take to embed before its worker counts as hung: a slow phone needs
   * under two seconds for 256 tokens.
   */
  embedTextMs: 30_000,
  /** Milliseconds a cancelled embedding may go on before its worker is replaced. */
  embedAbortGraceMs: 2_000,
  /**
   * Texts after which an embedding worker is replaced: wasm memory is never given back, and a fresh
   * worker costs about a second.
   */
  textsPerEmbedWorker: 5_000,
  /**
   * Embedding workers that die in a row before the pool stays down: after that it is the page's
   * memory or the build, not the text.
   */
  embedStrikes: 3,
  /**
   * Milliseconds before the first restart of a dead embedding worker; doubled for each further
   * death in a row.
   */
  embedBackoffMs: 250,
  /**
   * Milliseconds without work after which all embedding workers but one are ended: a fresh one
   * costs seconds of work, so the next file of a folder should still find them.
   */
  embedIdleMs: 60_000,
  /**
   * Waiting passages that are put in order of their length: runs of like length follow each other,
   * and none waits for more than this many younger ones.
   */
  embedWindow: 16,
  /**
   * Milliseconds at most between two texts while embedding is throttled: it rests as long as it
   * worked.
   */
  embedRestMs: 2_000,
  /**
   * Charge, of 1, under which a battery that is not being charged is spared: where operating
   * systems begin to save.
   */
  batterySaving: 0.2,
  /**
   * Embedding workers at most: each holds about 150 MB, and more than four gain little on any
   * machine measured.
   */
  embedWorkers: 4,
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
  /**
   * One message of an MCP client, bytes: documents to index come in it, and it is parsed in one
   * piece.
   */
  mcpBodyBytes: 4 * 1024 * 1024,
  /**
   * One result of an MCP tool, UTF-16 units of JSON: about 60,000 tokens, past what a model should
   * be handed at once.
   */
  mcpResultChars: 256 * 1024,
  /** Text of one snippet of the retrieve tool: enough to judge, and get_document has the rest. */
  mcpSnippetChars: 280,
  /**
   * Sources, mentions and names one MCP call may ask for: more fills a model's window with lists.
   */
  mcpItems: 100,
  /** Milliseconds one tool call may take: clients give up after 60 s. */
  mcpCallMs: 55_000,
  /** Tool calls under way at a time; others wait in line. */
  mcpCalls: 8,
  /** HTTP requests under way at a time, event streams apart; beyond it the answer is 503. */
  mcpRequests: 64,
  /**
   * Event streams open at a time, and of one client (address and key). At either limit the one that
   * was idle longest is closed, so that idle streams lock out no client.
   */
  mcpStreams: 64,
  mcpStreamsOfClient: 16,
  /** Milliseconds after its last message after which an event stream is closed. */
  mcpStreamIdleMs: 30 * 60 * 1000,
  /**
   * Milliseconds within which a whole request must have come: a slow sender must not hold a
   * connection.
   */
  mcpRequestMs: 30_000,
  /**
   * Milliseconds a token that hubmesh made is good for: a day of work, not a credential for life.
   */
  mcpTokenMs: 24 * 60 * 60 * 1000,
  /**
   * Failed attempts in a row of one address before it has to wait, and the longest wait in
   * milliseconds.
   */
  mcpAuthStrikes: 10,
  mcpAuthWaitMs: 60_000,
  /**
   * Milliseconds one request to a vector server or its client may take: a batch of 256 documents on
   * a slow line.
   */
  remoteTimeoutMs: 30_000,
  /**
   * Documents of one request to a vector server: about 2 MB with 384 components each, far below
   * every server's own limit.
   */
  remoteBatch: 256,
  /** Ids or records asked for at a time when a whole collection is listed. */
  remotePage: 1024,
  /** Vectors of a remote collection kept at hand, bytes: about 40,000 of 384 components. */
  remoteCacheBytes: 64 * 1024 * 1024,
  /** A model's answer for one text, UTF-16 units; what is behind it is not read. */
  llmReplyChars: 256 * 1024,
  /** A predicate or type that a model gave: it is a label on a line between two names. */
  predicateChars: 100,
  /**
   * Milliseconds one answer of a language model may take: small machines write two words a second.
   */
  llmTimeoutMs: 120_000,
  /** Attempts at one answer before its text goes without. */
  llmAttempts: 5,
  /**
   * Wait before the second attempt, ms, doubled each time, and the longest wait that a server may
   * ask for.
   */
  llmBackoffMs: 1_000,
  llmBackoffMaxMs: 5 * 60_000,
  /**
   * Tokens of a chat model's window where none is given: what small models in a page and Ollama
   * start with.
   */
  chatWindowTokens: 4096,
  /** Tokens kept free for an answer: about 350 words, more than a cited answer needs. */
  chatAnswerTokens: 512,
  /**
   * Share of a window that stays free where tokens are estimated: the estimate bounds texts of 200
   * tokens and more, and messages may be shorter.
   */
  chatMarginShare: 0.02,
  /** Tokens that a chat format adds to each message: its role and its ends. */
  chatMessageTokens: 4,
  /**
   * Tokens of quotes below which asking a model makes no sense: one short passage and its fence.
   */
  chatContextTokens: 64,
  /** Times a context is packed smaller because a model's own tokenizer counted more. */
  chatFits: 4,
  /**
   * A citation as written, UTF-16 units: about forty numbers; what is longer is a list of something
   * else.
   */
  citationChars: 160,
} as const
