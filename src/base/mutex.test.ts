import { expect, it } from 'vitest'
import { Mutex } from './mutex.ts'

it('runs one piece of work at a time, in order, past failures', async () => {
  const mutex = new Mutex(),
    seen: string[] = []
  const work = (name: string, fails = false) =>
    mutex.run(async () => {
      seen.push(`${name} begins`)
      await Promise.resolve()
      seen.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const results = await Promise.allSettled([work('a'), work('b', true), work('c')])
  expect(seen).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
