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
import { TransformerModel } from './transformer_model.ts'
import { EMBED_METHODS } from './worker_protocol.ts'
import type { EmbedService } from './worker_protocol.ts'

/** `endpoint`: the worker's own scope or a port. */
export function serveEmbedding(endpoint: Endpoint): void {
  let model: TransformerModel | null = null
  let loading = false
  serve<EmbedService>(endpoint, EMBED_METHODS, {
    async load({ signal, report }, options) {
      if (loading)
        throw new HubmeshError(
          'bug/invariant',
          'An embedding worker was told to load twice. This is a fault of hubmesh; please report it.',
        )
      loading = true
      const notices: FileNotice[] = []
      const shared = {
        onNotice: (notice: FileNotice) => {
          notices.push(notice)
        },
        ...(options.cache ? {} : { cache: null }),
      }
      const runtime = new VerifiedFiles({
        ...shared,
        manifest: ONNX_RUNTIME,
        base: options.runtimeUrl,
      })
      const files = new VerifiedFiles({
        ...shared,
        manifest: options.manifest,
        base: options.modelUrl,
      })
      const [wasmFile, glueFile] = ONNX_RUNTIME.files as [
        (typeof ONNX_RUNTIME.files)[number],
        (typeof ONNX_RUNTIME.files)[number],
      ]
      const needed = [wasmFile, glueFile, ...options.manifest.files]
      const totalBytes = needed.reduce((sum, file) => sum + file.bytes, 0)
      const loaded = new Map<string, number>()
      const onProgress = (key: string, bytes: number): void => {
        loaded.set(key, bytes)
        let loadedBytes = 0
        for (const count of loaded.values()) loadedBytes += count
        report({ kind: 'download', loadedBytes, totalBytes })
      }
      const readFrom = (source: VerifiedFiles, name: string) => (path: string) =>
        source.read(path, {
          signal,
          onProgress: (progress) => {
            onProgress(`${name}/${path}`, progress.loadedBytes)
          },
        })
      const readRuntime = readFrom(runtime, ONNX_RUNTIME.name)
      const wasm = await readRuntime(wasmFile.path)
      await readRuntime(glueFile.path) // Only checked here; the browser imports it by its address.
      const threads = isIsolated() ? Math.max(1, options.threads) : 1
      model = await TransformerModel.load(
        options.manifest,
        readFrom(files, options.manifest.name),
        {
          wasm,
          threads,
          glueUrl: new URL(glueFile.path, withSlash(options.runtimeUrl)).href,
        },
      )
      return { threads, notices }
    },
    async embed(_context, text, kind) {
      if (model === null)
        throw new HubmeshError(
          'bug/invariant',
          'An embedding worker was asked before its model was loaded. This is a fault of hubmesh; please report it.',
        )
      return model.embed(text, kind)
    },
  })
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`
}
