import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segment } from './segments.ts'
import { sentenceSpans } from './sentence_spans.ts'
import { wildText } from './testing/wild_text.ts'

const cut = (text: string): string[] =>
  sentenceSpans(text).map(({ start, end }) => text.slice(start, end))

describe('sentenceSpans', () => {
  it('keeps titles, initials, acronyms, months and decimals inside their sentence', () => {
    expect(cut('Dr. Smith met Mr. Jones at 5 p.m. on Jan. 3. They left. It rained!')).toEqual([
      'Dr. Smith met Mr. Jones at 5 p.m. on Jan. 3.',
      'They left.',
      'It rained!',
    ])
    expect(
      cut(
        'J. R. R. Tolkien wrote it. The U.S. Army is big, e.g. Foo. See No. 5, pp. 12 of vol. 3. Pi is 3.14 or so.',
      ),
    ).toEqual([
      'J. R. R. Tolkien wrote it.',
      'The U.S. Army is big, e.g. Foo.',
      'See No. 5, pp. 12 of vol. 3.',
      'Pi is 3.14 or so.',
    ])
    expect(cut('He was born ( c. 1243 ) in York. We use node.js. Python came later.')).toEqual([
      'He was born ( c. 1243 ) in York.',
      'We use node.js.',
      'Python came later.',
    ])
  })

  it('ends a sentence at an acronym when the next word begins sentences', () => {
    expect(cut('He lives in the U.S. The rest do not. She founded Foo Inc. It grew.')).toEqual([
      'He lives in the U.S.',
      'The rest do not.',
      'She founded Foo Inc.',
      'It grew.',
    ])
  })

  it('takes closing quotes, brackets and note marks into the sentence they close', () => {
    expect(
      cut('"Really?" she said. “Yes.” Then (it ended.) Next.[12] More… and so on... Done'),
    ).toEqual([
      '"Really?" she said.',
      '“Yes.”',
      'Then (it ended.)',
      'Next.[12]',
      'More… and so on...',
      'Done',
    ])
  })

  it('knows the full stops of other scripts, with and without spaces', () => {
    expect(cut('他来了。「走れ！」彼は叫んだ。「行く。」と言った。３．１４だ。')).toEqual([
      '他来了。',
      '「走れ！」',
      '彼は叫んだ。',
      '「行く。」と言った。',
      '３．１４だ。',
    ])
    expect(cut('नमस्ते। आप कैसे हैं? ठीक।')).toEqual(['नमस्ते।', 'आप कैसे हैं?', 'ठीक।'])
    expect(cut('ماذا؟ نعم. لا')).toEqual(['ماذا؟', 'نعم.', 'لا'])
    expect(cut('ประเทศไทย มีชื่อ\nเมืองหลวง')).toEqual(['ประเทศไทย', 'มีชื่อ', 'เมืองหลวง'])
    expect(cut('Am 3. Oktober war Feiertag. Am Montag nicht.')).toEqual([
      'Am 3. Oktober war Feiertag.',
      'Am Montag nicht.',
    ])
  })

  it('keeps headings, list items, table rows and lines of code apart', () => {
    expect(
      cut(
        '# A. Head\nIntro text\n- item one\n2. item two. More\n| a. B | c |\n```js\nlet a. ' +
          'B\n\nfoo\n```\nTitle\n=====\nText',
      ),
    ).toEqual([
      '# A. Head',
      'Intro text',
      '- item one',
      '2. item two.',
      'More',
      '| a. B | c |',
      '```js',
      'let a. B',
      'foo',
      '```',
      'Title',
      '=====',
      'Text',
    ])
  })

  it('reads over a wrapped line and stops at a short one', () => {
    const wrapped =
      'This is a long line of text that was wrapped at a margin so that\r\nIt continues here. A new one'
    expect(cut(wrapped)).toEqual([
      'This is a long line of text that was wrapped at a margin so that\r\nIt continues here.',
      'A new one',
    ])
    expect(cut('Hello Bob\nSee you')).toEqual(['Hello Bob', 'See you'])
    expect(cut('one\u2028Two')).toEqual(['one', 'Two'])
  })

  it('gives nothing for blank text and everything for a text without an end', () => {
    expect(cut('')).toEqual([])
    expect(cut(' \n\t\u00a0\ufeff')).toEqual([])
    expect(cut('\ud800')).toEqual(['\ud800'])
    expect(cut('\u0000')).toEqual(['\u0000'])
  })

  it('gives sorted, trimmed spans that hold every unit that is not white space', () => {
    fc.assert(
      fc.property(wildText, (text) => {
        let reached = 0
        for (const { start, end } of sentenceSpans(text)) {
          expect(start).toBeGreaterThanOrEqual(reached)
          expect(end).toBeGreaterThan(start)
          expect(text.slice(reached, start).trim()).toBe('')
          const sentence = text.slice(start, end)
          expect(sentence).toBe(sentence.trim())
          reached = end
        }
        expect(text.slice(reached).trim()).toBe('')
      }),
      { numRuns: 600 },
    )
  })

  it('takes steps in proportion to the text, whatever it repeats', () => {
    for (const unit of [
      'a',
      ' ',
      '.',
      '"',
      'a.',
      'a. ',
      '. ',
      '字',
      '字。',
      '\n',
      '#',
      '-',
      '`',
      '|',
      '.[',
      '?!',
      'ก ',
      '…"',
      '\r\n- ',
      '1.',
      'A. ',
      '\ud800',
    ]) {
      const steps = (times: number): number => segment(unit.repeat(times)).steps
      expect(steps(40_000) / steps(20_000), JSON.stringify(unit)).toBeLessThan(2.01)
      expect(steps(20_000), JSON.stringify(unit)).toBeLessThan(20_000 * unit.length * 4)
    }
  })

  it('reads five million units in one line, whatever they are', () => {
    expect(sentenceSpans('a'.repeat(5_000_000))).toEqual([{ start: 0, end: 5_000_000 }])
    expect(sentenceSpans('.'.repeat(5_000_000))).toEqual([{ start: 0, end: 5_000_000 }])
    expect(sentenceSpans(' '.repeat(5_000_000))).toEqual([])
  })
})

describe('full stops inside sentences of other languages', () => {
  it.each([
    'Das Büro liegt im 2. Stock, Zimmer Nr. 14.',
    'Der Weg führt bis zum 3. Haus.',
    'Man nimmt z. B. Holz oder Stein.',
    'Er kommt d. h. Er bleibt nicht aus.',
    'Siehe Bd. 3 und Abs. 4 dort.',
    'Véase la núm. 12 y la pág. 30 del libro.',
    'Улица находится в г. Москва и недалеко.',
    'Это рис. Иванова, т. е. Копия.',
    'Mødet er kl. 14 i salen.',
    'Zie blz. 12 van het boek, bijv. Hoofdstuk drie.',
  ])('%j is one sentence', (text) => {
    expect(sentenceSpans(text)).toHaveLength(1)
  })

  it.each([
    'It grew by 2. The next year it fell.',
    'Er wohnt in Haus 2. Die Tür ist rot.',
    'They came in 12. Many left.',
    'Option z. Then the rest follows.',
  ])('%j is two', (text) => {
    expect(sentenceSpans(text)).toHaveLength(2)
  })
})
