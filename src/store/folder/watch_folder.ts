/** Notices of changes in a folder, also one that does not exist yet. Node only. */
import type { FSWatcher } from 'node:fs'
import { LIMITS } from '../../base/limits.ts'
import { nodeBuiltin } from './node_builtin.ts'

/** Calls back with the name of what changed; with null once the folder is there. Gives the end. */
export function watchFolder(place: string, onChange: (name: string | null) => void): () => void {
  let watcher: FSWatcher | null = null
  const watch = (): boolean => {
    try {
      watcher = nodeBuiltin('node:fs').watch(place, { persistent: false }, (_event, name) => {
        if (name !== null) onChange(name)
      })
      watcher.on('error', () => undefined) // deleted: the next read says so
      return true
    } catch {
      return false // no folder yet
    }
  }
  if (watch())
    return () => {
      watcher?.close()
    }
  const timer = setInterval(() => {
    if (!watch()) return
    clearInterval(timer)
    onChange(null)
  }, LIMITS.leaseBeatMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    watcher?.close()
  }
}
