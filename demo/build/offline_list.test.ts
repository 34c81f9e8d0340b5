import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { sortFiles } from './offline_list.ts'

describe('the list of files kept for offline use', () => {
  const files = new Map([
    ['index.html', 'a'],
    ['assets/main.js', 'b'],
    ['assets/main.js.map', 'm'],
    ['assets/transformers.web-x.js', 't'],
    ['assets/o200k_base-x.js', 'o'],
    ['sw.js', 'c'],
    ['models/x/model.onnx', 'd'],
    ['models/x/NOTICE.txt', 'n'],
    ['ort/ort.wasm', 'e'],
    ['samples/s/corpus.jsonl', 'f'],
  ])

  it('puts what the page starts with before models, runtime and samples', () => {
    const list = sortFiles(files)
    expect(list.shell).toEqual(['assets/main.js', 'index.html'])
    expect(list.later).toEqual(['assets/transformers.web-x.js'])
    expect(list.assets).toEqual({
      'models/x/NOTICE.txt': 'n',
      'models/x/model.onnx': 'd',
      'ort/ort.wasm': 'e',
      'samples/s/corpus.jsonl': 'f',
    })
  })

  it('has another version when one byte of one file is another, and the same one whatever the order', () => {
    const version = sortFiles(files).version
    expect(sortFiles(new Map([...files].reverse())).version).toBe(version)
    expect(sortFiles(new Map([...files, ['ort/ort.wasm', 'E']])).version).not.toBe(version)
  })

  it('finds its line in the service worker', async () => {
    const worker = await readFile(new URL('../../public/sw.js', import.meta.url), 'utf8')
    expect(
      worker.split("const BUILD = { version: 'unbuilt', shell: [], later: [], assets: {} }"),
    ).toHaveLength(2)
  })
})
