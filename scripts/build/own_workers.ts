/** How the built trees find the package's own workers. */
import { dirname, relative } from 'node:path/posix'
import type { Plugin } from 'vite'

/**
 * Points `new Worker(new URL(…, import.meta.url))` of the sources at the built worker beside it.
 * The literal form must reach the user's bundler untouched, so Vite's own worker handling is kept
 * from seeing it.
 */
export function ownWorkers(): Plugin {
  return {
    name: 'hubmesh-own-workers',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/src/port/spawn.ts')) return null
      return code.replace(
        /'\.\.\/\.\.\/workers\/(engine|embed|read)\.worker\.ts'/g,
        '__HUBMESH_WORKER__.$1',
      )
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        chunk.code = chunk.code.replace(
          /__HUBMESH_WORKER__\.(engine|embed|read)/g,
          (_match, role: string) => {
            const to = relative(dirname(chunk.fileName), `${role}.worker.js`)
            return JSON.stringify(to.startsWith('../') ? to : `./${to}`)
          },
        )
      }
    },
  }
}

/** The reading thread is a file beside Node's other entries. */
export function ownThread(): Plugin {
  const mark = 'hubmesh-thread'
  return {
    name: 'hubmesh-own-thread',
    enforce: 'pre',
    transform: (_code, id) =>
      id.endsWith('/apart/thread_address.ts')
        ? `export const THREAD = new URL('${mark}', import.meta.url)`
        : null,
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const to = relative(dirname(chunk.fileName), 'read.thread.js')
        chunk.code = chunk.code.replaceAll(mark, to.startsWith('../') ? to : `./${to}`)
      }
    },
  }
}
