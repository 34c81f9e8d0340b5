/** Limits of workers, of calls to them, and of the models they load. */

export const WORKER_LIMITS = {
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
} as const
