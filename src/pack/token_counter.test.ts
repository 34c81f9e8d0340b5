import { expect, it } from 'vitest'
import { createTokenCounter } from './token_counter.ts'
import type { TokenCounterChoice } from '../types.ts'

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
