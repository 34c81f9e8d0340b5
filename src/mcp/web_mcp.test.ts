import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEngine } from '../node.ts'
import type { Engine } from '../types.ts'
import { registerWebMcpTools, type ModelContext, type WebMcpTool } from './web_mcp.ts'

/** A browser's modelContext: names once, gone with their signal. */
class ContextDouble implements ModelContext {
  readonly tools = new Map<string, WebMcpTool>()
  constructor(private readonly refused: string | null = null) {}
  registerTool(tool: WebMcpTool, { signal }: { readonly signal?: AbortSignal } = {}): void {
    if (tool.name === this.refused || this.tools.has(tool.name))
      throw new DOMException('taken', 'InvalidStateError')
    this.tools.set(tool.name, tool)
    signal?.addEventListener(
      'abort',
      () => {
        this.tools.delete(tool.name)
      },
      { once: true },
    )
  }
}

let engine: Engine
beforeEach(async () => {
  engine = await createEngine({ corpus: 'page' })
  await engine.add([
    { id: 'one', text: 'Ada Quist met Bela Trom in Aarhus.' },
    { id: 'two', text: 'Bela Trom wrote to Dora Wex.' },
  ])
})
afterEach(() => engine.close())

it('the tools of a page read only, say that they quote, and go with their signal', async () => {
  const modelContext = new ContextDouble(),
    stop = new AbortController()
  const names = await registerWebMcpTools(engine, { modelContext, signal: stop.signal })
  expect(names).toEqual([
    'list_corpora',
    'retrieve',
    'resolve_entities',
    'entity_neighbors',
    'path_between',
    'get_document',
    'graph_stats',
    'subgraph',
    'communities',
    'passages_of',
  ])
  expect([...modelContext.tools.keys()]).toEqual(names)
  for (const { annotations } of modelContext.tools.values())
    expect(annotations).toEqual({ readOnlyHint: true, untrustedContentHint: true })
  stop.abort()
  expect(modelContext.tools.size).toBe(0)
})

it('the tools of a page answer from its engine', async () => {
  const modelContext = new ContextDouble()
  await registerWebMcpTools(engine, { modelContext })
  const ask = async (
    name: string,
    input: unknown,
  ): Promise<{ value: unknown; isError: boolean }> => {
    const { content, isError } = await modelContext.tools.get(name)!.execute(input)
    return { value: JSON.parse(content[0]!.text), isError }
  }
  expect(await ask('list_corpora', {})).toMatchObject({
    value: { page: { n_docs: 2 } },
    isError: false,
  })
  expect(
    await ask('retrieve', { corpus: 'page', query: 'Who wrote to Dora Wex?', top_k: 1 }),
  ).toMatchObject({ value: { sources: [{ id: 'two' }] }, isError: false })
  expect(
    await ask('path_between', { corpus: 'page', entity_a: 'Ada Quist', entity_b: 'Dora Wex' }),
  ).toMatchObject({ value: { connected: true } })
  const around = { corpus: 'page', around: 'Ada Quist', depth: 2 }
  expect(await ask('subgraph', around)).toMatchObject({
    value: {
      nodes: [{ node: 'ent:ada quist', label: 'Ada Quist', community: 0 }, {}, {}, {}],
      total: 4,
    },
  })
  expect(await ask('subgraph', { ...around, around: 'Nobody' })).toMatchObject({
    value: { error: "no entity matching 'Nobody' in 'page'" },
  })
  expect(await ask('entity_neighbors', { corpus: 'page', entity: 'Ada Qist' })).toMatchObject({
    value: { error: "no entity matching 'Ada Qist' in 'page'; nearest: Ada Quist" },
  })
  expect(await ask('communities', { corpus: 'page' })).toMatchObject({
    value: { communities: [{ size: 2 }, { size: 2 }] },
  })
  expect(await ask('passages_of', { corpus: 'page', entity: 'Dora Wex' })).toMatchObject({
    value: { passages: [{ id: 'two', start: 0 }] },
  })
  expect(await ask('retrieve', { corpus: 'other', query: 'x' })).toMatchObject({
    isError: true,
    value: { code: 'corpus/not-found' },
  })
  expect(await ask('retrieve', null)).toMatchObject({ isError: true })
})

it('a call that the agent gives up is given up', async () => {
  const modelContext = new ContextDouble()
  await registerWebMcpTools(engine, { modelContext })
  const answer = await modelContext.tools
    .get('retrieve')!
    .execute({ corpus: 'page', query: 'Who wrote to Dora Wex?' }, { signal: AbortSignal.abort() })
  expect(answer).toMatchObject({ isError: true })
  expect(JSON.parse(answer.content[0]!.text)).toMatchObject({ code: 'aborted' })
})

it('a signal that fires while tools are registered leaves none', async () => {
  const stop = new AbortController(),
    tools = new Set<string>()
  const modelContext: ModelContext = {
    registerTool: (tool, { signal } = {}) => {
      if (tools.size === 2) stop.abort()
      if (signal?.aborted) return Promise.reject(signal.reason as Error)
      tools.add(tool.name)
      signal?.addEventListener(
        'abort',
        () => {
          tools.delete(tool.name)
        },
        { once: true },
      )
      return Promise.resolve()
    },
  }
  await expect(
    registerWebMcpTools(engine, { modelContext, signal: stop.signal }),
  ).rejects.toMatchObject({ code: 'aborted' })
  expect(tools.size).toBe(0)
})

it('a browser that takes one tool not takes none, and says which', async () => {
  const modelContext = new ContextDouble('path_between')
  await expect(registerWebMcpTools(engine, { modelContext })).rejects.toMatchObject({
    code: 'remote/invalid',
    details: { tool: 'path_between' },
  })
  expect(modelContext.tools.size).toBe(0)
})

it('a browser without it registers nothing', async () => {
  expect(await registerWebMcpTools(engine)).toEqual([])
  expect(await registerWebMcpTools(engine, { modelContext: null })).toEqual([])
})

it('document.modelContext is found where it is', async () => {
  const modelContext = new ContextDouble()
  Object.defineProperty(globalThis, 'document', { value: { modelContext }, configurable: true })
  try {
    expect((await registerWebMcpTools(engine)).length).toBe(10)
  } finally {
    Reflect.deleteProperty(globalThis, 'document')
  }
  expect(modelContext.tools.size).toBe(10)
})
