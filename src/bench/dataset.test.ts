import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeDataset, decodeQrels, readDataset } from './dataset.ts'

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hubmesh-dataset-'))
})
afterAll(async () => {
  await rm(directory, { recursive: true })
})

const lines = (...values: unknown[]): string[] => values.map((value) => JSON.stringify(value))

it('a set is read with answers, types and hops, and gold the corpus lacks is left out', () => {
  const set = decodeDataset(
    's',
    lines({ id: 'a', title: 'A', text: 't' }, { id: 1, text: 'u' }),
    lines(
      {
        id: 'q',
        question: 'who?',
        gold: ['a', 'missing', 'a'],
        answer: 'X',
        answer_aliases: ['Y'],
        type: 'bridge',
        hops: 2,
        decomposition: [
          { question: 'which?', answer: 'B' },
          { answer: 3 },
          { question: 'who?', answer: 'X' },
        ],
      },
      { id: 'r', question: 'what?', gold: ['missing'] },
      { id: 's', question: 'why?', gold: [1], answer: null },
    ),
    null,
  )
  expect(set.passages).toEqual([
    { id: 'a', title: 'A', text: 't' },
    { id: '1', title: '', text: 'u' },
  ])
  expect(set.questions).toEqual([
    {
      id: 'q',
      question: 'who?',
      gold: ['a'],
      answers: ['X', 'Y'],
      type: 'bridge',
      hops: 2,
      hopAnswers: ['B'],
    },
    { id: 's', question: 'why?', gold: ['1'], answers: [], type: null, hops: null, hopAnswers: [] },
  ])
  expect(set.withoutGold).toBe(1)
})

it('a BEIR folder is read from disk by its test split, scores of 0 left out', async () => {
  const folder = join(directory, 'beir')
  await mkdir(join(folder, 'qrels'), { recursive: true })
  await writeFile(
    join(folder, 'corpus.jsonl'),
    `\ufeff${lines({ _id: 'd1', title: 'T', text: 'x' }, { _id: 'd2', title: '', text: 'y' }).join('\n')}\n\n`,
  )
  await writeFile(
    join(folder, 'queries.jsonl'),
    lines(
      { _id: 'q1', text: 'one' },
      { _id: 'q2', text: 'two' },
      { _id: 'q3', text: 'three' },
    ).join('\r\n'),
  )
  await writeFile(
    join(folder, 'qrels', 'test.tsv'),
    'query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\nq2\td2\t2\n',
  )
  await writeFile(join(folder, 'qrels', 'train.tsv'), 'query-id\tcorpus-id\tscore\nq3\td1\t1\n')
  const set = await readDataset(folder)
  expect(set.name).toBe('beir')
  expect(set.questions.map(({ id, gold }) => [id, gold])).toEqual([
    ['q1', ['d1']],
    ['q2', ['d2']],
  ])
})

it('qrels skip their head line and lines that are cut', () => {
  expect([...decodeQrels(['query-id\tcorpus-id\tscore', 'a\tb\t1', 'a\tc\t1', 'a'])]).toEqual([
    ['a', ['b', 'c']],
  ])
})

it.each([
  ['no JSON', ['{'], 'line 1 is not JSON'],
  ['no object', ['[]'], 'line 1 is not an object'],
  ['no text', lines({ id: 'a' }), 'has no "id"'],
  ['a repeated id', lines({ id: 'a', text: '' }, { id: 'a', text: '' }), 'line 2 repeats an id'],
  ['a title that is no string', lines({ id: 'a', text: '', title: [] }), '"title"'],
])('a corpus line with %s is an error with its number', (_, corpus, message) => {
  expect(() => decodeDataset('s', corpus, [], null)).toThrow(
    expect.objectContaining({
      code: 'input/invalid',
      message: expect.stringContaining(message) as string,
    }),
  )
})

it('a folder that is none is named', async () => {
  await expect(readDataset(join(directory, 'nowhere'))).rejects.toMatchObject({
    code: 'input/invalid',
    message: expect.stringContaining('nowhere') as string,
  })
})
