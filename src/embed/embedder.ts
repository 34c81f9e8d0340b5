/** The contract of everything that turns text into vectors. */
import { HubmeshError, isHubmeshError } from '../base/errors.ts'
import type { EmbedderIdentity } from '../types.ts'
import { identityKey } from '../store/records/settings_codec.ts'

/** Some models put an instruction in front of a question. */
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
   * run of its own: an int8 model quantizes activations per run. Rejects with `model/*`, `worker/*`
   * or `aborted`; see `isTextFailure`.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>
  /** Resolves once the model is loaded; after a failure it tries afresh. Left out: always ready. */
  ready?(signal?: AbortSignal): Promise<void>
  /** Weight of its cosine in the ranking, as a multiple of all-MiniLM-L6-v2's; default 1. */
  readonly meaningTrust?: number | undefined
  /**
   * The script that it reads, where it reads one alone: its cosines with texts of others say nothing
   * and do not count. Left out: it reads all.
   */
  readonly reads?: 'latin' | undefined
  /** Texts worth having in flight; default 1. */
  readonly concurrency?: number
  /** Problems survived: a full cache, a damaged copy that was fetched again. */
  readonly notices?: readonly string[]
  close(): Promise<void>
}

export function sameIdentity(a: EmbedderIdentity, b: EmbedderIdentity): boolean {
  return identityKey(a) === identityKey(b)
}

/**
 * Whether an archive's vectors are those of this embedder. An archive written before 0.2 does not
 * say what ran its model, and is taken by either runtime, as it was then.
 */
export function takesVectors(own: EmbedderIdentity, archived: EmbedderIdentity): boolean {
  const { runtime } = own
  return sameIdentity(own, runtime === undefined ? archived : { runtime, ...archived })
}

/** An error of one text alone: the next may well succeed. */
export function textFailure(error: HubmeshError, what: string): HubmeshError {
  return new HubmeshError(error.code, `${error.message} ${what}`, {
    cause: error,
    details: { ...error.details, scope: 'text' },
  })
}

/** Whether a rejection concerns the one text, which then keeps no vector, and not the embedder. */
export function isTextFailure(error: unknown): boolean {
  return (
    isHubmeshError(error) && (error.code === 'input/invalid' || error.details['scope'] === 'text')
  )
}
