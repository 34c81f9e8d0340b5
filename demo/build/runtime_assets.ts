/** Puts ONNX Runtime's files into public/ort before a build or a development server starts. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const script = fileURLToPath(new URL('../../scripts/build/copy_ort.mjs', import.meta.url))

/**
 * Runs scripts/build/copy_ort.mjs, which takes the files from the installed package and checks
 * their digests.
 */
export function copyRuntime(): Plugin {
  return {
    name: 'hubmesh-demo-runtime',
    configResolved() {
      const done = spawnSync(process.execPath, [script], { stdio: 'inherit' })
      if (done.status !== 0)
        throw new Error(
          'The files of ONNX Runtime could not be copied to public/ort; the lines above say why.',
        )
    },
  }
}
