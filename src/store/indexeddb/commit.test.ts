import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { write, type WriteOptions } from './commit.ts'
import { Connection } from './connection.ts'
import { createFaultPlan, type FaultPlan } from './fault_hook.ts'
import { MANIFEST_COPY_KEY, MANIFEST_KEY, read, readManifests } from './read.ts'

let count = 0
let connection: Connection
let faults: FaultPlan
const unhandled = vi.fn()
const refusal = (code: string): unknown => expect.objectContaining({ code })

beforeEach(async () => {
  connection = new Connection({ name: `hubmesh:commit-${++count}` })
  faults = createFaultPlan()
  process.on('unhandledRejection', unhandled)
  await write(connection, { stores: [], before: null, bytes: 1, plan: become('born') })
})
afterEach(async () => {
  connection.close()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

type Plan = WriteOptions['plan']
const become =
  (text: string, plan: Plan = () => undefined): Plan =>
  (writer) => {
    plan(writer)
    writer.put('meta', MANIFEST_KEY, text)
    writer.put('meta', MANIFEST_COPY_KEY, text)
  }
const three: Plan = (writer) => {
  for (const key of ['a', 'b', 'c']) writer.put('segments', key, key)
}
const attempt = (more: Partial<WriteOptions> = {}): Promise<void> =>
  write(connection, {
    stores: ['segments'],
    before: 'born',
    bytes: 123,
    plan: become('next', three),
    faults,
    ...more,
  })
const state = (): Promise<[readonly IDBValidKey[], string | undefined]> =>
  read(connection, ['meta', 'segments'], async (transaction) => [
    await transaction.objectStore('segments').getAllKeys(),
    (await readManifests(transaction))[0],
  ])

it('a write is one strict transaction and leaves manifest and values together', async () => {
  const spy = vi.spyOn(IDBDatabase.prototype, 'transaction')
  await attempt()
  expect(spy.mock.calls.map((call) => call[2])).toEqual([{ durability: 'strict' }])
  spy.mockRestore()
  expect(await state()).toEqual([['a', 'b', 'c'], 'next'])
})

it.each([
  ['throw', 'bug/invariant'],
  ['abort', 'store/closed'],
  ['closing', 'store/closed'],
  ['unknown', 'store/unavailable'],
  ['quota', 'store/quota'],
] as const)(
  'a fault "%s" at any put or at the end keeps nothing, and the next write goes well',
  async (kind, code) => {
    for (const [stage, after] of [
      ['put', 0],
      ['put', 1],
      ['put', 2],
      ['finish', 0],
    ] as const) {
      faults.failNext(stage, kind, after)
      await expect(attempt()).rejects.toThrow(refusal(code))
      expect(await state()).toEqual([[], 'born'])
    }
    await attempt()
    expect(await state()).toEqual([['a', 'b', 'c'], 'next'])
  },
)

it('store/quota names the bytes needed', async () => {
  faults.failNext('put', 'quota')
  await expect(attempt()).rejects.toThrow(
    expect.objectContaining({
      code: 'store/quota',
      details: expect.objectContaining({ neededBytes: 123 }) as unknown,
    }),
  )
})

it('a plan that waits for something is refused, also when it fails later, and nothing is kept', async () => {
  for (const plan of [
    async () => {
      await Promise.resolve()
    },
    async () => {
      await Promise.resolve()
      throw new Error('later')
    },
  ])
    await expect(attempt({ plan: plan as unknown as Plan })).rejects.toThrow(
      refusal('bug/invariant'),
    )
  expect(await state()).toEqual([[], 'born'])
})

it('a connection that is closing is opened once more; a second time is store/closed', async () => {
  faults.failNext('begin', 'closing')
  await attempt()
  faults.failNext('begin', 'closing')
  faults.failNext('begin', 'closing')
  await expect(attempt({ before: 'next' })).rejects.toThrow(refusal('store/closed'))
  await attempt({ before: 'next', plan: become('third') })
  expect((await state())[1]).toBe('third')
})

it('a transaction of which nothing is heard is named indeterminate', async () => {
  faults.failNext('finish', 'silence')
  await expect(attempt({ commitMs: 20 })).rejects.toThrow(refusal('store/indeterminate'))
})

it('a writer that was replaced is refused inside the transaction', async () => {
  await attempt({ plan: become('of another') })
  await expect(attempt()).rejects.toThrow(refusal('writer/lost'))
  await expect(attempt({ before: null })).rejects.toThrow(refusal('writer/lost'))
  expect(await state()).toEqual([[], 'of another'])
  await attempt({
    before: 'of another',
    plan: (writer) => {
      writer.clear('meta')
    },
  })
  await expect(attempt({ before: 'of another' })).rejects.toThrow(refusal('store/evicted'))
})

it('one damaged copy of the manifest does no harm, two are refused', async () => {
  const raw = await connection.database()
  await raw.put('meta', { json: '{}', check: 1 }, MANIFEST_KEY)
  await attempt()
  await raw.put('meta', 'rubbish', MANIFEST_COPY_KEY)
  await attempt({ before: 'next' })
  for (const key of [MANIFEST_KEY, MANIFEST_COPY_KEY]) await raw.put('meta', {}, key)
  await expect(attempt({ before: 'next' })).rejects.toThrow(refusal('writer/lost'))
})

it('a value that cannot be cloned is named before anything is kept', async () => {
  await expect(
    attempt({
      plan: (writer) => {
        writer.put('segments', 'f', () => 1)
      },
    }),
  ).rejects.toThrow(refusal('input/invalid'))
  expect(await state()).toEqual([[], 'born'])
})
