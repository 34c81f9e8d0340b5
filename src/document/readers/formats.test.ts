import { describe, expect, it } from 'vitest'
import type { DocumentInput } from '../../types.ts'
import { pdfOf } from '../testing/make_files.ts'
import { writeZip } from '../zip.ts'
import { pdfDocuments } from './pdf/pdf.ts'
import { READABLE_EXTENSIONS } from '../extensions.ts'
import { readFiles, type ReadFilesResult } from './read_files.ts'

const encoder = new TextEncoder()
const read = (name: string, content: string | Uint8Array): Promise<ReadFilesResult> => {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content
  return readFiles([{ name, size: bytes.length, bytes: () => Promise.resolve(bytes) }])
}
const one = async (name: string, content: string | Uint8Array): Promise<DocumentInput> => {
  const { documents, rejected } = await read(name, content)
  expect(rejected).toEqual([])
  return documents[0]!
}
const zipOf = (members: Record<string, string>): Uint8Array =>
  writeZip(new Map(Object.entries(members).map(([name, text]) => [name, encoder.encode(text)])))

describe('a document knows what it is', () => {
  it('takes its title from front matter, heading, property, else from its file name', async () => {
    expect((await one('x/Rosalind Achterberg.md', 'Phone 4711.')).title).toBe('Rosalind Achterberg')
    expect((await one('x/fire_safety-plan.txt', 'Doors.')).title).toBe('fire safety plan')
    expect((await one('boats/README.txt', 'Sail.')).title).toBe('boats README')
    // the first heading of a changelog is a release, not what the file is
    expect((await one('oar/CHANGELOG.md', '## 2.1.0 (2024-05-01)\n\n- Mended.')).title).toBe(
      'oar CHANGELOG',
    )
    expect((await one('oar/CHANGELOG.md', '## [Unreleased]\n\n# Oar\n')).title).toBe('Oar')
    const cover = [
      { x: 72, y: 740, text: 'Harbour Press', size: 18 },
      { x: 72, y: 700, text: 'On Knots', size: 28 },
      ...[1, 2, 3].map((i) => ({
        x: 72,
        y: 600 - 20 * i,
        text: `Line ${i} of the body text here.`,
      })),
    ]
    expect((await one('k.pdf', pdfOf([cover]))).title).toBe('On Knots')
    expect(
      await one('a.md', '---\ntitle: Own\ntags: [a, b]\nyear: 2024\n---\nText #harbour.'),
    ).toEqual({
      id: 'a.md',
      title: 'Own',
      text: '---\ntitle: Own\ntags: [a, b]\nyear: 2024\n---\nText #harbour.',
      metadata: { path: 'a.md', year: 2024, tags: ['a', 'b', 'harbour'] },
    })
  })

  it('two files of one path are two documents', async () => {
    const file = (text: string) => ({
      name: 'a.txt',
      size: text.length,
      bytes: () => Promise.resolve(encoder.encode(text)),
    })
    const { documents } = await readFiles([file('one'), file('two')])
    expect(documents.map(({ id }) => id)).toEqual(['a.txt', 'a.txt (2)'])
  })
})

describe('records', () => {
  it('rows are lines of their columns, whatever these are called, with typed metadata', async () => {
    const { documents } = await read(
      'staff.csv',
      'Name;Preis;Tag;PLZ\nInga;1.234,50;03.05.2024;01067',
    )
    expect(documents).toEqual([
      {
        id: 'staff.csv#0',
        title: 'Inga',
        text: 'Name: Inga\nPreis: 1.234,50\nTag: 03.05.2024\nPLZ: 01067',
        metadata: {
          path: 'staff.csv',
          Name: 'Inga',
          Preis: 1234.5,
          Tag: '2024-05-03',
          PLZ: '01067',
          row: 1,
        },
      },
    ])
  })

  it('nested JSON is flattened by path', async () => {
    const [document] = (
      await read('a.json', '{"items":[{"who":{"city":"Oslo"},"tags":["x","y"],"n":2}]}')
    ).documents
    expect(document!.text).toBe('who.city: Oslo\ntags: x, y\nn: 2')
    expect(document!.metadata).toMatchObject({ 'who.city': 'Oslo', n: 2 })
  })

  it('chat exports keep who said what and when', async () => {
    const slack = await one(
      'general/2024-05-01.json',
      '[{"type":"message","ts":"1714557600.0001","text":"Hi <https://a.b|there>","user_profile":{"real_name":"Ove"}}]',
    )
    expect(slack.text).toBe('[2024-05-01 10:00] Ove: Hi there')
    const telegram = await one(
      'result.json',
      '{"name":"Crew","messages":[{"from":"Ada","date":"2024-05-01T08:00:00","text":["Go ",{"type":"bold","text":"now"}]}]}',
    )
    expect([telegram.title, telegram.text]).toEqual(['Crew', '[2024-05-01 08:00] Ada: Go now'])
    const gpt = await one(
      'conversations.json',
      '[{"title":"Bread","current_node":"c","mapping":{"a":{"message":{"author":{"role":"user"},"content":{"parts":["How warm?"]}}},"b":{"parent":"a","message":{"author":{"role":"assistant"},"content":{"parts":["dropped"]}}},"c":{"parent":"a","message":{"author":{"role":"assistant"},"content":{"parts":["27 degrees"]}}}}}]',
    )
    expect(gpt.text).toBe('user: How warm?\n\nassistant: 27 degrees')
  })
})

describe('pages of HTML', () => {
  it('keep the article and leave out navigation, banners and footers', async () => {
    const body = 'The ferry leaves at nine and returns at four in the afternoon. '.repeat(5)
    const page = await one(
      'a.html',
      `<html lang="no"><title>T</title><nav>Home</nav><div class="cookie-banner">Accept</div><main><h1>Ferry<a class="headerlink">¶</a></h1><p>${body}</p></main><footer>Imprint</footer>`,
    )
    expect(page.text).toBe(`# Ferry\n\n${body.trim()}`)
    expect(page.metadata).toEqual({ path: 'a.html', lang: 'no' })
  })

  it('join the blocks of a cell, fill merged cells, and number ordered lists', async () => {
    const page = await one(
      'a.html',
      '<table><tr><th>A<th>B<tr><td rowspan=2><p>x</p><p>y</p><td>1<br>2<tr><td>3</table><ol start=3><li>c<li>d</ol>',
    )
    expect(page.text).toBe('| A | B |\n| --- | --- |\n| x y | 1 2 |\n| x y | 3 |\n\n3. c\n4. d')
  })

  it('are read by the charset they declare', async () => {
    const bytes = Uint8Array.from('<meta charset=windows-1252><p>\u0080 B\u00fcro', (c) =>
      c.charCodeAt(0),
    )
    const { documents, warnings } = await read('a.html', bytes)
    expect([documents[0]!.text, warnings]).toEqual(['€ Büro', []])
  })

  it('of East Asian charsets are told from European ones, with a warning that names the guess', async () => {
    const bytes = Uint8Array.from([
      0x91, 0xe6, 0x93, 0xf1, 0x91, 0x71, 0x8c, 0xc9, 0x82, 0xcc, 0x8c, 0xae,
    ])
    const { documents, warnings } = await read('a.txt', bytes)
    expect(documents[0]!.text).toBe('第二倉庫の鍵')
    expect(warnings[0]!.message).toContain('shift_jis')
  })
})

describe('office files', () => {
  const rels = (target: string): string =>
    `<Relationships><Relationship Id="r1" Target="${target}"/></Relationships>`

  it('xlsx: rows with their header, dates, shared strings, merged cells', async () => {
    const { documents, rejected } = await read(
      'b.xlsx',
      zipOf({
        'xl/workbook.xml': '<workbook><sheets><sheet name="Berths" r:id="r1"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels': rels('worksheets/sheet1.xml'),
        'xl/sharedStrings.xml':
          '<sst><si><t>Berth</t></si><si><r><t>Am</t></r><r><t>brel</t></r><rPh><t>no</t></rPh></si></sst>',
        'xl/styles.xml':
          '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
        'xl/worksheets/sheet1.xml':
          '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Fee</t></is></c><c r="C1" t="str"><v>Since</v></c></row><row r="2"><c t="s"><v>1</v></c><c><f>1+1</f><v>20.5</v></c><c s="1"><v>45413</v></c></row></sheetData></worksheet>',
      }),
    )
    expect(rejected).toEqual([])
    expect(documents).toEqual([
      {
        id: 'b.xlsx#0',
        title: 'Ambrel',
        text: 'Berth: Ambrel\nFee: 20.5\nSince: 2024-05-01',
        metadata: {
          path: 'b.xlsx',
          Berth: 'Ambrel',
          Fee: 20.5,
          Since: '2024-05-01',
          row: 1,
          sheet: 'Berths',
        },
      },
    ])
  })

  it('docx: headings by style, numbered lists, merged cells, footnotes, nothing deleted', async () => {
    const p = (text: string, properties = ''): string =>
      `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
    const cell = (text: string, properties = ''): string =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`
    const item = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    const document = await one(
      'a.docx',
      zipOf({
        'word/document.xml': `<w:document><w:body>${p('Harbour', '<w:pStyle w:val="T"/>')}${p('Rules', '<w:pStyle w:val="H"/>')}${p('one', item)}${p('two', item)}<w:p><w:r><w:t>Kept</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:footnoteReference w:id="2"/></w:r></w:p><w:tbl><w:tr>${cell('A')}${cell('B')}</w:tr><w:tr>${cell('x', '<w:vMerge w:val="restart"/>')}${cell('1')}</w:tr><w:tr>${cell('', '<w:vMerge/>')}${cell('2')}</w:tr></w:tbl></w:body></w:document>`,
        'word/styles.xml':
          '<w:styles><w:style w:styleId="T"><w:name w:val="Title"/></w:style><w:style w:styleId="H"><w:name w:val="heading 2"/></w:style></w:styles>',
        'word/numbering.xml':
          '<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>',
        'word/footnotes.xml': `<w:footnotes><w:footnote w:id="2">${p('Since 1990.')}</w:footnote></w:footnotes>`,
      }),
    )
    expect(document.title).toBe('Harbour')
    expect(document.text).toBe(
      '# Harbour\n\n## Rules\n\n1. one\n\n2. two\n\nKept [1]\n\n| A | B |\n| --- | --- |\n| x | 1 |\n| x | 2 |\n\n[1] Since 1990.',
    )
  })

  it('pptx: slides in the order of the presentation', async () => {
    const slide = (title: string): string =>
      `<p:sld><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${title}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`
    const deck = await one(
      'a.pptx',
      zipOf({
        'ppt/presentation.xml':
          '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/></p:sldIdLst></p:presentation>',
        'ppt/_rels/presentation.xml.rels':
          '<Relationships><Relationship Id="r1" Target="slides/slide1.xml"/><Relationship Id="r2" Target="slides/slide2.xml"/></Relationships>',
        'ppt/slides/slide1.xml': slide('Second'),
        'ppt/slides/slide2.xml': slide('First'),
      }),
    )
    expect([deck.title, deck.text]).toEqual(['First', '## First\n\n## Second'])
    expect(deck.metadata).toMatchObject({ pageStarts: [0, 10] })
  })

  it('odt and epub: headings, spaces, chapters in reading order', async () => {
    const odt = await one(
      'a.odt',
      zipOf({
        'content.xml':
          '<office:document-content><office:body><office:text><text:h text:outline-level="1">Top</text:h><text:p>a<text:s text:c="2"/>b</text:p></office:text></office:body></office:document-content>',
      }),
    )
    expect([odt.title, odt.text]).toEqual(['Top', '# Top\n\na  b'])
    const epub = await one(
      'a.epub',
      zipOf({
        'META-INF/container.xml':
          '<container><rootfiles><rootfile full-path="O/b.opf"/></rootfiles></container>',
        'O/b.opf':
          '<package><metadata><dc:title>Book</dc:title></metadata><manifest><item id="1" href="one.xhtml"/><item id="2" href="two.xhtml"/></manifest><spine><itemref idref="2"/><itemref idref="1"/></spine></package>',
        'O/one.xhtml': '<html><body><p>last</p></body></html>',
        'O/two.xhtml': '<html><body><h1>Chapter</h1></body></html>',
      }),
    )
    expect([epub.title, epub.text]).toEqual(['Book', '# Chapter\n\nlast'])
  })

  it('rtf: code pages, Unicode with its fallback, no hidden text and no pictures', async () => {
    const rtf = await one(
      'a.rtf',
      String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset128 B;}}{\info secret}B\'fcro \u8364?5\par {\v hidden}{\f1\'93\'fa\'96\'7b}{\pict 00ff}}`,
    )
    expect(rtf.text).toBe('Büro €5\n日本')
  })
})

describe('other formats', () => {
  it('subtitles, notebooks, mails, XML and zips', async () => {
    expect(
      (
        await one(
          'a.vtt',
          'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Hello <i>you</i>\n\n00:02.500 --> 00:04.000\nthere',
        )
      ).text,
    ).toBe('[00:00:01] Ada: Hello you there')
    expect(
      (
        await one(
          'a.ipynb',
          '{"cells":[{"cell_type":"markdown","source":["# Head"]},{"cell_type":"code","source":"1+1","outputs":[{"data":{"text/plain":"2","image/png":"AAAA"}}]}]}',
        )
      ).text,
    ).toBe('# Head\n\n```\n1+1\n```\n\n```\n2\n```')
    const mail = await one(
      'a.eml',
      'From: Ada <a@x.org>\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nDate: Wed, 1 May 2024 08:00:00 +0000\r\n\r\nHello.',
    )
    expect([mail.title, mail.text]).toEqual([
      'Grüße',
      'From: Ada <a@x.org>\nDate: 2024-05-01 08:00\n\nHello.',
    ])
    const box = await read(
      'a.mbox',
      'From x\nSubject: One\n\n>From a\n\nFrom y\nSubject: Two\n\nb\n',
    )
    expect(box.documents.map(({ id, title }) => [id, title])).toEqual([
      ['a.mbox#0', 'One'],
      ['a.mbox#1', 'Two'],
    ])
    expect(
      (await one('a.xml', '<boats><boat id="7"><name>Fair Wind</name></boat></boats>')).text,
    ).toBe('boat id: 7\nname: Fair Wind')
    const zip = await read(
      'z.zip',
      zipOf({ 'in/a.txt': 'Ada', 'b.bin': 'x', '__MACOSX/c.txt': 'no' }),
    )
    expect(zip.documents.map(({ id }) => id)).toEqual(['z.zip/in/a.txt'])
    expect(zip.rejected.map(({ name }) => name)).toEqual(['z.zip/b.bin'])
  })

  it('leaves out base64 and minified code', async () => {
    const data = 'AIoZozK8S9Vl734NlyawP8pZ43IBixqkNL5N12bw'.repeat(10)
    const text = `# Trip\n\n![][image1]\n\n[image1]: <data:image/png;base64,${data}>\n\nEnd ${data} here`
    expect((await one('a.md', text)).text).toBe('# Trip\n\n![][image1]\n\n\nEnd  here')
    const { rejected } = await read('a.min.js', 'x=1;'.repeat(3000))
    expect(rejected[0]!.reason).toContain('minified')
  })

  it('a pdf: columns in reading order, words joined, heads and page numbers left out', () => {
    const column = (x: number, name: string, page: number) =>
      Array.from({ length: 8 }, (_, i) => ({
        text: `${name} line ${'abcdefgh'[i]!} ${['red', 'blue', 'green'][page - 1]!} text of`,
        x,
        y: 700 - 12 * i,
        width: 220,
        height: 10,
      }))
    const page = (number: number) => ({
      width: 600,
      items: [
        { text: `Report ${number}`, x: 50, y: 780, width: 60, height: 10 },
        { text: String(number), x: 300, y: 20, width: 10, height: 10 },
        ...column(50, 'left', number),
        ...column(320, 'right', number),
        { text: 'Daten-', x: 50, y: 500, width: 220, height: 10 },
        { text: 'schutz here', x: 50, y: 488, width: 220, height: 10 },
      ],
    })
    const raw = { title: '', author: '', outline: [], pages: [page(1), page(2), page(3)] }
    const [document] = pdfDocuments(raw, 'a.pdf', { warn: () => undefined })
    const text = document!.text
    expect(text).toContain('Datenschutz here')
    expect(text.indexOf('left line h')).toBeLessThan(text.indexOf('right line a'))
    expect(text).not.toMatch(/Report|^\d$/m)
    const { pageStarts } = document!.metadata as { pageStarts: number[] }
    expect(pageStarts.map((at) => text.slice(at, at + 11))).toEqual(Array(3).fill('left line a'))
    const blank = { ...raw, pages: [{ width: 600, items: [] }] }
    expect(() => pdfDocuments(blank, 'a.pdf', { warn: () => undefined })).toThrow(/scanned/)
  })

  it('every extension of the table in the docs is read', async () => {
    expect(new Set(READABLE_EXTENSIONS).size).toBe(READABLE_EXTENSIONS.length)
    const { readFile } = await import('node:fs/promises')
    const table = await readFile(new URL('../../../docs/formats.md', import.meta.url), 'utf8')
    for (const extension of READABLE_EXTENSIONS) expect(table).toContain(`\`${extension}\``)
  })
})

describe('a chat that WhatsApp exported', () => {
  it.each([
    [
      '[12.03.24, 18:05:11] Nachrichten sind verschlüsselt.\n' +
        '[12.03.24, 18:05:11] Ada Quist: Who has the key?\nThe small one.\n' +
        '[13.03.24, 09:12:00] Bo: I do.\n',
      ['2024-03-12 18:05', '2024-03-13 09:12'],
    ],
    [
      '3/12/24, 6:05\u202fPM - Ada Quist: Who has the key?\nThe small one.\n' +
        '3/13/24, 9:12 AM - Cy joined\n3/13/24, 9:12 AM - Bo: I do.\n',
      ['2024-03-12 18:05', '2024-03-13 09:12'],
    ],
    [
      '03/04/2024, 18:05 - Ada Quist: Who has the key?\nThe small one.\n05/04/2024, 09:12 - Bo: I do.',
      ['03/04/2024 18:05', '05/04/2024 09:12'],
    ],
  ])('keeps who said what and when: %#', async (text, [first, second]) => {
    const { metadata, ...document } = await one('in/chat.txt', text)
    expect(document.text).toBe(
      `[${first!}] Ada Quist: Who has the key?\nThe small one.\n\n[${second!}] Bo: I do.`,
    )
    expect(metadata).toMatchObject({ kind: 'chat', people: ['Ada Quist', 'Bo'] })
    expect(metadata?.['from']).toBe(first!.startsWith('2024') ? '2024-03-12' : undefined)
  })

  it('is not a log or a diary', async () => {
    for (const text of [
      'Diary\n\n12.03.2024, 18:05 - Bo: I do.\n',
      '2024-03-12 18:05:11 INFO db: started\n2024-03-12 18:05:12 INFO db: ended\n',
      '[2024-03-12 18:05:11] local.ERROR: lost\n[2024-03-12 18:05:12] local.INFO: found\n',
    ])
      expect((await one('in/notes.txt', text)).text).toBe(text)
  })
})
