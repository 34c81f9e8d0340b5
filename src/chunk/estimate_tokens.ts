/**
 * Gives about how many tokens `text` has: a quarter of its UTF-16 units, rounded down, at least 1
 * (hubmesh 0.4.2, packing.py).
 */
export function estimateTokens(text: string): number {
  return Math.max(1, Math.floor(text.length / 4))
}
