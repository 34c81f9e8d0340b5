/**
 * The serving side of an embedding worker: fetches, verifies and builds one model, then embeds one
 * text a run. Its ONNX heap only grows; the pool ends it.
 */
import type { Endpoint } from 'comlink'
import { HubmeshError } from '../base/errors.ts'
import { isIsolated } from '../base/platform.ts'
import { serve } from '../port/serve.ts'
import type { FileNotice } from './file_cache.ts'
import { VerifiedFiles } from './files.ts'
import { ONNX_RUNTIME } from './manifests.ts'
import type { FileManifest } from './manifests.ts'
import { TransformerModel } from './transformer_model.ts'
import type { ModelBytes } from './transformer_model.ts'
import { EMBED_METHODS } from './worker_protocol.ts'
import type { EmbedService, EmbedWorkerOptions } from './worker_protocol.ts'

/** `endpoint`: the worker's own scope or a port. */
export function serveEmbedding(endpoint: Endpoint): void {
  let model: TransformerModel | null = null
  let loading = false
  serve<EmbedService>(endpoint, EMBED_METHODS, {
    async load({ signal, report }, options) {
      if (loading) throw fault('told to load twice')
      loading = true
      const loader = new Loader(options, signal, (loadedBytes, totalBytes) => {
        report({ kind: 'download', loadedBytes, totalBytes })
      })
      model = await loader.load()
      return { threads: loader.threads, notices: loader.notices }
    },
    async embed(_context, text, kind) {
      if (model === null) throw fault('asked before its model was loaded')
      return model.embed(text, kind)
    },
  })
}

function fault(what: string): HubmeshError {
  return new HubmeshError(
    'bug/invariant',
    `An embedding worker was ${what}. This is a fault of hubmesh; please report it.`,
  )
}

/** Fetches runtime and model, with one progress over all files. */
class Loader {
  readonly threads: number
  readonly notices: FileNotice[] = []
  private readonly loaded = new Map<string, number>()
  private readonly totalBytes: number

  constructor(
    private readonly options: EmbedWorkerOptions,
    private readonly signal: AbortSignal,
    private readonly onProgress: (loadedBytes: number, totalBytes: number) => void,
  ) {
    this.threads = isIsolated() ? Math.max(1, options.threads) : 1
    this.totalBytes = [...ONNX_RUNTIME.files, ...options.manifest.files].reduce(
      (sum, file) => sum + file.bytes,
      0,
    )
  }

  async load(): Promise<TransformerModel> {
    const { manifest, modelUrl, runtimeUrl } = this.options,
      [wasmFile, glueFile] = ONNX_RUNTIME.files.map(({ path }) => path),
      readRuntime = this.reader(ONNX_RUNTIME, runtimeUrl)
    const wasm = await readRuntime(wasmFile!)
    await readRuntime(glueFile!) // only checked here; the browser imports it by its address
    const glueUrl = new URL(glueFile!, runtimeUrl.endsWith('/') ? runtimeUrl : `${runtimeUrl}/`)
    return TransformerModel.load(manifest, this.reader(manifest, modelUrl), {
      wasm,
      threads: this.threads,
      glueUrl: glueUrl.href,
    })
  }

  private reader(manifest: FileManifest, base: string): (path: string) => Promise<ModelBytes> {
    const files = new VerifiedFiles({
      manifest,
      base,
      onNotice: (notice) => {
        this.notices.push(notice)
      },
      ...(this.options.cache ? {} : { cache: null }),
    })
    return (path) =>
      files.read(path, {
        signal: this.signal,
        onProgress: ({ loadedBytes }) => {
          this.loaded.set(`${manifest.name}/${path}`, loadedBytes)
          this.onProgress(
            [...this.loaded.values()].reduce((sum, bytes) => sum + bytes, 0),
            this.totalBytes,
          )
        },
      })
  }
}
