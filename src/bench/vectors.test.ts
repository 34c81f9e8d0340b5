import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import { decodeNpy, encodeNpy } from './npy.ts'
import { VectorCache } from './vector_cache.ts'

describe('.npy files', () => {
  const rows = [Float32Array.of(1, -2.5, 3e-9), Float32Array.of(0, 7, 1e30)]

  it('come back as they were written, with the data aligned to 64 bytes', () => {
    const bytes = encodeNpy(rows, 3)
    expect((bytes.length - 24) % 64).toBe(0)
    expect(new TextDecoder('latin1').decode(bytes.subarray(1, 6))).toBe('NUMPY')
    expect(decodeNpy(bytes)).toEqual({ rows, dims: 3 })
    expect(decodeNpy(encodeNpy([], 3))).toEqual({ rows: [], dims: 3 })
  })

  it.each([
    [
      'no magic',
      (b: Uint8Array) => {
        b[0] = 0
      },
    ],
    [
      'another type',
      (b: Uint8Array) => {
        b.set(new TextEncoder().encode("'<f8'"), 10 + 10)
      },
    ],
  ])('with %s are refused', (_, break_) => {
    const bytes = encodeNpy(rows, 3)
    break_(bytes)
    expect(() => decodeNpy(bytes)).toThrow(expect.objectContaining({ code: 'input/invalid' }))
  })

  it('cut short, or with rows of another length, are refused', () => {
    const bytes = encodeNpy(rows, 3)
    for (const end of [5, 20, bytes.length - 1])
      expect(() => decodeNpy(bytes.subarray(0, end))).toThrow(
        expect.objectContaining({ code: 'input/invalid' }),
      )
    expect(() => encodeNpy(rows, 4)).toThrow(expect.objectContaining({ code: 'input/invalid' }))
  })
})

describe('the vector cache', () => {
  let directory = '',
    calls = 0
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hubmesh-cache-'))
    calls = 0
  })
  afterEach(async () => {
    await rm(directory, { recursive: true })
  })

  class Counting extends HashingEmbedder {
    override embed(
      texts: readonly string[],
      options: Parameters<HashingEmbedder['embed']>[1],
    ): Promise<Float32Array[]> {
      calls += texts.length
      return super.embed(texts, options)
    }
  }
  const embedder = new Counting(16),
    texts = ['alpha', 'beta', 'alpha', 'gamma']
  const ask = async (
    list = texts,
    kind: 'passage' | 'query' = 'passage',
  ): Promise<{ vectors: Float32Array[]; dropped: number }> => {
    const cache = await VectorCache.open(directory, embedder.identity)
    return {
      vectors: await cache.vectors(list, kind, () => Promise.resolve(embedder)),
      dropped: cache.dropped,
    }
  }
  const file = async (): Promise<string> => join(directory, (await readdir(directory))[0] as string)

  it('embeds each text once, and nothing the next time', async () => {
    const first = await ask()
    expect(calls).toBe(3)
    expect(first.vectors[0]).toEqual(first.vectors[2])
    expect((await ask()).vectors).toEqual(first.vectors)
    expect(calls).toBe(3)
  })

  it('keeps questions apart from passages, and embedders apart from each other', async () => {
    await ask(['alpha'])
    await ask(['alpha'], 'query')
    expect(calls).toBe(2)
    await VectorCache.open(directory, new HashingEmbedder(8).identity)
    expect(await readdir(directory)).toHaveLength(2)
  })

  it('drops a record that was flipped or cut, with all behind it, and embeds again', async () => {
    const { vectors } = await ask()
    const bytes = await readFile(await file())
    bytes[bytes.length - 30] = (bytes[bytes.length - 30] as number) ^ 1
    await writeFile(await file(), bytes)
    const again = await ask()
    expect(again.dropped).toBeGreaterThan(0)
    expect(again.vectors).toEqual(vectors)
    expect(calls).toBe(4)
    await writeFile(await file(), (await readFile(await file())).subarray(0, -5))
    expect((await ask()).vectors).toEqual(vectors)
    expect(calls).toBe(5)
    expect((await ask()).dropped).toBe(0)
  })

  it('a file that is none of ours is begun anew', async () => {
    await ask(['alpha'])
    await writeFile(await file(), 'rubbish')
    expect((await ask(['alpha'])).vectors).toHaveLength(1)
    expect(calls).toBe(2)
  })
})
