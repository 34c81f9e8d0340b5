import { describe, expect, it } from 'vitest'
import { Backoff, retry, sleep } from './retry.ts'

const base = { attempts: 4, baseMs: 10, maxMs: 25 }

describe('Backoff', () => {
  it('doubles up to the bound, then gives up with the first cause kept', () => {
    const backoff = new Backoff(base)
    expect(['a', 'b', 'c', 'd'].map((error) => backoff.fail(error))).toEqual([10, 20, 25, null])
    expect(backoff.cause).toBe('a')
    backoff.succeed()
    expect([backoff.count, backoff.cause, backoff.fail('e')]).toEqual([0, null, 10])
  })
})

describe('retry', () => {
  const run = (failures: number, retryable: (error: unknown) => boolean | number) => {
    const waits: number[] = []
    let calls = 0
    const result = retry(
      async () => {
        if (++calls <= failures) throw new Error(`failure ${calls}`)
        return calls
      },
      { ...base, retryable, wait: async (ms) => void waits.push(ms) },
    )
    return result.then(
      (value) => ({ value, waits }),
      (error: Error) => ({ error: error.message, waits }),
    )
  }

  it('waits longer each time and gives what succeeded', async () => {
    expect(await run(2, () => true)).toEqual({ value: 3, waits: [10, 20] })
  })

  it('waits as long as the other side asks, within the bound', async () => {
    expect(await run(2, () => 500)).toEqual({ value: 3, waits: [25, 25] })
  })

  it('throws the last error after the last attempt, and at once what is not retryable', async () => {
    expect(await run(9, () => true)).toEqual({ error: 'failure 4', waits: [10, 20, 25] })
    expect(await run(9, () => false)).toEqual({ error: 'failure 1', waits: [] })
  })

  it('rejects with aborted while it waits', async () => {
    const abort = new AbortController(),
      waiting = sleep(1e6, abort.signal)
    abort.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
    await expect(sleep(1, abort.signal)).rejects.toMatchObject({ code: 'aborted' })
  })
})
