import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { firsts } from '../testing/first_sources.ts'

const FILLER = Object.fromEntries(
  Array.from({ length: 12 }, (_, i) => [
    `filler ${i}`,
    `Nothing of note stands on page ${i + 900}.`,
  ]),
)

describe('words as people write them', () => {
  it.each([
    ['José Peñalver repairs the boats', 'jose penalver'],
    ['Jürgen Weißmüller repairs the boats', 'juergen weissmueller'],
    ['Jürgen Weißmüller repairs the boats', 'jurgen weissmuller'],
    ['The train to Łódź leaves at noon', 'Lodz'],
    ['Lo\u0308wenbru\u0308ck is a small town', 'Löwenbrück'],
    ['The \ufb01re o\ufb03cer has the key', 'fire officer'],
    ['Die Daten\u00adschutz\u00adgrund\u00adverordnung gilt', 'Datenschutzgrundverordnung'],
    ['Der Datenschutz-\nbeauftragte antwortet', 'Datenschutzbeauftragte'],
    ['ＡＬＰＨＡ ist ein Wort', 'alpha'],
    ['Ο Οδυσσέας γύρισε', 'οδυσσεασ'],
    ['Ёлка стоит в зале', 'елка'],
    ['the maxFrameSize of the encoder', 'max frame size'],
    ['the max_frame_size of the encoder', 'maxFrameSize'],
    ['draws a pieChart of the sales', 'pie chart'],
    ['a disk of 64GB is enough', '64 GB'],
    ['a disk of 2 TB is enough', '2TB'],
    ['write an e-mail to the office', 'email'],
    ['use your login here', 'log in'],
    ['the budget is 1,250,000 crowns', '1250000'],
    ['call +49 (30) 901820-17 for help', '+493090182017'],
    ['pay to DE89 3704 0044 0532 0130 00 soon', 'DE89370400440532013000'],
    ['the book 978-3-16-148410-0 is lent', '9783161484100'],
    ['the meeting of 2026-03-07 was long', '7 March 2026'],
    ['the meeting of 07.03.2026 was long', 'March 7th'],
    ['the meeting of March 7, 2026 was long', '2026-03-07'],
  ])('%j is found by %j', async (text, question) => {
    expect(await firsts({ ...FILLER, it: text }, [question])).toEqual(['it'])
  })

  it('an exact form comes before a folded one', async () => {
    const documents = { ...FILLER, folded: 'The resumé lies here.', exact: 'The resume lies here.' }
    expect(await firsts(documents, ['resume', 'resumé'])).toEqual(['exact', 'folded'])
  })

  it('of a thousand versions the exact one comes first, 95 times in a hundred', async () => {
    const versions = Array.from(
      { length: 1000 },
      (_, i) => `${1 + (i % 10)}.${Math.floor(i / 10) % 10}.${Math.floor(i / 100)}`,
    )
    const documents = Object.fromEntries(
      versions.map((version) => [version, `Release ${version} fixes a fault of the parser.`]),
    )
    const asked = versions.filter((_, i) => i % 10 === 3),
      found = await firsts(
        documents,
        asked.map((version) => `What does release ${version} fix?`),
      )
    expect(found.filter((id, i) => id === asked[i]).length).toBeGreaterThanOrEqual(95)
  })

  it('C, C++, C# and .NET are told apart', async () => {
    const documents = {
      ...FILLER,
      cpp: 'A course about C++ for beginners.',
      cs: 'A course about C# for beginners.',
      net: 'A course about .NET for beginners.',
    }
    expect(await firsts(documents, ['C++ course', 'C# course', '.NET course'])).toEqual([
      'cpp',
      'cs',
      'net',
    ])
  })
})

const INPUTS = new URL('../../../shared/cases/inputs/', import.meta.url)
if (!existsSync(INPUTS)) console.info('skipped: ../shared/cases is not here')

describe.skipIf(!existsSync(INPUTS))('the cases beside the repository', () => {
  const input = (path: string): string => readFileSync(new URL(path, INPUTS), 'utf8')

  it.each([
    ['unicode/accents.txt', ['jose penalver', 'juergen weissmueller', 'Lodz']],
    ['unicode/nfd.txt', ['Löwenbrück', 'loewenbrueck', 'Prüfstelle']],
    ['unicode/ligatures.txt', ['fire officer', 'floor plans']],
    ['unicode/soft-hyphen.txt', ['Datenschutzgrundverordnung']],
    ['unicode/line-end-hyphen.txt', ['Datenschutzbeauftragte']],
    ['identifiers/units.txt', ['64 GB', '64GB', '2 TB', '2TB']],
    ['identifiers/code.txt', ['max frame size', 'pie chart']],
  ])('%s is found by %j', async (path, questions) => {
    const found = await firsts({ ...FILLER, it: input(path) }, questions)
    expect(found).toEqual(questions.map(() => 'it'))
  })

  it('each version is told from its neighbours', async () => {
    const texts = input('identifiers/versions.txt').trim().split('\n\n'),
      versions = texts.map((text) => /\d+(?:\.\d+)+/.exec(text)![0])
    const found = await firsts(
      Object.fromEntries(texts.map((text, i) => [versions[i]!, text])),
      versions.map((version) => `What does release ${version} fix?`),
    )
    expect(found).toEqual(versions)
  })
})
