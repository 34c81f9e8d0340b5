import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Passage } from './candidates.ts'
import { createFreshness } from './freshness.ts'

const pieces = fc.array(fc.uniqueArray(fc.nat(12), { maxLength: 6 }), {
  minLength: 1,
  maxLength: 4,
})

function passageOf(shingles: readonly (readonly number[])[]): Passage {
  return {
    plain: true,
    heading: '',
    candidate: {
      rank: 1,
      documentId: 'd',
      title: '',
      passage: 0,
      start: 0,
      end: 1,
      text: 'x',
      score: 1,
    },
    titleWords: [],
    pieces: shingles.map((own) => ({
      start: 0,
      end: 1,
      shingles: own,
      terms: [],
      names: [],
      numeric: false,
    })),
  }
}

it('a share is always that of the shingles no taken piece has', () => {
  fc.assert(
    fc.property(
      fc.array(pieces, { minLength: 1, maxLength: 5 }),
      fc.array(fc.tuple(fc.nat(4), fc.nat(3))),
      (lists, flips) => {
        const fresh = createFreshness(lists.map(passageOf)),
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
