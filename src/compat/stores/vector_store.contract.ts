/** What every VectorStore must do, as a suite that each driver runs. */
import { afterEach, describe, expect, it } from 'vitest'
import { compileFilter } from '../../document/filter.ts'
import type { Filter } from '../../types.ts'
import { clusteredVectors } from '../../vector/seeded_vectors.ts'
import { naiveSearch } from '../../vector/vector_index.contract.ts'
import type { VectorDocument, VectorStore } from './vector_store.ts'

/** Opens a store that holds exactly these documents; the suite closes it. */
export type MakeVectorStore = (documents: readonly VectorDocument[]) => Promise<VectorStore>

const DIMS = 12

/** Documents with awkward ids: integer-like, of the object prototype, beyond ASCII, with spaces. */
export function sampleDocuments(count = 40): VectorDocument[] {
  const odd = ['7', '__proto__', 'constructor', 'Alû', '日本', 'a b/c?d#e', '😀', '10', '']
  return clusteredVectors(count, DIMS, 41, 6).map((vector, i) => ({
    id: odd[i] || `doc ${i}`,
    title: i % 3 === 0 ? '' : `Title ${i}`,
    text: `Text of ${i} — “quoted”, <b>not markup</b>`,
    metadata: {
      n: i,
      kind: `${'abc'[i % 3]!} ${i % 7}`,
      half: i / 2,
      on: i % 2 === 0,
      none: null,
      tags: ['x', 'ü'],
      nested: { deep: [1, { two: 2 }] },
      __proto__x: 'y',
    },
    vector,
  }))
}

export function describeVectorStore(name: string, make: MakeVectorStore): void {
  describe(name, () => {
    const opened: VectorStore[] = []
    const open: MakeVectorStore = async (documents) => {
      const store = await make(documents)
      opened.push(store)
      return store
    }
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close()
    })
    const inOrder = (ids: readonly string[]): string[] =>
      [...ids].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    /** By the definition: ids best first, ties by id. */
    const nearest = (
      documents: readonly VectorDocument[],
      query: ArrayLike<number>,
      k: number,
    ): string[] => {
      const sorted = [...documents].sort((a, b) => (a.id < b.id ? -1 : 1))
      return naiveSearch(
        new Map(sorted.map((document, row) => [row, document.vector])),
        query,
        k,
      ).map((hit) => sorted[hit.row]!.id)
    }

    it('finds the nearest documents with their cosines', async () => {
      const documents = sampleDocuments()
      const store = await open(documents)
      for (const query of clusteredVectors(5, DIMS, 42, 6)) {
        const hits = await store.search(query, 7)
        expect(hits.map((hit) => hit.id)).toEqual(nearest(documents, query, 7))
        for (const hit of hits) expect(Math.abs(hit.score)).toBeLessThanOrEqual(1)
      }
      const own = documents[3]!
      const [best] = await store.search(own.vector, 1)
      expect(best!.id).toBe(own.id)
      expect(best!.score).toBeCloseTo(1, 5)
    })

    it('gives documents back as they came', async () => {
      const documents = sampleDocuments()
      const store = await open(documents)
      for (const document of documents) {
        const back = await store.get(document.id)
        expect(back).toMatchObject({ id: document.id, title: document.title, text: document.text })
        expect(back!.metadata).toEqual(document.metadata)
        expect(back!.vector.length).toBe(DIMS)
      }
    })

    it('gives many in the order asked for, null for those it does not have', async () => {
      const documents = sampleDocuments()
      const store = await open(documents)
      const ids = [documents[5]!.id, 'unknown', documents[0]!.id, documents[5]!.id, 'toString']
      expect((await store.getMany(ids)).map((document) => document?.id ?? null)).toEqual([
        documents[5]!.id,
        null,
        documents[0]!.id,
        documents[5]!.id,
        null,
      ])
      expect(await store.getMany([])).toEqual([])
      expect(await store.get('unknown')).toBeNull()
      expect(await store.vectorOf('unknown')).toBeNull()
    })

    it('gives exactly k neighbours and never the document itself', async () => {
      const documents = sampleDocuments()
      const store = await open(documents)
      for (const document of documents.slice(0, 12)) {
        const others = documents.filter((other) => other.id !== document.id)
        expect((await store.neighbors(document.id, 3)).map((hit) => hit.id)).toEqual(
          nearest(others, document.vector, 3),
        )
      }
      expect((await store.neighbors(documents[0]!.id)).length).toBe(10)
      expect((await store.neighbors(documents[0]!.id, 1000)).length).toBe(documents.length - 1)
      expect(await store.neighbors('unknown', 3)).toEqual([])
    })

    it('names a twin as neighbour, not itself, and orders equals by id', async () => {
      const vector = Float32Array.from({ length: DIMS }, (_, i) => i + 1)
      const twins = ['c', 'a', 'd', 'b'].map((id) => ({
        id,
        title: '',
        text: `twin ${id}`,
        metadata: {},
        vector,
      }))
      const store = await open(twins)
      expect((await store.neighbors('b', 3)).map((hit) => hit.id)).toEqual(['a', 'c', 'd'])
      expect((await store.search(vector, 3)).map((hit) => hit.id)).toEqual(['a', 'b', 'c'])
    })

    it('lists every id once, in order of code units', async () => {
      const documents = sampleDocuments()
      const store = await open(documents)
      expect(await store.allIds()).toEqual(inOrder(documents.map((document) => document.id)))
    })

    it('knows its dimensions and gives unit vectors', async () => {
      const documents = sampleDocuments(3)
      const store = await open(documents)
      expect(store.dim).toBe(DIMS)
      const vector = await store.vectorOf(documents[1]!.id)
      expect(Math.hypot(...vector!)).toBeCloseTo(1, 6)
      const ratio = vector![0]! / documents[1]!.vector[0]!
      vector!.forEach((x, i) => {
        expect(x / documents[1]!.vector[i]!).toBeCloseTo(ratio, 5)
      })
    })

    it('refuses vectors it cannot compare, and counts that are none', async () => {
      const store = await open(sampleDocuments(3))
      for (const vector of [
        [1],
        new Array<number>(DIMS).fill(0),
        new Array<number>(DIMS).fill(NaN),
      ])
        await expect(store.search(vector, 3)).rejects.toMatchObject({ code: 'input/invalid' })
      for (const k of [-1, 1.5, NaN]) {
        await expect(store.search(new Array<number>(DIMS).fill(1), k)).rejects.toMatchObject({
          code: 'input/invalid',
        })
        await expect(store.neighbors('7', k)).rejects.toMatchObject({ code: 'input/invalid' })
      }
      expect(await store.search(new Array<number>(DIMS).fill(1), 0)).toEqual([])
    })

    it('ranks only what a filter lets through', async () => {
      const documents = sampleDocuments()
      const store = await open(documents)
      const filters: Filter[] = [
        { on: true },
        { n: 4 },
        { half: 1.5 },
        { n: { in: [1, 3, 99] } },
        { tags: 'ü' },
        { tags: { not: 'x' } },
        { none: null },
        { missing: null },
        { missing: 1 },
        { n: { not: 4 } },
        { n: { gte: 10, lte: 20 } },
        { half: { lte: 2.5 } },
        { kind: { gte: 'b', lte: 'b9' } },
        { kind: { in: [] } },
        { none: { not: null } },
        { or: [{ n: { lte: 3 } }, { kind: 'b 1' }, { on: { in: [null] } }] },
        { and: [{ on: false }, { or: [{ n: { gte: 30 } }, { kind: { gte: 'c' } }] }] },
        { nested: { in: ['deep', null] } },
        { and: [] },
        { or: [] },
      ]
      const query = documents[9]!.vector
      for (const filter of filters) {
        const passes = compileFilter(filter)
        expect(
          (await store.search(query, 5, { filter })).map((hit) => hit.id),
          JSON.stringify(filter),
        ).toEqual(
          nearest(
            documents.filter((document) => passes(document.metadata)),
            query,
            5,
          ),
        )
      }
      await expect(
        store.search(query, 5, { filter: { n: { like: 1 } } as unknown as Filter }),
      ).rejects.toMatchObject({ code: 'input/invalid' })
    })

    it('stops for a signal', async () => {
      const store = await open(sampleDocuments(3))
      await expect(
        store.search(new Array<number>(DIMS).fill(1), 1, { signal: AbortSignal.abort() }),
      ).rejects.toMatchObject({ code: 'aborted' })
    })

    it('is closed for good', async () => {
      const store = await open(sampleDocuments(3))
      await store.close()
      await store.close()
      await expect(store.search(new Array<number>(DIMS).fill(1), 1)).rejects.toMatchObject({
        code: 'store/closed',
      })
      await expect(store.get('7')).rejects.toMatchObject({ code: 'store/closed' })
    })
  })
}
