import { describe, expect, it } from 'vitest'
import { LIMITS } from '../base/limits.ts'
import { EmbeddingSchedule } from './schedule.ts'

function clocked() {
  const clock = { ms: 0 }
  return { clock, schedule: new EmbeddingSchedule<string>(() => clock.ms) }
}

/** Everything that is next, each done at once. */
function drain(schedule: EmbeddingSchedule<string>): string {
  let order = ''
  for (let key = schedule.next(); key !== null; key = schedule.next()) {
    order += key
    schedule.done(key)
  }
  return order
}

describe('the order of embedding', () => {
  it('is by age, whatever is added meanwhile', () => {
    const { schedule } = clocked()
    schedule.enqueue('abc')
    expect(schedule.next()).toBe('a')
    schedule.enqueue('dabc')
    expect(drain(schedule)).toBe('bcd')
  })

  it('puts passages that questions touched first, those of the newest question before all, in the order given', () => {
    const { schedule } = clocked()
    schedule.enqueue('abcdef')
    schedule.touch(['d', 'c'])
    schedule.touch(['f', 'e', 'unknown'])
    expect(drain(schedule)).toBe('fedcab')
  })

  it(
    'takes the longest of the oldest few first, and never lets a passage wait for more than a ' +
      'window of younger ones',
    () => {
      const lengths = Array.from({ length: 5 * LIMITS.embedWindow }, (_, i) => (i * 7919) % 101)
      const schedule = new EmbeddingSchedule<number>(
        () => 0,
        (key) => lengths[key]!,
      )
      schedule.enqueue(lengths.keys())
      const order: number[] = []
      for (let key = schedule.next(); key !== null; key = schedule.next()) {
        order.push(key)
        schedule.done(key)
      }
      expect([...order].sort((a, b) => a - b)).toEqual([...lengths.keys()])
      for (let at = 0; at < order.length; at += LIMITS.embedWindow) {
        const window = order.slice(at, at + LIMITS.embedWindow)
        expect(window.every((key) => key >= at && key < at + LIMITS.embedWindow)).toBe(true)
        expect(window.map((key) => lengths[key])).toEqual(
          window.map((key) => lengths[key]!).sort((a, b) => b - a),
        )
      }
    },
  )

  it('of equal lengths takes the older, and of touched passages the touched, whatever their length', () => {
    const schedule = new EmbeddingSchedule<string>(
      () => 0,
      (key) => (key === 'z' ? 1 : 2),
    )
    schedule.enqueue('zabcd')
    expect(schedule.next()).toBe('a')
    schedule.touch(['z', 'd'])
    expect(drain(schedule)).toBe('zdbc')
  })

  it('embeds a passage once that is removed and added again while it is among the oldest', () => {
    const schedule = new EmbeddingSchedule<string>(
      () => 0,
      () => 1,
    )
    schedule.enqueue('abc')
    expect(schedule.next()).toBe('a')
    schedule.remove('b')
    schedule.enqueue('b')
    expect(drain(schedule)).toHaveLength(2)
  })

  it('embeds a passage once, however often it is touched', () => {
    const { schedule } = clocked()
    schedule.enqueue('ab')
    for (let i = 0; i < 3; i++) schedule.touch(['b'])
    expect(drain(schedule)).toBe('ba')
    expect(schedule.progress()).toMatchObject({ done: 2, total: 2 })
  })

  it('gives nothing while paused, and goes on where it was', () => {
    const { schedule } = clocked()
    schedule.enqueue('ab')
    schedule.pause()
    expect(schedule.next()).toBeNull()
    schedule.resume()
    expect(drain(schedule)).toBe('ab')
  })

  it('forgets removed passages and ignores their late completion', () => {
    const { schedule } = clocked()
    schedule.enqueue('abc')
    expect(schedule.next()).toBe('a')
    schedule.remove(['a', 'b', 'zz'])
    schedule.done('a')
    expect(schedule.progress()).toMatchObject({ done: 0, total: 1 })
    expect(drain(schedule)).toBe('c')
    expect([schedule.waiting, schedule.running]).toEqual([0, 0])
  })

  it('sets failed passages aside until they are added again', () => {
    const { schedule } = clocked()
    schedule.enqueue('ab')
    schedule.fail(schedule.next()!)
    expect(drain(schedule)).toBe('b')
    expect(schedule.progress()).toMatchObject({ done: 1, failed: 1, total: 2, secondsLeft: 0 })
    schedule.enqueue('a')
    expect(drain(schedule)).toBe('a')
  })

  it('starts again with a passage that was given back', () => {
    const { schedule } = clocked()
    schedule.enqueue('ab')
    schedule.giveBack(schedule.next()!)
    expect(schedule.running).toBe(0)
    expect(drain(schedule)).toBe('ab')
  })

  it('keeps its order over many passages', () => {
    const schedule = new EmbeddingSchedule<number>(() => 0)
    schedule.enqueue(Array.from({ length: 20_000 }, (_, i) => i))
    for (let i = 0; i < 20_000; i++) {
      if (schedule.next() !== i) throw new Error(`out of order at ${i}`)
      schedule.done(i)
    }
    expect(schedule.next()).toBeNull()
  })
})

describe('the progress of embedding', () => {
  it('is unknown before two completions, then their rate', () => {
    const { clock, schedule } = clocked()
    schedule.enqueue('abcdefgh')
    expect(schedule.progress()).toEqual({
      done: 0,
      total: 8,
      failed: 0,
      rate: 0,
      secondsLeft: null,
    })
    for (let i = 0; i < 4; i++) {
      const key = schedule.next()!
      clock.ms += 100
      schedule.done(key)
    }
    expect(schedule.progress()).toEqual({
      done: 4,
      total: 8,
      failed: 0,
      rate: 10,
      secondsLeft: 0.4,
    })
  })

  it('does not count pauses or times without work', () => {
    const { clock, schedule } = clocked()
    const work = (): void => {
      const key = schedule.next()!
      clock.ms += 100
      schedule.done(key)
    }
    schedule.enqueue('abc')
    work()
    schedule.pause()
    clock.ms += 60_000
    schedule.resume()
    work()
    work()
    clock.ms += 3_600_000
    schedule.enqueue('de')
    work()
    expect(schedule.progress().rate).toBe(10)
  })

  it('follows a rate that changes', () => {
    const { clock, schedule } = clocked()
    schedule.enqueue(Array.from({ length: 200 }, (_, i) => String(i)))
    for (let i = 0; i < 100; i++) {
      const key = schedule.next()!
      clock.ms += i < 50 ? 1000 : 50
      schedule.done(key)
    }
    expect(schedule.progress().rate).toBeCloseTo(20, 9)
  })
})
