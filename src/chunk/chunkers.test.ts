import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isHubmeshError } from '../base/errors.ts'
import { chunkByChars, chunkBySentences, chunkDocuments, type Chunk } from './chunkers.ts'
import { estimateTokens } from './estimate_tokens.ts'
import { wildText } from './testing/wild_text.ts'

/**
 * Essential golden values of hubmesh 0.4.2, kept here so that they hold without the shared
 * fixtures.
 */
const PARA =
  'Alû. In Akkadian and Sumerian mythology, Alû is a vengeful spirit of the Utukku that goes ' +
  'down to the underworld Kur. The demon has no mouth, lips or ears. ' +
  'It roams at night and terrifies people while they sleep, and possession by Alû results in ' +
  'unconsciousness and coma; in this manner it resembles creatures such as the mara, and ' +
  'incubus, which are invoked to explain sleep paralysis. ' +
  'In Akkadian and Sumerian mythology, it is associated with other demons like Gallu and Lilu. ' +
  'Lilu (mythology). A lilu or lilû is a masculine Akkadian word for a spirit, related to Alû, ' +
  'demon. Christopher Nolan.'

const FIXTURE = new URL('../../../shared/fixtures/hubmesh/text.json', import.meta.url)
interface Golden {
  readonly texts: Record<string, string>
  readonly chunkByChars: Record<string, readonly Chunk[]>
  readonly chunkBySentences: Record<string, readonly Chunk[]>
  readonly estimateTokens: Record<string, number>
}

const codeOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    return isHubmeshError(error) ? error.code : 'not a HubmeshError'
  }
  return 'nothing thrown'
}

describe('chunkBySentences', () => {
  it('packs sentences to the target with one sentence of overlap, as hubmesh does', () => {
    const chunks = chunkBySentences(PARA, { targetTokens: 40, sourceId: 'doc1' })
    expect(chunks.map(({ metadata }) => [metadata.sent_start, metadata.sent_end])).toEqual([
      [0, 3],
      [3, 4],
      [4, 6],
      [5, 8],
    ])
    expect(chunks[0]!.text).toBe(
      'Alû. In Akkadian and Sumerian mythology, Alû is a vengeful spirit of the Utukku that ' +
        'goes down to the underworld Kur. The demon has no mouth, lips or ears.',
    )
    expect(chunks[2]!.text).toBe(
      'In Akkadian and Sumerian mythology, it is associated with other demons like Gallu and Lilu. Lilu (mythology).',
    )
    expect(chunks.map(({ id }) => id)).toEqual([
      'doc1#chunk0',
      'doc1#chunk1',
      'doc1#chunk2',
      'doc1#chunk3',
    ])
  })

  it('leaves a short text as one chunk, and a blank one as none', () => {
    expect(chunkBySentences('One short line.', { sourceId: 'doc1' })).toEqual([
      {
        id: 'doc1#chunk0',
        text: 'One short line.',
        metadata: {
          source_id: 'doc1',
          chunk_idx: 0,
          char_start: 0,
          char_end: 15,
          sent_start: 0,
          sent_end: 1,
        },
      },
    ])
    expect(chunkBySentences(' \n ')).toEqual([])
  })

  it('never puts a chunk wholly inside the one before, and slices exactly', () => {
    const text = `  ${'Short one. '.repeat(3)}${'A much longer sentence follows here, over and over again. '.repeat(9)}`
    for (const overlapSentences of [0, 1, 2, 5, 100]) {
      const chunks = chunkBySentences(text, { targetTokens: 40, overlapSentences })
      let end = 0
      for (const { text: piece, metadata } of chunks) {
        expect(piece).toBe(text.slice(metadata.char_start, metadata.char_end))
        expect(metadata.char_end).toBeGreaterThan(end)
        end = metadata.char_end
      }
      expect(end).toBe(text.trimEnd().length)
    }
  })

  it('keeps the metadata of its source and wins where names meet', () => {
    const [chunk] = chunkBySentences('Text.', {
      sourceId: 's',
      metadata: { lang: 'en', chunk_idx: 9 },
    })
    expect(chunk!.metadata).toMatchObject({ lang: 'en', chunk_idx: 0, source_id: 's' })
  })
})

describe('chunkByChars', () => {
  it('cuts windows of 800 with 100 shared', () => {
    const text = 'x'.repeat(2000)
    expect(
      chunkByChars(text, { sourceId: 'd' }).map(({ metadata }) => [
        metadata.char_start,
        metadata.char_end,
      ]),
    ).toEqual([
      [0, 800],
      [700, 1500],
      [1400, 2000],
    ])
  })

  it('trims a window and its offsets together, and leaves surrogate pairs whole', () => {
    const text = `ab cd ${'😀'.repeat(10)}`
    for (const size of [1, 2, 3, 5, 7]) {
      const chunks = chunkByChars(text, { size, overlap: 0 })
      expect(
        chunks
          .map((chunk) => chunk.text)
          .join('')
          .replaceAll(' ', ''),
      ).toBe(text.replaceAll(' ', ''))
      for (const { text: piece, metadata } of chunks) {
        expect(piece).toBe(text.slice(metadata.char_start, metadata.char_end))
        expect(piece).toBe(new TextDecoder().decode(new TextEncoder().encode(piece)))
      }
    }
  })

  it('shares a quarter of a window too small for its default overlap', () => {
    expect(
      chunkByChars('x'.repeat(100), { size: 40 }).map(({ metadata }) => metadata.char_start),
    ).toEqual([0, 30, 60])
    expect(
      chunkByChars('x'.repeat(250), { size: 150 }).map(({ metadata }) => metadata.char_start),
    ).toEqual([0, 50, 100])
  })

  it('refuses an overlap that leaves no progress', () => {
    expect(codeOf(() => chunkByChars('text', { size: 10, overlap: 10 }))).toBe('input/invalid')
    expect(codeOf(() => chunkByChars('text', { size: 0 }))).toBe('input/invalid')
    expect(codeOf(() => chunkBySentences('text', { overlapSentences: -1 }))).toBe('input/invalid')
    expect(codeOf(() => chunkBySentences(5 as unknown as string))).toBe('input/invalid')
  })
})

describe('both chunkers', () => {
  it('give exact slices that reach further each time and leave nothing but white space out, for any text', () => {
    fc.assert(
      fc.property(
        wildText,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 3 }),
        (text, size, overlap) => {
          for (const chunks of [
            chunkBySentences(text, { targetTokens: size, overlapSentences: overlap }),
            chunkByChars(text, { size: size + overlap, overlap }),
          ]) {
            let reached = 0
            for (const { text: piece, metadata } of chunks) {
              expect(piece).toBe(text.slice(metadata.char_start, metadata.char_end))
              expect(metadata.char_end).toBeGreaterThan(reached)
              expect(text.slice(reached, Math.max(reached, metadata.char_start)).trim()).toBe('')
              reached = metadata.char_end
            }
            expect(text.slice(reached).trim()).toBe('')
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it.each([
    ['Chinese', '他来了。她走了。雨下了一整天。', ['他来了。', '她走了。', '雨下了一整天。']],
    ['Thai', 'ประเทศไทย มีเมืองหลวง\nชื่อกรุงเทพ', ['ประเทศไทย', 'มีเมืองหลวง', 'ชื่อกรุงเทพ']],
    [
      'a list',
      '- first item\n- second item\n- third item',
      ['- first item', '- second item', '- third item'],
    ],
    ['a table', '| a. B | c |\n| d. E | f |', ['| a. B | c |', '| d. E | f |']],
    [
      'fenced code',
      'Before.\n```\nlet a. B\n```\nAfter.',
      ['Before.', '```', 'let a. B', '```', 'After.'],
    ],
    [
      'abbreviations',
      'Dr. Smith met Mr. Jones. They left.',
      ['Dr. Smith met Mr. Jones.', 'They left.'],
    ],
  ])('cut %s where a reader would', (_, text, wanted) => {
    expect(
      chunkBySentences(text, { targetTokens: 1, overlapSentences: 0 }).map((chunk) => chunk.text),
    ).toEqual(wanted)
  })
})

describe('chunkDocuments', () => {
  it('takes pairs, objects and documents, in order', () => {
    const chunks = chunkDocuments([['a', 'One.'], { id: 'b', text: 'Two.', metadata: { k: 1 } }])
    expect(
      chunks.map(({ id, metadata }) => [id, metadata.source_id, metadata['k'] ?? null]),
    ).toEqual([
      ['a#chunk0', 'a', null],
      ['b#chunk0', 'b', 1],
    ])
    expect(
      chunkDocuments([['a', 'x'.repeat(30)]], { strategy: 'chars', size: 20, overlap: 5 }).map(
        ({ text }) => text.length,
      ),
    ).toEqual([20, 15])
  })

  it('refuses other shapes by position, and strategies it does not know', () => {
    expect(
      codeOf(() => chunkDocuments([['a', 'One.'], 'two' as unknown as [string, string]])),
    ).toBe('input/invalid')
    expect(codeOf(() => chunkDocuments([], { strategy: 'words' as 'chars' }))).toBe('input/invalid')
  })
})

describe('estimateTokens', () => {
  it('is a quarter of the length, at least one', () => {
    expect([0, 3, 4, 41].map((length) => estimateTokens('x'.repeat(length)))).toEqual([1, 1, 1, 10])
  })
})

describe('golden values of hubmesh 0.4.2', () => {
  const golden = existsSync(FIXTURE) ? (JSON.parse(readFileSync(FIXTURE, 'utf8')) as Golden) : null
  if (golden === null)
    console.info('golden chunks not compared: ../shared/fixtures/hubmesh/text.json is missing')

  it.runIf(golden !== null)(
    'hold for sentences, but for chunks inside the one before and sentence ends after abbreviations',
    () => {
      // Named faults of 0.4.2: a chunk wholly inside the one before; `c. 1243` and `Jan. 3` taken
      // for sentence ends, which also moves sentence numbers.
      const dropped: Record<string, readonly string[]> = {
        short: [],
        chars1500: [],
        abbrev: ['It rained!'],
        para: [
          'The demon has no mouth, lips or ears.',
          'Christopher Edward Nolan ( ; born 30 July 1970) is an English-American film ' +
            'director, producer, and screenwriter.',
          'He is also Story Writer, and Lyricist.',
          '1243 ), was an English Franciscan scholar.',
          'Recovery of Aristotle.',
        ],
      }
      for (const [name, text] of Object.entries(golden!.texts)) {
        const expected = golden!.chunkBySentences[name]!.map((chunk) => chunk.text).filter(
          (piece) => !dropped[name]!.includes(piece),
        )
        expect(
          chunkBySentences(text, { targetTokens: 40, sourceId: 'doc1' }).map((chunk) => chunk.text),
          name,
        ).toEqual(expected)
      }
    },
  )

  it.runIf(golden !== null)(
    'hold for windows, but for one inside the one before and offsets of trimmed text',
    () => {
      for (const [name, text] of Object.entries(golden!.texts)) {
        const expected = golden!.chunkByChars[name]!.filter(
          (chunk, i, all) => i === 0 || chunk.metadata.char_end > all[i - 1]!.metadata.char_end,
        )
        const ours = chunkByChars(text, { sourceId: 'doc1' })
        expect(
          ours.map(({ id, text: piece }) => ({ id, text: piece })),
          name,
        ).toEqual(expected.map(({ id, text: piece }) => ({ id, text: piece })))
        ours.forEach(({ metadata }, i) => {
          // Named fault: 0.4.2 trims the text and leaves its offsets; ours are those of the trimmed
          // text.
          const wide = text.slice(expected[i]!.metadata.char_start, expected[i]!.metadata.char_end)
          expect(metadata.char_start, name).toBe(
            expected[i]!.metadata.char_start + (wide.length - wide.trimStart().length),
          )
          expect(metadata.char_end, name).toBe(
            expected[i]!.metadata.char_end - (wide.length - wide.trimEnd().length),
          )
        })
      }
    },
  )

  it.runIf(golden !== null)('hold for token estimates', () => {
    for (const [length, tokens] of Object.entries(golden!.estimateTokens))
      expect(estimateTokens('x'.repeat(Number(length)))).toBe(tokens)
  })
})
