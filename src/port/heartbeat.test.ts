import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startHeartbeat } from './heartbeat.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const never = (): Promise<void> => new Promise(() => undefined)

it('a worker that answers is left alone', async () => {
  const onSilence = vi.fn()
  const ping = vi.fn(() => Promise.resolve())
  const stop = startHeartbeat({ ping, busy: () => true, onSilence, intervalMs: 10, pings: 3 })
  await vi.advanceTimersByTimeAsync(1000)
  expect(ping.mock.calls.length).toBeGreaterThan(50)
  expect(onSilence).not.toHaveBeenCalled()
  stop()
  expect(vi.getTimerCount()).toBe(0)
})

it('an idle worker is not asked', async () => {
  const ping = vi.fn(never)
  const stop = startHeartbeat({
    ping,
    busy: () => false,
    onSilence: () => undefined,
    intervalMs: 10,
    pings: 3,
  })
  await vi.advanceTimersByTimeAsync(1000)
  expect(ping).not.toHaveBeenCalled()
  stop()
})

it('a busy worker that leaves the pings unanswered is reported once', async () => {
  const onSilence = vi.fn()
  startHeartbeat({ ping: never, busy: () => true, onSilence, intervalMs: 10, pings: 3 })
  await vi.advanceTimersByTimeAsync(35)
  expect(onSilence).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1000)
  expect(onSilence).toHaveBeenCalledTimes(1)
  expect(vi.getTimerCount()).toBe(0)
})
