import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openMemoryStorage } from '../store/memory_storage.ts'
import { crc32 } from '../base/checksum.ts'
import { SETTINGS, sampleDocument, sampleRow } from '../store/testing/storage_samples.ts'
import { sameDocument } from '../store/testing/storage_invariants.ts'
import type { CorpusStorage, StoredDocument, VectorRow } from '../store/storage.ts'
import type { ArchiveInput } from './byte_source.ts'
import { FrameWriter } from './frame.ts'
import { readArchive, type ArchivePart } from './read_archive.ts'
import { encodeVectors } from './vector_section.ts'
import { encodeIndex } from './index_section.ts'
import { archiveBlob, writeArchive, type WriteArchiveOptions } from './write_archive.ts'
import { ByteWriter } from '../base/bytes.ts'
import { encodeDocuments } from '../store/records/document_codec.ts'

async function bytesOf(
  storage: CorpusStorage,
  options?: WriteArchiveOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await archiveBlob(storage, options)).arrayBuffer())
}

async function contents(
  input: ArchiveInput,
  options?: Parameters<typeof readArchive>[1],
): Promise<{ documents: StoredDocument[]; rows: VectorRow[]; parts: ArchivePart[] }> {
  const parts: ArchivePart[] = []
  for await (const part of readArchive(input, options)) parts.push(part)
  return {
    parts,
    documents: parts.flatMap((part) => (part.kind === 'documents' ? part.documents : [])),
    rows: parts.flatMap((part) => (part.kind === 'vectors' ? part.rows : [])),
  }
}

/** A stream in chunks of the given size. */
function stream(bytes: Uint8Array, chunk: number): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close()
      else controller.enqueue(bytes.subarray(at, (at += chunk)))
    },
  })
}

async function corpus(
  documents: readonly StoredDocument[],
  rows: readonly VectorRow[] = [],
): Promise<CorpusStorage> {
  const storage = openMemoryStorage(SETTINGS)
  await storage.commit({ put: documents, remove: [] })
  await storage.putVectors(rows)
  return storage
}

async function smallCorpus(): Promise<CorpusStorage> {
  const documents = ['b', '__proto__', 'a\ud800', 'constructor'].map((id) =>
    sampleDocument(
      id,
      `The text of ${id}, long enough.`,
      JSON.parse('{"__proto__": {"x": 1}, "n": 2}') as StoredDocument['metadata'],
    ),
  )
  return await corpus(
    documents,
    documents.flatMap((d) => [sampleRow(d, 1, 2), sampleRow(d, 0, 1)]).slice(1),
  )
}

const refusal = (code = 'archive/invalid'): unknown => expect.objectContaining({ code })

it('any corpus comes back as it was, from an array, a Blob and a stream of any chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }), { maxLength: 8 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.integer({ min: 1, max: 50 }),
      async (ids, text, chunk) => {
        const documents = ids.map((id) => sampleDocument(id, `${text}${id}`))
        const rows = documents.flatMap((d, i) => (i % 3 === 0 ? [] : [sampleRow(d, i % 2, i / 3)]))
        const storage = await corpus(documents, rows)
        const bytes = await bytesOf(storage)
        for (const input of [bytes, new Blob([bytes]), stream(bytes, chunk)]) {
          const back = await contents(input)
          expect(back.parts[0]).toEqual({ kind: 'settings', settings: SETTINGS, vectors: 'f32' })
          expect(back.parts.at(-1)).toEqual({
            kind: 'end',
            documents: documents.length,
            vectors: rows.length,
          })
          const sorted = [...documents].sort((a, b) => (a.id < b.id ? -1 : 1))
          expect(back.documents.length).toBe(sorted.length)
          back.documents.forEach((document, i) => {
            expect(sameDocument(document, sorted[i]!)).toBe(true)
          })
          const text = (r: VectorRow): string =>
            JSON.stringify([r.documentId, r.hash, r.passage, [...r.vector]])
          expect(back.rows.map(text)).toEqual(
            [...rows].sort((a, b) => (a.documentId < b.documentId ? -1 : 1)).map(text),
          )
        }
      },
    ),
    { numRuns: 40 },
  )
})

it(
  'the same corpus gives the same bytes, whatever the order in which it grew and the pages ' +
    'it is read in',
  async () => {
    const documents = Array.from({ length: 900 }, (_, i) =>
      sampleDocument(`d${i}`, `Text ${i}. `.repeat(1 + (i % 40) * 20)),
    )
    const rows = documents.flatMap((d, i) =>
      i % 2 === 0 ? [sampleRow(d, 0, i), sampleRow(d, 1, -i)] : [],
    )
    const forward = await corpus(documents, rows)
    const backward = await corpus([...documents].reverse(), [...rows].reverse())
    const one: Pick<CorpusStorage, 'settings' | 'documents' | 'vectors'> = {
      settings: SETTINGS,
      async *documents() {
        for await (const page of forward.documents()) for (const d of page) yield [d]
      },
      async *vectors() {
        for await (const page of backward.vectors()) for (const r of page) yield [r, r]
      },
    }
    const bytes = await bytesOf(forward)
    expect(Buffer.compare(bytes, await bytesOf(backward))).toBe(0)
    expect(Buffer.compare(bytes, await bytesOf(one as CorpusStorage))).toBe(0)
    expect(bytes.length).toBeGreaterThan(3 * 1024 * 1024)
  },
)

it('every flipped bit and every cut is refused before a part is given', async () => {
  const bytes = await bytesOf(await smallCorpus())
  expect((await contents(bytes)).rows.length).toBe(7)
  for (let at = 0; at < bytes.length; at++) {
    const damaged = bytes.slice()
    damaged[at] = damaged[at]! ^ (1 << (at % 8))
    const given: ArchivePart[] = []
    await expect(
      (async () => {
        for await (const part of readArchive(damaged)) given.push(part)
      })(),
      `byte ${at}`,
    ).rejects.toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^archive\//) as unknown }),
    )
    expect(given).toEqual([])
    await expect(contents(stream(damaged, 7)), `byte ${at} of a stream`).rejects.toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^archive\//) as unknown }),
    )
    await expect(contents(bytes.slice(0, at)), `cut at ${at}`).rejects.toThrow(refusal())
    await expect(contents(stream(bytes.slice(0, at), 11)), `stream cut at ${at}`).rejects.toThrow(
      refusal(),
    )
  }
  await expect(contents(new Uint8Array([...bytes, 0]))).rejects.toThrow(/bytes follow/)
  await expect(contents(stream(new Uint8Array([...bytes, 0]), 5))).rejects.toThrow(/bytes follow/)
})

it('noise never comes through, crashes or hangs', async () => {
  const bytes = await bytesOf(await smallCorpus())
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 1, maxLength: 60 }),
      fc.nat(bytes.length - 1),
      fc.boolean(),
      async (noise, at, insert) => {
        const damaged = insert
          ? Uint8Array.of(...bytes.subarray(0, at), ...noise, ...bytes.subarray(at))
          : bytes.slice()
        if (!insert) damaged.set(noise.subarray(0, bytes.length - at), at)
        if (Buffer.compare(damaged, bytes) === 0) return
        await expect(contents(damaged)).rejects.toThrow(
          expect.objectContaining({ code: expect.stringMatching(/^archive\//) as unknown }),
        )
      },
    ),
    { numRuns: 400 },
  )
})

it('an int8 archive is a quarter of the size and its vectors keep their direction', async () => {
  const identity = { ...SETTINGS.embedder!, dims: 384 }
  const storage = openMemoryStorage({ ...SETTINGS, embedder: identity })
  const documents = Array.from({ length: 50 }, (_, i) => sampleDocument(`d${i}`))
  await storage.commit({ put: documents, remove: [] })
  let seed = 1
  const next = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647 - 0.5
  const rows = documents.flatMap((d) =>
    [0, 1].map((passage) => ({
      ...sampleRow(d, passage),
      vector: Float32Array.from({ length: 384 }, next),
    })),
  )
  await storage.putVectors(rows)
  const [none, int8, f32] = await Promise.all(
    (['none', 'int8', 'f32'] as const).map((vectors) => bytesOf(storage, { vectors })),
  )
  expect((int8!.length - none!.length) / rows.length).toBeLessThan(384 + 4 + 5)
  expect((f32!.length - none!.length) / rows.length).toBeLessThan(384 * 4 + 5)
  const back = new Map(
    (await contents(int8!)).rows.map((r) => [`${r.documentId} ${r.passage}`, r.vector]),
  )
  for (const { documentId, passage, vector } of rows) {
    const other = back.get(`${documentId} ${passage}`)!
    let [dot, a, b] = [0, 0, 0]
    vector.forEach((v, i) => {
      dot += v * other[i]!
      a += v * v
      b += other[i]! * other[i]!
    })
    expect(dot / Math.sqrt(a * b)).toBeGreaterThan(0.9999)
  }
  expect((await contents(none!)).rows).toEqual([])
})

/** An archive of the given frames, with right checksums: the content is hostile, not the form. */
function forged(
  frames: readonly (readonly [Parameters<FrameWriter['frame']>[0], Uint8Array])[],
): Uint8Array<ArrayBuffer> {
  const out = new FrameWriter()
  const chunks = [out.header(), ...frames.map(([tag, payload]) => out.frame(tag, payload))]
  return Uint8Array.from(chunks.flatMap((chunk) => [...chunk]))
}

function numbers(...values: number[]): Uint8Array {
  const out = new ByteWriter()
  for (const value of values) out.varint(value)
  return out.finish()
}

const meta = (value: unknown): ['META', Uint8Array] => [
  'META',
  new TextEncoder().encode(JSON.stringify(value)),
]

it('contents that do not fit together are refused though every checksum is right', async () => {
  const good = meta({ settings: SETTINGS, vectors: 'f32' })
  const [a, b] = [sampleDocument('a'), sampleDocument('b')]
  const docs = (...documents: StoredDocument[]): ['DOCS', Uint8Array] => [
    'DOCS',
    encodeDocuments(documents),
  ]
  const vector = Float32Array.of(1, 0, 0, 0)
  const vf = (...rows: [number, number][]): ['VF32', Uint8Array] => [
    'VF32',
    encodeVectors(
      'f32',
      4,
      rows.map(([document, passage]) => ({ document, passage, vector })),
    ),
  ]
  expect(
    (await contents(forged([good, docs(a, b), vf([0, 0], [1, 1]), ['DONE', numbers(2, 2)]])))
      .documents.length,
  ).toBe(2)
  const hostile: Record<string, Parameters<typeof forged>[0]> = {
    'no settings': [docs(a), ['DONE', numbers(1, 0)]],
    'settings twice': [good, good, ['DONE', numbers(0, 0)]],
    'settings that are null': [meta(null), ['DONE', numbers(0, 0)]],
    'settings with a strange strategy': [
      meta({
        settings: { ...SETTINGS, chunk: { strategy: 'magic', tokens: 1, overlap: 0 } },
        vectors: 'none',
      }),
    ],
    'settings with huge dims': [
      meta({
        settings: { ...SETTINGS, embedder: { ...SETTINGS.embedder, dims: 2 ** 31 } },
        vectors: 'f32',
      }),
    ],
    'settings that are no JSON': [['META', Uint8Array.of(123, 34)]],
    'settings nested without end': [['META', new TextEncoder().encode('['.repeat(60_000))]],
    'settings without end': [['META', new Uint8Array(70_000)]],
    'documents out of order': [good, docs(b), docs(a), ['DONE', numbers(2, 0)]],
    'one document twice': [good, docs(a, a), ['DONE', numbers(2, 0)]],
    'documents after vectors': [good, docs(a), vf([0, 0]), docs(b), ['DONE', numbers(2, 1)]],
    'vectors of no document': [good, docs(a), vf([1, 0]), ['DONE', numbers(1, 1)]],
    'vectors of no passage': [good, docs(a), vf([0, 2]), ['DONE', numbers(1, 1)]],
    'vectors out of order': [good, docs(a), vf([0, 1], [0, 0]), ['DONE', numbers(1, 2)]],
    'vectors out of order over sections': [
      good,
      docs(a),
      vf([0, 1]),
      vf([0, 0]),
      ['DONE', numbers(1, 2)],
    ],
    'vectors of another length': [
      good,
      docs(a),
      [
        'VF32',
        encodeVectors('f32', 2, [{ document: 0, passage: 0, vector: Float32Array.of(1, 2) }]),
      ],
      ['DONE', numbers(1, 1)],
    ],
    'vectors that are no numbers': [
      good,
      docs(a),
      [
        'VF32',
        encodeVectors('f32', 4, [
          { document: 0, passage: 0, vector: Float32Array.of(1, NaN, 0, 0) },
        ]),
      ],
      ['DONE', numbers(1, 1)],
    ],
    'vectors in the other form': [
      good,
      docs(a),
      ['VI08', encodeVectors('int8', 4, [{ document: 0, passage: 0, vector }])],
      ['DONE', numbers(1, 1)],
    ],
    'a section with 2^31 vectors': [
      good,
      docs(a),
      ['VF32', numbers(4, 2 ** 31)],
      ['DONE', numbers(1, 1)],
    ],
    'a wrong number of documents': [good, docs(a), ['DONE', numbers(2, 0)]],
    'a wrong number of vectors': [good, docs(a), ['DONE', numbers(1, 1)]],
    'a longer end': [good, docs(a), ['DONE', numbers(1, 0, 0)]],
  }
  for (const [name, frames] of Object.entries(hostile))
    await expect(contents(forged(frames)), name).rejects.toThrow(refusal())
})

it('lying and excessive sizes are refused by the bytes that are there', async () => {
  const good = forged([
    meta({ settings: SETTINGS, vectors: 'none' }),
    ['DOCS', encodeDocuments([sampleDocument('a'), sampleDocument('b')])],
    ['DONE', numbers(2, 0)],
  ])
  const lying = good.slice()
  new DataView(lying.buffer).setUint32(16 + 4, 0xffffffff, true)
  await expect(contents(lying)).rejects.toThrow(refusal('archive/too-large'))
  await expect(contents(stream(lying, 9))).rejects.toThrow(refusal('archive/too-large'))
  new DataView(lying.buffer).setUint32(16 + 4, 200 * 1024 * 1024, true)
  await expect(contents(stream(lying, 9))).rejects.toThrow(refusal('archive/invalid'))
  await expect(contents(good, { maxBytes: good.length - 1 })).rejects.toThrow(
    refusal('archive/too-large'),
  )
  await expect(contents(stream(good, 10), { maxBytes: good.length - 1 })).rejects.toThrow(
    refusal('archive/too-large'),
  )
  await expect(contents(good, { maxDocuments: 1 })).rejects.toThrow(refusal('archive/too-large'))
})

it('a newer version, of the file or of the corpus, is named as such', async () => {
  const newer = forged([meta({ settings: SETTINGS, vectors: 'none' }), ['DONE', numbers(0, 0)]])
  const view = new DataView(newer.buffer)
  view.setUint32(8, 3, true)
  view.setUint32(12, crc32(newer.subarray(0, 12)), true)
  await expect(contents(newer)).rejects.toThrow(refusal('archive/version'))
  await expect(
    contents(
      forged([
        meta({ settings: { ...SETTINGS, formatVersion: 99 }, vectors: 'none' }),
        ['DONE', numbers(0, 0)],
      ]),
    ),
  ).rejects.toThrow(refusal('archive/version'))
})

it('an archive of the version before, which has no index, is read as it was', async () => {
  const older = await bytesOf(await smallCorpus())
  const view = new DataView(older.buffer)
  view.setUint32(8, 1, true)
  let crc = crc32(older.subarray(0, 12))
  view.setUint32(12, crc, true)
  // every section's checksum goes on from the one before
  for (let at = 16; at < older.length;) {
    const length = view.getUint32(at + 4, true)
    crc = crc32(older.subarray(at, at + 8 + length), crc)
    view.setUint32(at + 8 + length, crc, true)
    at += 12 + length
  }
  const now = await contents(await bytesOf(await smallCorpus()))
  expect(await contents(older)).toEqual(now)
})

it('an index comes back to the byte, between documents and vectors, and nowhere else', async () => {
  const storage = await smallCorpus(),
    index = new Uint8Array(999).map((_, i) => i * 31)
  const bytes = new Uint8Array(await (await archiveBlob(storage, { index })).arrayBuffer())
  const kinds: string[] = []
  for await (const part of readArchive(bytes)) {
    kinds.push(part.kind)
    if (part.kind === 'index') expect(part.index).toEqual(index)
  }
  expect(kinds.indexOf('index')).toBeGreaterThan(kinds.lastIndexOf('documents'))
  expect(kinds.indexOf('index')).toBeLessThan(kinds.indexOf('vectors'))
  const section: ['TEXT', Uint8Array] = ['TEXT', encodeIndex(index)]
  const none = meta({ settings: SETTINGS, vectors: 'none' })
  await expect(contents(forged([section, none, ['DONE', numbers(0, 0)]]))).rejects.toThrow(
    refusal('archive/invalid'),
  )
  await expect(contents(forged([none, section, section, ['DONE', numbers(0, 0)]]))).rejects.toThrow(
    refusal('archive/invalid'),
  )
  const foreign = section[1].slice()
  foreign[0] = 99
  for await (const part of readArchive(forged([none, ['TEXT', foreign], ['DONE', numbers(0, 0)]])))
    if (part.kind === 'index') expect(part.index).toBeNull()
})

it('reading and writing stop at an abort, and a stream that breaks off is named', async () => {
  const storage = await smallCorpus()
  const bytes = await bytesOf(storage)
  const stopped = AbortSignal.abort()
  await expect(contents(bytes, { signal: stopped })).rejects.toThrow(refusal('aborted'))
  await expect(
    (async () => {
      for await (const chunk of writeArchive(storage, { signal: stopped }))
        expect(chunk.length).toBeGreaterThan(0)
    })(),
  ).rejects.toThrow(refusal('aborted'))
  const broken = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new Error('gone'))
    },
  })
  await expect(contents(broken)).rejects.toThrow(refusal('archive/invalid'))
})

it('a corpus whose vectors do not fit the sorting room at once is written in the same order', async () => {
  const dims = 2048
  const storage = openMemoryStorage({ ...SETTINGS, embedder: { ...SETTINGS.embedder!, dims } })
  const documents = Array.from({ length: 3000 }, (_, i) =>
    sampleDocument(`d${String(i).padStart(5, '0')}`, 'ab'),
  )
  await storage.commit({ put: documents, remove: [] })
  let passes = 0
  const source = {
    settings: storage.settings,
    documents: () => storage.documents(),
    async *vectors() {
      passes++
      yield await Promise.resolve(
        [...documents]
          .reverse()
          .map((d, i) => ({ ...sampleRow(d, i % 2), vector: new Float32Array(dims).fill(i) })),
      )
    },
  }
  let rows = 0
  for await (const part of readArchive(await archiveBlob(source, { vectors: 'int8' })))
    if (part.kind === 'vectors') rows += part.rows.length
  expect(rows).toBe(3000)
  expect(passes).toBeGreaterThan(1)
}, 30_000)

it('kept records travel with the corpus, and a corpus without any gives the bytes it always gave', async () => {
  const storage = await smallCorpus(),
    plain = await bytesOf(storage)
  expect((await contents(plain)).parts.filter((part) => part.kind === 'kept')).toEqual([])
  await storage.commit({
    put: [],
    remove: [],
    keep: [
      { name: 'relations', bytes: Uint8Array.of(1, 2) },
      { name: 'names', bytes: Uint8Array.of(3) },
    ],
  })
  const bytes = await bytesOf(storage)
  expect((await contents(bytes)).parts.filter((part) => part.kind === 'kept')).toEqual([
    { kind: 'kept', record: { name: 'names', bytes: Uint8Array.of(3) } },
    { kind: 'kept', record: { name: 'relations', bytes: Uint8Array.of(1, 2) } },
  ])
  await storage.commit({
    put: [],
    remove: [],
    keep: [
      { name: 'relations', bytes: new Uint8Array() },
      { name: 'names', bytes: new Uint8Array() },
    ],
  })
  expect(await bytesOf(storage)).toEqual(plain)
})
