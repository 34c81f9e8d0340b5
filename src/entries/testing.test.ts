// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { createTestEngine, HashingEmbedder } from './testing.ts'

describe('createTestEngine', () => {
  it('answers at once, where there are no workers', async () => {
    expect(typeof Worker).toBe('undefined')
    const engine = await createTestEngine([
      { title: 'Tim Burton', text: 'Tim Burton was born in Burbank.' },
    ])
    const { answer, debug } = await engine.retrieve('Where was Tim Burton born?')
    expect(answer.quotes[0]?.text).toContain('Burbank')
    expect(debug.warnings).toEqual([])
    await engine.close()
  })

  it('has every vector where an embedder is given, the same in each run', async () => {
    const open = () =>
      createTestEngine(['Oslo lies on a fjord.'], { embedder: new HashingEmbedder(32) })
    const [one, two] = [await open(), await open()]
    const ask = async (engine: typeof one) =>
      (await engine.retrieve('Where is Oslo?', { tier: 'full' })).sources
    expect(await ask(one)).toEqual(await ask(two))
    expect((await one.status()).passagesWithVectors).toBe(1)
  })
})
