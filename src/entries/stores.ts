/**
 * Owns the entry `hubmesh/stores`: vector stores on a server, whose official clients are optional
 * peers. An entry of its own, because a bundler that meets an import of a client that is not
 * installed refuses the whole app.
 */
export { ChromaStore } from '../compat/stores/chroma_store.ts'
export type { ChromaStoreOptions } from '../compat/stores/chroma_store.ts'
export { QdrantStore } from '../compat/stores/qdrant_store.ts'
export type { QdrantStoreOptions } from '../compat/stores/qdrant_store.ts'
export { PgVectorStore } from '../compat/stores/pg_vector_store.ts'
export type { PgClient, PgVectorStoreOptions } from '../compat/stores/pg_vector_store.ts'
