/**
 * Owns the allow-lists: every method that may be called over a port, and whether repeating it is
 * harmless. Refuses anything else.
 */
import type { MethodTable } from '../port/protocol.ts'
import type { EngineService } from './protocol.ts'

export const ENGINE_METHODS: MethodTable<EngineService> = Object.freeze({
  ping: 'read',
  open: 'read',
  embedSpawned: 'read',
  embedFailed: 'read',
  embedDied: 'read',
  stage: 'read',
  unstage: 'read',
  add: 'write',
  update: 'write',
  remove: 'write',
  retrieve: 'read',
  search: 'read',
  resolveEntities: 'read',
  entityNeighbors: 'read',
  pathBetween: 'read',
  getDocument: 'read',
  listDocuments: 'read',
  graphStats: 'read',
  mergeNames: 'write',
  splitName: 'write',
  undoMerge: 'write',
  mergedNames: 'read',
  suggestMerges: 'read',
  addRelations: 'write',
  removeRelations: 'write',
  relations: 'read',
  export: 'read',
  import: 'write',
  status: 'read',
  ready: 'read',
  pauseEmbedding: 'read',
  resumeEmbedding: 'read',
  conditions: 'read',
  destroy: 'write',
  close: 'read',
})
