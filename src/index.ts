/**
 * Owns the public API in a page: named exports only, nothing runs at import. Refuses: internals.
 */
export { createEngine } from './rpc/create_engine.ts'
export type { CreateEngineOptions } from './rpc/create_engine.ts'
export type { WorkerFactory } from './port/spawn.ts'
export { changeCorpusKey, deleteCorpus, listCorpora } from './store/create_storage.ts'
export type { CorpusListing } from './store/storage.ts'
export type { Encryption } from './store/encryption/encryption.ts'
export { CorpusManager } from './registry/page_corpus_manager.ts'
export type { CorpusManagerOptions } from './registry/page_corpus_manager.ts'
export type {
  BuildResult,
  Corpora,
  ImportPythonOptions,
  ImportPythonResult,
} from './registry/corpora.ts'
export type { CorpusEntry } from './registry/corpus_place.ts'
export type { FolderReader } from './registry/python_corpus.ts'
export { registerWebMcpTools } from './mcp/web_mcp.ts'
export type { ModelContext, WebMcpOptions, WebMcpTool } from './mcp/web_mcp.ts'
export { ERROR_CODES, HubmeshError, isHubmeshError } from './base/errors.ts'
export type { ErrorCode, ErrorDetails } from './base/errors.ts'
export type { EmbedKind, EmbedOptions, Embedder } from './embed/embedder.ts'
export { BGE_SMALL_INT8, MINILM_INT8 } from './embed/manifests.ts'
export type { FileEntry, ModelManifest } from './embed/manifests.ts'
export * from './entries/pieces.ts'
export type * from './types.ts'
