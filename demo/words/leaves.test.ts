import { describe, expect, it, vi } from 'vitest'
import { LEAF_CHARS, leafOf, leavesOf } from './leaves.ts'

describe('leaves of a long document', () => {
  it.each([
    '',
    'short',
    'x'.repeat(LEAF_CHARS * 3 + 5),
    'line\n'.repeat(20_000),
    `a${'😀'.repeat(LEAF_CHARS)}`,
  ])('cover the text without loss', (text) => {
    const leaves = leavesOf(text)
    expect(leaves.map((leaf) => text.slice(leaf.start, leaf.end)).join('')).toBe(text)
    for (const leaf of leaves) {
      expect(leaf.end - leaf.start).toBeLessThanOrEqual(LEAF_CHARS + 1)
      expect(/^[\udc00-\udfff]/.test(text.slice(leaf.start, leaf.end))).toBe(false)
    }
  })

  it('look for line ends in the leaf alone, also in a text of one line', () => {
    const text = 'x'.repeat(LEAF_CHARS * 50),
      search = vi.spyOn(String.prototype, 'lastIndexOf')
    leavesOf(text)
    const looked = search.mock.contexts.reduce(
      (sum: number, searched, i) =>
        sum + Math.min((searched as string).length, Number(search.mock.calls[i]?.[1] ?? Infinity)),
      0,
    )
    search.mockRestore()
    expect(looked).toBeLessThanOrEqual(text.length)
  })

  it('find the leaf of an offset', () => {
    const leaves = leavesOf('x'.repeat(LEAF_CHARS * 2 + 10))
    expect(
      [0, LEAF_CHARS - 1, LEAF_CHARS, LEAF_CHARS * 2, 1e9].map((at) => leafOf(leaves, at)),
    ).toEqual([0, 0, 1, 2, 2])
    expect(leafOf([], 3)).toBe(0)
  })
})
