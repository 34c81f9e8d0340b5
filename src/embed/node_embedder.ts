/**
 * Embedding inside a Node process. The native runtime is faster; it rounds otherwise than wasm,
 * which the int8 model amplifies to a cosine of .995 to 1 between the two. A corpus takes all its
 * vectors from one; `runtime: 'wasm'` gives a page's to the bit.
 */
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import { isNode } from '../base/platform.ts'
import type { EmbedderIdentity } from '../types.ts'
import type { Embedder, EmbedOptions } from './embedder.ts'
import { VerifiedFiles } from './files.ts'
import type { FileProgress } from './files.ts'
import { manifestFor } from './manifests.ts'
import type { ModelManifest } from './manifests.ts'
import { wasmForNode } from './node_wasm.ts'
import { TransformerModel } from './transformer_model.ts'

export interface NodeEmbedderOptions {
  /** A path, a file URL, or an http(s) address. */
  readonly model: string | URL
  /** Default: the known manifest of the directory's name. */
  readonly manifest?: ModelManifest
  /** `native` (default), or `wasm` for vectors equal to a page's; one of the two a process. */
  readonly runtime?: 'native' | 'wasm'
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: FileProgress) => void
}

export class NodeEmbedder implements Embedder {
  readonly identity: EmbedderIdentity
  readonly meaningTrust: number | undefined

  private closed = false

  private constructor(
    manifest: ModelManifest,
    private readonly model: TransformerModel,
  ) {
    this.identity = manifest.identity
    this.meaningTrust = manifest.meaningTrust
  }

  /** Verifies and loads the model. Rejects with `model/*`, `input/invalid` or `aborted`. */
  static async open(options: NodeEmbedderOptions): Promise<NodeEmbedder> {
    if (!isNode())
      throw new HubmeshError(
        'input/invalid',
        'NodeEmbedder runs in Node alone; in a page use EmbedderPool.',
      )
    const manifest = options.manifest ?? manifestFor(options.model)
    const { signal, onProgress } = options
    const files = new VerifiedFiles({ manifest, base: options.model, cache: null })
    const runtime = options.runtime === 'wasm' ? await wasmForNode(signal) : null
    const model = await TransformerModel.load(
      manifest,
      (path) => files.read(path, { signal, onProgress }),
      runtime,
    )
    return new NodeEmbedder(manifest, model)
  }

  async embed(texts: readonly string[], { kind, signal }: EmbedOptions): Promise<Float32Array[]> {
    const vectors: Float32Array[] = []
    for (const text of texts) {
      throwIfAborted(signal)
      if (this.closed) throw new HubmeshError('aborted', 'The embedder was closed.')
      vectors.push(await this.model.embed(text, kind))
    }
    throwIfAborted(signal)
    return vectors
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    await this.model.close()
  }
}
