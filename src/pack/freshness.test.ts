import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFreshness } from './freshness.ts'

const pieces = fc.array(fc.uniqueArray(fc.nat(12), { maxLength: 6 }), {
  minLength: 1,
  maxLength: 4,
})

it('a share is always that of the shingles no taken piece has', () => {
  fc.assert(
    fc.property(
      fc.array(pieces, { minLength: 1, maxLength: 5 }),
      fc.array(fc.tuple(fc.nat(4), fc.nat(3))),
      (lists, flips) => {
        const fresh = createFreshness(lists),
          taken = new Set<string>()
        for (const [p, i] of flips) {
          if (lists[p]?.[i] === undefined) continue
          const key = `${p}/${i}`
          if (taken.delete(key)) fresh.giveBack(p, i)
          else {
            taken.add(key)
            fresh.take(p, i)
          }
          const seen = new Set(
            [...taken].flatMap((name) => {
              const [a, b] = name.split('/').map(Number)
              return [...lists[a!]![b!]!]
            }),
          )
          lists.forEach((list, a) =>
            list.forEach((own, b) => {
              expect(fresh.share(a, b)).toBe(
                own.length === 0
                  ? 1
                  : own.filter((shingle) => !seen.has(shingle)).length / own.length,
              )
            }),
          )
        }
      },
    ),
    { numRuns: 200 },
  )
})
