import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, expect, it, vi } from 'vitest'
import { LOG_DATABASE, renew, renewLog } from './log_renewal.ts'
import { lateToLower } from './write_mark.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** The factory, and what was asked of it. */
function watched(): {
  readonly factory: IDBFactory
  readonly asked: string[]
  readonly bytes: () => number
} {
  const inner = new IDBFactory(),
    asked: string[] = []
  let bytes = 0
  const factory = {
    open: (name: string, version?: number) => {
      asked.push(`open ${name}`)
      const request = inner.open(name, version)
      request.addEventListener('success', () => {
        const begin = request.result.transaction.bind(request.result)
        request.result.transaction = ((...given: Parameters<typeof begin>) => {
          const transaction = begin(...given),
            store = transaction.objectStore('filling'),
            put = store.put.bind(store)
          store.put = (value: unknown, key?: IDBValidKey) => {
            bytes += (value as Uint8Array).length
            return put(value, key)
          }
          transaction.objectStore = () => store
          return transaction
        }) as typeof begin
      })
      return request
    },
    deleteDatabase: (name: string) => {
      asked.push(`delete ${name}`)
      return inner.deleteDatabase(name)
    },
  }
  return { factory: factory as unknown as IDBFactory, asked, bytes: () => bytes }
}

it('a renewal writes more than two of the write buffers of LevelDB, and takes it all away', async () => {
  const { factory, asked, bytes } = watched()
  await renew(factory)
  expect(asked).toEqual([`open ${LOG_DATABASE}`, `delete ${LOG_DATABASE}`])
  expect(bytes()).toBeGreaterThan(2 * 4 * 1024 * 1024)
  await new Promise((resolve) => setImmediate(resolve))
  expect((await factory.databases?.()) ?? []).toEqual([])
})

it('elsewhere than in Chromium nothing is done', async () => {
  const { factory, asked } = watched()
  vi.stubGlobal('indexedDB', factory)
  ;(await renewLog()).raise()
  expect(asked).toEqual([])
})

it('where site data are blocked, and locks and files with them, the opening is left to tell of it', async () => {
  vi.resetModules()
  const fresh = await import('./log_renewal.ts'),
    refused = (): Promise<never> =>
      Promise.reject(new DOMException('The request was denied.', 'SecurityError'))
  vi.stubGlobal('navigator', {
    userAgentData: { brands: [{ brand: 'Chromium' }] },
    locks: { request: refused },
    storage: { getDirectory: refused },
  })
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new DOMException('', 'SecurityError')
    },
  })
  const mark = await fresh.renewLog()
  expect(() => {
    mark.raise()
    mark.lower()
  }).not.toThrow()
})

it('a mark is raised before a write, and lowered only some time after the last one ended', () => {
  vi.useFakeTimers()
  const values: number[] = []
  const mark = lateToLower((value) => {
    values.push(value)
  }, 5000)
  mark.raise()
  mark.raise()
  mark.lower()
  vi.advanceTimersByTime(60_000)
  expect(values, 'one still writes').toEqual([])
  mark.lower()
  vi.advanceTimersByTime(4999)
  expect(values).toEqual([])
  mark.raise()
  mark.lower()
  vi.advanceTimersByTime(4999)
  expect(values, 'it wrote meanwhile').toEqual([])
  vi.advanceTimersByTime(1)
  expect(values).toEqual([0])
  mark.raise()
  expect(values).toEqual([0, 1])
})
