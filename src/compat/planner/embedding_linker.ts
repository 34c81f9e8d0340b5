/** Linking by meaning: forms whose vectors are alike are one name. */
import type { Embedder } from '../../embed/embedder.ts'
import { HubmeshError, throwIfAborted } from '../../base/errors.ts'
import { canonicalize } from '../../graph/canonicalize.ts'
import { yieldToEvents } from '../../base/platform.ts'
import { toUnitVector } from '../../vector/unit_vector.ts'
import type { Linker, LinkOptions } from './linker.ts'
import { longestFirst } from './linker.ts'

/** Vectors of many names, in order. */
export type EmbedNames = (
  names: readonly string[],
  options: LinkOptions,
) => readonly ArrayLike<number>[] | Promise<readonly ArrayLike<number>[]>

export interface EmbeddingLinkerOptions {
  /** Cosine from which two forms are one name, in (0, 1]; default .82. */
  readonly threshold?: number
}

/** Products between two turns of the event loop. */
const WORK_PER_TURN = 2_000_000

export class EmbeddingLinker implements Linker {
  readonly threshold: number
  private readonly embed: Embedder | EmbedNames

  /** Throws `input/invalid` for a threshold out of range. */
  constructor(embed: Embedder | EmbedNames, options: EmbeddingLinkerOptions = {}) {
    this.threshold = options.threshold ?? 0.82
    if (!(this.threshold > 0 && this.threshold <= 1))
      throw new HubmeshError(
        'input/invalid',
        `The threshold of the linker is ${this.threshold}; it must be above 0 and at most 1.`,
        { details: { field: 'threshold' } },
      )
    this.embed = embed
  }

  /**
   * Each form, longest first, joins the first cluster whose representative has a cosine of at least
   * the threshold with it, else begins one: the representative is the longest form of its cluster.
   * Rejects as the embedder does, with `input/invalid` for vectors that cannot be compared, and
   * with `aborted`.
   */
  async link(mentions: readonly string[], options: LinkOptions = {}): Promise<Map<string, string>> {
    throwIfAborted(options.signal)
    const forms = new Map<string, string>()
    for (const mention of mentions) {
      const form = canonicalize(mention)
      if (form !== '') forms.set(mention, form)
    }
    const names = [...new Set(forms.values())].sort(longestFirst)
    if (names.length <= 1) return forms
    const vectors = await this.vectors(names, options)
    const clusters: { readonly form: string; readonly vector: Float32Array }[] = [],
      target = new Map<string, string>()
    let work = 0
    for (const [i, form] of names.entries()) {
      const vector = vectors[i]!
      let cluster = null
      for (const candidate of clusters) {
        work += vector.length
        if (cosine(candidate.vector, vector) >= this.threshold) {
          cluster = candidate
          break
        }
      }
      if (cluster === null) clusters.push({ form, vector })
      target.set(form, cluster?.form ?? form)
      if (work < WORK_PER_TURN) continue
      work = 0
      await yieldToEvents()
      throwIfAborted(options.signal)
    }
    for (const [mention, form] of forms) forms.set(mention, target.get(form)!)
    return forms
  }

  private async vectors(names: readonly string[], options: LinkOptions): Promise<Float32Array[]> {
    const signal = options.signal ? { signal: options.signal } : {}
    const made =
      typeof this.embed === 'function'
        ? await this.embed(names, signal)
        : await this.embed.embed(names, { kind: 'passage', ...signal })
    if (made.length !== names.length)
      throw new HubmeshError(
        'input/invalid',
        `The linker's embedder gave ${made.length} vectors for ${names.length} names; it must give one each.`,
      )
    const dims = made[0]!.length
    return made.map((vector, i) => unitOf(vector, dims, i))
  }
}

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

function unitOf(vector: ArrayLike<number>, dims: number, at: number): Float32Array {
  try {
    return toUnitVector(vector, dims)
  } catch (error) {
    throw new HubmeshError(
      'input/invalid',
      `The linker's embedder gave no usable vector for name ${at}: ${error instanceof Error ? error.message : ''}`,
      { cause: error },
    )
  }
}
