/** Imports Node's own modules in a way that no bundler of a page follows. */
import { HubmeshError } from '../../base/errors.ts'

interface Builtins {
  readonly 'node:fs': typeof import('node:fs')
  readonly 'node:fs/promises': typeof import('node:fs/promises')
  readonly 'node:path': typeof import('node:path')
}

/** The module, or `store/unavailable` outside of Node. */
export function nodeBuiltin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  const host = globalThis.process as { getBuiltinModule?: (id: string) => unknown } | undefined
  const found = host?.getBuiltinModule?.(name)
  if (found === undefined)
    throw new HubmeshError(
      'store/unavailable',
      'Only Node (20.16 or later) can keep a corpus in a directory. Choose storage "indexeddb" or "memory" in a page.',
      { details: { module: name } },
    )
  return found as Builtins[Name]
}
