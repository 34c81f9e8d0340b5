/** An engine in this process that notes when it comes and goes; stands in for a page's workers. */
import { createEngine } from '../node.ts'
import type { Engine } from '../types.ts'

export async function loggedEngine(
  options: { readonly corpus: string; readonly signal?: AbortSignal },
  log: string[],
): Promise<Engine> {
  const { corpus, signal } = options
  const engine = await createEngine({ corpus, ...(signal ? { signal } : {}) })
  log.push(`open ${corpus}`)
  return {
    ...engine,
    corpus,
    close: async () => {
      await engine.close()
      log.push(`close ${corpus}`)
    },
  }
}
