/** The README and its translations: the same headings, code, links, pictures and figures. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { fencesOf } from '../../e2e/run/docs/fences.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (page: string): string => readFileSync(`${root}${page}`, 'utf8')
const NAMES = ['README.md', 'README.zh.md', 'README.ja.md'] as const
const MOST_WORDS = 1_400
const LONGEST_LINE = 200

const prose = (text: string): string => text.replace(/^```[^]*?^```$/gm, '')
const shapeOf = (name: string): object => {
  const text = read(name),
    words = prose(text)
  return {
    headings: [...words.matchAll(/^#+ /gm)].map(([mark]) => mark),
    code: fencesOf(text).fences.map(({ language, code }) => [language, code]),
    links: [...words.matchAll(/\]\(([^)]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !(NAMES as readonly string[]).includes(target)),
    inline: [...words.matchAll(/`[^`]+`/g)].map(([code]) => code).sort(),
    figures: [...words.matchAll(/^\|.*\|$/gm)].map(([row]) => row.match(/\.\d{3}/g) ?? []),
    items: [...words.matchAll(/^- /gm)].length,
  }
}

describe.each(NAMES.slice(1))('%s', (name) => {
  it('has the headings, code, links and figures of README.md, in their order', () => {
    expect(shapeOf(name)).toEqual(shapeOf('README.md'))
  })
})

describe.each(NAMES)('%s', (name) => {
  it('links to the other two, and has no line over 200 characters', () => {
    const text = read(name)
    for (const other of NAMES) if (other !== name) expect(text).toContain(`](${other})`)
    expect(text.split('\n').filter((line) => line.length > LONGEST_LINE)).toEqual([])
  })
})

it('README.md has at most 1,400 words and cites the framework its scoring comes from', () => {
  const text = read('README.md')
  expect(text.split(/\s+/).filter((word) => word !== '').length).toBeLessThanOrEqual(MOST_WORDS)
  for (const name of NAMES) {
    expect(read(name), name).toContain('Network Node Significance Index (NNSI)')
    expect(read(name).replace(/\s+/g, ' '), name).toContain(
      'A Framework for Improving Network Topology Based on Graph Theory in Software-Defined Networking',
    )
  }
})
