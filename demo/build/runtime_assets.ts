/** Owns the copy of ONNX Runtime's files into public/ort. Refuses: fetching them from anywhere but the installed package. */
import { copyFile, mkdir, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const FILES = ['ort-wasm-simd-threaded.wasm', 'ort-wasm-simd-threaded.mjs'] as const

/** Copies the runtime before a build or a development server starts; files of the same size are left alone. */
export function copyRuntime(directory: string): Plugin {
  return {
    name: 'hubmesh-demo-runtime',
    async configResolved() {
      // The package's main file lies in the folder that also holds the wasm.
      const from = dirname(createRequire(import.meta.url).resolve('onnxruntime-web'))
      await mkdir(directory, { recursive: true })
      for (const file of FILES) {
        const source = join(from, file)
        const target = join(directory, file)
        if ((await sizeOf(target)) !== (await sizeOf(source))) await copyFile(source, target)
      }
    },
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch {
    return -1
  }
}
