/** LRU cache of question embeddings: a slider that asks the same again must not embed it again. */
import type { Embedder } from '../embed/embedder.ts'
import { HubmeshError } from '../base/errors.ts'
import { Lru } from '../base/lru.ts'

const KEPT = 64

export class QueryVectors {
  private readonly known = new Lru<string, Float32Array>(KEPT)

  constructor(private readonly embedder: Embedder) {}

  async get(question: string, signal?: AbortSignal): Promise<Float32Array> {
    const known = this.known.get(question)
    if (known) return known
    const [vector] = await this.embedder.embed([question], {
      kind: 'query',
      ...(signal ? { signal } : {}),
    })
    if (vector?.length !== this.embedder.identity.dims || !vector.every(Number.isFinite)) {
      throw new HubmeshError(
        'model/incompatible',
        `The embedder gave no usable vector of ${this.embedder.identity.dims} components for the question.`,
      )
    }
    this.known.set(question, vector)
    return vector
  }
}
