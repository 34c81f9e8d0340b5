/** Which pieces of hubmesh's planner are public, under the names its users know. */
export { assembleEntityKG } from './assemble_entity_kg.ts'
export type { AssembleOptions, EntityRelation, GraphPreset } from './assemble_entity_kg.ts'
export { buildEntityKG, ENTITY_LABELS } from './build_entity_kg.ts'
export type { BuildEntityKGOptions, NamedEntity, NameReader } from './build_entity_kg.ts'
export { PlannerConfig } from './config.ts'
export type { CommunityDetector, PlannerOptions } from './config.ts'
export { EmbeddingLinker } from './embedding_linker.ts'
export type { EmbeddingLinkerOptions, EmbedNames } from './embedding_linker.ts'
export { EntityKG } from './entity_kg.ts'
export type { EntityKGJson, EntityKGParts } from './entity_kg_json.ts'
export { PlannerGraph } from './graph.ts'
export type { GraphEdge } from './graph.ts'
export { SubstringLinker } from './linker.ts'
export type { Linker, LinkOptions } from './linker.ts'
export { detectCommunities, modularity } from './louvain.ts'
export type { PlannerPath } from './paths.ts'
export { Planner } from './planner.ts'
export type { MentionReader } from './planner.ts'
export { personalizedPageRank, PprSolver } from './ppr.ts'
export type { PprOptions } from './ppr.ts'
export type { PprMass } from './ppr_mass.ts'
export type {
  EmbedFunction,
  KgDebug,
  KnnDebug,
  PlannerDocument,
  PlannerEmbed,
  PlannerOmission,
  PlannerResult,
  PlannerRetrieveOptions,
  PlannerSource,
  PlannerStore,
} from './result.ts'
export { coherence, compositeScore, convergence, relevance } from './scoring.ts'
export type { Integration, ScoringWeights } from './scoring.ts'
