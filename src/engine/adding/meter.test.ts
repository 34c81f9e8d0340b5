import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Progress } from '../../types.ts'
import { Meter } from './meter.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('the time left is not guessed from the first few documents', () => {
  const told: Progress[] = [],
    meter = new Meter({ onProgress: (progress) => told.push(progress) })
  const report = (done: number, ms: number): void => {
    vi.advanceTimersByTime(ms)
    meter.report('saving', done, 10_000)
  }
  report(0, 0)
  report(64, 1000)
  report(2000, 1000)
  expect(told.map(({ done, secondsLeft }) => [done, secondsLeft])).toEqual([
    [0, null],
    [64, null],
    [2000, 8],
  ])
})

it('of slow work it is guessed after a few seconds', () => {
  const told: Progress[] = [],
    meter = new Meter({ onProgress: (progress) => told.push(progress) })
  for (const ms of [2000, 3000]) {
    vi.advanceTimersByTime(ms)
    meter.report('saving', told.length + 1, 101)
  }
  expect(told.map(({ done, rate, secondsLeft }) => [done, rate, secondsLeft])).toEqual([
    [1, 0.5, null],
    [2, 0.4, 247.5],
  ])
})

it('is told at most ten times a second, the last word always', () => {
  const told: number[] = [],
    meter = new Meter({ onProgress: ({ done }) => told.push(done) })
  for (let done = 1; done <= 50; done++) {
    vi.advanceTimersByTime(10)
    meter.report('text', done, 50)
  }
  meter.report('text', 50, 50, true)
  expect(told).toEqual([1, 11, 21, 31, 41, 50])
})
