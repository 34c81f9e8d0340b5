/**
 * A deterministic embedder without a model: feature hashing of words (Weinberger et al. 2009). For
 * tests and for measuring at sizes where a model would take an hour.
 */
import { fnv1a, mix32 } from '../base/hash.ts'
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import type { EmbedderIdentity } from '../types.ts'
import type { Embedder, EmbedOptions } from './embedder.ts'
import { unit } from './pooling.ts'

export class HashingEmbedder implements Embedder {
  readonly identity: EmbedderIdentity

  /** `dims` from 2 to 4096, else `input/invalid`. */
  constructor(dims = 64) {
    if (!Number.isInteger(dims) || dims < 2 || dims > 4096) {
      throw new HubmeshError(
        'input/invalid',
        `The hashing embedder takes 2 to 4096 dimensions, not ${dims}.`,
      )
    }
    this.identity = { model: 'hashing', revision: '1', dtype: 'f32', dims, pooling: 'sum' }
  }

  async embed(texts: readonly string[], { signal }: EmbedOptions): Promise<Float32Array[]> {
    const vectors: Float32Array[] = []
    for (const text of texts) {
      throwIfAborted(signal)
      vectors.push(hashedVector(text, this.identity.dims))
    }
    return vectors
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}

/** The signed sum of the text's words in `dims` buckets, at length 1. */
export function hashedVector(text: string, dims: number): Float32Array {
  const sums = new Float64Array(dims)
  let any = false
  for (const word of words(text)) {
    const hash = mix32(fnv1a(word))
    const bucket = hash % dims
    sums[bucket] = sums[bucket]! + (hash >>> 31 === 1 ? -1 : 1)
    any = true
  }
  if (!any || sums.every((x) => x === 0)) sums[mix32(fnv1a(text)) % dims] = 1
  return unit(sums)
}

function* words(text: string): Generator<string> {
  const lower = text.toLowerCase()
  let from = -1
  for (let i = 0; i <= lower.length; i++) {
    const unitAt = i < lower.length ? lower.charCodeAt(i) : 0
    const inWord =
      (unitAt >= 0x30 && unitAt <= 0x39) || (unitAt >= 0x61 && unitAt <= 0x7a) || unitAt >= 0xc0
    if (inWord && from < 0) from = i
    if (!inWord && from >= 0) {
      yield lower.slice(from, i)
      from = -1
    }
  }
}
