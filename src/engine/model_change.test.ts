import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import type { EngineOptions } from './engine_options.ts'
import type { LocalEngine } from './engine.ts'

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hubmesh-model-'))
})
afterAll(async () => {
  await rm(directory, { recursive: true, force: true })
})

const DOCUMENTS = ['Ida Holm met Emil Zand in Riga.', 'Emil Zand wrote to Dora Wex.'].map(
  (text, i) => ({ id: `d${i}`, text }),
)
const open = (
  corpus: string,
  dims: number | null,
  more: Partial<EngineOptions> = {},
): Promise<LocalEngine> =>
  openTestEngine([], {
    corpus,
    storage: { directory },
    embedder: dims === null ? null : new HashingEmbedder(dims),
    ...more,
  })

async function made(corpus: string): Promise<void> {
  const engine = await open(corpus, 8)
  await engine.add(DOCUMENTS)
  await engine.ready('vectors')
  await engine.close()
}

const bytesOf = async (corpus: string): Promise<readonly (readonly [string, string])[]> =>
  await Promise.all(
    (await readdir(join(directory, corpus)))
      .sort()
      .map(async (name) => [name, await readFile(join(directory, corpus, name), 'hex')] as const),
  )

describe('A corpus whose vectors are of another model', () => {
  it('is refused, both models named, and not a byte of it is changed', async () => {
    await made('refused')
    const before = await bytesOf('refused')
    await expect(open('refused', 16)).rejects.toMatchObject({
      code: 'model/incompatible',
      message: expect.stringMatching(/8 numbers.*16 numbers.*reembed/s) as unknown,
    })
    await expect(open('refused', 16, { onModelChange: 'refuse' })).rejects.toThrow(/compared/)
    await expect(open('refused', 16, { onModelChange: 'perhaps' as never })).rejects.toMatchObject({
      code: 'input/invalid',
    })
    expect(await bytesOf('refused')).toEqual(before)
    const same = await open('refused', 8)
    await vi.waitFor(async () => {
      expect((await same.status()).passagesWithVectors).toBe(2)
    })
  })

  it('is embedded again where that is asked for, and says so', async () => {
    await made('again')
    const engine = await open('again', 16, { onModelChange: 'reembed' })
    await engine.ready('vectors')
    const { warnings, embedding, passagesWithVectors } = await engine.status()
    expect(passagesWithVectors).toBe(2)
    expect(embedding.identity?.dims).toBe(16)
    expect(warnings.join()).toMatch(/dropped.*embedded again/s)
    await engine.close()
    await expect(open('again', 8)).rejects.toMatchObject({ code: 'model/incompatible' })
    const textOnly = await open('again', null)
    expect((await textOnly.status()).documents).toBe(2)
  })

  it('that another program has changed is told by an open engine, which need not write for it', async () => {
    await made('told')
    const older = await open('told', 8)
    await older.ready('vectors')
    const newer = await open('told', 16, { onModelChange: 'reembed' })
    await newer.ready('vectors')
    await vi.waitFor(async () => {
      expect((await older.status()).warnings.join()).toMatch(/Another program embeds this corpus/)
    }, 10_000)
  })

  it('is not told where only vectors came, which an open engine takes over', async () => {
    const writer = await open('vectors', 8)
    await writer.add(DOCUMENTS)
    await writer.ready('vectors')
    const reader = await open('vectors', 8)
    await reader.ready('vectors')
    await writer.add([{ id: 'more', text: 'Dora Wex met Ida Holm.' }])
    await writer.ready('vectors')
    await vi.waitFor(async () => {
      expect(await reader.status()).toMatchObject({ passagesWithVectors: 3, warnings: [] })
    }, 10_000)
  })

  it('that another program has changed under an open engine takes none of its vectors', async () => {
    await made('under')
    const older = await open('under', 8)
    await older.ready('vectors')
    const newer = await open('under', 16, { onModelChange: 'reembed' })
    await newer.ready('vectors')
    await newer.close()
    await older.add([{ id: 'more', text: 'Dora Wex met Ida Holm.' }])
    await vi.waitFor(async () => {
      expect((await older.status()).embedding.error?.code).toBe('model/incompatible')
    }, 10_000)
    await expect(
      older.add([{ id: 'given', text: 'One.', vector: new Float32Array(8).fill(1) }]),
    ).rejects.toMatchObject({ code: 'model/incompatible' })
    const { sources } = await older.retrieve('Who wrote to Dora Wex?', { tier: 'full' })
    expect(sources[0]?.documentId).toBe('d1')
    await older.close()
    const again = await open('under', 16)
    await again.ready('vectors')
    expect(await again.status()).toMatchObject({ documents: 3, passagesWithVectors: 3 })
  })
})
