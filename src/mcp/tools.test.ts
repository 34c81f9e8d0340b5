import { describe, expect, it } from 'vitest'
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { CorpusReader } from './corpus_reader.ts'
import { callTool, type Catalog } from './tools.ts'

const unused = (): never => {
  throw new Error('not asked for')
}
const readerOf = (parts: Partial<CorpusReader>): CorpusReader => ({
  retrieve: unused,
  resolve: unused,
  neighbors: unused,
  paths: unused,
  document: unused,
  stats: unused,
  ...parts,
})
const catalogOf = (parts: Partial<CorpusReader>): Catalog => ({
  list: () => Promise.resolve([]),
  open: () => Promise.resolve(readerOf(parts)),
})
const ask = (
  name: string,
  args: unknown,
  parts: Partial<CorpusReader> = {},
): ReturnType<typeof callTool> => callTool(name, args, catalogOf(parts), { writes: false })

describe('a tool', () => {
  it('cuts a text that does not fit a result, between characters, and says so', async () => {
    for (const text of ['x'.repeat(400_000), '\u0000"\\'.repeat(100_000), '😀'.repeat(200_000)]) {
      const result = await ask(
        'get_document',
        { corpus: 'c', doc_id: 'd' },
        { document: (id) => Promise.resolve({ id, text, metadata: { title: 'T' } }) },
      )
      const value = result!.value as { text: string; truncated: boolean; chars: number }
      expect(JSON.stringify(value).length).toBeLessThanOrEqual(LIMITS.mcpResultChars)
      expect(value.text.length).toBeGreaterThan(30_000)
      expect(text.startsWith(value.text)).toBe(true)
      expect(() => encodeURIComponent(value.text)).not.toThrow() // no half of a surrogate pair
      expect(value).toMatchObject({ truncated: true, chars: text.length })
    }
  })

  it('gives an error in place of a list beyond its limit', async () => {
    const sources = Array.from({ length: 100 }, (_, i) => ({
      id: `${i}`.repeat(500),
      snippet: 'x'.repeat(3000),
      score: 1,
      cosine: 1,
      graph_score: 0,
      title: '',
    }))
    const result = await ask(
      'retrieve',
      { corpus: 'c', query: 'q' },
      { retrieve: () => Promise.resolve({ sources, seeds_used: [], reasoning_paths: [] }) },
    )
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result).length).toBeLessThan(1000)
  })

  it('says of a name that several share who they are, and of an unknown one that there is none', async () => {
    const shared = { node: 'ent:ole dahl', label: 'Ole Dahl' }
    for (const [found, error] of [
      [
        { ...shared, alternatives: [{ node: 'ent:ingrid dahl', label: 'Ingrid Dahl' }] },
        "several entities matching 'Dahl' in 'c'; say which: Ingrid Dahl, Ole Dahl",
      ],
      [null, "no entity matching 'Dahl' in 'c'; nearest: Ingrid Dahl, Ole Dahl"],
    ] as const) {
      const parts: Partial<CorpusReader> = {
        resolve: () => Promise.resolve([found, shared]),
        neighbors: () => Promise.resolve(null),
        nearest: () => Promise.resolve(['Ingrid Dahl', 'Ole Dahl']),
      }
      const near = { corpus: 'c', entity: 'Dahl' },
        ends = { corpus: 'c', entity_a: 'Dahl', entity_b: 'Ole Dahl' }
      expect(await ask('entity_neighbors', near, parts)).toMatchObject({ value: { error } })
      expect(await ask('path_between', ends, parts)).toMatchObject({ value: { error } })
    }
  })

  it('brings counts into range and leaves unknown arguments behind', async () => {
    const asked: unknown[] = []
    const parts: Partial<CorpusReader> = {
      retrieve: (request) => {
        asked.push(request)
        return Promise.resolve({ sources: [], seeds_used: [], reasoning_paths: [] })
      },
    }
    await ask(
      'retrieve',
      {
        corpus: 'c',
        query: 'q',
        top_k: -5,
        budget_tokens: 1e12,
        other: 'x',
        __proto__: { topK: 7 },
      },
      parts,
    )
    await ask(
      'retrieve',
      JSON.parse('{"corpus": "c", "query": "q", "top_k": 100000, "__proto__": {"evil": 1}}'),
      parts,
    )
    expect(asked).toEqual([
      {
        query: 'q',
        topK: 1,
        seedEntities: [],
        excludeDocs: [],
        budgetTokens: LIMITS.mcpResultChars / 8,
        history: [],
      },
      {
        query: 'q',
        topK: LIMITS.mcpItems,
        seedEntities: [],
        excludeDocs: [],
        budgetTokens: 0,
        history: [],
      },
    ])
    expect(({} as { evil?: number }).evil).toBeUndefined()
  })

  it('refuses wrong types by name, without their values', async () => {
    for (const args of [
      [],
      'text',
      { corpus: 'c' },
      { corpus: 'c', query: null },
      { corpus: 'c', query: 'q', top_k: '8' },
      { corpus: 'c', query: 'q', top_k: 1.5 },
      { corpus: 'c', query: 'q', seed_entities: 'secret' },
      { corpus: 'c', query: 'q', seed_entities: [1] },
      { corpus: 'c', query: 'secret'.repeat(10_000) },
    ]) {
      const result = await ask('retrieve', args)
      expect(result).toMatchObject({ isError: true, value: { code: 'input/invalid' } })
      expect(JSON.stringify(result)).not.toContain('secret')
    }
  })

  it('that is not offered is none, whatever its name', async () => {
    for (const name of ['index_corpus', 'other', '__proto__', 'constructor', 'toString'])
      expect(await ask(name, {})).toBeNull()
  })

  it('tells what is wrong with the question, and of failures of the server the code alone', async () => {
    const faults: unknown[] = [],
      broken = catalogOf({ stats: () => Promise.reject(new Error('secret path /home')) })
    expect(
      await callTool('graph_stats', { corpus: 'c' }, broken, {
        writes: false,
        onFault: (fault) => faults.push(fault),
      }),
    ).toEqual({
      isError: true,
      value: { error: 'the server failed at this call', code: 'bug/invariant' },
    })
    expect(faults).toMatchObject([{ message: 'secret path /home' }])
    const stats = (code: 'store/corrupt' | 'input/invalid') => ({
      stats: () => Promise.reject(new HubmeshError(code, 'about /home/x')),
    })
    expect(await ask('graph_stats', { corpus: 'c' }, stats('store/corrupt'))).toEqual({
      isError: true,
      value: { error: 'the server failed at this call', code: 'store/corrupt' },
    })
    expect(await ask('graph_stats', { corpus: 'c' }, stats('input/invalid'))).toEqual({
      isError: true,
      value: { error: 'about /home/x', code: 'input/invalid' },
    })
  })

  it('names corpora whose names are keys of every object', async () => {
    const result = await callTool(
      'list_corpora',
      {},
      {
        list: () =>
          Promise.resolve([
            ['__proto__', { n_docs: 1 }],
            ['constructor', { n_docs: 2 }],
          ]),
        open: unused,
      },
      { writes: false },
    )
    expect(JSON.stringify(result!.value)).toBe(
      '{"__proto__":{"n_docs":1},"constructor":{"n_docs":2}}',
    )
  })
})
