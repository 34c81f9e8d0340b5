/** A model that web-llm runs in the page (https://github.com/mlc-ai/web-llm). */
import { onAbort } from '../base/signals.ts'
import { abortedError, HubmeshError, isHubmeshError } from '../base/errors.ts'
import type { LLM } from './llm.ts'
import { contentOf } from './openai_compatible.ts'

/** The parts of web-llm's MLCEngine that are used. */
export interface WebLlmEngine {
  readonly chat: { readonly completions: { create(request: object): Promise<unknown> } }
  interruptGenerate(): unknown
}

export interface WebLlmOptions {
  /** Default 0. */
  readonly temperature?: number
  /** Tokens of an answer at most; default 1024. */
  readonly maxTokens?: number
  /** Holds the model to JSON; default true. */
  readonly json?: boolean
}

/**
 * Prompts take turns, as the engine answers one at a time. The function rejects with
 * `model/device-lost` (the GPU went away), `remote/invalid` or `aborted`.
 */
export function webLlm(engine: WebLlmEngine, options: WebLlmOptions = {}): LLM {
  const { temperature = 0, maxTokens = 1024, json = true } = options
  let turn: Promise<unknown> = Promise.resolve()
  const ask = async (prompt: string, signal: AbortSignal): Promise<string> => {
    if (signal.aborted) throw abortedError(signal)
    const unlisten = onAbort(signal, () => {
      engine.interruptGenerate()
    })
    try {
      const answer = await engine.chat.completions.create({
        messages: [{ role: 'user', content: prompt }],
        temperature,
        max_tokens: maxTokens,
        stream: false,
        ...(json ? { response_format: { type: 'json_object' } } : {}),
      })
      // An interrupted engine resolves with what it had.
      if (signal.aborted) throw abortedError(signal)
      return contentOf(JSON.stringify(answer))
    } catch (error) {
      if (signal.aborted) throw abortedError(signal)
      throw namedWebLLM(error)
    } finally {
      unlisten()
    }
  }
  return (prompt, { signal }) => {
    const mine = turn.then(() => ask(prompt, signal))
    turn = mine.catch(() => undefined)
    return mine
  }
}

/** An error of WebLLM under one of our codes. */
export function namedWebLLM(error: unknown): HubmeshError {
  if (isHubmeshError(error)) return error
  if (error instanceof Error && error.name === 'DeviceLostError')
    return new HubmeshError(
      'model/device-lost',
      'The graphics device was lost, often for want of memory; reload the model or take a smaller one.',
      { cause: error },
    )
  return new HubmeshError(
    'remote/invalid',
    "The model in the page gave no answer; its own words are in the error's cause.",
    { cause: error },
  )
}
