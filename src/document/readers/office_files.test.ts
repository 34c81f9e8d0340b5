import { deflateRawSync, deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { writeZip } from '../zip.ts'
import type { FileLike } from './reader.ts'
import { crc32 } from '../../base/checksum.ts'
import { readFiles } from './read_files.ts'

const fileOf = (name: string, bytes: Uint8Array): FileLike => ({
  name,
  size: bytes.length,
  bytes: () => Promise.resolve(bytes),
})
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A PDF of one page for each text, by the rules of ISO 32000-1, 7.5. */
function pdfOf(pages: readonly string[]): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  for (const [i, text] of pages.entries()) {
    const stream = text === '' ? '' : `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`
    objects.push(
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R ' +
        `>> >> /Contents ${5 + 2 * i} 0 R >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    )
  }
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const at = body.length
    body += `${i + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const xref = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  return bytesOf(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${xref}trailer\n<< /Size ` +
      `${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF`,
  )
}

function docxOf(body: string): Uint8Array {
  return writeZip(
    new Map([
      [
        '[Content_Types].xml',
        bytesOf(
          '<?xml version="1.0"?><Types ' +
            'xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default ' +
            'Extension="rels" ' +
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default ' +
            'Extension="xml" ContentType="application/xml"/><Override ' +
            'PartName="/word/document.xml" ' +
            'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
        ),
      ],
      [
        '_rels/.rels',
        bytesOf(
          '<?xml version="1.0"?><Relationships ' +
            'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship ' +
            'Id="r1" ' +
            'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" ' +
            'Target="word/document.xml"/></Relationships>',
        ),
      ],
      [
        'word/document.xml',
        bytesOf(
          '<?xml version="1.0"?><w:document ' +
            `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
        ),
      ],
    ]),
  )
}
const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

it('a pdf is one document of its pages', async () => {
  const { documents, rejected } = await readFiles([
    fileOf('sub/a.pdf', pdfOf(['Ada Quist met Bela Trom.', 'Bela Trom wrote.'])),
  ])
  expect(rejected).toEqual([])
  expect(documents).toEqual([
    {
      id: 'sub/a.pdf',
      title: 'a',
      text: 'Ada Quist met Bela Trom.\n\nBela Trom wrote.',
      metadata: { path: 'sub/a.pdf', pages: 2, pageStarts: [0, 26] },
    },
  ])
})

it('a docx keeps its paragraphs apart', async () => {
  const { documents, rejected } = await readFiles([
    fileOf(
      'b.DOCX',
      docxOf(
        paragraph('The Harbour') +
          paragraph('Ada &lt;Quist&gt; met Bela Trom.') +
          paragraph('Dora Wex left.'),
      ),
    ),
  ])
  expect(rejected).toEqual([])
  expect(documents[0]?.id).toBe('b.DOCX')
  expect(documents[0]?.text.split('\n').filter((line) => line !== '')).toEqual([
    'The Harbour',
    'Ada <Quist> met Bela Trom.',
    'Dora Wex left.',
  ])
})

it('what cannot be read is refused by name, without its text, and the rest is read', async () => {
  const bomb = writeZip(
      new Map([['word/document.xml', new Uint8Array(deflateRawSync(new Uint8Array(3_000_000)))]]),
    ),
    view = new DataView(bomb.buffer),
    central = bomb.length - 22 - 46 - 'word/document.xml'.length
  view.setUint16(central + 10, 8, true)
  view.setUint32(central + 16, crc32(new Uint8Array(0)), true)
  const { documents, rejected } = await readFiles(
    [
      fileOf('a.pdf', bytesOf('%PDF-1.4 secret')),
      fileOf('empty.pdf', pdfOf([''])),
      fileOf('b.docx', bytesOf('secret')),
      fileOf('other.docx', writeZip(new Map([['x', bytesOf('x')]]))),
      fileOf('bomb.docx', bomb),
      fileOf('c.txt', bytesOf('Ada Quist.')),
    ],
    { limits: { mostUnpackedBytes: 1_000_000 } },
  )
  expect(documents.map(({ id }) => id)).toEqual(['c.txt'])
  expect(rejected.map(({ name, code }) => [name, code])).toEqual([
    ['a.pdf', 'input/invalid'],
    ['empty.pdf', 'input/invalid'],
    ['b.docx', 'input/invalid'],
    ['other.docx', 'input/invalid'],
    ['bomb.docx', 'input/too-large'],
  ])
  expect(JSON.stringify(rejected)).not.toContain('secret')
})

/** A page whose content stream unpacks to `bytes` spaces. */
function pdfBomb(bytes: number): Uint8Array {
  const packed = deflateSync(new Uint8Array(bytes).fill(32), { level: 9 })
  const parts = [bytesOf('%PDF-1.4\n')],
    offsets: number[] = []
  let at = parts[0]!.length
  const push = (piece: Uint8Array): void => {
    parts.push(piece)
    at += piece.length
  }
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << >> /Contents 4 0 R >>',
  ]
  for (const [i, object] of objects.entries()) {
    offsets.push(at)
    push(bytesOf(`${i + 1} 0 obj\n${object}\nendobj\n`))
  }
  offsets.push(at)
  push(bytesOf(`4 0 obj\n<< /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`))
  push(packed)
  push(bytesOf('\nendstream\nendobj\n'))
  const xref = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  push(
    bytesOf(
      `xref\n0 5\n0000000000 65535 f \n${xref}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${at}\n%%EOF`,
    ),
  )
  return Buffer.concat(parts)
}

it('a pdf that unpacks to more memory than it may take is ended and named', async () => {
  const bomb = pdfBomb(300_000_000)
  expect(bomb.length).toBeLessThan(400_000)
  const { documents, rejected } = await readFiles(
    [fileOf('bomb.pdf', bomb), fileOf('a.pdf', pdfOf(['Ada Quist.']))],
    { limits: { mostMemoryBytes: 150 * 1024 * 1024 } },
  )
  expect(documents.map(({ id }) => id)).toEqual(['a.pdf'])
  expect(rejected).toEqual([
    {
      name: 'bomb.pdf',
      code: 'input/too-large',
      reason: expect.stringContaining('bytes of memory') as unknown,
    },
  ])
}, 300_000)

it('a parser that takes too long, or whose caller gives up, is ended', async () => {
  const slow = pdfBomb(60_000_000)
  const { rejected } = await readFiles([fileOf('slow.pdf', slow)], { limits: { mostMs: 50 } })
  expect(rejected).toEqual([
    {
      name: 'slow.pdf',
      code: 'input/too-large',
      reason: expect.stringContaining('seconds') as unknown,
    },
  ])
  const stop = new AbortController(),
    reading = readFiles([fileOf('slow.pdf', slow)], { signal: stop.signal })
  setTimeout(() => {
    stop.abort()
  }, 20)
  await expect(reading).rejects.toMatchObject({ code: 'aborted' })
})

/**
 * A zip whose members are deflated: the writer keeps them as they are, so the list is told what
 * they are.
 */
function deflatedZip(members: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const bytes = writeZip(
      new Map(
        [...members].map(([name, content]) => [name, new Uint8Array(deflateRawSync(content))]),
      ),
    ),
    view = new DataView(bytes.buffer)
  let at = view.getUint32(bytes.length - 22 + 16, true)
  for (const [name, content] of members) {
    view.setUint16(at + 10, 8, true)
    view.setUint32(at + 16, crc32(content), true)
    view.setUint16(view.getUint32(at + 42, true) + 8, 8, true)
    view.setUint32(view.getUint32(at + 42, true) + 14, crc32(content), true)
    at += 46 + bytesOf(name).length
  }
  return bytes
}

it('a docx is bounded by all that it unpacks to, wherever its lists point, and by its depth', async () => {
  const relations = (target: string): Uint8Array =>
    bytesOf(
      '<?xml version="1.0"?><Relationships ' +
        'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship ' +
        'Id="r1" ' +
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" ' +
        `Target="${target}"/></Relationships>`,
    )
  const types = bytesOf(
    '<?xml version="1.0"?><Types ' +
      'xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default ' +
      'Extension="rels" ' +
      'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default ' +
      'Extension="xml" ContentType="application/xml"/></Types>',
  )
  const whole = (body: string): Uint8Array =>
    bytesOf(
      '<?xml version="1.0"?><w:document ' +
        `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    )
  const good = whole(paragraph('Ada Quist.')),
    large = new Uint8Array(20_000_000).fill(32)
  const files = {
    'elsewhere.docx': deflatedZip(
      new Map([
        ['[Content_Types].xml', types],
        ['_rels/.rels', relations('hidden/bomb.xml')],
        ['word/document.xml', good],
        ['hidden/bomb.xml', large],
      ]),
    ),
    'aside.docx': deflatedZip(
      new Map([
        ['[Content_Types].xml', types],
        ['_rels/.rels', relations('word/document.xml')],
        ['word/document.xml', good],
        ['word/comments.xml', large],
      ]),
    ),
    'pictures.docx': deflatedZip(
      new Map([
        ['[Content_Types].xml', types],
        ['_rels/.rels', relations('word/document.xml')],
        ['word/document.xml', good],
        ['word/media/image1.png', large],
        ['../../etc/passwd', good],
      ]),
    ),
    'deep.docx': deflatedZip(
      new Map([
        ['[Content_Types].xml', types],
        ['_rels/.rels', relations('word/document.xml')],
        ['word/document.xml', whole('<w:p>'.repeat(200_000))],
      ]),
    ),
    'entities.docx': deflatedZip(
      new Map([
        ['[Content_Types].xml', types],
        ['_rels/.rels', relations('word/document.xml')],
        [
          'word/document.xml',
          bytesOf(
            '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a ' +
              `"aaaaaaaaaa">${Array.from({ length: 9 }, (_, i) => `<!ENTITY ${'abcdefghij'[i + 1]!} "${`&${'abcdefghij'[i]!};`.repeat(10)}">`).join('')}]><w:document ` +
              `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraph('&j;')}</w:body></w:document>`,
          ),
        ],
      ]),
    ),
  }
  const { documents, rejected } = await readFiles(
    Object.entries(files).map(([name, bytes]) => fileOf(name, bytes)),
    { limits: { mostUnpackedBytes: 10_000_000 } },
  )
  expect(rejected.map(({ name, code }) => [name, code])).toEqual([
    ['elsewhere.docx', 'input/too-large'],
    ['aside.docx', 'input/too-large'],
    ['deep.docx', 'input/invalid'],
  ])
  expect(documents.map(({ id, text }) => [id, text])).toEqual([
    ['pictures.docx', 'Ada Quist.'],
    ['entities.docx', '&j;'],
  ])
})
