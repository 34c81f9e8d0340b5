import { mkdtemp, readFile, rm, writeFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeNpy } from '../bench/npy.ts'
import { hashedVector } from '../embed/hashing.ts'
import { parseBench, runBench } from './bench.ts'
import type { SetReport } from '../bench/set_report.ts'

const PASSAGES = [
  {
    id: 'wood',
    title: 'Ed Wood (film)',
    text: 'Ed Wood is a 1994 American film directed by Tim Burton. Johnny Depp plays the filmmaker.',
  },
  {
    id: 'burton',
    title: 'Tim Burton',
    text: 'Tim Burton is an American director. He was born in Burbank, California.',
  },
  {
    id: 'burbank',
    title: 'Burbank',
    text: 'Burbank is a city in California. It was named after the dentist David Burbank.',
  },
  {
    id: 'twin',
    title: 'Burbank again',
    text: 'Burbank is a city in California. It was named after the dentist David Burbank.',
  },
  ...Array.from({ length: 12 }, (_, i) => ({
    id: `other ${i}`,
    title: `Place ${i}`,
    text: `Place ${i} has a mill and ${i} bridges. Its people fish.`,
  })),
]
const QUESTIONS = [
  {
    id: '1',
    question: 'Where was the director of Ed Wood born?',
    gold: ['wood', 'burton'],
    answer: 'Burbank',
    type: 'bridge',
    hops: 2,
  },
  {
    id: '2',
    question: 'Which dentist was Burbank named after?',
    gold: ['burbank'],
    answer: 'David Burbank',
    type: 'single',
    hops: 1,
  },
  {
    id: '3',
    question: 'Does Place 3 have a mill?',
    gold: ['other 3'],
    answer: 'yes',
    type: 'single',
    hops: 1,
  },
]
const jsonl = (rows: readonly unknown[]): string =>
  rows.map((row) => JSON.stringify(row)).join('\n')

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hubmesh-bench-'))
  await mkdir(join(directory, 'tiny'))
  await writeFile(join(directory, 'tiny', 'corpus.jsonl'), jsonl(PASSAGES))
  await writeFile(join(directory, 'tiny', 'queries.jsonl'), jsonl(QUESTIONS))
  await writeFile(
    join(directory, 'tiny.corpus.npy'),
    encodeNpy(
      PASSAGES.map(({ title, text }) => hashedVector(`${title}. ${text}`, 32)),
      32,
    ),
  )
  await writeFile(
    join(directory, 'tiny.queries.npy'),
    encodeNpy(
      QUESTIONS.map(({ question }) => hashedVector(question, 32)),
      32,
    ),
  )
})
afterAll(async () => {
  await rm(directory, { recursive: true })
})

async function bench(...args: string[]): Promise<{ report: SetReport; printed: string }> {
  let printed = ''
  const reports = await runBench(parseBench([join(directory, 'tiny'), ...args]), {
    print: (text) => {
      printed += text
    },
    progress: () => undefined,
  })
  return { report: reports[0] as SetReport, printed }
}

it('measures retrieval and packing of a set, and writes what it prints', async () => {
  const json = join(directory, 'out.json'),
    markdown = join(directory, 'out.md'),
    vectors = join(directory, 'dumped')
  const { report, printed } = await bench(
    '--vectors',
    directory,
    '--budget',
    '300',
    '1000',
    '--ablate',
    '--json',
    json,
    '--markdown',
    markdown,
    '--dump-vectors',
    vectors,
  )
  expect(report).toMatchObject({
    set: 'tiny',
    passages: 16,
    questions: 3,
    ranking: 'default',
    tier: 'full',
    byType: { bridge: { questions: 1 }, single: { questions: 2 } },
  })
  expect(report.recall['5']).toBe(1)
  expect(Object.keys(report.recall)).toEqual(['2', '5', '10', '20'])
  expect(report.budgets['1000']).toMatchObject({ allGold: 1, answer: 1 })
  expect(report.againstHybrid?.['2']?.low).toBeLessThanOrEqual(
    report.againstHybrid?.['2']?.mean as number,
  )
  expect(report.ablation?.[0]).toMatchObject({ name: 'all parts', recall: report.recall })
  expect(JSON.parse(await readFile(json, 'utf8'))).toEqual([report])
  expect(await readFile(markdown, 'utf8')).toContain('| tiny | 16 | 3 | default | full |')
  expect(printed).toContain('tiny, each part off, one at a time')
  expect(await readFile(join(vectors, 'tiny.corpus.npy'))).toEqual(
    await readFile(join(directory, 'tiny.corpus.npy')),
  )
})

it.each(['default', 'hybrid', 'bm25'])(
  'the ranking %s works without vectors, on questions in lower case and without titles',
  async (ranking) => {
    const { report } = await bench(
      '--tier',
      'text',
      '--ranking',
      ranking,
      '--lowercase',
      '--no-titles',
      '--limit',
      '2',
    )
    expect(report).toMatchObject({
      ranking,
      tier: 'text',
      lowercase: true,
      titles: false,
      questions: 2,
    })
    expect(report.recall['10']).toBe(1)
  },
)

it('cosine alone ranks by the vectors given', async () => {
  const { report } = await bench('--vectors', directory, '--ranking', 'cosine')
  const cosine = (a: Float32Array, b: Float32Array): number =>
    a.reduce((sum, x, i) => sum + x * (b[i] as number), 0)
  const shares = QUESTIONS.map(({ question, gold }) => {
    const query = hashedVector(question, 32)
    const scored = PASSAGES.map((p) => ({
      p,
      score: cosine(hashedVector(`${p.title}. ${p.text}`, 32), query),
    })).sort((a, b) => b.score - a.score)
    const texts = new Set(scored.slice(0, 2).map(({ p }) => p.text))
    return (
      gold.filter((id) => texts.has(PASSAGES.find((p) => p.id === id)?.text as string)).length /
      gold.length
    )
  })
  expect(report.recall['2']).toBeCloseTo(shares.reduce((a, b) => a + b, 0) / 3, 3)
})

it('a model that is trusted more weighs more, also where its vectors come from files', async () => {
  const scores = async (model: string): Promise<number> => {
    // the last filler has cosine 1, another 0, all passages besides .35: by words .37 ahead, by
    // meaning .65 of the weight behind
    const odd = join(directory, 'odd'),
      unit = (cosine: number): Float32Array =>
        Float32Array.of(cosine, Math.sqrt(1 - cosine * cosine))
    await mkdir(odd, { recursive: true })
    await writeFile(
      join(odd, 'tiny.corpus.npy'),
      encodeNpy(
        PASSAGES.map(({ id }) => unit(id === 'other 11' ? 1 : id === 'other 10' ? 0 : 0.35)),
        2,
      ),
    )
    await writeFile(
      join(odd, 'tiny.queries.npy'),
      encodeNpy(
        QUESTIONS.map(() => unit(1)),
        2,
      ),
    )
    return (await bench('--vectors', odd, '--ranking', 'hybrid', '--model', model)).report.mrr
  }
  expect(await scores('models/bge-small-en-v1.5')).toBeLessThan(
    await scores('models/all-MiniLM-L6-v2'),
  )
})

it('a slip in a name loses recall, and reading near names brings it back', async () => {
  const towns = ['Vladikavkaz', 'Zaporizhia', 'Yaroslavl'].map((town) => ({
    id: `z ${town}`,
    title: town,
    text: `${town} lies on a river with an old bridge.`,
  }))
  await mkdir(join(directory, 'slips'))
  await writeFile(join(directory, 'slips', 'corpus.jsonl'), jsonl([...PASSAGES, ...towns]))
  await writeFile(
    join(directory, 'slips', 'queries.jsonl'),
    jsonl(towns.map(({ id, title }) => ({ id, question: `Who reached ${title}?`, gold: [id] }))),
  )
  let printed = ''
  const [report] = await runBench(
    parseBench([join(directory, 'slips'), '--tier', 'text', '--typo']),
    {
      print: (text) => {
        printed += text
      },
      progress: () => undefined,
    },
  )
  expect(
    report?.typo?.rows.map(({ name, questions, recall }) => [name, questions, recall['2']]),
  ).toEqual([
    ['as asked', 3, 1],
    ['one slip', 3, 1],
    ['one slip, near names unread', 3, 0],
  ])
  expect(report?.typo).toMatchObject({ embedded: true, back: { 2: 1 } })
  expect(printed).toContain('slips, one slip in one name (text)')
  expect(printed).toContain('100 %')
})

it('with vectors from files a slip keeps the vector of the question without it, and says so', async () => {
  const { report, printed } = await bench('--vectors', directory, '--typo')
  expect(report.typo?.embedded).toBe(false)
  expect(printed).toContain('question vectors without the slip')
  await expect(bench('--tier', 'text', '--typo', '--ranking', 'bm25')).rejects.toMatchObject({
    code: 'input/invalid',
  })
})

it('a second hop is reported by hops beside the first', async () => {
  const { report, printed } = await bench('--tier', 'text', '--iterate')
  expect(report.iterate?.map(({ hops, name }) => [hops, name])).toEqual(
    [null, '1', '2'].flatMap((hops) =>
      [
        'one hop',
        'names of the best path',
        'names of the best path, first passages shut out',
        'subjects of the first passages',
      ].map((name) => [hops, name]),
    ),
  )
  expect(report.iterate?.[0]).toMatchObject({ recall: report.recall, allGold: report.allGold })
  expect(report.iterate?.[4]).toMatchObject({ questions: 2 })
  expect(printed).toContain('tiny, a second hop')
})

it('paths are judged over all questions and by type', async () => {
  const { report, printed } = await bench('--tier', 'text', '--paths')
  expect(report.paths?.bridge).toEqual({
    questions: 1,
    best: 1,
    any: 1,
    union: 1,
    ends: 1,
    bridges: 1,
  })
  expect(Object.keys(report.paths ?? {})).toEqual(['all', 'bridge', 'single'])
  expect(printed).toContain('tiny, reasoning paths')
})

it('an aborted run stops', async () => {
  const stop = new AbortController()
  stop.abort()
  await expect(
    runBench(parseBench([join(directory, 'tiny'), '--tier', 'text']), {
      print: () => undefined,
      progress: () => undefined,
      signal: stop.signal,
    }),
  ).rejects.toMatchObject({ code: 'aborted' })
})

describe('options', () => {
  it('budgets may be repeated, listed, or follow the option', () => {
    expect(parseBench(['a', '--budget', '500', '--budget', '1000,2000']).budgets).toEqual([
      500, 1000, 2000,
    ])
    expect(parseBench(['a', '--budget', '500', '1000'])).toMatchObject({
      directories: ['a'],
      budgets: [500, 1000],
    })
  })

  it.each([
    [['a', '--ranking', 'best']],
    [['a', '--tier', 'half']],
    [['a', '--budget', '0']],
    [['a', '--budget', 'x']],
    [['a', '--nonsense']],
    [[]],
    [['a', '--limit', '-1']],
  ])('%j is refused with the word that is wrong', (args) => {
    expect(() => parseBench(args)).toThrow(expect.objectContaining({ code: 'input/invalid' }))
  })
})
