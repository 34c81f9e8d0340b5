/** The pieces for those who assemble their own, under the names of hubmesh for Python. */
export { chunkByChars, chunkBySentences, chunkDocuments } from '../chunk/chunkers.ts'
export type {
  CharChunkOptions,
  Chunk,
  ChunkDocumentsOptions,
  ChunkMetadata,
  ChunkSource,
  SentenceChunkOptions,
} from '../chunk/chunkers.ts'
export { estimateTokens } from '../chunk/estimate_tokens.ts'
export { sentenceSpans } from '../chunk/sentence_spans.ts'
export { canonicalize } from '../graph/canonicalize.ts'
export { HashingEmbedder } from '../embed/hashing.ts'
export { packContext } from '../pack/pack.ts'
export type { PackCandidate } from '../pack/candidates.ts'
export type { PackOptions, PackResult } from '../pack/pack.ts'
export { createTokenCounter } from '../pack/token_counter.ts'
export type { PlannerSettings } from '../compat/parity.ts'
export { DEFAULT_WEIGHTS } from '../retrieve/weights.ts'
export type { RankingWeights } from '../retrieve/weights.ts'
export { InMemoryStore } from '../compat/stores/in_memory_store.ts'
export type {
  FromDocumentsOptions,
  InMemoryStoreOptions,
} from '../compat/stores/in_memory_store.ts'
export type {
  VectorDocument,
  VectorSearchOptions,
  VectorStore,
  VectorStoreHit,
} from '../compat/stores/vector_store.ts'
export * from '../compat/planner/index.ts'
export * from '../llm/index.ts'
