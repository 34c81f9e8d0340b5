/**
 * Owns the entry `hubmesh/mcp`: serving corpora to MCP clients from Node, and the tools of a page.
 * Refuses: anything running at import.
 */
export { serveCorpora } from './serve.ts'
export type { ServeOptions, Serving } from './serve.ts'
export { createMcpServer, SERVER_INSTRUCTIONS } from './mcp_server.ts'
export type { McpServerOptions } from './mcp_server.ts'
export { createCallGate } from './call_gate.ts'
export type { CallGate } from './call_gate.ts'
export { corporaCatalog } from './corpora_catalog.ts'
export { engineReader } from './engine_reader.ts'
export { plannerReader } from './planner_reader.ts'
export type { CorpusReader } from './corpus_reader.ts'
export { callTool, toolsFor, UNTRUSTED_NOTICE } from './tools.ts'
export type { Catalog, ToolResult } from './tools.ts'
export { TOOL_SCHEMAS } from './tool_schemas.ts'
export type { ToolName, ToolSchema } from './tool_schemas.ts'
