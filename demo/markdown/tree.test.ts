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
    const exact = texts(parseMarkdown(source)).filter((text) => text.exact)
    expect(exact.map(({ text }) => text)).toContain('Tim Burton')
    for (const { text, start, end } of exact) expect(source.slice(start, end)).toBe(text)
    expect(exact.filter(({ text }) => text === 'one').map(({ start }) => start)).toEqual([44, 50])
  })

  it('keeps raw HTML as text and links of other schemes as their words', () => {
    const tree = parseMarkdown('<img src=x onerror=1> [a](javascript:1) [b](https://x.example/)')
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
})
