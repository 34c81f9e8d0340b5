/**
 * Owns reproducible vectors for tests and benches: same seed, same numbers. Refuses: use in what
 * ranks.
 */

/** Uniform numbers in [0, 1) from a 32-bit seed (mulberry32, T. Ettinger, public domain). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * `count` vectors around common centres, the way texts gather around topics. All seeds share the
 * centres, so queries of another seed fall among the rows.
 */
export function clusteredVectors(
  count: number,
  dims: number,
  seed: number,
  clusters = 50,
): Float32Array[] {
  const random = seededRandom(seed)
  const around = (): number => random() + random() + random() + random() - 2
  const centreRandom = seededRandom(0xc0ffee)
  const centres = Array.from({ length: clusters }, () =>
    Float32Array.from(
      { length: dims },
      () => centreRandom() + centreRandom() + centreRandom() + centreRandom() - 2,
    ),
  )
  return Array.from({ length: count }, () => {
    const centre = centres[Math.floor(random() * clusters)]!
    return Float32Array.from({ length: dims }, (_, i) => centre[i]! + around())
  })
}
