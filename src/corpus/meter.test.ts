import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Progress } from '../types.ts'
import { Meter } from './meter.ts'

beforeEach(() => { vi.useFakeTimers({ toFake: ['performance', 'Date'] }) })
afterEach(() => { vi.useRealTimers() })

test('the time left is that of saving and indexing, whatever reading the files took', () => {
  const told: Progress[] = [], meter = new Meter({ onProgress: (progress) => told.push(progress) })
  vi.advanceTimersByTime(20_000)
  meter.report('reading', 1000, 1000)
  meter.report('saving', 0, 1000)                             // within a tenth of a second: not told
  vi.advanceTimersByTime(1000)
  meter.report('text', 100, 1000)
  vi.advanceTimersByTime(1000)
  meter.report('saving', 200, 1000)
  expect(told.map(({ phase, rate, secondsLeft }) => [phase, Math.round(rate), Math.round(secondsLeft ?? -1)])).toEqual([['reading', 50, 0], ['text', 100, 9], ['saving', 100, 8]])
})

test('is told at most ten times a second, the last word always', () => {
  const told: number[] = [], meter = new Meter({ onProgress: ({ done }) => told.push(done) })
  for (let done = 1; done <= 50; done++) { vi.advanceTimersByTime(10); meter.report('text', done, 50) }
  meter.report('text', 50, 50, true)
  expect(told).toEqual([1, 11, 21, 31, 41, 50])
})
