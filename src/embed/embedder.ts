/**
 * Owns the contract of everything that turns text into vectors. Refuses: models, workers, caching.
 */
import { HubmeshError, isHubmeshError } from '../base/errors.ts'
import type { EmbedderIdentity } from '../types.ts'

/** What a text is embedded as: some models put an instruction in front of a question. */
export type EmbedKind = 'passage' | 'query'

export interface EmbedOptions {
  readonly kind: EmbedKind
  readonly signal?: AbortSignal
}

export interface Embedder {
  /** Known before the first embedding; vectors carry it. */
  readonly identity: EmbedderIdentity
  /**
   * One unit-length vector of `identity.dims` finite components a text, in order. Each text is a
   * run of its own: an int8 model quantizes activations per run, so a vector must not depend on its
   * neighbours. Rejects with `model/*`, `worker/*` or `aborted`; see `isTextFailure` for whether
   * other texts would fare better.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>
  /**
   * Resolves once a text could be embedded at once: model fetched, checked and loaded; after a
   * failure it tries afresh. Left out: always so.
   */
  ready?(signal?: AbortSignal): Promise<void>
  /**
   * How much its cosine counts in the ranking, as a multiple of all-MiniLM-L6-v2's; left out: 1.
   */
  readonly meaningTrust?: number | undefined
  /** Texts worth having under way at the same time; left out: 1. */
  readonly concurrency?: number
  /** What was survived and should be told: a full cache, a damaged copy that was fetched again. */
  readonly notices?: readonly string[]
  close(): Promise<void>
}

/** Same model, revision, dtype, dims and pooling. */
export function sameIdentity(a: EmbedderIdentity, b: EmbedderIdentity): boolean {
  return (
    a.model === b.model &&
    a.revision === b.revision &&
    a.dtype === b.dtype &&
    a.dims === b.dims &&
    a.pooling === b.pooling
  )
}

/** The error of one text, as against the embedder's: the next text may well succeed. */
export function textFailure(error: HubmeshError, what: string): HubmeshError {
  return new HubmeshError(error.code, `${error.message} ${what}`, {
    cause: error,
    details: { ...error.details, scope: 'text' },
  })
}

/**
 * True where a rejection concerns the one text alone, which then keeps no vector; false where the
 * embedder itself is of no use.
 */
export function isTextFailure(error: unknown): boolean {
  return (
    isHubmeshError(error) && (error.code === 'input/invalid' || error.details['scope'] === 'text')
  )
}
