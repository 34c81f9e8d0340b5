/** Answers that get better while names settle and vectors come, over any engine. */
import { isHubmeshError } from '../base/errors.ts'
import type { Engine, RetrieveOptions, RetrieveResult } from '../types.ts'

export async function* retrieveStream(
  engine: Pick<Engine, 'retrieve' | 'ready' | 'status'>,
  query: string,
  options: RetrieveOptions = {},
): AsyncGenerator<RetrieveResult, void, undefined> {
  const wait = options.signal ? { signal: options.signal } : {}
  const { settled } = await engine.status()
  let last = await engine.retrieve(query, { ...options, settleMs: 0 })
  yield last
  for (const step of ['settled', 'vectors'] as const) {
    if (step === 'settled' ? settled : !(await lacksVectors(last, engine, options))) continue
    try {
      await engine.ready(step, wait)
    } catch (error) {
      // a model that fails leaves the answer as it is, and its warnings say why
      if (isHubmeshError(error) && error.code.startsWith('model/')) return
      throw error
    }
    last = await engine.retrieve(query, options)
    yield last
  }
}

/** Whether an answer will be better once every passage has its vector. */
async function lacksVectors(
  { debug }: RetrieveResult,
  engine: Pick<Engine, 'status'>,
  { tier }: RetrieveOptions,
): Promise<boolean> {
  if (tier === 'text' || (await engine.status()).embedding.state === 'off') return false
  return debug.tier === 'text' || debug.passagesWithVectors < debug.passages
}
