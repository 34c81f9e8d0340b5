/** Calls of an engine, told as spans; see `EngineEvent`. */
import { isHubmeshError } from '../base/errors.ts'
import { now } from '../base/platform.ts'
import type { Engine, EngineEvent, RetrieveResult } from '../types.ts'
import { CALL_NAMES } from '../engine/calls.ts'

/**
 * The same engine, which tells of every call when it has ended. What the listener throws harms no
 * call and is told on the console.
 */
export function traced<E extends Engine>(engine: E, onEvent: (event: EngineEvent) => void): E {
  const tell = (event: EngineEvent): void => {
    try {
      onEvent(event)
    } catch (error) {
      console.error('hubmesh: onEvent threw', error)
    }
  }
  const calls = Object.fromEntries(
    CALL_NAMES.map((call) => [
      call,
      async (...given: readonly unknown[]): Promise<unknown> => {
        const startTime = now(),
          span = { name: `hubmesh.${call}`, startTime } as const,
          attributes = { 'hubmesh.corpus': engine.corpus }
        try {
          const result = await (engine[call] as (...args: readonly unknown[]) => Promise<unknown>)(
            ...given,
          )
          tell({
            ...span,
            duration: now() - startTime,
            status: 'ok',
            attributes: { ...attributes, ...(call === 'retrieve' ? answered(result) : {}) },
          })
          return result
        } catch (error) {
          const type = isHubmeshError(error) ? error.code : 'unknown'
          tell({
            ...span,
            duration: now() - startTime,
            status: 'error',
            attributes: { ...attributes, 'error.type': type },
          })
          throw error
        }
      },
    ]),
  )
  return Object.assign(Object.create(engine) as E, calls)
}

/** What is told of an answer: counts and times, never a word of a question or a document. */
function answered(result: unknown): EngineEvent['attributes'] {
  const { answer, contextTokens, sources, debug } = result as RetrieveResult
  return {
    'hubmesh.tier': debug.tier,
    'hubmesh.passages': debug.passages,
    'hubmesh.sources': sources.length,
    'hubmesh.context_tokens': contextTokens,
    'hubmesh.answer': answer.state,
    ...Object.fromEntries(
      Object.entries(debug.timings).map(([stage, ms]) => [`hubmesh.${stage}_ms`, ms]),
    ),
  }
}
