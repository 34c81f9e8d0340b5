/** Stand-in embedders: a shared one, and one whose vectors all exist already. */
import type { Embedder } from '../embed/embedder.ts'
import { HubmeshError } from '../base/errors.ts'

/** The embedder for an engine that must not close it. */
export function borrowed(embedder: Embedder): Embedder {
  return {
    identity: embedder.identity,
    embed: (texts, options) => embedder.embed(texts, options),
    ...(embedder.ready ? { ready: (signal?: AbortSignal) => embedder.ready!(signal) } : {}),
    ...(embedder.concurrency === undefined ? {} : { concurrency: embedder.concurrency }),
    close: () => Promise.resolve(),
  }
}

/**
 * Names the model of vectors that come with their documents; asked for another one it says that it
 * has none.
 */
export function precomputed(model: string, dims: number): Embedder {
  return {
    identity: { model, revision: 'hubmesh-python', dtype: 'float32', dims, pooling: 'mean' },
    embed: () =>
      Promise.reject(
        new HubmeshError(
          'model/incompatible',
          `These vectors were made by ${model} elsewhere; it is not at hand to embed another ` +
            `text. Pass queryVector, or import with vectors: 'own'.`,
        ),
      ),
    close: () => Promise.resolve(),
  }
}
