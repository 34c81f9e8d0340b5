/**
 * Owns what a pool of embedding workers is told and what it tells. Types only; refuses behaviour.
 */
import type { HubmeshError } from '../base/errors.ts'
import type { FileNotice } from './file_cache.ts'
import type { DownloadProgress, EmbedWorkerHandle } from './pool_worker.ts'
import type { EmbedWorkerOptions } from './worker_protocol.ts'

export interface EmbedderPoolOptions {
  /** What each worker loads; the identity of the vectors is its manifest's. */
  readonly load: EmbedWorkerOptions
  /** Makes a worker that listens; `(signal) => spawnWorker('embed', { factory, signal })`. */
  readonly spawn: (signal: AbortSignal) => Promise<EmbedWorkerHandle>
  /**
   * Workers at most, 1 to LIMITS.embedWorkers; the second is started when a text waits and the
   * first is loaded. Default 1.
   */
  readonly size?: number
  readonly onDownload?: (progress: DownloadProgress) => void
  readonly onState?: (state: PoolStatus) => void
  /** Stand in for LIMITS of the same names, for tests. */
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
  /** Threads of each worker's runs. */
  readonly threads: number
  /** Workers that died so far. */
  readonly deaths: number
  readonly failure: HubmeshError | null
  /** What was survived: a full cache, a damaged entry. */
  readonly notices: readonly FileNotice[]
}
