import { expect, it } from 'vitest'
import { approximateTokens, createTokenCounter } from './token_counter.ts'
import type { TokenCounterChoice } from '../types.ts'

it('the approximate counter is a quarter of the length, rounded up', () => {
  expect([0, 1, 4, 5, 8].map((n) => approximateTokens('x'.repeat(n)))).toEqual([0, 1, 1, 2, 2])
})

it('real tokenizers give their published counts, and special tokens count as the text they are', async () => {
  const [o200k, cl100k] = await Promise.all([
    createTokenCounter('o200k'),
    createTokenCounter('cl100k'),
  ])
  expect(o200k('hello world')).toBe(2)
  expect(cl100k('tiktoken is great!')).toBe(6)
  expect(o200k('<|endoftext|>')).toBeGreaterThan(1)
})

it.each([[NaN], [-1], [1.5], [Infinity], ['3'], [undefined], [Promise.resolve(3)]])(
  'a counter that answers %s is refused by name',
  async (answer) => {
    const count = await createTokenCounter((() => answer) as unknown as TokenCounterChoice)
    expect(() => count('secret text')).toThrow(
      expect.objectContaining({
        code: 'input/invalid',
        message: expect.not.stringContaining('secret') as string,
      }),
    )
  },
)

it('an unknown choice is refused', async () => {
  await expect(createTokenCounter('gpt2' as TokenCounterChoice)).rejects.toMatchObject({
    code: 'input/invalid',
  })
})
