import { afterEach, expect, it, vi } from 'vitest'
import type { HubmeshError } from '../base/errors.ts'
import { fakeWorker } from './fake_worker.ts'
import { PROTOCOL_VERSION } from './protocol.ts'
import { announceReady } from './ready.ts'
import { spawnWorker } from './spawn.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('a worker that says it is ready is handed over alive', async () => {
  const fake = fakeWorker()
  const starting = spawnWorker('engine', { factory: () => fake.worker })
  announceReady('engine', fake.scope)
  const live = await starting
  expect(live.worker).toBe(fake.worker)
  expect(fake.terminated()).toBe(false)
  live.terminate()
  expect(fake.terminated()).toBe(true)
})

it(
  'a worker whose script is missing is worker/start-failed, terminated, and says where it ' +
    'was looked for',
  async () => {
    const fake = fakeWorker()
    const starting = spawnWorker('engine', { factory: () => fake.worker })
    fake.fail('')
    await expect(starting).rejects.toMatchObject({
      code: 'worker/start-failed',
      details: { role: 'engine' },
      cause: { code: 'worker/crashed' },
    })
    expect(fake.terminated()).toBe(true)
  },
)

it('a constructor that throws, as under Trusted Types, is worker/start-failed with its cause', async () => {
  const refused = new TypeError('This document requires TrustedScriptURL')
  await expect(
    spawnWorker('embed', {
      factory: () => {
        throw refused
      },
    }),
  ).rejects.toMatchObject({
    code: 'worker/start-failed',
    cause: refused,
    details: { role: 'embed' },
  })
})

it('a worker that never says it is ready is worker/timeout', async () => {
  vi.useFakeTimers()
  const fake = fakeWorker()
  const starting = spawnWorker('engine', { factory: () => fake.worker, deadlineMs: 1000 })
  const outcome = expect(starting).rejects.toMatchObject({
    code: 'worker/timeout',
    retryable: true,
    details: { deadlineMs: 1000 },
  })
  await vi.advanceTimersByTimeAsync(1000)
  await outcome
  expect(fake.terminated()).toBe(true)
})

it('cancelling a start terminates the worker', async () => {
  const fake = fakeWorker()
  const controller = new AbortController()
  const starting = spawnWorker('engine', { factory: () => fake.worker, signal: controller.signal })
  controller.abort()
  await expect(starting).rejects.toMatchObject({ code: 'aborted' })
  expect(fake.terminated()).toBe(true)
})

it.each([
  ['another role', { hubmesh: 'ready', role: 'embed', version: PROTOCOL_VERSION }],
  ['another protocol', { hubmesh: 'ready', role: 'engine', version: PROTOCOL_VERSION + 1 }],
])('a worker of %s is refused', async (_name, message) => {
  const fake = fakeWorker()
  const starting = spawnWorker('engine', { factory: () => fake.worker })
  fake.scope.postMessage(message)
  await expect(starting).rejects.toMatchObject({
    code: 'worker/start-failed',
    details: { expected: PROTOCOL_VERSION },
  })
  expect(fake.terminated()).toBe(true)
})

it('a death after the start is told once, to late listeners too', async () => {
  const fake = fakeWorker()
  const starting = spawnWorker('engine', { factory: () => fake.worker })
  announceReady('engine', fake.scope)
  const live = await starting
  const deaths: HubmeshError[] = []
  live.onDeath((error) => {
    deaths.push(error)
  })
  fake.fail('Uncaught RangeError: out of memory', 'https://page/engine.worker.js')
  fake.garble()
  live.onDeath((error) => {
    deaths.push(error)
  })
  expect(deaths).toHaveLength(2)
  expect(deaths[0]).toBe(deaths[1])
  expect(deaths[0]).toMatchObject({
    code: 'worker/crashed',
    details: { what: 'Uncaught RangeError: out of memory', file: 'https://page/engine.worker.js' },
  })
  expect(fake.terminated()).toBe(true)
})
