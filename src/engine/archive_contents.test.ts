import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import type { LocalEngine } from './engine.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import { HubmeshError } from '../base/errors.ts'
import { TextIndex } from '../graph/text_index.ts'
import { crc32 } from '../base/checksum.ts'
import { openMemoryStorage } from '../store/memory_storage.ts'
import type { CorpusStorage } from '../store/storage.ts'
import type { DocumentInput, Progress, RetrieveResult } from '../types.ts'

const NAMES = [
  'Ada Lovelace',
  'Charles Babbage',
  'Mary Somerville',
  'George Boole',
  'Sophie Germain',
]
const DOCUMENTS: DocumentInput[] = Array.from({ length: 60 }, (_, i) => ({
  id: `d${String((i * 37) % 60)}`,
  title: i % 3 === 0 ? NAMES[i % 5]! : `Letter ${i}`,
  text:
    `${NAMES[i % 5]} wrote to ${NAMES[(i * 3 + 1) % 5]} in ${1800 + i}. The letter speaks ` +
    `of engines, number ${i % 7}, and of ${NAMES[(i + 2) % 5]}.`,
}))
const QUESTIONS = [
  'Who wrote to Charles Babbage?',
  'What did Mary Somerville say of engines?',
  'letters of 1812',
  'Sophie Germain and George Boole',
]

/** Pieces small enough that these few documents are written in several. */
vi.mock('./commit_pieces.ts', () => ({
  *commitPieces<T>(all: readonly T[]): Generator<readonly T[]> {
    for (let from = 0; from < all.length; from += 20) yield all.slice(from, from + 20)
  },
}))

afterEach(() => {
  vi.restoreAllMocks()
})

const open = () => openTestEngine([], { embedder: new HashingEmbedder() })

async function filled(documents: readonly DocumentInput[] = DOCUMENTS): Promise<LocalEngine> {
  const engine = await open()
  await engine.add(documents)
  await engine.ready('vectors')
  await engine.ready('settled')
  return engine
}

const answers = async (engine: LocalEngine): Promise<string> => {
  await engine.ready('settled')
  const promised = ({ context, sources, reasoning, debug }: RetrieveResult) => ({
    context,
    sources,
    reasoning,
    seeds: debug.seeds,
    tier: debug.tier,
  })
  return JSON.stringify(
    await Promise.all(QUESTIONS.map(async (question) => promised(await engine.retrieve(question)))),
  )
}

describe('an archive with an index', () => {
  it('is answered from without reading a single passage, as one without is after reading all', async () => {
    const source = await filled()
    const plain = await open(),
      indexed = await open()
    await plain.import(await source.export())
    const expected = await answers(plain)
    const read = vi.spyOn(TextIndex.prototype, 'add')
    const archive = await source.export({ index: true })
    read.mockClear()
    expect((await indexed.import(archive)).added).toHaveLength(60)
    expect(read).not.toHaveBeenCalled()
    const { settled, passages, passagesWithVectors } = await indexed.status()
    expect({ settled, passages, passagesWithVectors }).toEqual({
      settled: true,
      passages: 60,
      passagesWithVectors: 60,
    })
    expect(await answers(indexed)).toBe(expected)
    expect(await answers(source)).toBe(expected)
  })

  it('is the same bytes from equal documents, in whatever order they came', async () => {
    const one = await filled(),
      other = await filled([...DOCUMENTS].reverse())
    await other.add({
      id: 'gone',
      title: 'Grace Hopper',
      text: 'Grace Hopper was here for a moment.',
    })
    await other.remove('gone')
    const bytes = async (engine: LocalEngine) =>
      new Uint8Array(await (await engine.export({ index: true, vectors: 'int8' })).arrayBuffer())
    expect(await bytes(other)).toEqual(await bytes(one))
  })

  it('goes on like any other corpus: documents are added, replaced and removed', async () => {
    const source = await filled(),
      indexed = await open(),
      plain = await open()
    await indexed.import(await source.export({ index: true }))
    await plain.import(await source.export())
    for (const engine of [indexed, plain]) {
      await engine.update({
        id: 'd3',
        title: 'Emmy Noether',
        text: 'Emmy Noether wrote to Ada Lovelace of rings.',
      })
      await engine.remove('d10')
      await engine.add({
        id: 'new',
        title: 'Ada Lovelace',
        text: 'Ada Lovelace wrote notes on the engines of Charles Babbage.',
      })
      await engine.ready('vectors')
    }
    expect(await answers(indexed)).toBe(await answers(plain))
  })

  it('is read like one without where the corpus holds documents already', async () => {
    const source = await filled(DOCUMENTS.slice(0, 40)),
      other = await filled(DOCUMENTS.slice(40)),
      whole = await filled()
    await other.import(await source.export({ index: true }))
    expect(await answers(other)).toBe(await answers(whole))
  })

  it('whose index does not fit its documents is read like one without, and says so', async () => {
    const source = await filled(),
      small = await filled(DOCUMENTS.slice(0, 3)),
      opened = await open()
    const archive = await spliced(
      await source.export({ index: true }),
      await small.export({ index: true }),
    )
    await opened.import(archive)
    expect((await opened.status()).warnings.join()).toContain('index in the archive')
    expect(await answers(opened)).toBe(await answers(source))
  })
})

describe('an archive with int8 vectors', () => {
  it('gives every passage a vector within the rounding, three bytes shorter a component', async () => {
    const source = await filled(),
      opened = await open()
    const [f32, int8] = await Promise.all([source.export(), source.export({ vectors: 'int8' })])
    // The settings name the form, which is a letter longer.
    expect(f32.size - int8.size).toBe(60 * (3 * new HashingEmbedder().identity.dims - 4) - 1)
    await opened.import(int8)
    expect((await opened.status()).passagesWithVectors).toBe(60)
    const cosines = async (engine: LocalEngine) =>
      new Map(
        (await engine.search(QUESTIONS[0]!, { mode: 'dense', topK: 60 })).map(
          ({ documentId, cosine }) => [documentId, cosine!],
        ),
      )
    const [exact, rounded] = [await cosines(source), await cosines(opened)]
    for (const [id, cosine] of exact) expect(Math.abs(cosine - rounded.get(id)!)).toBeLessThan(0.02)
  })
})

describe('an archive with an index, while it is saved', () => {
  const memory = Object.getPrototypeOf(
    openMemoryStorage({
      formatVersion: 1,
      chunk: { strategy: 'none', tokens: 0, overlap: 0 },
      embedder: null,
    }),
  ) as CorpusStorage
  /** Calls `during` before each commit that follows. */
  const onCommit = (during: (nth: number) => unknown): void => {
    const { commit } = memory
    let nth = 0
    vi.spyOn(memory, 'commit').mockImplementation(async function (this: CorpusStorage, what) {
      await during(++nth)
      return await commit.call(this, what)
    })
  }

  it('answers from all of it, and is stored whole when the call is done', async () => {
    const source = await filled(),
      archive = await source.export({ index: true }),
      indexed = await open(),
      expected = JSON.stringify((await source.retrieve(QUESTIONS[0]!)).sources)
    const meanwhile: string[] = []
    onCommit(async () => {
      meanwhile.push(JSON.stringify((await indexed.retrieve(QUESTIONS[0]!)).sources))
    })
    await indexed.import(archive)
    expect(meanwhile).toEqual([expected])
    expect(await answers(indexed)).toBe(await answers(source))
  })

  it('is cancelled before it is saved, or is there', async () => {
    const archive = await (await filled()).export({ index: true }),
      cancel = new AbortController(),
      engine = await open()
    onCommit(() => {
      cancel.abort()
    })
    await expect(engine.import(archive, { signal: cancel.signal })).rejects.toMatchObject({
      code: 'aborted',
    })
    expect((await engine.listDocuments()).total).toBe(0)
    vi.restoreAllMocks()
    await engine.add(DOCUMENTS)
    expect((await engine.listDocuments()).total).toBe(60)
  })

  it('leaves nothing where it could not be saved', async () => {
    const archive = await (await filled()).export({ index: true }),
      engine = await open()
    onCommit(() => {
      throw new HubmeshError('store/quota', 'There is no room. Free some.')
    })
    await expect(engine.import(archive)).rejects.toMatchObject({ code: 'store/quota' })
    const { documents, passages, passagesWithVectors } = await engine.status()
    expect({ documents, passages, passagesWithVectors }).toEqual({
      documents: 0,
      passages: 0,
      passagesWithVectors: 0,
    })
    expect((await engine.retrieve(QUESTIONS[0]!)).sources).toEqual([])
  })
})

describe('importing from elsewhere', () => {
  it(
    'takes an address, a stream, an answer, bytes and a file alike, with progress and without ' +
      'a trace of a broken one',
    async () => {
      const source = await filled(),
        bytes = new Uint8Array(await (await source.export({ index: true })).arrayBuffer())
      const server = createServer((request, response) => {
        if (request.url === '/site.hubmesh')
          response.writeHead(200, { 'content-length': bytes.length }).end(bytes)
        else if (request.url === '/short.hubmesh')
          response
            .writeHead(200, { 'content-length': bytes.length })
            .write(bytes.subarray(0, bytes.length - 9), () => {
              response.destroy()
            })
        else if (request.url === '/cut.hubmesh')
          response.writeHead(200).end(bytes.subarray(0, bytes.length - 9))
        else response.writeHead(404).end()
      })
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve)
      })
      const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
      try {
        const expected = await answers(source),
          progress: Progress[] = []
        const sources = [
          new URL('/site.hubmesh', origin),
          `${origin}/site.hubmesh`,
          await fetch(`${origin}/site.hubmesh`),
          new Blob([bytes]).stream(),
          bytes,
          new Blob([bytes]),
        ]
        for (const archive of sources) {
          const engine = await open()
          await engine.import(archive, {
            onProgress: (one) => {
              progress.push(one)
            },
          })
          expect(await answers(engine)).toBe(expected)
        }
        expect(progress.filter(({ phase }) => phase === 'fetching').at(-1)).toMatchObject({
          done: bytes.length,
          total: bytes.length,
        })
        const engine = await open()
        for (const [path, code] of [
          ['/nothing.hubmesh', 'remote/unavailable'],
          ['/short.hubmesh', 'archive/invalid'],
          ['/cut.hubmesh', 'archive/invalid'],
        ] as const) {
          await expect(engine.import(`${origin}${path}`)).rejects.toMatchObject({ code })
        }
        await expect(engine.import('no address at all')).rejects.toMatchObject({
          code: 'input/invalid',
        })
        await expect(engine.import(await fetch(`${origin}/nothing.hubmesh`))).rejects.toMatchObject(
          {
            code: 'remote/unavailable',
            details: { status: 404 },
          },
        )
        await expect(engine.import(7 as never)).rejects.toMatchObject({ code: 'input/invalid' })
        await expect(
          engine.import(`${origin}/site.hubmesh`, { signal: AbortSignal.abort() }),
        ).rejects.toMatchObject({ code: 'aborted' })
        expect((await engine.status()).documents).toBe(0)
      } finally {
        server.close()
        server.closeAllConnections()
      }
    },
  )
})

/** The sections of the first archive with the index of the second, every checksum right. */
async function spliced(first: Blob, second: Blob): Promise<Uint8Array> {
  const [a, b] = await Promise.all(
    [first, second].map(async (blob) => new Uint8Array(await blob.arrayBuffer())),
  )
  const sections = (bytes: Uint8Array) => {
    const out: { tag: string; bytes: Uint8Array }[] = [],
      view = new DataView(bytes.buffer)
    for (let at = 16; at < bytes.length;) {
      const length = view.getUint32(at + 4, true)
      out.push({
        tag: String.fromCharCode(...bytes.subarray(at, at + 4)),
        bytes: bytes.subarray(at, at + 8 + length),
      })
      at += 12 + length
    }
    return out
  }
  const index = sections(b!).find(({ tag }) => tag === 'TEXT')!
  const parts: Uint8Array[] = [a!.subarray(0, 16)]
  let crc = crc32(a!.subarray(0, 12))
  for (const section of sections(a!)) {
    const { bytes } = section.tag === 'TEXT' ? index : section,
      check = new Uint8Array(4)
    crc = crc32(bytes, crc)
    new DataView(check.buffer).setUint32(0, crc, true)
    parts.push(bytes, check)
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer())
}
