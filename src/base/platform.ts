/** Facts of the host: which one it is, how many cores, what time. */

interface NodeProcess {
  readonly versions?: { readonly node?: string }
  getBuiltinModule?(name: string): unknown
}

function nodeProcess(): NodeProcess | undefined {
  return (globalThis as { readonly process?: NodeProcess }).process
}

/** True in Node, also inside its workers; false in every browser, whatever a bundler polyfills. */
export function isNode(): boolean {
  const process = nodeProcess()
  return (
    typeof process?.versions?.node === 'string' && typeof process.getBuiltinModule === 'function'
  )
}

/**
 * A module of Node's own, without an import that a bundler for the page would follow; null
 * elsewhere.
 */
export function nodeBuiltin<T>(name: string): T | null {
  return isNode() ? (nodeProcess()!.getBuiltinModule!(name) as T) : null
}

/** Logical processors the host admits to, at least 1. */
export function cores(): number {
  const count = (globalThis as { readonly navigator?: { readonly hardwareConcurrency?: number } })
    .navigator?.hardwareConcurrency
  return count !== undefined && count >= 1 ? Math.floor(count) : 1
}

/** Memory the host admits to, GiB (browsers round and cap it at 8); null where it does not say. */
export function memoryGiB(): number | null {
  const memory = (globalThis as { readonly navigator?: { readonly deviceMemory?: number } })
    .navigator?.deviceMemory
  return typeof memory === 'number' && memory > 0 ? memory : null
}

/** True where shared memory, and so a threaded wasm, may be used. */
export function isIsolated(): boolean {
  return (globalThis as { readonly crossOriginIsolated?: boolean }).crossOriginIsolated === true
}

/** Monotonic milliseconds. */
export function now(): number {
  return performance.now()
}

/**
 * Lets waiting messages and timers have their turn; a macrotask without the 4 ms that nested timers
 * cost in browsers.
 */
export function yieldToEvents(): Promise<void> {
  const immediate = (globalThis as { readonly setImmediate?: (callback: () => void) => unknown })
    .setImmediate
  if (immediate) return new Promise((resolve) => immediate(resolve))
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
