/**
 * Owns the page's runtime inside a Node process: the same wasm, so the same vectors to the bit, at
 * less than half the native speed. The int8 model amplifies a rounding difference between runtimes
 * to a cosine of .995 for some texts, so a program whose answers must equal a page's embeds its
 * questions this way. Refuses: both runtimes in one process, since transformers.js holds one.
 */
import { HubmeshError } from '../base/errors.ts'
import { nodeBuiltin } from '../base/platform.ts'
import { VerifiedFiles } from './files.ts'
import { ONNX_RUNTIME } from './manifests.ts'
import type { WasmRuntime } from './transformer_model.ts'

interface NodeModule {
  createRequire(from: string): ((id: string) => unknown) & { resolve(id: string): string }
}

/** Where transformers.js looks for a runtime that its host provides. */
const HOST_RUNTIME = Symbol.for('onnxruntime')

/**
 * Installs the wasm of the installed onnxruntime-web for this process, before transformers.js is
 * first loaded. Rejects with `model/integrity` when it is not the one the package vouches for.
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
