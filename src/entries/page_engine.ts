/**
 * Entry `hubmesh/engine`: the engine alone, for bundlers that keep what a larger entry shares with
 * its lazy parts.
 */
export { createEngine } from '../rpc/create_engine.ts'
export type { CreateEngineOptions } from '../rpc/create_engine.ts'
export type { WorkerFactory } from '../port/spawn.ts'
export { changeCorpusKey, deleteCorpus, listCorpora } from '../store/create_storage.ts'
export type { CorpusListing } from '../store/storage.ts'
export type { Encryption } from '../store/encryption/encryption.ts'
export { ERROR_CODES, HubmeshError, isHubmeshError } from '../base/errors.ts'
export type { ErrorCode, ErrorDetails } from '../base/errors.ts'
export type { EmbedKind, EmbedOptions, Embedder } from '../embed/embedder.ts'
export type { FileEntry, ModelManifest } from '../embed/manifests.ts'
export type * from '../types.ts'
