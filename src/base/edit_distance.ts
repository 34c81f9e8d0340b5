/** Edit distance of two words, up to a maximum. */

/**
 * Optimal string alignment distance (Damerau, CACM 1964): insertions, deletions, replacements and
 * swaps of neighbours, in UTF-16 units; `most + 1` when it is more than `most`. Time is (2 most +
 * 1) times the length.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  // Only a band of 2 most + 1 places around the diagonal can hold a distance within `most`; place j
  // of row i lies at j - i + most.
  const width = 2 * most + 1,
    far = most + 1
  let before: number[] = [],
    previous = Array.from({ length: width }, (_, k) => (k >= most ? k - most : far))
  for (let i = 1; i <= a.length; i++) {
    const row = new Array<number>(width).fill(far)
    if (i <= most) row[most - i] = i
    let least = i <= most ? i : far
    const from = Math.max(1, i - most),
      to = Math.min(b.length, i + most)
    for (let j = from; j <= to; j++) {
      const k = j - i + most,
        same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let cost = Math.min(
        (previous[k + 1] ?? far) + 1,
        (row[k - 1] ?? far) + 1,
        (previous[k] as number) + (same ? 0 : 1),
      )
      if (
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      )
        cost = Math.min(cost, (before[k] as number) + 1)
      row[k] = cost
      if (cost < least) least = cost
    }
    if (least > most) return far
    before = previous
    previous = row
  }
  return Math.min(previous[b.length - a.length + most] as number, far)
}
