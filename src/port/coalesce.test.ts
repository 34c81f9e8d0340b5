import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { coalesce } from './coalesce.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('a burst of reports is delivered at most once per interval, newest first seen, last one always', () => {
  const seen: { value: number; at: number }[] = []
  const start = Date.now()
  const reports = coalesce<number>((value) => {
    seen.push({ value, at: Date.now() - start })
  }, 100)
  for (let i = 1; i <= 1000; i++) {
    reports.push(i)
    vi.advanceTimersByTime(1)
  }
  vi.advanceTimersByTime(1000)
  expect(seen[0]).toEqual({ value: 1, at: 0 })
  expect(seen.at(-1)?.value).toBe(1000)
  expect(seen.length).toBeLessThanOrEqual(12)
  for (let i = 1; i < seen.length; i++)
    expect(seen[i]!.at - seen[i - 1]!.at).toBeGreaterThanOrEqual(100)
})

it('flush delivers what waits, once, and cancel drops it', () => {
  const seen: number[] = []
  const reports = coalesce<number>((value) => {
    seen.push(value)
  }, 100)
  reports.push(1)
  reports.push(2)
  reports.flush()
  reports.flush()
  expect(seen).toEqual([1, 2])
  reports.push(3)
  reports.cancel()
  vi.advanceTimersByTime(1000)
  expect(seen).toEqual([1, 2])
  expect(vi.getTimerCount()).toBe(0)
})

it('a single report leaves no timer running for ever', () => {
  const reports = coalesce<number>(() => undefined, 100)
  reports.push(1)
  vi.advanceTimersByTime(100)
  expect(vi.getTimerCount()).toBe(0)
})
