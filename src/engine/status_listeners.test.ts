import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { EngineStatus } from '../types.ts'
import { StatusListeners } from './status_listeners.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A status of which only the generation is looked at. */
const statusAt = (generation: number): EngineStatus => ({ generation }) as EngineStatus

it('many changes at once are told once, as it is by then', async () => {
  let generation = 0
  const listeners = new StatusListeners(async () => statusAt(generation)),
    seen: number[] = []
  listeners.add((status) => {
    seen.push(status.generation)
  })
  for (; generation < 5; generation++) listeners.changed()
  await vi.advanceTimersByTimeAsync(249)
  expect(seen).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(seen).toEqual([5])
  listeners.changed()
  await vi.advanceTimersByTimeAsync(250)
  expect(seen).toEqual([5, 5])
})

it('without a listener the status is not asked for, and one that was taken away is not told', async () => {
  const status = vi.fn(async () => statusAt(1)),
    listeners = new StatusListeners(status),
    listener = vi.fn()
  listeners.changed()
  await vi.advanceTimersByTimeAsync(1000)
  expect(status).not.toHaveBeenCalled()
  const stop = listeners.add(listener)
  listeners.changed()
  stop()
  await vi.advanceTimersByTimeAsync(1000)
  expect(listener).not.toHaveBeenCalled()
})

it('a status that rejects is told to nobody, and the next one is told', async () => {
  const status = vi
    .fn<() => Promise<EngineStatus>>()
    .mockRejectedValueOnce(new Error('closed'))
    .mockResolvedValueOnce(statusAt(2))
  const listeners = new StatusListeners(status),
    listener = vi.fn()
  listeners.add(listener)
  listeners.changed()
  await vi.advanceTimersByTimeAsync(250)
  expect(listener).not.toHaveBeenCalled()
  listeners.changed()
  await vi.advanceTimersByTimeAsync(250)
  expect(listener.mock.calls).toEqual([[statusAt(2)]])
})

it('once closed nobody is told, neither of a change before nor of one after', async () => {
  const status = vi.fn(async () => statusAt(1)),
    listeners = new StatusListeners(status),
    listener = vi.fn()
  listeners.add(listener)
  listeners.changed()
  listeners.close()
  listeners.add(listener)
  listeners.changed()
  await vi.advanceTimersByTimeAsync(1000)
  expect([status.mock.calls.length, listener.mock.calls.length]).toEqual([0, 0])
})
