import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Span } from '../types.ts'
import { isHubmeshError } from '../base/errors.ts'
import { splitLong } from './long_sentences.ts'
import { chunkPassages } from './passages.ts'
import { wildText } from './testing/wild_text.ts'
import { estimatePieces, PieceMeter } from './word_pieces.ts'

const sentence = (n: number): string =>
  `Sentence number ${n} says a few words about the thing called ${n}.`
const prose = (sentences: number): string =>
  Array.from({ length: sentences }, (_, n) => sentence(n)).join(' ')

function expectCover(text: string, spans: readonly Span[]): void {
  let reached = 0
  for (const { start, end } of spans) {
    const piece = text.slice(start, end)
    expect(piece).toBe(piece.trim())
    expect(piece.length).toBeGreaterThan(0)
    expect(end).toBeGreaterThan(reached)
    if (start > reached) expect(text.slice(reached, start).trim()).toBe('')
    reached = end
  }
  expect(text.slice(reached).trim()).toBe('')
}

describe('chunkPassages', () => {
  it('keeps a short document whole, without the white space around it', () => {
    expect(chunkPassages('  One short line.\n')).toEqual([{ start: 2, end: 17 }])
    expect(chunkPassages(' \n')).toEqual([])
    expect(chunkPassages('a'.repeat(800))).toEqual([{ start: 0, end: 800 }])
  })

  it('packs whole sentences up to the limit', () => {
    const text = prose(60)
    const spans = chunkPassages(text)
    expectCover(text, spans)
    for (const { start, end } of spans) {
      expect(end - start).toBeLessThanOrEqual(800)
      expect(text.slice(start, end)).toMatch(/^Sentence .*\.$/)
    }
    expect(spans.length).toBe(
      Math.ceil(text.length / 800) + (spans.length > Math.ceil(text.length / 800) ? 1 : 0),
    )
  })

  it('repeats as many sentences as asked, and by default none', () => {
    const text = prose(40)
    const plain = chunkPassages(text)
    expect(plain.every((span, i) => i === 0 || span.start > plain[i - 1]!.end)).toBe(true)
    const overlapping = chunkPassages(text, { overlap: 1 })
    for (let i = 1; i < overlapping.length; i++) {
      const shared = text.slice(overlapping[i]!.start, overlapping[i - 1]!.end)
      expect(shared).toMatch(/^Sentence number \d+ says a few words about the thing called \d+\.$/)
    }
  })

  it('begins a passage at a heading that lies far enough in, and never ends one with a heading', () => {
    const text = `${prose(8)}\n\n# Second part\n\n${prose(9)}`
    const starts = chunkPassages(text).map(({ start }) => text.slice(start, start + 13))
    expect(starts).toContain('# Second part')
    const many = Array.from({ length: 30 }, (_, n) => `## Part ${n}\n\n${prose(1 + (n % 5))}`).join(
      '\n\n',
    )
    for (const { start, end } of chunkPassages(many))
      expect(many.slice(start, end)).not.toMatch(/## Part \d+$/)
  })

  it('prefers the end of a paragraph to a later sentence', () => {
    const text = `${prose(9)}\n\n${prose(30)}`
    expect(chunkPassages(text)[0]!.end).toBe(prose(9).length)
  })

  it('does not leave a few words alone at the end', () => {
    const text = `${prose(24)} It rained.`
    const last = chunkPassages(text).at(-1)!
    expect(last.end - last.start).toBeGreaterThan(100)
  })

  it('counts a Han character as about one token, so that a passage fits the model', () => {
    const text = '他来了而且带来了很多书。'.repeat(200)
    for (const { start, end } of chunkPassages(text)) expect(end - start).toBeLessThanOrEqual(254)
  })

  it('cuts a sentence beyond the limit at a clause, else a space, else a code point', () => {
    const clauses = Array.from(
      { length: 60 },
      (_, n) => `and part ${n} of a sentence that never ends`,
    ).join(', ')
    const atClauses = chunkPassages(clauses)
    expectCover(clauses, atClauses)
    for (const { start, end } of atClauses.slice(0, -1))
      expect(clauses.slice(start, end)).toMatch(/,$/)
    const words = 'word '.repeat(2000)
    for (const { start, end } of chunkPassages(words))
      expect(words.slice(start, end)).toMatch(/^(word )*word$/)
    const emoji = '👩‍👩‍👧'.repeat(400)
    for (const { start, end } of chunkPassages(emoji))
      expect(emoji.slice(start, end)).toMatch(/^👩.*👧$/u)
  })

  it('never cuts a surrogate pair, covers everything and nests nothing, for any text, strategy and size', () => {
    fc.assert(
      fc.property(
        wildText,
        fc.constantFrom('sentences', 'chars', 'none'),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: 3 }),
        (text, strategy, tokens, overlap) => {
          const spans = chunkPassages(text, { strategy, tokens, overlap })
          let end = 0
          for (const span of spans) {
            expect(span.end).toBeGreaterThan(end)
            for (const edge of [span.start, span.end])
              if (edge > 0 && edge < text.length)
                expect(text.slice(edge - 1, edge + 1)).not.toMatch(
                  /^[\ud800-\udbff][\udc00-\udfff]$/,
                )
            if (strategy === 'sentences' && span.end - span.start > tokens * 4)
              expect([...text.slice(span.start, span.end)].length).toBeLessThanOrEqual(tokens * 4)
            end = span.end
          }
          if (strategy !== 'none' || text.trim() !== '') expectCover(text, spans)
        },
      ),
      { numRuns: 600 },
    )
  })

  it('gives the same passages whatever was chunked before', () => {
    const text = prose(50)
    const first = chunkPassages(text)
    chunkPassages('x '.repeat(5000), { overlap: 2 })
    expect(chunkPassages(text)).toEqual(first)
  })

  it('reads a single token of a megabyte and a line of five megabytes', () => {
    expectCover('a'.repeat(1_000_000), chunkPassages('a'.repeat(1_000_000)))
    const line = 'word. '.repeat(850_000)
    const spans = chunkPassages(line, { overlap: 1 })
    expect(spans.at(-1)!.end).toBe(line.length - 1)
    expect(spans.length).toBeGreaterThan(line.length / 800)
  })

  it('has a defined result for every odd text', () => {
    const odd = [
      '',
      ' ',
      '\n',
      'x',
      '\ud800',
      '\udc00\ud800',
      '\u0000',
      '\u0000'.repeat(3000),
      '\ufeffHi',
      'שלום עולם. '.repeat(200),
      '\u202eabc\u202c '.repeat(300),
      '👩‍👩‍👧'.repeat(500),
      'a\r\nb\r\n\r\nc',
      'e\u0301'.repeat(2000),
      '\u0301'.repeat(5000),
      '\ud83d'.repeat(5000),
      '\u200d'.repeat(5000),
    ]
    for (const text of odd) {
      for (const overlap of [0, 1, 3]) expectCover(text, chunkPassages(text, { overlap }))
      expectCover(text, chunkPassages(text, { strategy: 'chars', overlap: 100 }))
    }
  })

  it('grows in passages and work as the text does, at any overlap', () => {
    for (const unit of ['。', 'a', 'Yes. ', 'word ', '\u0301', '- x\n']) {
      for (const overlap of [0, 1, 50]) {
        const count = (times: number): number =>
          chunkPassages(unit.repeat(times), { overlap }).length
        expect(count(40_000) / count(20_000), `${JSON.stringify(unit)} ${overlap}`).toBeLessThan(
          2.1,
        )
      }
    }
  })

  it('refuses options out of range by name', () => {
    for (const options of [
      { tokens: 0 },
      { tokens: 1.5 },
      { tokens: Number.NaN },
      { overlap: -1 },
      { strategy: 'chars', tokens: 10, overlap: 40 },
      { strategy: 'words' },
    ]) {
      let error: unknown
      try {
        chunkPassages('text', options as Parameters<typeof chunkPassages>[1])
      } catch (caught) {
        error = caught
      }
      expect(isHubmeshError(error) && error.code, JSON.stringify(options)).toBe('input/invalid')
    }
  })
})

describe('estimatePieces', () => {
  it('agrees with the meter, unit by unit', () => {
    fc.assert(
      fc.property(wildText, (text) => {
        const meter = new PieceMeter()
        for (let i = 0; i < text.length; i++) meter.add(text.charCodeAt(i))
        expect(meter.total).toBe(estimatePieces(text, 0, text.length))
      }),
    )
  })

  it('counts words, numbers, marks and characters as its docstring says', () => {
    const pieces = (text: string): number => estimatePieces(text, 0, text.length) / 12
    expect(pieces('a house')).toBe(2)
    expect(pieces('houses')).toBeCloseTo(4 / 3, 12)
    expect(pieces('2024')).toBe(2)
    expect(pieces('a, b')).toBe(3)
    expect(pieces('漢字かな')).toBe(4)
    expect(pieces('한국')).toBe(4)
  })
})

describe('splitLong', () => {
  it('gives one range for what fits', () => {
    expect(splitLong('abc', 0, 3, { chars: 3, pieces: 1000 })).toEqual([{ start: 0, end: 3 }])
  })

  it('keeps a code point whole even where it is over the limit', () => {
    expect(splitLong('😀😀', 0, 4, { chars: 1, pieces: 1 })).toEqual([
      { start: 0, end: 2 },
      { start: 2, end: 4 },
    ])
  })
})
