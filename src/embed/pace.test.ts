import { describe, expect, it } from 'vitest'
import { LIMITS } from '../base/limits.ts'
import { Pace } from './pace.ts'

describe('the pace of embedding', () => {
  it('is all that the embedder wants while nobody waits', () => {
    const pace = new Pace(() => undefined)
    expect([1, 2, 3, 5].map((concurrency) => pace.textsAtOnce(concurrency))).toEqual([1, 2, 3, 5])
    expect(pace.restAfter(100)).toBe(0)
  })

  it('leaves a core to whoever waits, also when several do, and takes it again after the last', async () => {
    let changes = 0
    const pace = new Pace(() => {
      changes++
    })
    const ends: (() => void)[] = []
    const wait = () =>
      pace.during(
        () =>
          new Promise<void>((resolve) => {
            ends.push(resolve)
          }),
      )
    const first = wait(),
      second = wait()
    expect([1, 2, 3, 5].map((concurrency) => pace.textsAtOnce(concurrency))).toEqual([1, 1, 1, 3])
    ends[0]!()
    await first
    expect(pace.textsAtOnce(5)).toBe(3)
    expect(changes).toBe(0)
    ends[1]!()
    await second
    expect(pace.textsAtOnce(5)).toBe(5)
    expect(changes).toBe(1)
  })

  it('takes the core again after work that failed', async () => {
    const pace = new Pace(() => undefined)
    await expect(pace.during(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(pace.textsAtOnce(3)).toBe(3)
  })

  it('is one text at a time with a rest as long as the work while hidden or on a low battery, and says why', () => {
    let changes = 0
    const pace = new Pace(() => {
      changes++
    })
    pace.set({ hidden: true, savingPower: false })
    expect([pace.throttle, pace.textsAtOnce(5), pace.restAfter(70)]).toEqual(['hidden', 1, 70])
    pace.set({ hidden: true, savingPower: true })
    expect(pace.throttle).toBe('battery')
    pace.set({ hidden: true, savingPower: true })
    expect(pace.restAfter(60_000)).toBe(LIMITS.embedRestMs)
    pace.set({ hidden: false, savingPower: false })
    expect([pace.throttle, pace.textsAtOnce(5), pace.restAfter(70)]).toEqual([null, 5, 0])
    expect(changes).toBe(3)
  })
})
