/** Owns how far two words are apart. Refuses: to go on once they are further apart than asked. */

/**
 * Optimal string alignment distance (Damerau, CACM 1964): insertions, deletions, replacements and swaps of neighbours, in UTF-16
 * units; `most + 1` when it is more than `most`. Time is (2 most + 1) times the length.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = [], previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = new Array<number>(b.length + 1).fill(most + 1)
    if (i <= most) row[0] = i
    let least = row[0] as number
    const from = Math.max(1, i - most), to = Math.min(b.length, i + most)
    for (let j = from; j <= to; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let cost = Math.min((previous[j] ?? most + 1) + 1, (row[j - 1] as number) + 1, (previous[j - 1] as number) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1)) cost = Math.min(cost, (before[j - 2] as number) + 1)
      row[j] = cost
      if (cost < least) least = cost
    }
    if (least > most) return most + 1
    before = previous
    previous = row
  }
  return Math.min(previous[b.length] as number, most + 1)
}
