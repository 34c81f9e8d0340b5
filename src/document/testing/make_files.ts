/** Small files of each format, made by tests. */
import { writeZip } from '../zip.ts'

const encoder = new TextEncoder()

export function zipOf(members: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  return writeZip(
    new Map(Object.entries(members).map(([name, text]) => [name, encoder.encode(text)])),
  ) as Uint8Array<ArrayBuffer>
}

/** A `File` as a page hands it over, at its path. */
export function fileAt(path: string, content: string | Uint8Array): File {
  const file = new File([content as BlobPart], path.split('/').at(-1)!)
  Object.defineProperty(file, 'webkitRelativePath', { value: path })
  return file
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

type Rows = readonly (readonly string[])[]

/** A Word document of a heading and a table. */
export function docxTable(heading: string, rows: Rows): Uint8Array {
  const paragraph = (text: string, properties = ''): string =>
    `<w:p>${properties}<w:r><w:t>${escaped(text)}</w:t></w:r></w:p>`
  const table = rows
    .map((row) => `<w:tr>${row.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`)
    .join('')
  const title = paragraph(heading, '<w:pPr><w:pStyle w:val="h1"/></w:pPr>'),
    body = `<w:body>${title}<w:tbl>${table}</w:tbl></w:body>`
  return zipOf({
    'word/document.xml': `<w:document xmlns:w="w">${body}</w:document>`,
    'word/styles.xml':
      '<w:styles xmlns:w="w"><w:style w:styleId="h1"><w:name w:val="heading 1"/></w:style></w:styles>',
  })
}

/** A workbook of one sheet. */
export function xlsxTable(sheet: string, rows: Rows): Uint8Array {
  const body = rows
    .map(
      (row) =>
        `<row>${row.map((cell) => `<c t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`).join('')}</row>`,
    )
    .join('')
  return zipOf({
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets><sheet name="${escaped(sheet)}" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${body}</sheetData></worksheet>`,
  })
}

/** A run of text on a page of a PDF, in units of 1/72 inch from its lower left corner. */
export interface PdfRun {
  readonly x: number
  readonly y: number
  readonly text: string
  /** Default 12. */
  readonly size?: number
}

/** A PDF of these pages, by the rules of ISO 32000-1, 7.5; ASCII without parentheses. */
export function pdfOf(pages: readonly (readonly PdfRun[])[]): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  for (const [i, runs] of pages.entries()) {
    const stream = runs
      .map(({ x, y, text, size = 12 }) => `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET`)
      .join('\n')
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
  return encoder.encode(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${xref}trailer\n<< /Size ` +
      `${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF`,
  )
}

/** A table on as many pages as it takes, its header once. */
export function pdfTable(heading: string, rows: Rows): Uint8Array {
  const pages: PdfRun[][] = [[{ x: 72, y: 740, text: heading, size: 20 }]]
  let y = 700
  for (const row of rows) {
    if (y < 72) {
      pages.push([])
      y = 740
    }
    row.forEach((text, column) => pages.at(-1)!.push({ x: 72 + column * 130, y, text }))
    y -= 16
  }
  return pdfOf(pages)
}
