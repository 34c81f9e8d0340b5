/** LRU cache of embeddings: a slider that asks the same again must not embed it again. */
import { HubmeshError } from '../base/errors.ts'
import { Lru } from '../base/lru.ts'
import type { Embedder, EmbedKind } from '../embed/embedder.ts'

export class TextVectors {
  private readonly known: Lru<string, Float32Array>

  constructor(
    private readonly embedder: Embedder,
    private readonly kind: EmbedKind,
    kept: number,
  ) {
    this.known = new Lru(kept)
  }

  async get(text: string, signal?: AbortSignal): Promise<Float32Array> {
    const known = this.known.get(text)
    if (known) return known
    const { dims } = this.embedder.identity
    const [vector] = await this.embedder.embed([text], {
      kind: this.kind,
      ...(signal ? { signal } : {}),
    })
    if (vector?.length !== dims || !vector.every(Number.isFinite))
      throw new HubmeshError(
        'model/incompatible',
        `The embedder gave no usable vector of ${dims} components for the ` +
          `${this.kind === 'query' ? 'question' : 'sentence'}.`,
      )
    this.known.set(text, vector)
    return vector
  }
}
