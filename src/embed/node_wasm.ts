/**
 * The page's runtime inside Node: the same vectors to the bit at less than half the native speed.
 * transformers.js holds one runtime a process.
 */
import { HubmeshError } from '../base/errors.ts'
import { nodeBuiltin } from '../base/platform.ts'
import { VerifiedFiles } from './files.ts'
import { ONNX_RUNTIME } from './manifests.ts'
import type { WasmRuntime } from './transformer_model.ts'

interface NodeModule {
  createRequire(from: string): ((id: string) => unknown) & { resolve(id: string): string }
}

/** Where transformers.js looks for a runtime of its host. */
const HOST_RUNTIME = Symbol.for('onnxruntime')

/**
 * Installs the wasm of the installed onnxruntime-web, before transformers.js is first loaded.
 * Rejects with `model/integrity` when it is not the pinned one.
 */
export async function wasmForNode(signal?: AbortSignal): Promise<WasmRuntime> {
  const { createRequire } = nodeBuiltin<NodeModule>('node:module')!
  const { dirname, join } = nodeBuiltin<{
    dirname(path: string): string
    join(...parts: string[]): string
  }>('node:path')!
  const { pathToFileURL } = nodeBuiltin<{ pathToFileURL(path: string): URL }>('node:url')!
  let folder: string
  try {
    const fromTransformers = createRequire(
      createRequire(import.meta.url).resolve('@xenova/transformers'),
    )
    folder = dirname(fromTransformers.resolve('onnxruntime-web/wasm'))
    ;(globalThis as Record<symbol, unknown>)[HOST_RUNTIME] ??=
      fromTransformers('onnxruntime-web/wasm')
  } catch (error) {
    throw new HubmeshError(
      'model/incompatible',
      'The package onnxruntime-web, which comes with @huggingface/transformers, cannot be ' +
        'loaded. Install the dependencies again.',
      { cause: error },
    )
  }
  const [wasm, glue] = ONNX_RUNTIME.files.map((file) => file.path) as [string, string]
  const files = new VerifiedFiles({ manifest: ONNX_RUNTIME, base: folder })
  await files.read(glue, { signal })
  return {
    wasm: await files.read(wasm, { signal }),
    glueUrl: pathToFileURL(join(folder, glue)).href,
    threads: 1,
  }
}
