/**
 * The question what an import does by itself, asked in a Node process of its own whose page globals
 * are traps.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './pack.mjs'

/** Names of a page: to read one while loading is to need it. */
const PAGE = [
  'window',
  'document',
  'self',
  'Worker',
  'SharedWorker',
  'indexedDB',
  'IDBRequest',
  'IDBDatabase',
  'localStorage',
  'sessionStorage',
  'caches',
  'location',
  'importScripts',
  'customElements',
  'BroadcastChannel',
  'fetch',
]

/**
 * Rejects when importing `entry` reads a name of a page, leaves a global, a timer or a handle, or
 * prints.
 */
export function sideEffects(app, entry) {
  const file = join(app, 'side_effects.mjs')
  writeFileSync(
    file,
    `
const read = []
for (const name of ${JSON.stringify(PAGE)}) {
  const get = () => { read.push(name + ' in ' + new Error().stack.split('\\n')[2].trim()) }
  Object.defineProperty(globalThis, name, { configurable: true, get })
}
const before = new Set(Reflect.ownKeys(globalThis))
const prototype = Reflect.ownKeys(Object.prototype).length
const module = await import(${JSON.stringify(entry)})
const left = Reflect.ownKeys(globalThis).filter((name) => !before.has(name))
const passing = ['TTYWrap', 'PipeWrap', 'FSReqPromise', 'CloseReq']
const handles = process.getActiveResourcesInfo().filter((kind) => !passing.includes(kind))
console.log(JSON.stringify({
  names: Object.keys(module).length,
  read,
  left: left.map(String),
  handles,
  prototype: Reflect.ownKeys(Object.prototype).length - prototype,
}))
`,
  )
  const said = run(process.execPath, [file], app).trim(),
    lines = said.split('\n')
  const { names, ...effects } = JSON.parse(lines.at(-1))
  if (lines.length > 1) throw new Error(`The import printed ${lines.slice(0, -1).join(' / ')}`)
  if (names === 0) throw new Error(`${entry} exports nothing.`)
  const found = Object.entries(effects).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== 0,
  )
  if (found.length > 0)
    throw new Error(`Importing ${entry}: ${JSON.stringify(Object.fromEntries(found))}`)
  return `${names} exports`
}
