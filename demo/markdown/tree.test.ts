import { describe, expect, it } from 'vitest'
import { parseMarkdown } from './parse.ts'
import type { Node, Text } from './tree.ts'

const texts = (nodes: readonly Node[]): Text[] =>
  nodes.flatMap((node) => ('text' in node ? [node] : texts(node.children)))
const tags = (nodes: readonly Node[]): string[] =>
  nodes.flatMap((node) => ('text' in node ? [] : [node.tag, ...tags(node.children)]))

describe('Markdown as a tree', () => {
  it('places every exact text where it stands in the source', () => {
    const source =
      '# Films\n\n*Ed Wood* is by **Tim Burton**.\n\n- one\n- one\n\n' +
      '| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n'
    const exact = texts(parseMarkdown(source, 'markdown')).filter((text) => text.exact)
    expect(exact.map(({ text }) => text)).toContain('Tim Burton')
    for (const { text, start, end } of exact) expect(source.slice(start, end)).toBe(text)
    expect(exact.filter(({ text }) => text === 'one').map(({ start }) => start)).toEqual([44, 50])
  })

  it('keeps raw HTML as text and links of other schemes as their words', () => {
    const tree = parseMarkdown(
      '<img src=x onerror=1> [a](javascript:1) [b](https://x.example/)',
      'markdown',
    )
    expect(tags(tree)).not.toContain('img')
    expect(
      texts(tree)
        .map(({ text }) => text)
        .join(''),
    ).toContain('<img src=x onerror=1>')
    const links = JSON.stringify(tree)
    expect(links).toContain('https://x.example/')
    expect(links).not.toContain('"href":"javascript')
  })

  it('of a page or an office file renders what the reader wrote, and leaves its stars alone', () => {
    const source = '## Fees\n\nA fee of 2 * 3 * 4 [see note](here) in `total`.\n\n1. one\n'
    const tree = parseMarkdown(source, 'structure')
    expect(tags(tree)).toEqual(['h2', 'p', 'ol', 'li', 'p'])
    const shown = texts(tree)
    expect(shown.map(({ text }) => text).join('')).toBe(
      'FeesA fee of 2 * 3 * 4 [see note](here) in `total`.one',
    )
    expect(
      shown.every(({ exact, start, end, text }) => exact && source.slice(start, end) === text),
    ).toBe(true)
  })
})
