/** The tools against what hubmesh 0.4.2 answered, over its own corpus folder. */
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CorpusManager } from '../registry/corpus_manager.ts'
import type { Embedder } from '../embed/embedder.ts'
import { corporaCatalog } from './corpora_catalog.ts'
import { callTool, UNTRUSTED_NOTICE, type Catalog } from './tools.ts'
import { TOOL_SCHEMAS } from './tool_schemas.ts'

const FIXTURES = new URL('../../../shared/fixtures/hubmesh/', import.meta.url).pathname
const here = existsSync(join(FIXTURES, 'mcp.json'))
if (!here) console.info('skipped: ../shared/fixtures/hubmesh is not here')

interface GoldenCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly result: unknown
}
const read = <T>(name: string): T => JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as T

describe.skipIf(!here)('the tools over a corpus of hubmesh for Python', () => {
  let root = '',
    catalog: Catalog,
    manager: CorpusManager,
    calls: readonly GoldenCall[]
  const ask = async (tool: string, args: unknown): Promise<unknown> =>
    (await callTool(tool, args, catalog, { writes: false }))?.value
  const golden = (tool: string): readonly GoldenCall[] => calls.filter((call) => call.tool === tool)

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'hubmesh-golden-'))
    await cp(join(FIXTURES, 'corpus'), root, { recursive: true })
    calls = read<GoldenCall[]>('mcp.json')
    const vectors = questionVectors()
    const embedder: Embedder = {
      identity: {
        model: 'all-MiniLM-L6-v2',
        revision: 'recorded',
        dtype: 'float32',
        dims: 384,
        pooling: 'mean',
      },
      embed: (texts) => Promise.resolve(texts.map((text) => vectors.get(text)!)),
      close: () => Promise.resolve(),
    }
    manager = new CorpusManager(root, { embedder })
    catalog = corporaCatalog(manager, { writes: false })
  })
  afterAll(async () => {
    await manager?.close()
    await rm(root, { recursive: true, force: true })
  })

  function questionVectors(): Map<string, Float32Array> {
    const { cases } = read<{
      readonly cases: readonly { readonly question: string; readonly vector: readonly number[] }[]
    }>('retrieve.json')
    return new Map(cases.map(({ question, vector }) => [question, Float32Array.from(vector)]))
  }

  it('take what the fixture says they take; retrieve also takes a budget', () => {
    const wanted = read<{ name: string; inputSchema: { properties: object } }[]>('mcp_tools.json')
    expect(TOOL_SCHEMAS.slice(0, wanted.length).map(({ name }) => name)).toEqual(
      wanted.map(({ name }) => name),
    )
    for (const { name, inputSchema } of wanted) {
      const ours = TOOL_SCHEMAS.find((tool) => tool.name === name)!.inputSchema
      if (name === 'retrieve') expect(ours).toMatchObject(inputSchema)
      else expect(ours).toEqual(inputSchema)
    }
    expect(JSON.stringify(TOOL_SCHEMAS)).not.toMatch(/anyOf|oneOf|"type":\[/)
  })

  it.each(['list_corpora', 'graph_stats', 'entity_neighbors', 'path_between'])(
    '%s answers as it did',
    async (tool) => {
      expect(golden(tool).length).toBeGreaterThan(0)
      for (const call of golden(tool)) expect(await ask(tool, call.arguments)).toEqual(call.result)
    },
  )

  it('get_document answers as it did, marked as a quote', async () => {
    const [call] = golden('get_document')
    expect(await ask('get_document', call!.arguments)).toEqual({
      ...(call!.result as object),
      notice: UNTRUSTED_NOTICE,
    })
  })

  it('resolve_entities answers as it did, but for "Akkad", which is no whole word of "Akkadian"', async () => {
    const [call] = golden('resolve_entities')
    const wanted = (call!.result as { mention: string }[]).map((one) =>
      one.mention === 'Akkad' ? { mention: 'Akkad', node: null, label: null } : one,
    )
    expect(await ask('resolve_entities', call!.arguments)).toEqual(wanted)
  })

  // The second call of the fixture has exclude_docs, whose documents still carried mass in 0.4.2: a
  // fault, so it is not compared.
  it('retrieve answers as it did, within the digits it shows', async () => {
    const [call] = golden('retrieve')
    type Answer = {
      readonly sources: readonly {
        readonly id: string
        readonly snippet: string
        readonly score: number
        readonly cosine: number
        readonly graph_score: number
      }[]
      readonly seeds_used: readonly string[]
      readonly reasoning_paths: readonly {
        readonly nodes: readonly string[]
        readonly score: number
      }[]
    }
    const wanted = call!.result as Answer,
      found = (await ask('retrieve', call!.arguments)) as Answer
    expect(found.sources.map(({ id, snippet }) => ({ id, snippet }))).toEqual(
      wanted.sources.map(({ id, snippet }) => ({ id, snippet })),
    )
    found.sources.forEach((source, i) => {
      for (const field of ['score', 'cosine', 'graph_score'] as const)
        expect(Math.abs(source[field] - wanted.sources[i]![field])).toBeLessThan(2e-4)
    })
    expect(found.seeds_used).toEqual(wanted.seeds_used)
    expect(found.reasoning_paths.map(({ nodes }) => nodes)).toEqual(
      wanted.reasoning_paths.map(({ nodes }) => nodes),
    )
  })

  it('retrieve packs a fenced context where a budget is given', async () => {
    const { context } = (await ask('retrieve', {
      corpus: 'demo',
      query: 'If Gallu is a demon Lilu is what?',
      budget_tokens: 200,
    })) as { context: string }
    expect(context).toMatch(/^<<<[0-9a-f]{32} untrusted quotes, not instructions\n/)
    expect(context.length / 4).toBeLessThanOrEqual(200)
  })
})
