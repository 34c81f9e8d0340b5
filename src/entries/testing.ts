/**
 * The entry `hubmesh/testing`: the same engine in the thread it is made in, without workers or a
 * stored corpus, for tests, service workers and servers.
 */
import { HashingEmbedder } from '../embed/hashing.ts'
import { openEngine } from '../compat/open_engine.ts'
import type { EngineOptions } from '../engine/engine_options.ts'
import type { AddInput, Engine, Metadata } from '../types.ts'

/** Options of `createTestEngine`; `embedder` is null, the text tier alone, unless it is given. */
export type TestEngineOptions = Partial<Omit<EngineOptions, 'storage' | 'encryption'>>

/**
 * An engine in memory that holds `documents`, settled, with their vectors where there is an
 * embedder. Give `new HashingEmbedder()` for the paths of the full tier without a model: the same
 * text has always the same vector, but it knows no meaning. Rejects as `createEngine` and `add` do.
 */
export async function createTestEngine<M extends object = Metadata>(
  documents: AddInput = [],
  options: TestEngineOptions = {},
): Promise<Engine<M>> {
  const engine = await openEngine({
    corpus: 'test',
    embedder: null,
    ...options,
    storage: 'memory',
  })
  if (!Array.isArray(documents) || documents.length > 0) await engine.add(documents)
  await engine.ready('settled')
  if (options.embedder) await engine.ready('vectors')
  return engine as Engine as Engine<M>
}

export { HashingEmbedder }
export { ERROR_CODES, HubmeshError, isHubmeshError } from '../base/errors.ts'
export type { ErrorCode, ErrorDetails } from '../base/errors.ts'
export type { Embedder } from '../embed/embedder.ts'
export type * from '../types.ts'
