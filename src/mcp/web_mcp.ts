/**
 * Offering a page's corpus to an agent in its browser (WebMCP:
 * `document.modelContext.registerTool`).
 */
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import type { Engine } from '../types.ts'
import { engineReader } from './engine_reader.ts'
import { callTool, toolsFor, UNTRUSTED_NOTICE, type Catalog } from './tools.ts'
import type { ToolSchema } from './tool_schemas.ts'

/** A tool as `registerTool` takes it. */
export interface WebMcpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ToolSchema['inputSchema']
  readonly annotations: { readonly readOnlyHint: true; readonly untrustedContentHint: true }
  /** `signal` fires when the agent gives the call up; earlier browsers pass none. */
  readonly execute: (
    input: unknown,
    call?: { readonly signal?: AbortSignal },
  ) => Promise<{
    readonly content: readonly { readonly type: 'text'; readonly text: string }[]
    readonly isError: boolean
  }>
}

/** The part of `document.modelContext` that is used. */
export interface ModelContext {
  registerTool(tool: WebMcpTool, options?: { readonly signal?: AbortSignal }): unknown
}

export interface WebMcpOptions {
  /** Takes the tools away again. */
  readonly signal?: AbortSignal
  /** Default: the page's own; null: as in a browser without it. */
  readonly modelContext?: ModelContext | null
}

/**
 * Registers list_corpora, retrieve, resolve_entities, entity_neighbors, path_between, get_document,
 * graph_stats, subgraph, communities and passages_of for the one corpus of the engine, all of them
 * read-only and marked as giving untrusted content. Gives the names registered: none where the
 * browser has no WebMCP. Rejects with `aborted`, and with `remote/invalid` where the browser refuses
 * a tool; then none stays.
 */
export async function registerWebMcpTools(
  engine: Engine,
  options: WebMcpOptions = {},
): Promise<readonly string[]> {
  throwIfAborted(options.signal)
  const context = options.modelContext === undefined ? pageContext() : options.modelContext
  if (context === null) return []
  const catalog = catalogOf(engine),
    undo = new AbortController(),
    names: string[] = []
  const signal = options.signal ? AbortSignal.any([options.signal, undo.signal]) : undo.signal
  for (const tool of toolsFor(false)) {
    try {
      await context.registerTool(webTool(tool, catalog), { signal })
    } catch (cause) {
      undo.abort()
      throwIfAborted(options.signal)
      throw new HubmeshError(
        'remote/invalid',
        `The browser does not take the tool ${tool.name}: another of that name may be ` +
          `registered. None of hubmesh's tools is registered now.`,
        { cause, details: { tool: tool.name } },
      )
    }
    names.push(tool.name)
  }
  return names
}

/** Reads `document.modelContext`; null where it is not there. */
function pageContext(): ModelContext | null {
  const { document } = globalThis as {
    readonly document?: { readonly modelContext?: Partial<ModelContext> }
  }
  const context = document?.modelContext
  return typeof context?.registerTool === 'function' ? (context as ModelContext) : null
}

function webTool(tool: ToolSchema, catalog: Catalog): WebMcpTool {
  const { name, title, description, inputSchema } = tool
  return {
    name,
    title,
    description: tool.quotes ? `${description} ${UNTRUSTED_NOTICE}` : description,
    inputSchema,
    annotations: { readOnlyHint: true, untrustedContentHint: true },
    async execute(input, call) {
      const { value, isError } = (await callTool(name, input, catalog, {
        writes: false,
        ...(call?.signal ? { signal: call.signal } : {}),
      }))!
      return { content: [{ type: 'text', text: JSON.stringify(value) }], isError }
    },
  }
}

/** One corpus, under its own name. */
function catalogOf(engine: Engine): Catalog {
  const reader = engineReader(engine)
  return {
    async list() {
      const { documents, entities, edges, passages = 0 } = await reader.stats(),
        { embedding, passagesWithVectors } = await engine.status()
      return [
        [
          engine.corpus,
          {
            n_docs: documents,
            kg_nodes: entities + passages,
            kg_edges: edges,
            embedding:
              embedding.identity === null
                ? null
                : { identity: embedding.identity.model, dim: embedding.identity.dims },
            passages,
            passages_with_vectors: passagesWithVectors,
          },
        ],
      ]
    },
    open(name) {
      if (name !== engine.corpus)
        return Promise.reject(
          new HubmeshError(
            'corpus/not-found',
            'There is no corpus of that name in this page: no corpus but the one that list_corpora names.',
          ),
        )
      return Promise.resolve(reader)
    },
  }
}
