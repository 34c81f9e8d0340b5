import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, expect, test, vi } from 'vitest'
import { LOG_DATABASE, renew, renewLog } from './log_renewal.ts'

afterEach(() => { vi.unstubAllGlobals() })

/** The factory, and what was asked of it. */
function watched(): { readonly factory: IDBFactory; readonly asked: string[] } {
  const inner = new IDBFactory(), asked: string[] = []
  const factory = {
    open: (name: string, version?: number) => { asked.push(`open ${name}`); return inner.open(name, version) },
    deleteDatabase: (name: string) => { asked.push(`delete ${name}`); return inner.deleteDatabase(name) },
  }
  return { factory: factory as unknown as IDBFactory, asked }
}

test('the first run makes a database to delete, each later one deletes what the run before left', async () => {
  const { factory, asked } = watched()
  await renew(factory)
  expect(asked).toEqual(['delete', 'open', 'delete', 'open'].map((what) => `${what} ${LOG_DATABASE}`))
  await new Promise((resolve) => setImmediate(resolve))
  asked.length = 0
  await renew(factory)
  expect(asked).toEqual(['delete', 'open'].map((what) => `${what} ${LOG_DATABASE}`))
})

test('elsewhere than in Chromium nothing is done', async () => {
  const { factory, asked } = watched()
  vi.stubGlobal('indexedDB', factory)
  await renewLog()
  expect(asked).toEqual([])
})
