/**
 * WebMCP for tests: Chromium's flag, the shape of what it gives, and a stand-in of that shape for a
 * browser without it.
 */

/** Makes Chromium have it. */
export const WEB_MCP = '--enable-features=WebMCP'

export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly properties?: object }
  readonly annotations: { readonly readOnlyHint: boolean; readonly untrustedContentHint: boolean }
}
export interface ModelContext {
  registerTool(tool: object, options?: { readonly signal?: AbortSignal }): Promise<void>
  getTools(): Promise<Tool[]>
  /** What the tool gave, as JSON. */
  executeTool(tool: Tool, input: object): Promise<string>
}
export type WithContext = Document & { readonly modelContext: ModelContext }

/**
 * Runs in the page: puts the stand-in where the browser has nothing. True where the browser has it.
 */
export function ensureContext(): boolean {
  if ('modelContext' in document) return true
  interface Registered {
    readonly tool: Tool & { execute(input: object, call: object): Promise<unknown> }
  }
  const tools = new Map<string, Registered>()
  Object.defineProperty(document, 'modelContext', {
    value: {
      registerTool: (
        tool: Registered['tool'],
        options: { readonly signal?: AbortSignal } = {},
      ): Promise<void> => {
        if (tools.has(tool.name))
          return Promise.reject(new DOMException('Duplicate tool name', 'InvalidStateError'))
        tools.set(tool.name, { tool })
        options.signal?.addEventListener(
          'abort',
          () => {
            tools.delete(tool.name)
          },
          { once: true },
        )
        return Promise.resolve()
      },
      getTools: () => Promise.resolve([...tools.values()].map(({ tool }) => tool)),
      executeTool: async (tool: Tool, input: object) =>
        JSON.stringify(
          await tools.get(tool.name)!.tool.execute(input, { signal: new AbortController().signal }),
        ),
    },
  })
  return false
}
