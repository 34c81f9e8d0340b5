/**
 * Entry `hubmesh/stores`: vector stores on a server, whose official clients are optional peers.
 * Separate, because a bundler that meets an import of a missing client fails the whole app.
 */
export { ChromaStore } from '../compat/stores/chroma_store.ts'
export type { ChromaStoreOptions } from '../compat/stores/chroma_store.ts'
export { QdrantStore } from '../compat/stores/qdrant_store.ts'
export type { QdrantStoreOptions } from '../compat/stores/qdrant_store.ts'
export { PgVectorStore } from '../compat/stores/pg_vector_store.ts'
export type { PgClient, PgVectorStoreOptions } from '../compat/stores/pg_vector_store.ts'
