/** State of an engine: what it holds, where, and how far it is. Progress of one call: adding.ts. */
import type { EmbedderIdentity } from './embedder_identity.ts'

export type StorageKind = 'indexeddb' | 'memory' | 'directory'

export interface EngineStatus {
  readonly corpus: string
  readonly documents: number
  readonly passages: number
  readonly passagesWithVectors: number
  readonly entities: number
  readonly generation: number
  readonly embedding: {
    /**
     * `following`: another tab is the writer and makes the vectors; they are taken over as it saves
     * them.
     */
    readonly state: 'off' | 'loading' | 'running' | 'paused' | 'idle' | 'failed' | 'following'
    readonly rate: number
    readonly secondsLeft: number | null
    /**
     * Why it goes slowly, one text at a time with rests: the tab is hidden, or the battery low and
     * not being charged. Left out: it does not.
     */
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
  readonly index: {
    readonly kind: 'exact' | 'hnsw'
    readonly simd: boolean
    readonly reason: string
  }
  /**
   * The text tier: bytes of its arrays, maps and tables beyond the texts themselves; passages read
   * for names since the engine opened, each reading counted; passages that wait to be read again.
   */
  readonly text: { readonly bytes: number; readonly read: number; readonly unread: number }
  /** True while names of new documents are still to be looked up in older ones. */
  readonly settled: boolean
  readonly warnings: readonly string[]
}

/**
 * How far the corpus is: `text` names and words answer, `vectors` every passage has its vector,
 * `settled` equals a fresh build.
 */
export type ReadyStep = 'text' | 'vectors' | 'settled'

/**
 * A call that has ended, as OpenTelemetry describes spans: `name` is `hubmesh.retrieve` and its like.
 * It tells counts, times and codes, never a word of a question or a document.
 */
export interface EngineEvent {
  readonly name: `hubmesh.${string}`
  /** Milliseconds of `performance.now()`. */
  readonly startTime: number
  readonly duration: number
  readonly status: 'ok' | 'error'
  /** `hubmesh.corpus`; of answers tier, counts and the time of each stage; `error.type`, a code. */
  readonly attributes: Readonly<Record<string, string | number>>
}
