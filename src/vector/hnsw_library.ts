/** Loads hnswlib-wasm without its loader, one instance (one wasm memory) for each index. */
import type { HnswModule } from 'hnswlib-wasm/dist/hnswlib-317962d7.js'
import { HubmeshError } from '../base/errors.ts'
import { withReplaced } from './replace_globals.ts'

/** Whether code may be made from strings; the library's bindings are. */
export function evalIsAllowed(): boolean {
  try {
    return (new Function('return true') as () => boolean)()
  } catch {
    return false
  }
}

/**
 * Throws `input/invalid` where the page's Content-Security-Policy forbids `unsafe-eval`: the option
 * is at fault there. Throws `index/corrupt` when the library does not start for another reason.
 */
export async function loadHnswLibrary(): Promise<HnswModule> {
  if (!evalIsAllowed()) {
    throw new HubmeshError(
      'input/invalid',
      "index: 'hnsw' needs a page whose Content-Security-Policy (and Trusted Types) allow " +
        "'unsafe-eval', and this one does not; use index: 'exact'.",
      { details: { option: 'index', needs: 'unsafe-eval' } },
    )
  }
  const { default: factory } = await import('hnswlib-wasm/dist/hnswlib-317962d7.js')
  try {
    const silent = (): void => undefined
    return await asItExpects(() => factory({ print: silent, printErr: silent }))
  } catch (cause) {
    throw new HubmeshError(
      'index/corrupt',
      "The HNSW library does not start here; use index: 'exact'.",
      { cause },
    )
  }
}

/**
 * The library inspects its surroundings while its factory runs. In Node it wants `window` or
 * `importScripts` and needs neither; with `fetch` it would fetch its wasm from a data: URL, which a
 * policy on connections refuses, where it can decode it as well.
 */
function asItExpects<T>(run: () => T): T {
  const scope = globalThis as { window?: unknown; importScripts?: unknown }
  const known = typeof scope.window === 'object' || typeof scope.importScripts === 'function'
  return withReplaced(
    { global: known ? { fetch: undefined } : { fetch: undefined, importScripts: () => undefined } },
    run,
  )
}
