import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import type { DocumentInput, Engine } from '../types.ts'

const document: DocumentInput = {
  id: 'a',
  title: 'Harbour',
  text: 'Greta Holm leads the harbour. Skagen has a harbour.',
  metadata: { year: 2020, tags: ['sea'], place: { town: 'Skagen', land: 'DK' } },
}
const metadataOf = async (engine: Engine) => (await engine.getDocument('a'))?.metadata

/** An engine with the document and its vectors, and how many texts were embedded. */
async function opened() {
  let embedded = 0
  class Counting extends HashingEmbedder {
    override async embed(...args: Parameters<HashingEmbedder['embed']>) {
      embedded += args[1].kind === 'passage' ? args[0].length : 0
      return super.embed(...args)
    }
  }
  const engine = await openTestEngine([document], { embedder: new Counting(32) })
  await engine.ready('vectors')
  const read = (await engine.status()).text.read
  return {
    engine,
    /** Work since the document was added: texts embedded, passages read. */
    work: async () => {
      await engine.ready('vectors')
      await engine.ready('settled')
      return [embedded - 1, (await engine.status()).text.read - read]
    },
  }
}

describe('new metadata for the same text', () => {
  it.each([
    ['update', (engine: Engine, input: DocumentInput) => engine.update(input)],
    [
      "onConflict: 'replace'",
      (engine: Engine, input: DocumentInput) => engine.add(input, { onConflict: 'replace' }),
    ],
    [
      "others: 'remove'",
      (engine: Engine, input: DocumentInput) =>
        engine.add(input, { others: 'remove', onConflict: 'replace' }),
    ],
  ])('is taken by %s without reading or embedding the text again', async (_name, put) => {
    const { engine, work } = await opened(),
      metadata = { year: 2021 }
    expect(await put(engine, { ...document, metadata })).toMatchObject({
      replaced: ['a'],
      unchanged: [],
    })
    expect(await metadataOf(engine)).toEqual(metadata)
    const sources = async (filter: { year: number }) =>
      (await engine.retrieve('harbour', { filter, tier: 'text' })).sources.length
    expect([await sources({ year: 2021 }), await sources({ year: 2020 })]).toEqual([1, 0])
    expect(await work()).toEqual([0, 0])
  })

  it('is a conflict for add, and no change where only the order of fields differs', async () => {
    const { engine } = await opened()
    await expect(engine.add({ ...document, metadata: {} })).rejects.toMatchObject({
      code: 'input/conflict',
      message: expect.stringContaining('other metadata') as string,
    })
    const reversed = Object.fromEntries(Object.entries(document.metadata!).reverse())
    expect(await engine.add({ ...document, metadata: reversed })).toMatchObject({
      unchanged: ['a'],
    })
  })

  it('keeps relations given for the text', async () => {
    const { engine } = await opened()
    await engine.addRelations([
      { documentId: 'a', subject: 'Greta Holm', predicate: 'leads', object: 'harbour' },
    ])
    await engine.update({ ...document, metadata: { year: 1 } })
    expect((await engine.relations()).total).toBe(1)
  })
})

describe('updateMetadata', () => {
  it('merges a patch: fields replace, objects merge, null takes out', async () => {
    const { engine, work } = await opened()
    const { generation } = await engine.status()
    const result = await engine.updateMetadata('a', {
      year: 2022,
      tags: null,
      place: { land: 'SE' },
    })
    expect(result).toEqual({
      metadata: { year: 2022, place: { town: 'Skagen', land: 'SE' } },
      generation: generation + 1,
    })
    expect(await metadataOf(engine)).toEqual(result.metadata)
    expect(await engine.updateMetadata('a', { year: 2022 })).toEqual(result)
    expect(await work()).toEqual([0, 0])
  })

  it('names an unknown document and what is no JSON, and changes nothing', async () => {
    const { engine } = await opened()
    for (const [id, patch] of [
      ['b', {}],
      ['a', { f: () => 1 }],
      ['a', [1]],
      ['a', { n: NaN }],
    ] as const)
      await expect(engine.updateMetadata(id, patch as never)).rejects.toMatchObject({
        code: 'input/invalid',
      })
    expect(await metadataOf(engine)).toEqual(document.metadata)
  })

  it('outlives export and import', async () => {
    const { engine } = await opened()
    await engine.updateMetadata('a', { year: 2023 })
    const other = await openTestEngine()
    await other.import(await engine.export())
    expect((await metadataOf(other))?.['year']).toBe(2023)
  })

  it('outlives a reload, with the vectors of the text', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'metadata-')),
      options = { storage: { directory }, embedder: new HashingEmbedder(32) }
    try {
      const first = await openTestEngine([document], options)
      await first.ready('vectors')
      await first.updateMetadata('a', { year: 2024 })
      await first.close()
      const again = await openTestEngine([], {
        ...options,
        embedder: Object.assign(new HashingEmbedder(32), {
          embed: () => Promise.reject(new Error('must not be asked')),
        }),
      })
      await again.ready('vectors')
      expect((await metadataOf(again))?.['year']).toBe(2024)
      await again.close()
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })
})
