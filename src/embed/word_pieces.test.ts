import { describe, expect, it } from 'vitest'
import { LIMITS } from '../base/limits.ts'
import { framePieces, prepareText } from './word_pieces.ts'

describe('the text a tokenizer sees', () => {
  it('is the text itself when it is ordinary', () => {
    for (const text of [
      '',
      'a',
      'The Eiffel Tower is in Paris.',
      'naïve café, façade; ½ cup',
      '東京タワーは1958年に完成した。',
      'a\u0000b',
    ]) {
      expect(prepareText(text)).toBe(text)
    }
  })

  it('has one space for each run of white space', () => {
    expect(prepareText('  a \t\r\n\u00a0\u3000 b  ')).toBe('a b ')
  })

  it('has no run of word characters beyond the limit, and loses none of them', () => {
    const long = prepareText('x'.repeat(250))
    expect(long).toBe(`${'x'.repeat(100)} ${'x'.repeat(100)} ${'x'.repeat(50)}`)
    expect(prepareText('x'.repeat(LIMITS.wordChars))).toBe('x'.repeat(LIMITS.wordChars))
  })

  it('leaves long addresses and ideographs alone: punctuation and ideographs end a word', () => {
    const address = `https://a.example/${'part-of-a-path/'.repeat(20)}`
    expect(prepareText(address)).toBe(address)
    expect(prepareText('東'.repeat(300))).toBe('東'.repeat(300))
  })

  it('never parts a surrogate pair', () => {
    const text = `${'x'.repeat(99)}${'𝒳'.repeat(120)}`
    const prepared = prepareText(text)
    expect(() => encodeURIComponent(prepared)).not.toThrow()
    expect(prepared.replaceAll(' ', '')).toBe(text)
  })

  it.each([
    ['letters', 'a'],
    ['spaces', ' '],
    ['dots', '.'],
    ['words', 'ab '],
    ['ideographs', '東'],
    ['long words', `${'y'.repeat(400)} `],
    ['lone surrogates', '\ud800'],
  ])('is bounded for %s without end', (_name, piece) => {
    const prepared = prepareText(piece.repeat(Math.ceil(1_000_000 / piece.length)))
    expect(prepared.length).toBeLessThanOrEqual(
      LIMITS.modelTokens * (LIMITS.wordChars + 1) + LIMITS.wordChars + 1,
    )
  })

  it('holds enough words for every piece the model reads', () => {
    for (const word of ['a', 'x'.repeat(LIMITS.wordChars), 'x'.repeat(LIMITS.wordChars + 1)]) {
      expect(prepareText(`${word} `.repeat(600)).trim().split(' ').length).toBeGreaterThanOrEqual(
        LIMITS.modelTokens,
      )
    }
  })
})

describe('a framed run', () => {
  it('keeps [CLS] and [SEP] around a text that is cut', () => {
    const framed = framePieces(
      Array.from({ length: 400 }, (_, i) => 1000 + i),
      101,
      102,
    )
    expect(framed).toHaveLength(256)
    expect([framed[0], framed[1], framed[254], framed[255]]).toEqual([101n, 1000n, 1253n, 102n])
  })

  it('holds a short text whole', () => {
    expect([...framePieces([7, 8], 101, 102)]).toEqual([101n, 7n, 8n, 102n])
    expect([...framePieces([], 101, 102)]).toEqual([101n, 102n])
  })
})
