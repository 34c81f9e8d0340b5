import { execFile } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const here = fileURLToPath(new URL('.', import.meta.url))

/** The lines that an example prints, run in a process of its own as a user runs it. */
function printed(example: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', `examples/${example}.ts`],
      { cwd: `${here}..` },
      (error, stdout, stderr) => {
        if (error) reject(new Error(`${error.message}\n${stderr}`))
        else resolve(stdout.trimEnd().split('\n'))
      },
    )
  })
}

/** A machine that does other things too needs this long at most, ms. */
const SLOW = 300_000

const count = (line: string | undefined): number => Number(/ (\d+)$/.exec(line ?? '')?.[1])

it(
  'synthetic: names lead to the second passage that words alone never reach, within the budget',
  async () => {
    expect(await printed('synthetic')).toEqual([
      '240 passages, 240 names',
      'workshop and town among the first 3: 80 of 80, by words alone 0',
      'the answer in 300 tokens of context: 80 of 80, none longer than that: true',
      // The town's document has no word of the question: the path ends where words still tell.
      'Babalira Nabakesen is the subject of “Babalira Nabakesen”, which mentions Rikemux ' +
        'Works, the subject of “Rikemux Works”.',
    ])
  },
  SLOW,
)

it(
  'multi_hop: the graph finds both paragraphs for more questions than meaning, or meaning and words',
  async () => {
    const lines = await printed('multi_hop')
    expect(lines[0]).toBe('126 paragraphs, 24 questions; both paragraphs among the first two:')
    expect(lines.slice(1, 4).map((line) => line.slice(0, -2).trim())).toEqual([
      'meaning',
      'meaning and words',
      'hubmesh',
    ])
    // The native runtime differs a little from processor to processor: the order is what is shown,
    // with room for one question.
    const [meaning, hybrid, hubmesh] = lines.slice(1, 4).map(count) as [number, number, number]
    expect(hubmesh).toBeGreaterThanOrEqual(21)
    expect(hubmesh - hybrid).toBeGreaterThanOrEqual(5)
    expect(hybrid).toBeGreaterThan(meaning)
    expect(lines.slice(5, 8)).toEqual([
      'At the 2011 census, what was he population of the city where Kerry Saxby-Junna was born?',
      '  1 Kerry Saxby-Junna',
      '  2 Young, New South Wales',
    ])
    expect(lines[9]).toMatch(
      /^ {2}Kerry Saxby-Junna is the subject of “Kerry Saxby-Junna”, which mentions Young, New South Wales/,
    )
    expect(lines.at(-1)).toBe('  in the context: true')
  },
  SLOW,
)

it(
  'agent_hops: the passage with the answer comes up as names are handed back',
  async () => {
    const lines = await printed('agent_hops'),
      hops = lines
        .filter((line) => line.startsWith('  rank'))
        .map((line) => (/: ([\d >-]+),/.exec(line)?.[1] ?? '').split(' -> ').map(Number))
    expect(hops.length).toBe(3)
    for (const ranks of hops) {
      expect(ranks[0]).toBeGreaterThan(3)
      expect(ranks.at(-1)).toBeLessThanOrEqual(2)
      expect(ranks.at(-1)).toBeGreaterThan(0)
    }
    expect(hops.slice(1).map((ranks) => ranks.at(-1))).toEqual([1, 1])
    expect(lines.filter((line) => line.endsWith('in 200 tokens of context: true')).length).toBe(3)
  },
  SLOW,
)

it(
  'migrate_from_python: a folder of hubmesh 0.4.2 comes over, answers by both rankings, and goes back',
  async () => {
    const lines = await printed('migrate_from_python')
    expect(lines[0]).toBe('imported: 30 documents, vectors of all-MiniLM-L6-v2 (384)')
    expect(lines[1]).toMatch(/^the Python package's ranking: brennholt, /)
    expect(lines[2]).toMatch(/^this package's ranking: brennholt, nimbus, /)
    expect(lines[3]).toContain('which mentions Nimbus Analytics')
    expect(lines[4]).toBe(
      'exported: docs.jsonl, kg.json, meta.json, vectors.npz; the graph came back as it was: true',
    )
  },
  SLOW,
)

it('each example has a test here, and uses the public API alone', () => {
  const examples = readdirSync(here).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const tests = readFileSync(new URL(import.meta.url), 'utf8')
  for (const name of examples) {
    expect(tests).toContain(`printed('${name.slice(0, -3)}')`)
    const imported = [...readFileSync(`${here}${name}`, 'utf8').matchAll(/from '([^']+)'/g)].map(
      (found) => found[1]!,
    )
    expect(imported.filter((from) => !from.startsWith('node:') && from !== 'hubmesh/node')).toEqual(
      [],
    )
  }
})
