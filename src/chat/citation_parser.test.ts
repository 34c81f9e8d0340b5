import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CitationParser, parseCitations } from './citation_parser.ts'
import type { AnswerPart } from './citation_parser.ts'
import { citationsOf } from './citations.ts'

const blocks = [1, 2, 3].map((n) => ({
  n,
  documentId: `d${n}`,
  title: `T${n}`,
  ranks: [n],
  spans: [{ start: n, end: n + 5 }],
  text: '',
  tokens: 1,
}))
const known = citationsOf({ blocks })

/** What was cited, in short. */
const cited = (answer: string): unknown[] =>
  parseCitations(answer, known).flatMap((part) =>
    part.type === 'citation' ? [[part.text, part.citations.map(({ n }) => n), part.unknown]] : [],
  )

describe('citations of an answer', () => {
  it('map numbers to the spans of their blocks', () => {
    expect(parseCitations('So it is [3].', known)).toEqual([
      { type: 'text', text: 'So it is ', start: 0, end: 9 },
      {
        type: 'citation',
        text: '[3]',
        start: 9,
        end: 12,
        citations: [
          { n: 3, documentId: 'd3', title: 'T3', ranks: [3], spans: [{ start: 3, end: 8 }] },
        ],
        unknown: [],
      },
      { type: 'text', text: '.', start: 12, end: 13 },
    ])
  })

  it('are read in every usual form', () => {
    for (const [written, numbers] of [
      ['[1, 2]', [1, 2]],
      ['[2,1]', [2, 1]],
      ['[1; 3]', [1, 3]],
      ['[1 2]', [1, 2]],
      ['[ 2 ]', [2]],
      ['[1-3]', [1, 2, 3]],
      ['[1–2]', [1, 2]],
      ['[^2]', [2]],
      ['【3】', [3]],
      ['[1, 1]', [1]],
      ['[02]', [2]],
    ] as const) {
      expect(cited(`x ${written}`), written).toEqual([[written, numbers, []]])
    }
    expect(cited('[1][2]')).toEqual([
      ['[1]', [1], []],
      ['[2]', [2], []],
    ])
  })

  it('report numbers that no block has, and make nothing of them', () => {
    expect(cited('a [4] b [0] c [1, 9] d [2-7]')).toEqual([
      ['[4]', [], [4]],
      ['[0]', [], [0]],
      ['[1, 9]', [1], [9]],
      ['[2-7]', [2, 3], [7]],
    ])
    expect(cited('in [2024]')).toEqual([['[2024]', [], [2024]]])
    expect(cited('[1-999999999]')).toEqual([['[1-999999999]', [1, 2, 3], [999_999_999]]])
    expect(cited('[3-1]')).toEqual([['[3-1]', [3, 1], []]])
  })

  it('are none where something else stands between brackets', () => {
    for (const text of [
      '[citation needed]',
      '[]',
      '[ ]',
      '[1a]',
      '[1.2]',
      '[-1]',
      '[1-]',
      '[1,-2]',
      '[1--2]',
      '[1234567890]',
      '[1',
      '[',
      '(1)',
      '[1】',
      `[${'1,'.repeat(200)}1]`,
    ])
      expect(cited(`x ${text} y`), text).toEqual([])
    expect(cited('[[1]]')).toEqual([['[1]', [1], []]])
    expect(cited('[1 [2]')).toEqual([['[2]', [2], []]])
  })

  it('are not looked for in code', () => {
    expect(cited('`a[1]` and [2]')).toEqual([['[2]', [2], []]])
    expect(cited('```js\na[1]\n\nb[2] `c[3]`\n```\nsee [3]')).toEqual([['[3]', [3], []]])
    expect(cited('``a ` b[1]`` [2]')).toEqual([['[2]', [2], []]])
    expect(
      cited('a lone ` here [1]\n\nand [2]'),
      'a lone backtick ends with its paragraph',
    ).toEqual([['[2]', [2], []]])
  })

  it('are the same however the answer is cut, and no character of it is lost', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '[',
        ']',
        '1',
        '2',
        '9',
        ',',
        ' ',
        '-',
        '`',
        '```',
        '\n',
        'x',
        '【',
        '】',
        '^',
        '😀',
        '[1]',
        '[2, 3]',
      ),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(8), { maxLength: 40 }), (tokens, cuts) => {
        const answer = tokens.join(''),
          parser = new CitationParser(known),
          parts: AnswerPart[] = []
        let at = 0
        for (const cut of cuts) {
          parts.push(...parser.push(answer.slice(at, at + cut)))
          at += cut
        }
        parts.push(...parser.push(answer.slice(at)), ...parser.end())
        expect(parts.map(({ text }) => text).join('')).toBe(answer)
        for (const { start, end, text } of parts) expect(answer.slice(start, end)).toBe(text)
        const citations = (list: readonly AnswerPart[]) =>
          list.filter(({ type }) => type === 'citation')
        expect(citations(parts)).toEqual(citations(parseCitations(answer, known)))
      }),
      { seed: 8, numRuns: 600 },
    )
  })

  it('hold back no more than what may still become one', () => {
    const parser = new CitationParser(known)
    expect(parser.push('Born in Burbank [').map(({ text }) => text)).toEqual(['Born in Burbank '])
    expect(parser.push('1').length).toBe(0)
    expect(parser.push(']. More').map(({ text }) => text)).toEqual(['[1]', '. More'])
    expect(
      parser
        .push(`[${'1,'.repeat(100)}`)
        .map(({ text }) => text)
        .join('').length,
      'a bracket without end',
    ).toBeGreaterThan(150)
  })
})
