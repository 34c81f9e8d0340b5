import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { fakeWorker } from './fake_worker.ts'
import type { FakeWorker } from './fake_worker.ts'
import { announceReady } from './ready.ts'
import { Supervisor } from './supervisor.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

interface Setup {
  readonly made: FakeWorker[]
  readonly deaths: { readonly error: HubmeshError; readonly final: boolean }[]
  readonly start: (restart?: boolean) => Promise<Supervisor<number>>
}

/** Workers that are ready as soon as they are made; what they are connected to is their number. */
function setup(connect: (n: number) => Promise<number> = (n) => Promise.resolve(n)): Setup {
  const made: FakeWorker[] = []
  const deaths: Setup['deaths'] = []
  return {
    made,
    deaths,
    start: (restart = true) =>
      Supervisor.start<number>({
        role: 'engine',
        restart,
        factory: () => {
          const fake = fakeWorker()
          made.push(fake)
          announceReady('engine', fake.scope)
          return fake.worker
        },
        connect: () => connect(made.length),
        onDeath: (error, final) => {
          deaths.push({ error, final })
        },
      }),
  }
}

it('a dead worker is replaced after a wait that doubles', async () => {
  const { made, deaths, start } = setup()
  const supervisor = await start()
  expect(await supervisor.get()).toBe(1)
  for (let strike = 1; strike <= LIMITS.workerStrikes; strike++) {
    made.at(-1)!.fail('boom')
    expect(deaths).toHaveLength(strike)
    expect(deaths.at(-1)?.final).toBe(false)
    const wait = LIMITS.workerBackoffMs * 2 ** (strike - 1)
    await vi.advanceTimersByTimeAsync(wait - 1)
    expect(made).toHaveLength(strike)
    await vi.advanceTimersByTimeAsync(1)
    expect(await supervisor.get()).toBe(strike + 1)
  }
  supervisor.close()
})

it('one that did not answer is replaced when the browser must have ended it, and its locks with it', async () => {
  const { made, start } = setup()
  const supervisor = await start()
  supervisor.kill(new HubmeshError('worker/timeout', 'silent'))
  await vi.advanceTimersByTimeAsync(LIMITS.hungWorkerMs - 1)
  expect(made).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await supervisor.get()).toBe(2)
  supervisor.close()
})

it('after the last strike it stays down and names the first cause', async () => {
  const { made, deaths, start } = setup()
  const supervisor = await start()
  for (let strike = 0; strike <= LIMITS.workerStrikes; strike++) {
    made.at(-1)!.fail(strike === 0 ? 'the first cause' : 'a later one')
    await vi.advanceTimersByTimeAsync(60_000 / 2)
    if (strike < LIMITS.workerStrikes) await supervisor.get()
  }
  await expect(supervisor.get()).rejects.toMatchObject({
    code: 'worker/crashed',
    details: { strikes: LIMITS.workerStrikes + 1 },
    cause: { details: { what: 'the first cause' } },
  })
  expect(deaths.map(({ final }) => final)).toEqual([false, false, false, true])
  await vi.advanceTimersByTimeAsync(600_000)
  expect(made).toHaveLength(LIMITS.workerStrikes + 1)
})

it('a long life forgives earlier deaths', async () => {
  const { made, deaths, start } = setup()
  const supervisor = await start()
  for (let i = 0; i < 2 * LIMITS.workerStrikes; i++) {
    await vi.advanceTimersByTimeAsync(LIMITS.workerForgiveMs)
    made.at(-1)!.fail('boom')
    await vi.advanceTimersByTimeAsync(LIMITS.workerBackoffMs)
    await supervisor.get()
  }
  expect(deaths.every(({ final }) => !final)).toBe(true)
  supervisor.close()
})

it('without restart the first death is final', async () => {
  const { made, deaths, start } = setup()
  const supervisor = await start(false)
  made[0]!.fail('boom')
  expect(deaths).toMatchObject([{ final: true, error: { code: 'worker/crashed' } }])
  await expect(supervisor.get()).rejects.toMatchObject({ code: 'worker/crashed' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(made).toHaveLength(1)
})

it("a failure of the first start is the caller's and nothing is tried again", async () => {
  const refused = new HubmeshError('store/unavailable', 'No IndexedDB.')
  const { made, start } = setup(() => Promise.reject(refused))
  await expect(start()).rejects.toBe(refused)
  expect(made[0]!.terminated()).toBe(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(made).toHaveLength(1)
})

it('a restart that cannot connect counts as a death', async () => {
  const { made, deaths, start } = setup((n) =>
    n === 2 ? Promise.reject(new HubmeshError('store/blocked', 'busy')) : Promise.resolve(n),
  )
  const supervisor = await start()
  made[0]!.fail('boom')
  const failed = expect(supervisor.get()).rejects.toMatchObject({ code: 'store/blocked' })
  await vi.advanceTimersByTimeAsync(LIMITS.workerBackoffMs)
  await failed
  await vi.advanceTimersByTimeAsync(2 * LIMITS.workerBackoffMs)
  expect(await supervisor.get()).toBe(3)
  expect(deaths.map(({ error }) => error.code)).toEqual(['worker/crashed', 'store/blocked'])
  supervisor.close()
})

it('closing during the wait ends it', async () => {
  const { made, start } = setup()
  const supervisor = await start()
  made[0]!.fail('boom')
  supervisor.close()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(made).toHaveLength(1)
})
