/**
 * Copies ONNX Runtime's wasm and glue from the installed onnxruntime-web to DIR (default public/ort),
 * which is not in git. Only files that src/embed/manifests.ts vouches for.
 *
 * node scripts/build/copy_ort.mjs [DIR]
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const target = resolve(process.argv[2] ?? join(root, 'public/ort'))
const source = dirname(createRequire(import.meta.url).resolve('onnxruntime-web/wasm'))
const manifests = readFileSync(join(root, 'src/embed/manifests.ts'), 'utf8')

mkdirSync(target, { recursive: true })
for (const name of ['ort-wasm-simd-threaded.wasm', 'ort-wasm-simd-threaded.mjs']) {
  const bytes = readFileSync(join(source, name))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (!manifests.includes(`'${name}'`) || !manifests.includes(sha256)) {
    throw new Error(
      `${join(source, name)} (SHA-256 ${sha256}) is not the file of src/embed/manifests.ts. ` +
        'Install the locked onnxruntime-web, or update the manifest with it.',
    )
  }
  const to = join(target, name)
  if (
    statSync(to, { throwIfNoEntry: false })?.size === bytes.length &&
    readFileSync(to).equals(bytes)
  )
    continue
  writeFileSync(to, bytes)
  process.stdout.write(`${to}: ${bytes.length} bytes\n`)
}
