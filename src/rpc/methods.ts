/** Owns the allow-lists: every method that may be called over a port, and whether repeating it is harmless. Refuses anything else. */
import type { EngineService, MethodTable, ProtocolVersion } from './protocol.ts'

export const PROTOCOL_VERSION: ProtocolVersion = 2

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
