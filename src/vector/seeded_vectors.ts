/** Reproducible vectors for tests and benches. */

/** mulberry32 (T. Ettinger, public domain): uniform in [0, 1). */
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

/** Vectors around common centres, as texts gather around topics; all seeds share the centres. */
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
