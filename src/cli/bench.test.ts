import { mkdtemp, readFile, rm, writeFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeNpy } from '../evaluate/npy.ts'
import { hashedVector } from '../embed/hashing.ts'
import { parseBench, runBench } from './bench.ts'
import type { SetReport } from '../evaluate/set_report.ts'

const PASSAGES = [
  { id: 'wood', title: 'Ed Wood (film)', text: 'Ed Wood is a 1994 American film directed by Tim Burton. Johnny Depp plays the filmmaker.' },
  { id: 'burton', title: 'Tim Burton', text: 'Tim Burton is an American director. He was born in Burbank, California.' },
  { id: 'burbank', title: 'Burbank', text: 'Burbank is a city in California. It was named after the dentist David Burbank.' },
  { id: 'twin', title: 'Burbank again', text: 'Burbank is a city in California. It was named after the dentist David Burbank.' },
  ...Array.from({ length: 12 }, (_, i) => ({ id: `other ${i}`, title: `Place ${i}`, text: `Place ${i} has a mill and ${i} bridges. Its people fish.` })),
]
const QUESTIONS = [
  { id: '1', question: 'Where was the director of Ed Wood born?', gold: ['wood', 'burton'], answer: 'Burbank', type: 'bridge', hops: 2 },
  { id: '2', question: 'Which dentist was Burbank named after?', gold: ['burbank'], answer: 'David Burbank', type: 'single', hops: 1 },
  { id: '3', question: 'Does Place 3 have a mill?', gold: ['other 3'], answer: 'yes', type: 'single', hops: 1 },
]
const jsonl = (rows: readonly unknown[]): string => rows.map((row) => JSON.stringify(row)).join('\n')

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hubmesh-bench-'))
  await mkdir(join(directory, 'tiny'))
  await writeFile(join(directory, 'tiny', 'corpus.jsonl'), jsonl(PASSAGES))
  await writeFile(join(directory, 'tiny', 'queries.jsonl'), jsonl(QUESTIONS))
  await writeFile(join(directory, 'tiny.corpus.npy'), encodeNpy(PASSAGES.map(({ title, text }) => hashedVector(`${title}. ${text}`, 32)), 32))
  await writeFile(join(directory, 'tiny.queries.npy'), encodeNpy(QUESTIONS.map(({ question }) => hashedVector(question, 32)), 32))
})
afterAll(async () => { await rm(directory, { recursive: true }) })

async function bench(...args: string[]): Promise<{ report: SetReport; printed: string }> {
  let printed = ''
  const reports = await runBench(parseBench([join(directory, 'tiny'), ...args]), { print: (text) => { printed += text }, progress: () => undefined })
  return { report: reports[0] as SetReport, printed }
}

test('measures retrieval and packing of a set, and writes what it prints', async () => {
  const json = join(directory, 'out.json'), markdown = join(directory, 'out.md'), vectors = join(directory, 'dumped')
  const { report, printed } = await bench('--vectors', directory, '--budget', '300', '1000', '--ablate', '--json', json, '--markdown', markdown, '--dump-vectors', vectors)
  expect(report).toMatchObject({ set: 'tiny', passages: 16, questions: 3, ranking: 'default', tier: 'full', byType: { bridge: { questions: 1 }, single: { questions: 2 } } })
  expect(report.recall['5']).toBe(1)
  expect(Object.keys(report.recall)).toEqual(['2', '5', '10', '20'])
  expect(report.budgets['1000']).toMatchObject({ allGold: 1, answer: 1 })
  expect(report.againstHybrid?.['2']?.low).toBeLessThanOrEqual(report.againstHybrid?.['2']?.mean as number)
  expect(report.ablation?.[0]).toMatchObject({ name: 'all parts', recall: report.recall })
  expect(JSON.parse(await readFile(json, 'utf8'))).toEqual([report])
  expect(await readFile(markdown, 'utf8')).toContain('| tiny | 16 | 3 | default | full |')
  expect(printed).toContain('tiny, each part off, one at a time')
  expect(await readFile(join(vectors, 'tiny.corpus.npy'))).toEqual(await readFile(join(directory, 'tiny.corpus.npy')))
})

test.each(['default', 'hybrid', 'bm25'])('the ranking %s works without vectors, on questions in lower case and without titles', async (ranking) => {
  const { report } = await bench('--tier', 'text', '--ranking', ranking, '--lowercase', '--no-titles', '--limit', '2')
  expect(report).toMatchObject({ ranking, tier: 'text', lowercase: true, titles: false, questions: 2 })
  expect(report.recall['10']).toBe(1)
})

test('cosine alone ranks by the vectors given', async () => {
  const { report } = await bench('--vectors', directory, '--ranking', 'cosine')
  const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, i) => sum + x * (b[i] as number), 0)
  const shares = QUESTIONS.map(({ question, gold }) => {
    const query = hashedVector(question, 32)
    const scored = PASSAGES.map((p) => ({ p, score: cosine(hashedVector(`${p.title}. ${p.text}`, 32), query) })).sort((a, b) => b.score - a.score)
    const texts = new Set(scored.slice(0, 2).map(({ p }) => p.text))
    return gold.filter((id) => texts.has(PASSAGES.find((p) => p.id === id)?.text as string)).length / gold.length
  })
  expect(report.recall['2']).toBeCloseTo(shares.reduce((a, b) => a + b, 0) / 3, 3)
})

test('an aborted run stops', async () => {
  const stop = new AbortController()
  stop.abort()
  await expect(runBench(parseBench([join(directory, 'tiny'), '--tier', 'text']), { print: () => undefined, progress: () => undefined, signal: stop.signal })).rejects.toMatchObject({ code: 'aborted' })
})

describe('options', () => {
  test('budgets may be repeated, listed, or follow the option', () => {
    expect(parseBench(['a', '--budget', '500', '--budget', '1000,2000']).budgets).toEqual([500, 1000, 2000])
    expect(parseBench(['a', '--budget', '500', '1000'])).toMatchObject({ directories: ['a'], budgets: [500, 1000] })
  })

  test.each([[['a', '--ranking', 'best']], [['a', '--tier', 'half']], [['a', '--budget', '0']], [['a', '--budget', 'x']], [['a', '--nonsense']], [[]], [['a', '--limit', '-1']]])('%j is refused with the word that is wrong', (args) => {
    expect(() => parseBench(args)).toThrow(expect.objectContaining({ code: 'input/invalid' }))
  })
})
