/** Options and status of a pool of embedding workers. */
import type { HubmeshError } from '../base/errors.ts'
import type { FileNotice } from './file_cache.ts'
import type { DownloadProgress, EmbedWorkerHandle } from './pool_worker.ts'
import type { EmbedWorkerOptions } from './worker_protocol.ts'

export interface EmbedderPoolOptions {
  /** What each worker loads; its manifest gives the identity of the vectors. */
  readonly load: EmbedWorkerOptions
  /** Makes a worker that listens: `(signal) => spawnWorker('embed', { factory, signal })`. */
  readonly spawn: (signal: AbortSignal) => Promise<EmbedWorkerHandle>
  /**
   * 1 to LIMITS.embedWorkers, default 1; the second starts when a text waits and the first is
   * loaded.
   */
  readonly size?: number
  readonly onDownload?: (progress: DownloadProgress) => void
  readonly onState?: (state: PoolStatus) => void
  /** Override LIMITS of the same names in tests. */
  readonly textsPerEmbedWorker?: number
  readonly embedTextMs?: number
  readonly embedAbortGraceMs?: number
  readonly embedBackoffMs?: number
  readonly embedIdleMs?: number
}

export interface PoolStatus {
  readonly state: 'idle' | 'starting' | 'ready' | 'failed' | 'closed'
  readonly workers: number
  readonly queued: number
  /** Threads of each worker. */
  readonly threads: number
  readonly deaths: number
  readonly failure: HubmeshError | null
  /** Problems survived: a full cache, a damaged entry. */
  readonly notices: readonly FileNotice[]
}
