/** Every kind of file that has a parser is read in the page's worker, as it is in Node. */
import { docxTable, pdfOf, pdfTable, xlsxTable, zipOf } from '../src/document/testing/make_files.ts'
import { expect, test } from './support/test.ts'

const ROWS = [
  ['Stall', 'Area', 'Rent'],
  ['Tolbert', '40 sq m', '300 crowns'],
  ['Vesgar', '41 sq m', '307 crowns'],
]
const HTML = '<h1>Stalls</h1><p>Tolbert pays 300 crowns.</p>'

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'a.pdf': pdfTable('Stalls', ROWS),
  'b.docx': docxTable('Stalls', ROWS),
  'c.xlsx': xlsxTable('Stalls', ROWS),
  'd.pptx': zipOf({
    'ppt/presentation.xml':
      '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels':
      '<Relationships><Relationship Id="r1" Target="slides/slide1.xml"/></Relationships>',
    'ppt/slides/slide1.xml':
      '<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r>' +
      '<a:t>Tolbert pays 300 crowns.</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>',
  }),
  'e.epub': zipOf({
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="o/book.opf"/></rootfiles></container>',
    'o/book.opf':
      '<package><metadata><title>Stalls</title></metadata><manifest>' +
      '<item id="c1" href="c1.xhtml" media-type="application/xhtml+xml"/></manifest>' +
      '<spine><itemref idref="c1"/></spine></package>',
    'o/c1.xhtml': `<html><body>${HTML}</body></html>`,
  }),
  'f.odt': zipOf({
    'content.xml':
      '<office:document-content xmlns:office="o" xmlns:text="t"><office:body><office:text>' +
      '<text:p>Tolbert pays 300 crowns.</text:p></office:text></office:body></office:document-content>',
  }),
  'g.rtf': '{\\rtf1\\ansi Tolbert pays 300 crowns.\\par}',
  'h.eml': 'From: Ada <ada@example.org>\r\nSubject: Stalls\r\n\r\nTolbert pays 300 crowns.\r\n',
  'i.zip': zipOf({ 'in/one.md': '# Stalls\n\nTolbert pays 300 crowns.' }),
  'j.csv': 'Stall,Rent\nTolbert,300 crowns',
  'k.html': `<html><body>${HTML}</body></html>`,
  'l.ipynb':
    '{"nbformat":4,"cells":[{"cell_type":"markdown","source":"Tolbert pays 300 crowns."}]}',
  'm.srt': '1\n00:00:01,000 --> 00:00:02,000\nTolbert pays 300 crowns.\n',
}
const REFUSED: Readonly<Record<string, string | Uint8Array>> = {
  'scanned.pdf': pdfOf([[], []]),
  'broken.pdf': '%PDF-1.4 secret',
  'locked.docx': new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
  'picture.png': 'x',
}

const sent = (files: typeof FILES): [string, string][] =>
  Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')])

test('files of every kind are read in the page, and what cannot be read is named', async ({
  app,
}) => {
  const { found, rejected } = await app.evaluate(
    async (files) => {
      const engine = await openEngine({ corpus: 'formats', storage: 'memory' })
      const given = files.map(
        ([name, base64]) =>
          new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name),
      )
      const { rejected } = await engine.add(given, { onInvalid: 'skip' })
      await engine.ready('settled')
      const found: string[] = []
      const { documents } = await engine.listDocuments({ limit: 100 })
      for (const { id } of documents) {
        const text = (await engine.getDocument(id))!.text
        if (text.includes('Tolbert') && text.includes('300 crowns'))
          found.push(id.replace(/[/#].*/, ''))
      }
      const { sources } = await engine.retrieve('What does Tolbert pay?', { topK: 30 })
      const pages = sources.filter(({ documentId }) => documentId === 'a.pdf')
      await engine.destroy()
      return {
        found: [...new Set(found)].sort(),
        rejected: [
          ...rejected.map(({ name, reason }) => `${name}: ${reason}`),
          String(pages[0]?.page),
        ],
      }
    },
    [...sent(FILES), ...sent(REFUSED)],
  )
  expect(found).toEqual(Object.keys(FILES))
  expect(rejected.length).toBe(5)
  expect(rejected.join('\n')).toMatch(/scanned\.pdf.*scanned/)
  expect(rejected.join('\n')).toMatch(/broken\.pdf.*damaged/)
  expect(rejected.join('\n')).toMatch(/locked\.docx.*password/)
  expect(rejected.join('\n')).toMatch(/picture\.png.*character recognition/)
  expect(rejected.at(-1)).toBe('1')
})
