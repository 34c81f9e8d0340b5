/**
 * Owns a stand-in for the engine in tests of the port: it remembers what it was asked and holds
 * documents in a Map. Refuses retrieval.
 */
import type { EngineOptions } from '../engine/engine_options.ts'
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import type { AddOptions, AddResult, Engine, EngineStatus, Progress } from '../types.ts'

export interface EngineDouble {
  readonly engine: Engine
  readonly options: EngineOptions
  readonly documents: Map<string, string>
  readonly calls: string[]
  /** Tells the listeners of onStatus. */
  tell(status: Partial<EngineStatus>): void
}

export const STATUS: EngineStatus = {
  corpus: 'double',
  documents: 0,
  passages: 0,
  passagesWithVectors: 0,
  entities: 0,
  generation: 0,
  embedding: { state: 'off', rate: 0, secondsLeft: null, identity: null, error: null },
  storage: { kind: 'memory', persisted: null, usageBytes: null, quotaBytes: null },
  index: { kind: 'exact', simd: false, reason: '' },
  text: { bytes: 0, read: 0, unread: 0 },
  settled: true,
  warnings: [],
}

/** `documents` outlives the worker when it is shared, as a database would. */
export function engineDouble(
  options: EngineOptions,
  documents = new Map<string, string>(),
): EngineDouble {
  const calls: string[] = []
  const listeners = new Set<(status: EngineStatus) => void>()
  const untilAborted = (signal: AbortSignal | undefined): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        reject(new HubmeshError('aborted', 'stopped'))
      })
    })
  const add = async (
    input: unknown,
    { signal, onProgress, onConflict }: AddOptions = {},
  ): Promise<AddResult> => {
    calls.push(`add ${String(onConflict)}`)
    const items = input as readonly { readonly id: string; readonly text: string }[]
    for (const [i, { id, text }] of items.entries()) {
      throwIfAborted(signal)
      if (text === 'hang') await untilAborted(signal)
      documents.set(id, text)
      const progress: Progress = {
        phase: 'text',
        done: i + 1,
        total: items.length,
        rate: 0,
        secondsLeft: null,
      }
      onProgress?.(progress)
    }
    return {
      added: items.map(({ id }) => id),
      unchanged: [],
      replaced: [],
      rejected: [],
      generation: documents.size,
    }
  }
  const unused = (): never => {
    throw new HubmeshError('bug/invariant', 'The double does not do this.')
  }
  const engine: Engine = {
    corpus: options.corpus,
    add,
    update: add,
    remove: unused,
    retrieve: async (_query, { signal } = {}) => untilAborted(signal),
    search: unused,
    resolveEntities: unused,
    entityNeighbors: unused,
    pathBetween: unused,
    getDocument: (id) => {
      const text = documents.get(id)
      return Promise.resolve(
        text === undefined ? null : { id, title: '', text, metadata: {}, passages: [] },
      )
    },
    listDocuments: unused,
    graphStats: unused,
    mergeNames: unused,
    splitName: unused,
    undoMerge: unused,
    mergedNames: unused,
    suggestMerges: unused,
    addRelations: unused,
    removeRelations: unused,
    relations: unused,
    export: unused,
    import: unused,
    status: () => Promise.resolve({ ...STATUS, documents: documents.size }),
    onStatus(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    ready: async (_step, { signal } = {}) => untilAborted(signal),
    pauseEmbedding: () => Promise.resolve(),
    resumeEmbedding: () => Promise.resolve(),
    destroy: () => {
      calls.push('destroy')
      documents.clear()
      return Promise.resolve()
    },
    close: () => {
      calls.push('close')
      return Promise.resolve()
    },
  }
  return {
    engine,
    options,
    documents,
    calls,
    tell(status) {
      for (const listener of listeners) listener({ ...STATUS, ...status })
    },
  }
}
