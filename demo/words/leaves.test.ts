import { describe, expect, it } from 'vitest'
import { LEAF_CHARS, leafOf, leavesOf } from './leaves.ts'

describe('leaves of a long document', () => {
  it.each(['', 'short', 'x'.repeat(LEAF_CHARS * 3 + 5), 'line\n'.repeat(20_000), `a${'😀'.repeat(LEAF_CHARS)}`])('cover the text without loss', (text) => {
    const leaves = leavesOf(text)
    expect(leaves.map((leaf) => text.slice(leaf.start, leaf.end)).join('')).toBe(text)
    for (const leaf of leaves) {
      expect(leaf.end - leaf.start).toBeLessThanOrEqual(LEAF_CHARS + 1)
      expect(/^[\udc00-\udfff]/.test(text.slice(leaf.start, leaf.end))).toBe(false)
    }
  })

  it('find the leaf of an offset', () => {
    const leaves = leavesOf('x'.repeat(LEAF_CHARS * 2 + 10))
    expect([0, LEAF_CHARS - 1, LEAF_CHARS, LEAF_CHARS * 2, 1e9].map((at) => leafOf(leaves, at))).toEqual([0, 0, 1, 2, 2])
    expect(leafOf([], 3)).toBe(0)
  })
})
