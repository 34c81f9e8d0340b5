import { expect, it } from 'vitest'
import { KeptWords } from './kept_words.ts'
import { Vocabulary } from './vocabulary.ts'
import { WordBuffer } from './word_buffer.ts'

const vocabulary = new Vocabulary(),
  idsOf = ({ ids, length }: WordBuffer): number[] => [...ids.subarray(0, length)]
const read = (text: string): WordBuffer => new WordBuffer().read(text, vocabulary)

it('words come back as they were read, once, and forgetting the last frees their memory', () => {
  const kept = new KeptWords(),
    title = new WordBuffer(),
    text = new WordBuffer()
  const passages = [
    ['Marie Curie', 'She was born in Warsaw.'],
    ['', 'x '.repeat(30_000)],
    ['No text', ''],
  ] as const
  passages.forEach(([head, body], slot) => {
    kept.keep(slot, read(head), read(body))
  })
  expect(kept.bytes).toBeGreaterThan(30_000 * 4)
  for (const slot of [1, 0]) {
    expect(kept.take(slot, title, text)).toBe(true)
    expect([idsOf(title), idsOf(text)]).toEqual(passages[slot]!.map((part) => idsOf(read(part))))
    expect(kept.take(slot, title, text)).toBe(false)
  }
  kept.forget(2)
  expect(kept.take(2, title, text)).toBe(false)
  expect(kept.bytes).toBeLessThan(30_000)
})

it('words of a passage that came again are those of the second time', () => {
  const kept = new KeptWords(),
    title = new WordBuffer(),
    text = new WordBuffer()
  kept.keep(7, read('One'), read('first text'))
  kept.keep(7, read('Two'), read('second'))
  expect(kept.take(7, title, text)).toBe(true)
  expect([idsOf(title), idsOf(text)]).toEqual([idsOf(read('two')), idsOf(read('second'))])
})
