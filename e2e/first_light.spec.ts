import { expect, test } from './support/test.ts'

test('a page indexes and answers without a model', async ({ app }) => {
  const answer = await app.evaluate(async () => {
    const engine = await openEngine({ storage: 'memory' })
    await engine.add([
      { id: 'a', title: 'Ed Wood', text: 'Edward Davis Wood Jr. was an American filmmaker. He directed Plan 9 from Outer Space.' },
      { id: 'b', title: 'Scott Derrickson', text: 'Scott Derrickson is an American director. He lives in Los Angeles.' },
    ])
    const result = await engine.retrieve('Who directed Plan 9 from Outer Space?', { budgetTokens: 200 })
    const status = await engine.status()
    await engine.close()
    return { result, status }
  })
  expect(answer.status.documents).toBe(2)
  expect(answer.result.sources[0]?.documentId).toBe('a')
  expect(answer.result.context).toContain('Plan 9')
})

test('a page embeds with the real model', async ({ app }) => {
  const answer = await app.evaluate(async () => {
    const engine = await openEngine({ model: MODEL })
    await engine.add([
      { id: 'a', title: 'Ed Wood', text: 'Edward Davis Wood Jr. was an American filmmaker. He directed Plan 9 from Outer Space.' },
      { id: 'b', title: 'Scott Derrickson', text: 'Scott Derrickson is an American director. He lives in Los Angeles.' },
    ])
    const started = performance.now()
    await engine.ready('vectors')
    const ms = performance.now() - started
    const result = await engine.retrieve('Who made cheap films about space?', { tier: 'full' })
    const status = await engine.status()
    await engine.close()
    return { result, status, ms }
  })
  console.log(answer.ms, answer.status.embedding, answer.result.sources.map((s) => [s.documentId, s.cosine]))
  expect(answer.status.passagesWithVectors).toBe(2)
  expect(answer.result.sources[0]?.documentId).toBe('a')
})
