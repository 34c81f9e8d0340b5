import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readDataset } from '../bench/dataset.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import type { Engine } from '../types.ts'

const SAMPLE = '../shared/data/hotpotqa_train100',
  here = existsSync(SAMPLE)
if (!here) console.log(`skipped: ${SAMPLE} is not beside the repository`)

describe.skipIf(!here)('the sample, asked right after it was added', () => {
  it('finds what the settled corpus finds, question by question', async () => {
    const { passages, questions } = await readDataset(SAMPLE)
    const engine = await openTestEngine()
    await engine.add(passages.map(({ id, title, text }) => ({ id, title, text })))
    expect((await engine.status()).settled).toBe(false)
    const first = await found(engine, questions[0]!.question)
    const early = [first, ...(await all(engine, questions.slice(1)))]
    await engine.ready('settled')
    const settled = await all(engine, questions)
    expect(early).toEqual(settled)
    const hits = (lists: readonly (readonly string[])[], at: number): number =>
      lists.reduce(
        (sum, ids, i) =>
          sum + questions[i]!.gold.filter((id) => ids.slice(0, at).includes(id)).length,
        0,
      )
    const gold = questions.reduce((sum, question) => sum + question.gold.length, 0)
    expect([2, 5, 10].map((at) => hits(early, at))).toEqual(
      [2, 5, 10].map((at) => hits(settled, at)),
    )
    expect(hits(early, 10) / gold).toBeGreaterThan(0.95)
  }, 120_000)
})

async function all(
  engine: Engine,
  questions: readonly { readonly question: string }[],
): Promise<(readonly string[])[]> {
  const out: (readonly string[])[] = []
  for (const { question } of questions) out.push(await found(engine, question))
  return out
}

async function found(engine: Engine, question: string): Promise<readonly string[]> {
  const { sources, debug } = await engine.retrieve(question, { tier: 'text' })
  expect(debug.warnings.filter((warning) => warning.includes('still being looked up'))).toEqual([])
  return sources.map(({ documentId }) => documentId)
}
