/** Stand-ins for what browsers give and Node does not: locks, channels, caches. */
import type { ChannelFactory } from '../tabs/commit_channel.ts'
import type { Locks } from '../tabs/writer_lock.ts'

interface Waiter {
  readonly grant: () => void
  readonly signal: AbortSignal | undefined
}

/**
 * One manager for all "tabs" of a test: exclusive locks in order of asking, abort by signal, and
 * stealing by hand.
 */
export function fakeLocks(): Locks & { steal(name: string): void } {
  const holders = new Map<string, (reason: unknown) => void>()
  const queues = new Map<string, Waiter[]>()
  const next = (name: string): void => {
    const queue = (queues.get(name) ?? []).filter(({ signal }) => signal?.aborted !== true)
    queues.set(name, queue.slice(1))
    queue[0]?.grant()
  }
  const request = (
    name: string,
    options: LockOptions,
    work: (lock: Lock) => Promise<unknown>,
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const { signal } = options
      if (options.steal === true) {
        holders.get(name)?.(new DOMException('The lock was stolen.', 'AbortError'))
        holders.delete(name)
      }
      if (options.ifAvailable === true && holders.has(name)) {
        resolve((work as unknown as (lock: null) => unknown)(null))
        return
      }
      const grant = (): void => {
        holders.set(name, reject)
        const release = (): void => {
          if (holders.get(name) !== reject) return
          holders.delete(name)
          next(name)
        }
        work({ name, mode: 'exclusive' }).then(
          (value) => {
            release()
            resolve(value)
          },
          (error: unknown) => {
            release()
            reject(error as Error)
          },
        )
      }
      signal?.addEventListener('abort', () => {
        if (holders.get(name) !== reject)
          reject(new DOMException('The request was aborted.', 'AbortError'))
      })
      if (holders.has(name)) queues.set(name, [...(queues.get(name) ?? []), { grant, signal }])
      else grant()
    })
  return {
    request: request as Locks['request'],
    steal(name) {
      holders.get(name)?.(new DOMException('The lock was stolen.', 'AbortError'))
      holders.delete(name)
    },
  }
}

/** Channels that deliver at once to all others of the name. */
export function fakeChannels(): NonNullable<ChannelFactory> {
  const open = new Set<{
    readonly name: string
    onmessage: ((event: MessageEvent<unknown>) => void) | null
  }>()
  return (name) => {
    const channel = {
      name,
      onmessage: null as ((event: MessageEvent<unknown>) => void) | null,
      postMessage(data: unknown) {
        for (const other of open)
          if (other !== channel && other.name === name)
            other.onmessage?.({ data: structuredClone(data) } as MessageEvent<unknown>)
      },
      close() {
        open.delete(channel)
      },
    }
    open.add(channel)
    return channel as unknown as BroadcastChannel
  }
}

/** Cache Storage of one Map. */
export function fakeCaches(): CacheStorage {
  const entries = new Map<string, string>()
  const cache = {
    match: (url: string) =>
      Promise.resolve(entries.has(url) ? new Response(entries.get(url)) : undefined),
    put: async (url: string, response: Response) => {
      entries.set(url, await response.text())
    },
    delete: (url: string) => Promise.resolve(entries.delete(url)),
    keys: () => Promise.resolve([...entries.keys()].map((url) => new Request(url))),
  }
  return { open: () => Promise.resolve(cache) } as unknown as CacheStorage
}
