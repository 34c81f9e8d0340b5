import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { BGE_SMALL_INT8, MINILM_INT8 } from './manifests.ts'
import { NodeEmbedder } from './node_embedder.ts'
import { isUnitVector } from './pooling.ts'
import { modelError } from './transformer_model.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const MODEL = path('../../public/models/all-MiniLM-L6-v2')
const REFERENCE = path('../../../shared/fixtures/embedding/minilm-int8.json')
const BGE = path('../../../shared/models/bge-small-en-v1.5')
if (!existsSync(REFERENCE))
  console.info('skipped: ../shared/fixtures/embedding/minilm-int8.json is not here')
if (!existsSync(BGE)) console.info('skipped: ../shared/models/bge-small-en-v1.5 is not here')

interface Case {
  readonly text: string
  readonly tokens: number
  readonly vector: readonly number[]
}

function cosine(vector: Float32Array, reference: readonly number[]): number {
  let dot = 0,
    square = 0
  reference.forEach((x, d) => {
    dot += x * vector[d]!
    square += x * x
  })
  return dot / Math.sqrt(square)
}

describe('all-MiniLM-L6-v2 in Node', () => {
  let embedder: NodeEmbedder
  const network = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network here'))
  const output = vi.spyOn(console, 'error')
  beforeAll(async () => {
    embedder = await NodeEmbedder.open({ model: MODEL })
  })
  afterAll(async () => {
    await embedder.close()
    network.mockRestore()
    output.mockRestore()
  })

  it.skipIf(!existsSync(REFERENCE))(
    'gives nearly the reference vectors, which are native, also of texts that are cut',
    async () => {
      const { cases } = JSON.parse(readFileSync(REFERENCE, 'utf8')) as { cases: readonly Case[] }
      expect(cases.filter(({ tokens }) => tokens === 256).length).toBeGreaterThan(2)
      for (const { text, vector } of cases) {
        const [ours] = await embedder.embed([text], { kind: 'passage' })
        expect(cosine(ours!, vector)).toBeGreaterThanOrEqual(0.995)
      }
    },
  )

  it('gives a text the same vector to the bit, whatever stands beside it', async () => {
    const texts = [
      'The Eiffel Tower is in Paris.',
      'a',
      'It was built by the company of Gustave Eiffel. '.repeat(12),
    ]
    const together = await embedder.embed(texts, { kind: 'passage' })
    const [again] = await embedder.embed([texts[0]!], { kind: 'query' })
    expect(again).toEqual(together[0])
    const both = await Promise.all(texts.map((text) => embedder.embed([text], { kind: 'passage' })))
    expect(both.flat()).toEqual(together)
  })

  it('gives a unit vector for any text', async () => {
    const texts = [
      '',
      ' ',
      '\0',
      '\ud800',
      '‏שלום',
      '👩‍👩‍👧',
      '[CLS] [SEP]',
      'x'.repeat(100_000),
      '\n'.repeat(100_000),
    ]
    for (const vector of await embedder.embed(texts, { kind: 'passage' }))
      expect(isUnitVector(vector, 384)).toBe(true)
  })

  it('reads the beginning alone of a text without end, in bounded time', async () => {
    const start = 'The tower stands on the left bank of the river. '.repeat(40)
    const [short, long] = await embedder.embed([start, start + 'And so on. '.repeat(200_000)], {
      kind: 'passage',
    })
    expect(long).toEqual(short)
  })

  it('stops between texts when cancelled', async () => {
    await expect(
      embedder.embed(['a'], { kind: 'passage', signal: AbortSignal.abort() }),
    ).rejects.toEqual(expect.objectContaining({ code: 'aborted' }))
  })

  it('has asked no server for anything, and printed nothing', () => {
    expect(network).not.toHaveBeenCalled()
    expect(output).not.toHaveBeenCalled()
  })
})

describe('opening a model in Node', () => {
  it('takes a file URL, reports bytes, and refuses calls after close', async () => {
    let bytes = 0
    const embedder = await NodeEmbedder.open({
      model: pathToFileURL(`${MODEL}/`),
      onProgress: (progress) => {
        bytes += progress.loadedBytes
      },
    })
    expect(bytes).toBe(MINILM_INT8.files.reduce((sum, file) => sum + file.bytes, 0))
    await embedder.close()
    await expect(embedder.embed(['a'], { kind: 'query' })).rejects.toEqual(
      expect.objectContaining({ code: 'aborted' }),
    )
  })

  it('refuses a manifest that describes another model', async () => {
    const dims = { ...MINILM_INT8, identity: { ...MINILM_INT8.identity, dims: 512 } }
    await expect(NodeEmbedder.open({ model: MODEL, manifest: dims })).rejects.toEqual(
      expect.objectContaining({ code: 'model/incompatible' }),
    )
    await expect(NodeEmbedder.open({ model: MODEL, manifest: BGE_SMALL_INT8 })).rejects.toEqual(
      expect.objectContaining({ code: 'model/integrity' }),
    )
    const notAModel = { ...MINILM_INT8, onnx: 'tokenizer.json' }
    await expect(NodeEmbedder.open({ model: MODEL, manifest: notAModel })).rejects.toEqual(
      expect.objectContaining({ code: 'model/incompatible' }),
    )
  })

  it.skipIf(!existsSync(BGE))(
    'takes bge-small-en-v1.5 by configuration alone: first token, questions with their instruction',
    async () => {
      const embedder = await NodeEmbedder.open({ model: BGE })
      const prefix = BGE_SMALL_INT8.queryPrefix
      const [query] = await embedder.embed(['who built the tower'], { kind: 'query' })
      const [passage, prefixed, near, far] = await embedder.embed(
        [
          'who built the tower',
          `${prefix}who built the tower`,
          'The tower was built by Gustave Eiffel.',
          'Salt dissolves in water.',
        ],
        { kind: 'passage' },
      )
      expect(embedder.identity.pooling).toBe('cls')
      expect(query).toEqual(prefixed)
      expect(query).not.toEqual(passage)
      expect(cosine(query!, [...near!])).toBeGreaterThan(cosine(query!, [...far!]) + 0.1)
      await embedder.close()
    },
  )
})

describe('a failure of the runtime', () => {
  it.each([
    [new WebAssembly.RuntimeError('memory access out of bounds'), 'model/memory'],
    [new RangeError('Array buffer allocation failed'), 'model/memory'],
    [new Error('std::bad_alloc'), 'model/memory'],
    [8_234_120, 'model/memory'],
    [new Error('Aborted(). Build with -sASSERTIONS for more info.'), 'model/memory'],
    [new Error('Invalid input name'), 'model/incompatible'],
  ])('has a code: %s', (thrown, code) => {
    const error = modelError(thrown, 'embedding a text')
    expect(error).toMatchObject({ code, cause: thrown })
    expect(error.message).not.toContain('Invalid input name')
  })
})
