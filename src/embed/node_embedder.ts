/**
 * Embedding inside a Node process: by wasm, which gives a page's vectors to the bit, or by the
 * faster native runtime, which rounds otherwise. A corpus takes all its vectors from one.
 */
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import { isNode } from '../base/platform.ts'
import type { EmbedderIdentity, ModelRuntime } from '../types.ts'
import type { Embedder, EmbedOptions } from './embedder.ts'
import { VerifiedFiles } from './files.ts'
import type { FileProgress } from './files.ts'
import { manifestFor } from './manifests.ts'
import type { ModelManifest } from './manifests.ts'
import { nativeForNode, wasmForNode } from './node_runtimes.ts'
import { TransformerModel } from './transformer_model.ts'

export interface NodeEmbedderOptions {
  /** A path, a file URL, or an http(s) address. */
  readonly model: string | URL
  /** Default: the known manifest of the directory's name. */
  readonly manifest?: ModelManifest
  /**
   * `wasm` (default), whose vectors equal a page's, or `native` for speed, which needs the package
   * onnxruntime-node; one of the two a process.
   */
  readonly runtime?: ModelRuntime
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: FileProgress) => void
}

export class NodeEmbedder implements Embedder {
  readonly identity: EmbedderIdentity
  readonly meaningTrust: number | undefined
  readonly reads: 'latin' | undefined

  private closed = false

  private constructor(
    manifest: ModelManifest,
    runtime: ModelRuntime,
    private readonly model: TransformerModel,
  ) {
    this.identity = { ...manifest.identity, runtime }
    this.meaningTrust = manifest.meaningTrust
    this.reads = manifest.reads
  }

  /** Verifies and loads the model. Rejects with `model/*`, `input/invalid` or `aborted`. */
  static async open(options: NodeEmbedderOptions): Promise<NodeEmbedder> {
    if (!isNode())
      throw new HubmeshError(
        'input/invalid',
        'NodeEmbedder runs in Node alone; in a page use EmbedderPool.',
      )
    const manifest = options.manifest ?? manifestFor(options.model)
    const { signal, onProgress, runtime = 'wasm' } = options
    if (runtime !== 'wasm' && runtime !== 'native')
      throw new HubmeshError(
        'input/invalid',
        `The option runtime is "wasm" or "native", not ${JSON.stringify(runtime)}.`,
        { details: { option: 'runtime' } },
      )
    const files = new VerifiedFiles({ manifest, base: options.model, cache: null })
    if (runtime === 'native') nativeForNode()
    const model = await TransformerModel.load(
      manifest,
      (path) => files.read(path, { signal, onProgress }),
      runtime === 'wasm' ? await wasmForNode(signal) : null,
    )
    return new NodeEmbedder(manifest, runtime, model)
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
