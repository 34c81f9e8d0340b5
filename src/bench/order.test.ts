/**
 * The order of a small fixed set, so that a change of the ranking shows as a diff of
 * `fixtures/order/expected.json`. After a wanted change: `npx vitest run src/bench/order.test.ts
 * -u`, and read the diff.
 */
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { hashedVector } from '../embed/hashing.ts'
import { readDataset, type Dataset } from './dataset.ts'
import { RankedSystem } from './ranked_system.ts'

const FOLDER = fileURLToPath(new URL('./fixtures/order', import.meta.url))
const DIMS = 64,
  SHOWN = 5

let dataset: Dataset
beforeAll(async () => {
  dataset = await readDataset(FOLDER)
})

/** The first five of each question, with the vectors of the hashing embedder or none. */
async function orderOf(
  passages: Dataset['passages'],
  withVectors: boolean,
): Promise<Map<string, readonly string[]>> {
  const system = RankedSystem.of('default'),
    out = new Map<string, readonly string[]>()
  await system.index(
    passages,
    withVectors ? passages.map(({ title, text }) => hashedVector(`${title}. ${text}`, DIMS)) : null,
  )
  for (const { question } of dataset.questions)
    out.set(
      question,
      (await system.rank(question, withVectors ? hashedVector(question, DIMS) : null, SHOWN)).ids,
    )
  return out
}

it('the first five passages of every question are those written down', async () => {
  const words = await orderOf(dataset.passages, false),
    vectors = await orderOf(dataset.passages, true)
  const lines = dataset.questions.map(({ question, gold }) => ({
    question,
    gold,
    'words and names': words.get(question),
    'with hashed vectors': vectors.get(question),
  }))
  expect(lines).toHaveLength(12)
  await expect(`${JSON.stringify(lines, null, 1)}\n`).toMatchFileSnapshot(
    './fixtures/order/expected.json',
  )
})

it('the order does not hang on the order of the passages', async () => {
  const back = [...dataset.passages].reverse()
  expect(await orderOf(back, true)).toEqual(await orderOf(dataset.passages, true))
  expect(await orderOf(back, false)).toEqual(await orderOf(dataset.passages, false))
})
