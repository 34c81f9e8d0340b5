/**
 * Owns the public vocabulary: what goes in, what comes out, one idea a file of types/. Types only;
 * refuses behaviour.
 */
export type * from './types/documents.ts'
export type * from './types/adding.ts'
export type * from './types/archives.ts'
export type * from './types/asking.ts'
export type * from './types/answer.ts'
export type * from './types/paths.ts'
export type * from './types/names.ts'
export type * from './types/merges.ts'
export type * from './types/relations.ts'
export type * from './types/embedder_identity.ts'
export type * from './types/status.ts'
export type * from './types/engine.ts'
