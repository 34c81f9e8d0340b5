/**
 * The two runtimes of a model in Node: the wasm that comes with the package, a page's to the bit,
 * and the native one of the optional peer onnxruntime-node. transformers.js holds one a process.
 */
import { HubmeshError } from '../base/errors.ts'
import { nodeBuiltin } from '../base/platform.ts'
import { VerifiedFiles } from './files.ts'
import { ONNX_RUNTIME } from './manifests.ts'
import type { WasmRuntime } from './transformer_model.ts'

interface NodeModule {
  createRequire(from: string): ((id: string) => unknown) & { resolve(id: string): string }
}
interface NodePath {
  dirname(path: string): string
  join(...parts: string[]): string
}

/** Where transformers.js looks for a runtime of its host; read when it is first loaded. */
const HOST_RUNTIME = Symbol.for('onnxruntime')
const host = globalThis as Record<symbol, unknown>

/**
 * The folder of ONNX Runtime's wasm: `ort` of the built package; from the sources, the installed
 * onnxruntime-web.
 */
export function onnxRuntimeFolder(): string {
  const { dirname, join } = nodeBuiltin<NodePath>('node:path')!
  const { existsSync } = nodeBuiltin<{ existsSync(path: string): boolean }>('node:fs')!
  const { fileURLToPath } = nodeBuiltin<{ fileURLToPath(url: string): string }>('node:url')!
  const name = ONNX_RUNTIME.files[0]!.path
  let folder = dirname(fileURLToPath(import.meta.url))
  for (let up = 0; up < 3; up++, folder = dirname(folder))
    if (existsSync(join(folder, 'ort', name))) return join(folder, 'ort')
  try {
    const { createRequire } = nodeBuiltin<NodeModule>('node:module')!
    return dirname(createRequire(import.meta.url).resolve('onnxruntime-web/wasm'))
  } catch (cause) {
    throw new HubmeshError(
      'model/incompatible',
      `${name} of ONNX Runtime is not beside the code of hubmesh. Install the package again; a ` +
        'bundle of your own for Node leaves hubmesh out (external: hubmesh).',
      { cause },
    )
  }
}

/** Rejects with `model/integrity` when the wasm is not the pinned one. */
export async function wasmForNode(signal?: AbortSignal): Promise<WasmRuntime> {
  const { join } = nodeBuiltin<NodePath>('node:path')!
  const { pathToFileURL } = nodeBuiltin<{ pathToFileURL(path: string): URL }>('node:url')!
  const folder = onnxRuntimeFolder()
  const [wasm, glue] = ONNX_RUNTIME.files.map((file) => file.path) as [string, string]
  const files = new VerifiedFiles({ manifest: ONNX_RUNTIME, base: folder })
  await files.read(glue, { signal })
  const bytes = await files.read(wasm, { signal })
  host[HOST_RUNTIME] ??= await import('onnxruntime-web/wasm')
  return { wasm: bytes, glueUrl: pathToFileURL(join(folder, glue)).href, threads: 1 }
}

/** Throws `model/incompatible` where the peer is not installed. */
export function nativeForNode(): void {
  if (host[HOST_RUNTIME] !== undefined) return
  const { createRequire } = nodeBuiltin<NodeModule>('node:module')!
  try {
    host[HOST_RUNTIME] = createRequire(import.meta.url)('onnxruntime-node')
  } catch (cause) {
    throw new HubmeshError(
      'model/incompatible',
      "runtime: 'native' needs the package onnxruntime-node, which cannot be loaded here. Install " +
        "it beside hubmesh (npm install onnxruntime-node), or use runtime: 'wasm'.",
      { cause, details: { option: 'runtime' } },
    )
  }
}
