/**
 * Owns the entry `hubmesh/stores`: vector stores on a server, whose official clients are optional peers. An entry of its own, because a bundler
 * that meets an import of a client that is not installed refuses the whole app.
 */
export { ChromaStore } from './store/chroma_store.ts'
export type { ChromaStoreOptions } from './store/chroma_store.ts'
export { QdrantStore } from './store/qdrant_store.ts'
export type { QdrantStoreOptions } from './store/qdrant_store.ts'
