import { describe, expect, it } from 'vitest'
import { HashingEmbedder, hashedVector } from './hashing.ts'
import { isUnitVector } from './pooling.ts'

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * b[i]!, 0)

describe('the hashing embedder', () => {
  it('gives unit vectors of its dimensions for any text, under its own identity', async () => {
    const embedder = new HashingEmbedder()
    expect(embedder.identity).toEqual({
      model: 'hashing',
      revision: '1',
      dtype: 'f32',
      dims: 64,
      pooling: 'sum',
    })
    const texts = ['', ' ', '.', 'one', 'two words', '東京タワー', '\ud800', 'x'.repeat(10_000)]
    const vectors = await embedder.embed(texts, { kind: 'passage' })
    expect(vectors).toHaveLength(texts.length)
    for (const vector of vectors) expect(isUnitVector(vector, 64)).toBe(true)
  })

  it('gives a text the same vector whatever stands beside it, case and punctuation aside', async () => {
    const embedder = new HashingEmbedder(32)
    const [alone] = await embedder.embed(['Demon Dice'], { kind: 'passage' })
    const [, beside] = await embedder.embed(['another', '"demon", dice!'], { kind: 'query' })
    expect(beside).toEqual(alone)
  })

  it('puts texts that share words nearer than texts that do not', () => {
    const question = hashedVector('who founded the tower company', 256)
    expect(
      dot(question, hashedVector('the tower company was founded in 1901', 256)),
    ).toBeGreaterThan(dot(question, hashedVector('rivers flow east beyond mountains', 256)) + 0.3)
  })

  it('has not changed its values: stored vectors of tests stay comparable', () => {
    const vector = hashedVector('alpha beta gamma', 8)
    expect([...vector].map((x) => Math.round(x * 1e6) / 1e6)).toMatchInlineSnapshot(`
      [
        0,
        -0.57735,
        0.57735,
        0,
        0,
        0,
        0,
        -0.57735,
      ]
    `)
  })

  it('refuses senseless dimensions and stops when cancelled', async () => {
    for (const dims of [0, 1, 1.5, 5000, Number.NaN])
      expect(() => new HashingEmbedder(dims)).toThrow(
        expect.objectContaining({ code: 'input/invalid' }),
      )
    await expect(
      new HashingEmbedder().embed(['a'], { kind: 'query', signal: AbortSignal.abort() }),
    ).rejects.toEqual(expect.objectContaining({ code: 'aborted' }))
  })
})
