/** Test double of the engine behind a port: records calls, holds documents in a Map. */
import { CALL_NAMES } from '../engine/calls.ts'
import type { EngineOptions } from '../engine/engine_options.ts'
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import { Subscribable } from '../base/subscribable.ts'
import type { AddOptions, AddResult, Engine, EngineStatus } from '../types.ts'

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
  const statuses = new Subscribable<[EngineStatus]>()
  const add = adder(documents, calls)
  const unused = (): never => {
    throw new HubmeshError('bug/invariant', 'The double does not do this.')
  }
  const engine: Engine = {
    ...(Object.fromEntries(CALL_NAMES.map((call) => [call, unused])) as unknown as Engine),
    corpus: options.corpus,
    add,
    update: add,
    retrieve: async (_query, { signal } = {}) => untilAborted(signal),
    getDocument: (id) => {
      const text = documents.get(id)
      return Promise.resolve(
        text === undefined ? null : { id, title: '', text, metadata: {}, passages: [] },
      )
    },
    status: () => Promise.resolve({ ...STATUS, documents: documents.size }),
    onStatus: (listener) => statuses.subscribe(listener),
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
      statuses.emit({ ...STATUS, ...status })
    },
  }
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => {
      reject(new HubmeshError('aborted', 'stopped'))
    })
  })
}

/** Takes documents one by one with progress; the text "hang" waits until the call is cancelled. */
function adder(documents: Map<string, string>, calls: string[]): Engine['add'] {
  return async (input, { signal, onProgress, onConflict }: AddOptions = {}): Promise<AddResult> => {
    calls.push(`add ${String(onConflict)}`)
    const items = input as readonly { readonly id: string; readonly text: string }[]
    for (const [i, { id, text }] of items.entries()) {
      throwIfAborted(signal)
      if (text === 'hang') await untilAborted(signal)
      documents.set(id, text)
      onProgress?.({ phase: 'text', done: i + 1, total: items.length, rate: 0, secondsLeft: null })
    }
    return {
      added: items.map(({ id }) => id),
      unchanged: [],
      replaced: [],
      rejected: [],
      generation: documents.size,
    }
  }
}
