import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { BGE_SMALL_INT8, manifestFor, MINILM_INT8, ONNX_RUNTIME } from './manifests.ts'
import type { FileManifest } from './manifests.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const vendored = join(root, 'public/models/all-MiniLM-L6-v2')
const bge = join(root, '../shared/models/bge-small-en-v1.5')
if (!existsSync(bge)) console.info('skipped: ../shared/models/bge-small-en-v1.5 is not here')

function found(folder: string, manifest: FileManifest) {
  return manifest.files.map(({ path }) => {
    const bytes = readFileSync(join(folder, path))
    return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  })
}

describe('the manifests compiled into the package', () => {
  it('describe the vendored model to the byte', () => {
    expect(found(vendored, MINILM_INT8)).toEqual(MINILM_INT8.files)
  })

  it('have the vendored manifest.json as their copy', () => {
    expect(JSON.parse(readFileSync(join(vendored, 'manifest.json'), 'utf8'))).toEqual(MINILM_INT8)
  })

  it('lie beside the licence and the notice of the model, and nothing else', () => {
    expect(readdirSync(vendored).sort()).toEqual([
      'LICENSE.txt',
      'NOTICE.txt',
      'config.json',
      'manifest.json',
      'onnx',
      'tokenizer.json',
      'tokenizer_config.json',
    ])
    expect(readFileSync(join(vendored, 'LICENSE.txt'), 'utf8')).toContain('Apache License')
  })

  it('describe the installed ONNX Runtime to the byte', () => {
    const folder = dirname(createRequire(import.meta.url).resolve('onnxruntime-web/wasm'))
    expect(found(folder, ONNX_RUNTIME)).toEqual(ONNX_RUNTIME.files)
  })

  it.skipIf(!existsSync(bge))(
    'describe the optional bge-small-en-v1.5, where its files are',
    () => {
      expect(found(bge, BGE_SMALL_INT8)).toEqual(BGE_SMALL_INT8.files)
    },
  )

  it('are chosen by the name of the model folder, whatever the address', () => {
    for (const place of [
      '/models/all-MiniLM-L6-v2/',
      'https://a.example/x/all-MiniLM-L6-v2?v=2',
      'C:\\models\\all-MiniLM-L6-v2',
      new URL('file:///m/all-MiniLM-L6-v2/'),
    ]) {
      expect(manifestFor(place)).toBe(MINILM_INT8)
    }
    expect(manifestFor('./bge-small-en-v1.5')).toBe(BGE_SMALL_INT8)
  })

  it('refuse a model nobody vouches for', () => {
    expect(() => manifestFor('/models/other/')).toThrow(
      expect.objectContaining({ code: 'input/invalid' }),
    )
    expect(() => manifestFor('')).toThrow(expect.objectContaining({ code: 'input/invalid' }))
  })
})
