import 'fake-indexeddb/auto'
import { afterEach, expect, it, vi } from 'vitest'
import { Connection } from './connection.ts'
import type { ConnectionEvent } from './connection_options.ts'
import { databaseNames, deleteDatabase } from './databases.ts'
import { createFaultPlan } from './fault_hook.ts'
import { MIGRATIONS, type Migration } from './schema.ts'

let count = 0
const fresh = (): string => `hubmesh:connection-${++count}`
const refusal = (code: string): unknown => expect.objectContaining({ code })
const one: Migration = (database) => {
  database.createObjectStore('a')
}
const two: Migration = async (database, transaction) => {
  database.createObjectStore('b')
  await transaction.objectStore('a').put('moved', 'key')
}

/** A tab that holds the database and does not let go. */
function stubborn(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name)
    request.onsuccess = () => {
      resolve(request.result)
    }
    request.onerror = () => {
      reject(request.error as Error)
    }
  })
}

afterEach(() => {
  vi.unstubAllGlobals()
})

it('a page without IndexedDB, or with one that throws, gets store/unavailable', async () => {
  vi.stubGlobal('indexedDB', undefined)
  await expect(new Connection({ name: fresh() }).database()).rejects.toThrow(
    refusal('store/unavailable'),
  )
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    },
  })
  await expect(new Connection({ name: fresh() }).database()).rejects.toThrow(
    refusal('store/unavailable'),
  )
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new DOMException('The user denied permission to access the database.', 'UnknownError')
    },
  })
  await expect(
    new Connection({ name: fresh() }).database(),
    'Chromium with blocked site data',
  ).rejects.toThrow(refusal('store/unavailable'))
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new DOMException(
        'A mutation operation was attempted on a database that did not allow mutations.',
        'InvalidStateError',
      )
    },
  })
  await expect(new Connection({ name: fresh() }).database()).rejects.toThrow(
    refusal('store/unavailable'),
  )
})

it('an open request that is never answered is tried once more, then given up', async () => {
  const faults = createFaultPlan()
  const connection = new Connection({ name: fresh(), openMs: 500, faults })
  faults.failNext('open', 'silence')
  expect((await connection.database()).version).toBe(MIGRATIONS.length)
  connection.close()
  const deaf = new Connection({ name: fresh(), openMs: 20, faults })
  faults.failNext('open', 'silence')
  faults.failNext('open', 'silence')
  await expect(deaf.database()).rejects.toThrow(refusal('store/unavailable'))
  expect(faults.armed).toBe(0)
})

it('an internal error of the browser is tried at most four times, then named store/corrupt', async () => {
  const faults = createFaultPlan()
  const options = { retryDelaysMs: [0, 0, 0], faults }
  for (let i = 0; i < 3; i++) faults.failNext('open', 'unknown')
  const connection = new Connection({ name: fresh(), ...options })
  expect((await connection.database()).version).toBe(MIGRATIONS.length)
  connection.close()
  for (let i = 0; i < 9; i++) faults.failNext('open', 'unknown')
  await expect(new Connection({ name: fresh(), ...options }).database()).rejects.toThrow(
    expect.objectContaining({
      code: 'store/corrupt',
      details: expect.objectContaining({ attempts: 4 }) as unknown,
    }),
  )
  expect(faults.armed).toBe(5)
})

it('a disk that is full at opening is named store/quota and not tried again', async () => {
  const faults = createFaultPlan()
  faults.failNext('open', 'quota')
  await expect(new Connection({ name: fresh(), faults }).database()).rejects.toThrow(
    refusal('store/quota'),
  )
})

it('an older tab lets go of the database, and comes back as one that is too old', async () => {
  const name = fresh()
  const events: ConnectionEvent[] = []
  const old = new Connection({ name, migrations: [one], onEvent: (event) => events.push(event) })
  await old.database()
  const newer = new Connection({ name, migrations: [one, two] })
  const database = await newer.database()
  expect([...database.objectStoreNames]).toEqual(['a', 'b'])
  expect(await database.get('a', 'key')).toBe('moved')
  expect(events).toEqual(['versionchange'])
  await expect(old.database()).rejects.toThrow(refusal('store/newer-schema'))
  newer.close()
})

it(
  'a tab that does not let go is reported at once and named store/blocked in the end; the ' +
    'wait can be cancelled',
  async () => {
    const name = fresh()
    const first = new Connection({ name, migrations: [one] })
    await first.database()
    first.close()
    const holder = await stubborn(name)
    const onBlocked = vi.fn()
    await expect(
      new Connection({ name, migrations: [one, two], blockedMs: 20, onBlocked }).database(),
    ).rejects.toThrow(refusal('store/blocked'))
    expect(onBlocked).toHaveBeenCalledOnce()
    const cancel = new AbortController()
    const waiting = new Connection({
      name,
      migrations: [one, two],
      onBlocked: () => {
        cancel.abort()
      },
    }).database(cancel.signal)
    await expect(waiting).rejects.toThrow(refusal('aborted'))
    await expect(deleteDatabase(name, { blockedMs: 20, onBlocked })).rejects.toThrow(
      refusal('store/blocked'),
    )
    holder.close()
    const patient = new Connection({ name, migrations: [one, two] })
    expect((await patient.database()).version).toBe(2)
    patient.close()
  },
)

it('a migration that fails half-way leaves the version before, whole, and the next opening tries again', async () => {
  const name = fresh()
  const before = new Connection({ name, migrations: [one] })
  await (await before.database()).put('a', 'kept', 'key')
  before.close()
  for (const broken of [
    () => {
      throw new Error('half-way')
    },
    async (_database: unknown, transaction: Parameters<Migration>[1]) => {
      await transaction.objectStore('a').put('lost', 'key')
      throw new Error('half-way')
    },
  ]) {
    await expect(
      new Connection({ name, migrations: [one, two, broken] }).database(),
    ).rejects.toThrow(
      expect.objectContaining({
        code: 'store/unavailable',
        message: expect.stringContaining('taken back') as unknown,
      }),
    )
    const same = new Connection({ name, migrations: [one] })
    const database = await same.database()
    expect([
      database.version,
      [...database.objectStoreNames],
      await database.get('a', 'key'),
    ]).toEqual([1, ['a'], 'kept'])
    same.close()
  }
  const again = new Connection({ name, migrations: [one, two] })
  expect((await again.database()).version).toBe(2)
  again.close()
})

it('a lost connection comes back at the next use, a closed one does not', async () => {
  const connection = new Connection({ name: fresh() })
  const first = await connection.database()
  expect(await connection.database()).toBe(first)
  connection.drop()
  expect(await connection.database()).not.toBe(first)
  connection.close()
  await expect(connection.database()).rejects.toThrow(refusal('store/closed'))
})

it('databases are listed, or said not to be listed, and are gone when deleted', async () => {
  const name = fresh()
  const connection = new Connection({ name })
  await connection.database()
  expect(await databaseNames()).toContain(name)
  await deleteDatabase(name)
  expect(await databaseNames()).not.toContain(name)
  connection.close()
  vi.stubGlobal('indexedDB', { open: () => undefined })
  expect(await databaseNames()).toBeNull()
})
