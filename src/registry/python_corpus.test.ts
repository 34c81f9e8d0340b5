import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { crc32 } from '../base/checksum.ts'
import { checkedJson } from './checked_json.ts'
import { decodeRows, decodeStrings, encodeRows, encodeStrings } from './numpy.ts'
import { pythonCorpusFiles, readPythonCorpus, type FolderReader } from './python_corpus.ts'
import { readZip, writeZip } from '../document/zip.ts'

const DEMO = new URL('../../../shared/fixtures/hubmesh/corpus/demo', import.meta.url).pathname
const hasDemo = existsSync(DEMO)
if (!hasDemo) console.info('skipped: ../shared/fixtures/hubmesh/corpus/demo is not here')

const text = (value: string): Uint8Array => new TextEncoder().encode(value)
const folderOf =
  (files: ReadonlyMap<string, Uint8Array>): FolderReader =>
  (path) =>
    Promise.resolve(files.get(path) ?? null)
const fromDisk =
  (folder: string): FolderReader =>
  (path) =>
    Promise.resolve(
      existsSync(join(folder, path)) ? new Uint8Array(readFileSync(join(folder, path))) : null,
    )

const graph = {
  nodes: [['doc:a', { kind: 'doc' }]],
  edges: [],
  doc_to_entities: { a: [] },
  entity_to_docs: {},
  entity_canonical_to_node: {},
  entity_node_to_label: {},
}
const documents = [
  { id: 'a', text: 'Anna met Bo.', metadata: { title: 'Anna' }, vector: Float32Array.of(1, 0, 0) },
  {
    id: 'ü 😀',
    text: 'Zwei\u2028Zeilen\n',
    metadata: { __proto__x: 1 },
    vector: Float32Array.of(0, 0.6, 0.8),
  },
]
const files = (): Map<string, Uint8Array> =>
  pythonCorpusFiles({ documents, dims: 3, embedding: 'some-model', graph })
const generationOf = (all: ReadonlyMap<string, Uint8Array>): string =>
  new TextDecoder().decode(all.get('CURRENT'))

/** The same files with one replaced. */
function withFile(name: string, bytes: Uint8Array): Map<string, Uint8Array> {
  const all = files()
  all.set(`${generationOf(all)}/${name}`, bytes)
  return all
}

describe('a corpus folder of hubmesh for Python', () => {
  it.skipIf(!hasDemo)('is read whole: documents, vectors, graph, model', async () => {
    const corpus = await readPythonCorpus(fromDisk(DEMO))
    expect(corpus).toMatchObject({
      formatVersion: 2,
      generation: 'gen-48e237ee',
      embedding: 'all-MiniLM-L6-v2',
      dims: 384,
      rejected: [],
    })
    expect(corpus.documents.length).toBe(120)
    const alu = corpus.documents.find(({ id }) => id === 'Alû')!
    expect(alu.title).toBe('Alû')
    expect(alu.text.startsWith('Alû. In Akkadian')).toBe(true)
    expect(alu.vector.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 4)
    expect((corpus.graph as { nodes: unknown[] }).nodes.length).toBe(951)
  })

  it('comes back as it was written, and is written the same each time', async () => {
    const all = files(),
      corpus = await readPythonCorpus(folderOf(all))
    expect(
      corpus.documents.map(({ id, text: body, metadata, vector }) => ({
        id,
        text: body,
        metadata,
        vector,
      })),
    ).toEqual(documents)
    expect(corpus.graph).toEqual(graph)
    expect([...files()]).toEqual([...all])
    expect([...all.keys()].at(-1)).toBe('CURRENT')
  })

  it('may lie flat, as format 1 did, without saying its model', async () => {
    const all = files(),
      flat = new Map<string, Uint8Array>()
    for (const [path, bytes] of all)
      if (path !== 'CURRENT') flat.set(path.slice(path.indexOf('/') + 1), bytes)
    flat.set('meta.json', text('{"format_version": 1, "n_docs": 2}'))
    expect(await readPythonCorpus(folderOf(flat))).toMatchObject({
      formatVersion: 1,
      generation: null,
      embedding: null,
      dims: 3,
    })
  })

  it('is refused by name where it is none, is newer, or does not fit together', async () => {
    const refused = (all: ReadonlyMap<string, Uint8Array>): Promise<unknown> =>
      readPythonCorpus(folderOf(all)).then(
        () => 'read',
        (error: { code: string }) => error.code,
      )
    expect(await refused(new Map())).toBe('corpus/not-found')
    expect(await refused(new Map([['CURRENT', text('../../etc')]]))).toBe('corpus/not-found')
    expect(await refused(withFile('meta.json', text('{"format_version": 3}')))).toBe(
      'archive/version',
    )
    expect(
      await refused(withFile('meta.json', text('{"format_version": 2, "embedding": {"dim": 4}}'))),
    ).toBe('archive/invalid')
    expect(
      await refused(withFile('docs.jsonl', text('{"id": "other", "text": "no vector"}\n'))),
    ).toBe('archive/invalid')
    expect(await refused(withFile('docs.jsonl', text('{"id": "a", "text": "x"\n')))).toBe(
      'archive/invalid',
    )
    expect(await refused(withFile('kg.json', text('[')))).toBe('archive/invalid')
    expect(
      await refused(
        withFile(
          'vectors.npz',
          writeZip(
            new Map([
              ['doc_ids.npy', encodeStrings(['a'])],
              ['vectors.npy', encodeRows([Float32Array.of(NaN, 0, 0)], 3)],
            ]),
          ),
        ),
      ),
    ).toBe('archive/invalid')
  })

  it('loses documents without text, each by name, and no others', async () => {
    const corpus = await readPythonCorpus(
      folderOf(
        withFile(
          'docs.jsonl',
          text('{"id": "a", "text": " "}\n\n{"id": "ü 😀", "text": "Zwei"}\n'),
        ),
      ),
    )
    expect(corpus.documents.map(({ id }) => id)).toEqual(['ü 😀'])
    expect(corpus.rejected).toMatchObject([{ name: 'a', code: 'input/invalid' }])
  })

  it('keeps what JSON cannot say: NaN as null, long integers as text, each with a warning', async () => {
    const lines = [
      '{"id": "a", "text": "NaN is 9007199254740993.", "metadata": {"x": NaN, "y": [Infinity, -Infinity, 1.5]}}',
      '{"id": "b", "text": "\\"NaN\\" \\\\", "metadata": {"n": 9007199254740993, ' +
        '"m": -123456789012345678901234, "k": 9007199254740991, "e": 1e30}}',
      '{"id": "c", "text": "  ", "metadata": {}}',
    ]
    const all = pythonCorpusFiles({
      documents: ['a', 'b', 'c'].map((id) => ({ ...documents[0]!, id })),
      dims: 3,
      embedding: 'some-model',
      graph,
    })
    all.set(`${generationOf(all)}/docs.jsonl`, text(lines.join('\n')))
    const corpus = await readPythonCorpus(folderOf(all))
    expect(corpus.documents.map(({ id, text: own, metadata }) => [id, own, metadata])).toEqual([
      ['a', 'NaN is 9007199254740993.', { x: null, y: [null, null, 1.5] }],
      [
        'b',
        '"NaN" \\',
        { n: '9007199254740993', m: '-123456789012345678901234', k: 9007199254740991, e: 1e30 },
      ],
    ])
    expect(corpus.rejected.map(({ name }) => name)).toEqual(['c'])
    expect(corpus.warnings).toEqual([
      '3 numbers of metadata are NaN or infinite; they were read as null.',
      '2 whole numbers of metadata are beyond 2^53; they were kept as text, digit by digit.',
    ])
  })

  it('brings no key into a prototype', async () => {
    const corpus = await readPythonCorpus(
      folderOf(
        withFile(
          'docs.jsonl',
          text(
            '{"id": "a", "text": "x", "metadata": {"__proto__": {"evil": 1}, "constructor": 2}}\n',
          ),
        ),
      ),
    )
    expect(Object.hasOwn(corpus.documents[0]!.metadata, '__proto__')).toBe(true)
    expect(({} as { evil?: number }).evil).toBeUndefined()
  })
})

describe('zip files', () => {
  it('give what went in', async () => {
    const members = new Map([
      ['one.npy', text('first')],
      ['zwei ü', text('')],
    ])
    expect(
      await readZip(writeZip(members), ['one.npy', 'zwei ü', 'three'], { mostBytes: 100 }),
    ).toEqual(members)
  })

  it('are unpacked to the limit and not a byte further, whatever size they claim', async () => {
    const content = new Uint8Array(5_000_000),
      packed = new Uint8Array(deflateRawSync(content))
    const zip = writeZip(new Map([['bomb', packed]])),
      view = new DataView(zip.buffer)
    const central = zip.length - 22 - 46 - 4
    for (const [method, crc] of [
      [8, 14],
      [central + 10, central + 16],
    ] as const) {
      view.setUint16(method, 8, true)
      view.setUint32(crc, crc32(content), true)
    }
    await expect(readZip(zip, ['bomb'], { mostBytes: 1_000_000 })).rejects.toMatchObject({
      code: 'archive/too-large',
    })
    expect((await readZip(zip, ['bomb'], { mostBytes: 5_000_000 })).get('bomb')?.length).toBe(
      5_000_000,
    )
  })

  it('are refused with one byte changed or cut off', async () => {
    const zip = writeZip(new Map([['a', text('0123456789')]]))
    for (let cut = 0; cut < zip.length; cut++)
      await expect(readZip(zip.slice(0, cut), ['a'], { mostBytes: 100 })).rejects.toMatchObject({
        code: 'archive/invalid',
      })
    const bent = zip.slice()
    bent[33] = bent[33]! ^ 1 // inside the content
    await expect(readZip(bent, ['a'], { mostBytes: 100 })).rejects.toMatchObject({
      code: 'archive/invalid',
    })
  })
})

describe('arrays of NumPy', () => {
  it('give the strings and rows that went in', () => {
    const strings = ['', 'a', 'Alû', '😀 b\u0000c'],
      rows = [Float32Array.of(1, 2.5), Float32Array.of(-0.1, 3e-9)]
    expect(decodeStrings(encodeStrings(strings))).toEqual(strings)
    expect(decodeRows(encodeRows(rows, 2))).toEqual({ rows, dims: 2 })
  })

  it('are refused where they hold objects or fewer bytes than they say', () => {
    const object = Uint8Array.from(
      "\u0093NUMPY\u0001\u0000v\u0000{'descr': '|O', 'fortran_order': False, 'shape': (3,), }".padEnd(
        128,
      ),
      (character) => character.charCodeAt(0),
    )
    expect(() => decodeStrings(object)).toThrow(/not a list of strings/)
    expect(() => decodeRows(encodeRows([Float32Array.of(1)], 1).slice(0, -1))).toThrow(
      /bytes of data/,
    )
  })
})

describe('imported JSON', () => {
  it('is refused beyond a depth, brackets in strings not counted', () => {
    expect(() => checkedJson(text('['.repeat(1_000_000)), 'x.json')).toThrow(/nested deeper/)
    expect(checkedJson(text(JSON.stringify(['['.repeat(100), '\\"['])), 'x.json')).toEqual([
      '['.repeat(100),
      '\\"[',
    ])
  })
})
