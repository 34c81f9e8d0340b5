/** The one way for unit tests to open an engine. */
import { onTestFinished } from 'vitest'
import type { LocalEngine } from '../engine/engine.ts'
import type { EngineOptions } from '../engine/engine_options.ts'
import { openEngine } from '../compat/open_engine.ts'
import type { AddInput } from '../types.ts'

/**
 * An engine in memory without an embedder, unless `options` say otherwise, with `documents` added
 * and settled; it is closed when the test that opened it ends. Outside a test (`beforeAll`) close it
 * yourself.
 */
export async function openTestEngine(
  documents: AddInput = [],
  options: Partial<EngineOptions> = {},
): Promise<LocalEngine> {
  const engine = await openEngine({ corpus: 'test', storage: 'memory', embedder: null, ...options })
  try {
    onTestFinished(() => engine.close())
  } catch {
    // opened in a hook: its owner closes it
  }
  if (!Array.isArray(documents) || documents.length > 0) {
    await engine.add(documents)
    await engine.ready('settled')
  }
  return engine
}
