import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { write, type WriteOptions, type WritePlan } from './commit.ts'
import { Connection } from './connection.ts'
import { RECORD_COPY_KEY, RECORD_KEY, type CorpusRecord } from './corpus_record.ts'
import { createFaultPlan, type FaultPlan } from './fault_hook.ts'
import { read } from './read.ts'
import { SETTINGS } from '../testing/storage_samples.ts'

let count = 0
let connection: Connection
let faults: FaultPlan
const unhandled = vi.fn()
const BORN: CorpusRecord = {
  instance: 'i',
  generation: 0,
  documents: 0,
  writerEpoch: 1,
  settings: SETTINGS,
}
const refusal = (code: string): unknown => expect.objectContaining({ code })

beforeEach(async () => {
  connection = new Connection({ name: `hubmesh:commit-${++count}` })
  faults = createFaultPlan()
  process.on('unhandledRejection', unhandled)
  await write(connection, { stores: [], fence: null, bytes: 1, plan: () => BORN })
})
afterEach(async () => {
  connection.close()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

const three: WritePlan = (writer, record) => {
  for (const key of ['a', 'b', 'c']) writer.put('documents', key, key)
  return { ...record!, generation: record!.generation + 1 }
}
const attempt = (more: Partial<WriteOptions> = {}): Promise<CorpusRecord> =>
  write(connection, {
    stores: ['documents'],
    fence: { instance: 'i', epoch: 1 },
    bytes: 123,
    plan: three,
    faults,
    ...more,
  })
const state = (): Promise<[readonly IDBValidKey[], number | undefined]> =>
  read(connection, ['documents'], async (transaction, record) => [
    await transaction.objectStore('documents').getAllKeys(),
    record?.generation,
  ])

it('a write is one strict transaction and leaves record and values together', async () => {
  const spy = vi.spyOn(IDBDatabase.prototype, 'transaction')
  expect((await attempt()).generation).toBe(1)
  expect(spy.mock.calls.map((call) => call[2])).toEqual([{ durability: 'strict' }])
  spy.mockRestore()
  expect(await state()).toEqual([['a', 'b', 'c'], 1])
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
      expect(await state()).toEqual([[], 0])
    }
    await attempt()
    expect(await state()).toEqual([['a', 'b', 'c'], 1])
  },
)

it(
  'thousands of values are handed over in steps, between which the thread does other work, ' +
    'and are kept or dropped as one',
  async () => {
    const order: string[] = []
    let writing = true
    const turn = (): void => {
      order.push('turn')
      if (writing) setImmediate(turn)
    }
    const many: WritePlan = (writer, record) => {
      for (let i = 0; i < 2000; i++)
        writer.put('documents', i, {
          get copied() {
            order.push('copied')
            return i
          },
        })
      return record!
    }
    setImmediate(turn)
    await attempt({ plan: many })
    writing = false
    const runs = order
      .join(' ')
      .split('turn')
      .map((run) => (run.trim() === '' ? 0 : run.trim().split(' ').length))
    expect(runs.reduce((sum, run) => sum + run)).toBe(2000)
    expect(Math.max(...runs)).toBeLessThanOrEqual(512)
    expect((await state())[0]).toHaveLength(2000)
    faults.failNext('put', 'throw', 1500)
    await expect(
      attempt({
        plan: (writer, record) => {
          writer.clear('documents')
          return many(writer, record)
        },
      }),
    ).rejects.toThrow(refusal('bug/invariant'))
    expect((await state())[0]).toHaveLength(2000)
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
      return BORN
    },
    async () => {
      await Promise.resolve()
      throw new Error('later')
    },
  ]) {
    await expect(attempt({ plan: plan as unknown as WritePlan })).rejects.toThrow(
      refusal('bug/invariant'),
    )
  }
  await expect(attempt({ plan: (() => undefined) as unknown as WritePlan })).rejects.toThrow(
    refusal('bug/invariant'),
  )
  expect(await state()).toEqual([[], 0])
})

it('a connection that is closing is opened once more; a second time is store/closed', async () => {
  faults.failNext('begin', 'closing')
  expect((await attempt()).generation).toBe(1)
  faults.failNext('begin', 'closing')
  faults.failNext('begin', 'closing')
  await expect(attempt()).rejects.toThrow(refusal('store/closed'))
  expect((await attempt()).generation).toBe(2)
})

it('a transaction of which nothing is heard is named indeterminate', async () => {
  faults.failNext('finish', 'silence')
  await expect(attempt({ commitMs: 20 })).rejects.toThrow(refusal('store/indeterminate'))
})

it('a writer that was replaced is refused inside the transaction', async () => {
  await write(connection, {
    stores: [],
    fence: null,
    bytes: 1,
    plan: (_writer, record) => ({ ...record!, writerEpoch: 2 }),
  })
  await expect(attempt()).rejects.toThrow(refusal('writer/lost'))
  await expect(attempt({ fence: { instance: 'another', epoch: 2 } })).rejects.toThrow(
    refusal('store/evicted'),
  )
  expect(await state()).toEqual([[], 0])
})

it('one damaged copy of the record does no harm, two are store/corrupt and nothing is written', async () => {
  const raw = await connection.database()
  await raw.put('meta', { json: '{}', check: 1 }, RECORD_KEY)
  expect((await attempt()).generation).toBe(1)
  await raw.put('meta', 'rubbish', RECORD_COPY_KEY)
  expect((await attempt()).generation).toBe(2)
  for (const key of [RECORD_KEY, RECORD_COPY_KEY]) await raw.put('meta', {}, key)
  await expect(attempt()).rejects.toThrow(refusal('store/corrupt'))
  await expect(
    write(connection, { stores: [], fence: null, bytes: 1, plan: () => BORN }),
  ).rejects.toThrow(refusal('store/corrupt'))
})

it('a value that cannot be cloned is named before anything is kept', async () => {
  await expect(
    attempt({
      plan: (writer, record) => {
        writer.put('documents', 'f', () => 1)
        return record!
      },
    }),
  ).rejects.toThrow(refusal('input/invalid'))
  expect(await state()).toEqual([[], 0])
})
