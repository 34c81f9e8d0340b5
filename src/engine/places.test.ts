/** Where a passage stands: its headings, its table, its page, as searched and as shown. */
import { describe, expect, it } from 'vitest'
import { citationsOf } from '../chat/citations.ts'
import { docxTable, fileAt, pdfOf, pdfTable, xlsxTable } from '../document/testing/make_files.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import type { Embedder } from '../embed/embedder.ts'
import type { Engine } from '../types.ts'

const NAMES = (
  'Tolbert Vesgar Quillon Marbek Ostrin Peldor Hanwick Jorvan Lestin Corrow ' +
  'Dalben Fennick Garrod Ibstock Kelvar Norrin Ruskell Sandal Thorvik Ulmer ' +
  'Wexley Yarden Zorbin Aldous Brennick Cawley Druvel Emsworth Farlin Gosport'
).split(' ')
const HEADER = ['Stall', 'Area', 'Rent per week', 'Power']
const ROWS = NAMES.map((name, i) => [
  name,
  `${40 + i} sq m`,
  `${300 + 7 * i} crowns`,
  ['none', 'single', 'triple'][i % 3]!,
])
const TABLE = [HEADER, ...ROWS]

const html = (cell: (text: string) => string): string =>
  `<html><title>Stalls</title><body><h1>Stalls</h1><table>${TABLE.map(
    (row, i) =>
      `<tr>${row.map((text) => (i === 0 ? `<th>${text}</th>` : cell(text))).join('')}</tr>`,
  ).join('')}</table></body></html>`
const FILES: readonly (readonly [string, string | Uint8Array])[] = [
  [
    'stalls.md',
    `# Stalls\n\n${[HEADER, [':--', '--:', '---', '---'], ...ROWS]
      .map((row) => `| ${row.join(' | ')} |`)
      .join('\n')}\n`,
  ],
  ['stalls.html', html((text) => `<td>${text}</td>`)],
  ['paragraphs.html', html((text) => `<td><p>${text}</p></td>`)],
  ['breaks.html', html((text) => `<td><br>${text}<br></td>`)],
  ['blocks.html', html((text) => `<td><div><div>${text}</div></div></td>`)],
  ['plain.html', html((text) => `<td>${text}</td>`).replaceAll('th>', 'td>')],
  ['stalls.docx', docxTable('Stalls', TABLE)],
  ['stalls.xlsx', xlsxTable('Stalls', TABLE)],
  ['stalls.csv', TABLE.map((row) => row.join(',')).join('\n')],
  ['stalls.pdf', pdfTable('Stalls', TABLE)],
]

async function lookUps(engine: Engine): Promise<{ first: number; packed: number }> {
  let first = 0,
    packed = 0
  for (const [name, , rent] of ROWS as [string, string, string][]) {
    const { sources, context } = await engine.retrieve(`What is the rent per week of ${name}?`, {
      budgetTokens: 500,
    })
    const holds = (text = ''): boolean => text.includes(name) && text.includes(rent)
    if (holds(sources[0]?.text)) first++
    if (holds(context)) packed++
  }
  return { first, packed }
}

describe('a row of a table', () => {
  it.each(FILES)('is found by its name and the name of a column: %s', async (path, content) => {
    const engine = await openTestEngine([fileAt(path, content)])
    expect(await lookUps(engine)).toEqual({ first: ROWS.length, packed: ROWS.length })
  })

  it('is shown under the header of its table where the header is not quoted', async () => {
    const engine = await openTestEngine([fileAt('stalls.md', FILES[0]![1])])
    const { blocks, context } = await engine.retrieve('What is the rent per week of Gosport?', {
      budgetTokens: 120,
    })
    expect(context).toContain('[1] Stalls > Stall | Area | Rent per week | Power')
    expect(blocks[0]?.text).toContain('| Gosport |')
  })
})

/** Three tenants, each with two passages of their own and a fact in the second. */
const FILLER = Array.from(
  { length: 24 },
  (_, i) => `The roof over bay ${i + 1} was seen to and nothing came through in the rain of May.`,
).join(' ')
const TENANTS = [
  ['Ilse Wahlberg', 'The deposit was 4100 crowns.'],
  ['Otto Grenfell', 'The deposit was 5200 crowns.'],
  ['Maren Tveit', 'The deposit was 6300 crowns.'],
] as const
const LEASES = `# Leases\n\n${TENANTS.map(([name, fact]) => `## ${name}\n\n${FILLER}\n\n${fact}`).join('\n\n')}\n`

describe('a fact in a later passage of a section', () => {
  it('is found by the heading that stands over it, and shown under it', async () => {
    const engine = await openTestEngine([fileAt('leases.md', LEASES)])
    for (const [name, fact] of TENANTS) {
      const { sources, context, answer } = await engine.retrieve(
        `What was the deposit of ${name}?`,
        { budgetTokens: 100 },
      )
      expect(sources[0]).toMatchObject({ section: name, title: 'Leases' })
      expect(sources[0]!.text).toContain(fact)
      expect(sources[0]!.text).not.toContain(name)
      expect(LEASES.slice(sources[0]!.start, sources[0]!.end)).toBe(sources[0]!.text)
      // its heading is quoted, or stands over the block
      const shown = context.slice(0, context.indexOf(fact))
      expect(shown).toContain(name)
      for (const [other] of TENANTS) if (other !== name) expect(shown).not.toContain(other)
      expect(answer.quotes.find(({ text }) => text.includes(fact))).toMatchObject({ section: name })
    }
  })

  it('is embedded with it', async () => {
    const texts: string[] = []
    const engine = await openTestEngine([], { embedder: recorder(texts) })
    await engine.add([fileAt('leases.md', LEASES)])
    await engine.ready('vectors')
    for (const [name, fact] of TENANTS)
      expect(
        texts.filter((text) => text.startsWith(`Leases > ${name}. `) && text.includes(fact)),
      ).toHaveLength(1)
  })

  it('is neither in a corpus that was begun by the rules before', async () => {
    const texts: string[] = []
    const old = await openTestEngine([], { embedder: recorder(texts), chunk: { embeddedText: 1 } })
    await old.add([fileAt('leases.md', LEASES)])
    await old.ready('vectors')
    expect(texts.some((text) => text.startsWith('Leases > '))).toBe(false)
    const found = await old.search('Otto Grenfell deposit', { mode: 'lexical' })
    expect(found[0]!.text).not.toContain('5200')
    // and its archive brings its documents, not its vectors and words, to a corpus of other rules
    const before = texts.length,
      archive = await old.export(),
      other = await openTestEngine([], { embedder: recorder(texts) })
    await other.import(archive)
    await other.ready('vectors')
    expect(
      texts.slice(before).filter((text) => text.startsWith('Leases > ')).length,
    ).toBeGreaterThan(2)
    const { sources } = await other.retrieve('What was the deposit of Otto Grenfell?', {
      tier: 'text',
    })
    expect(sources[0]!.text).toContain('5200')
  })

  it('leaves no word behind when its document goes', async () => {
    const engine = await openTestEngine([fileAt('leases.md', LEASES)])
    await engine.add({ id: 'kept', text: 'Wahlberg is kept.' })
    await engine.remove(['leases.md'])
    expect((await engine.search('deposit Wahlberg', { mode: 'lexical' })).length).toBe(1)
    await engine.add([fileAt('leases.md', LEASES)])
    const again = await engine.retrieve('What was the deposit of Maren Tveit?')
    expect(again.sources[0]!.text).toContain('6300')
  })
})

describe('a page of a PDF', () => {
  it('stands on source, quote, block and citation, without running heads and page numbers', async () => {
    const facts = [
      'The crane lifts 12 tonnes.',
      'The slip is closed in March.',
      'Oil goes to the shed.',
    ]
    const pages = facts.map((fact, i) => [
      { x: 72, y: 760, text: 'Yard handbook of Tolbert' },
      { x: 72, y: 700, text: fact },
      { x: 72, y: 680, text: `Ask at desk ${i + 40} before nine.` },
      ...Array.from({ length: 6 }, (_, line) => ({
        ...{ x: 72, y: 660 - 20 * line },
        text: `Rule ${line} of part ${i} is kept by the yard and by whoever comes to it.`,
      })),
      { x: 300, y: 40, text: `${i + 1}` },
    ])
    const engine = await openTestEngine([fileAt('yard.pdf', pdfOf(pages))])
    const { text } = (await engine.getDocument('yard.pdf'))!
    expect(text).not.toContain('Yard handbook')
    expect(text).not.toMatch(/^\d$/m)
    const result = await engine.retrieve('When is the slip closed?', { budgetTokens: 60 })
    expect(result.answer.quotes[0]).toMatchObject({
      page: 2,
      text: expect.stringContaining(facts[1]!),
    })
    expect(result.blocks[0]!.text).toContain(facts[1])
    expect(result.blocks[0]!.page).toBe(citationsOf(result).get(1)!.page)
    for (const { page, start } of result.sources)
      expect(page).toBe(facts.filter((fact) => text.indexOf(fact) <= start).length)
  })
})

describe('the path of a file', () => {
  it('is searched by its folders and its name, and two files of one name are two documents', async () => {
    const engine = await openTestEngine([
      fileAt('north_quay/minutes/notes.txt', 'The pump was mended.'),
      fileAt('south_quay/minutes/notes.txt', 'The pump was sold.'),
      { id: 'plain', text: 'The pump is blue.' },
    ])
    const [north] = await engine.search('north quay pump', { mode: 'lexical' })
    expect(north).toMatchObject({
      documentId: 'north_quay/minutes/notes.txt',
      metadata: { path: 'north_quay/minutes/notes.txt' },
    })
    const { sources } = await engine.retrieve('What became of the pump at the south quay?')
    expect(sources[0]!.documentId).toBe('south_quay/minutes/notes.txt')
    expect((await engine.listDocuments()).total).toBe(3)
  })
})

function recorder(texts: string[]): Embedder {
  return {
    identity: { model: 'recorder', revision: '1', dtype: 'f32', dims: 4, pooling: 'mean' },
    embed: (batch, { kind }) => {
      if (kind === 'passage') texts.push(...batch)
      return Promise.resolve(
        batch.map((text) => Float32Array.from([1, text.length % 7, text.length % 5, 1])),
      )
    },
    close: () => Promise.resolve(),
  }
}

describe('the answer in a text with headings', () => {
  it('quotes what stands under the heading that is asked for, and no heading', async () => {
    const engine = await openTestEngine([
      {
        title: 'Tenants',
        text:
          '## Ilse Wahlberg\n\nPays 300 crowns a month. Her deposit is 900 crowns.\n\n' +
          '## Otto Brandt\n\nPays 280 crowns a month. His deposit is 840 crowns.\n\n' +
          '## Rules\n\nDogs must be kept on a lead. The gate closes at ten.',
      },
    ])
    for (const [question, section, fact] of [
      ['What does Ilse Wahlberg pay?', 'Ilse Wahlberg', '300 crowns'],
      ['What is the deposit of Otto Brandt?', 'Otto Brandt', '840 crowns'],
      ['When does the gate close?', 'Rules', 'at ten'],
    ] as const) {
      const { quotes } = (await engine.retrieve(question)).answer
      expect(quotes[0]).toMatchObject({ section })
      expect(quotes[0]!.text).toContain(fact)
      for (const { text } of quotes) expect(text).not.toContain('#')
    }
  })
})
