/**
 * Words one edit apart (insertion, deletion, substitution, transposition). Such words share what
 * is left when one letter is removed (symmetric delete, Garbe 2012): words are compared only where
 * those hashes meet.
 */
import { editDistance } from '../base/edit_distance.ts'
import { FNV_OFFSET, fnv1aStep } from '../base/hash.ts'

/** Shorter words have too many neighbours that are other words. */
const LEAST_LENGTH = 5
const MOST_LENGTH = 32
/** Words that meet under one hash, at most. */
const MOST_MEETING = 16

/**
 * Word -> the words a slip away, in order. Words with digits have none: 1994 is no misspelt 1995.
 * Linear in the letters, but for a sort.
 */
export function nearWords(words: Iterable<string>): Map<string, readonly string[]> {
  const list = [...new Set(words)]
    .filter(
      (word) => word.length >= LEAST_LENGTH && word.length <= MOST_LENGTH && !/\p{N}/u.test(word),
    )
    .sort()
  // number of the word in the low 20 bits and more, hash above: one sort brings together what meets
  const scale = 2 ** Math.ceil(Math.log2(list.length + 1)),
    meeting = new Float64Array(list.reduce((sum, word) => sum + word.length + 1, 0))
  let at = 0
  list.forEach((word, number) => {
    for (let out = -1; out < word.length; out++)
      meeting[at++] = hashWithout(word, out) * scale + number
  })
  meeting.sort()
  const near = new Map<string, Set<string>>()
  for (let from = 0; from < meeting.length;) {
    const hash = Math.floor(meeting[from]! / scale)
    let to = from + 1
    while (to < meeting.length && Math.floor(meeting[to]! / scale) === hash) to++
    const group = [
      ...new Set(
        Array.from(
          meeting.subarray(from, Math.min(to, from + 4 * MOST_MEETING)),
          (entry) => list[entry % scale]!,
        ),
      ),
    ]
    if (group.length <= MOST_MEETING) {
      group.forEach((a, i) => {
        for (const b of group.slice(i + 1))
          if (editDistance(a, b, 1) <= 1) {
            add(near, a, b)
            add(near, b, a)
          }
      })
    }
    from = to
  }
  return new Map([...near].map(([word, others]) => [word, [...others].sort()]))
}

/** Hash of a word without one of its units, cut to 31 bits. */
function hashWithout(word: string, out: number): number {
  let hash = FNV_OFFSET
  for (let i = 0; i < word.length; i++) if (i !== out) hash = fnv1aStep(hash, word.charCodeAt(i))
  return hash >>> 1
}

function add(near: Map<string, Set<string>>, word: string, other: string): void {
  const others = near.get(word)
  if (others) others.add(other)
  else near.set(word, new Set([other]))
}
