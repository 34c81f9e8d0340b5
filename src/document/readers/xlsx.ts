/** Excel workbooks: each sheet a table, cached values of formulas, dates as ISO 8601. */
import { append } from '../../base/grown.ts'
import type { DocumentInput } from '../../types.ts'
import { openOffice, type OfficeFile } from './office.ts'
import { unreadable, type Reader, type ReaderContext } from './reader.ts'
import { tableToDocuments } from './table.ts'
import { child, descendants, elements, textOf, type XmlNode } from './xml.ts'

/** Cells read of a workbook; columns of a sheet: what lies beyond is formatting in real files. */
const MOST_CELLS = 2_000_000
const MOST_COLUMNS = 1024

export const readXlsx: Reader = async (file, context) => {
  const office = await openOffice(file, context)
  const workbook = child(office.xml('xl/workbook.xml'), 'workbook')
  if (workbook === undefined)
    throw unreadable(file.path, 'the file is no Excel workbook', 'save it as xlsx or csv')
  const relations = office.relations('xl/workbook.xml')
  const book: Book = {
    strings: sharedStrings(office),
    dates: dateStyles(office),
    since1904: child(workbook, 'workbookPr')?.attributes.get('date1904') === '1',
    left: MOST_CELLS,
  }
  const out: DocumentInput[] = []
  const sheets = elements(child(workbook, 'sheets'), 'sheet')
  for (const sheet of sheets) {
    const name = sheet.attributes.get('name') ?? ''
    const part = relations.get(sheet.attributes.get('id') ?? '') ?? ''
    const rows = rowsOf(office.xml(part), book)
    if (!rows.some((row) => row.some((cell) => cell !== ''))) continue
    append(out, sheetDocuments(file.path, name, sheets.length, rows, context))
  }
  if (book.left < 0)
    context.warn(file.path, `only the first ${MOST_CELLS} cells were read; split the workbook.`)
  return out
}

function sheetDocuments(
  path: string,
  name: string,
  sheets: number,
  rows: readonly (readonly string[])[],
  context: ReaderContext,
): DocumentInput[] {
  const place = sheets === 1 ? path : `${path}#${name}`
  return tableToDocuments({ rows, path: place, metadata: { sheet: name } }, context)
}

interface Book {
  readonly strings: readonly string[]
  /** Which cell formats show a date. */
  readonly dates: readonly boolean[]
  readonly since1904: boolean
  left: number
}

function rowsOf(sheet: XmlNode | undefined, book: Book): string[][] {
  const rows = elements(child(sheet, 'worksheet', 'sheetData'), 'row').map((row) => {
    const cells: string[] = []
    let column = 0
    for (const cell of elements(row, 'c')) {
      const reference = cell.attributes.get('r')
      if (reference !== undefined) column = columnOf(reference)
      if (column < MOST_COLUMNS && book.left-- > 0) {
        while (cells.length < column) cells.push('')
        cells[column] = cellText(cell, book)
      }
      column++
    }
    return cells
  })
  fillMerged(sheet, rows)
  return rows
}

/** Merged cells all say what the first says. Ranges are by cell address. */
function fillMerged(sheet: XmlNode | undefined, rows: string[][]): void {
  const first = elements(child(sheet, 'worksheet', 'sheetData'), 'row').map((row, i) =>
    Number(row.attributes.get('r') ?? i + 1),
  )
  const at = new Map(first.map((number, i) => [number, i]))
  for (const merge of descendants(sheet, 'mergeCell').slice(0, 10_000)) {
    const [from, to] = (merge.attributes.get('ref') ?? '').split(':')
    if (from === undefined || to === undefined) continue
    const [top, bottom] = [rowOf(from), rowOf(to)]
    const text = rows[at.get(top) ?? -1]?.[columnOf(from)] ?? ''
    for (let r = top; r <= Math.min(bottom, top + 1000); r++) {
      const row = rows[at.get(r) ?? -1]
      if (row === undefined) continue
      for (let c = columnOf(from); c <= Math.min(columnOf(to), MOST_COLUMNS - 1); c++) {
        while (row.length < c) row.push('')
        row[c] = text
      }
    }
  }
}

function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]{0,3}/i.exec(reference)![0].toUpperCase())
    column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

function rowOf(reference: string): number {
  return Number(/\d{1,7}$/.exec(reference.slice(-7))?.[0] ?? 0)
}

function cellText(cell: XmlNode, book: Book): string {
  const type = cell.attributes.get('t') ?? 'n'
  if (type === 'inlineStr') return richText(child(cell, 'is'))
  const value = textOf(child(cell, 'v'))
  if (type === 's') return book.strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n' || value === '') return unescaped(value)
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  if (book.dates[Number(cell.attributes.get('s') ?? 0)] === true)
    return dateText(number, book.since1904)
  return String(Number(number.toPrecision(15)))
}

/** Days since 1899-12-30 (or 1904-01-01) as a date, with a time where there is one. */
function dateText(days: number, since1904: boolean): string {
  const shifted = Math.round((days - (since1904 ? 24_107 : 25_569)) * 86_400)
  if (days < 1 && days > 0) return isoOf(Math.round(days * 86_400)).slice(11)
  const text = isoOf(shifted)
  return text.endsWith(' 00:00:00') ? text.slice(0, 10) : text
}

function isoOf(seconds: number): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 19).replace('T', ' ')
}

function sharedStrings(office: OfficeFile): string[] {
  return elements(child(office.xml('xl/sharedStrings.xml'), 'sst'), 'si').map(richText)
}

/** Runs joined; phonetic guides are not part of the text. */
function richText(node: XmlNode | undefined): string {
  const own = elements(node, 't').map(textOf)
  const runs = elements(node, 'r').flatMap((run) => elements(run, 't').map(textOf))
  return unescaped([...own, ...runs].join(''))
}

function unescaped(text: string): string {
  return text
    .replace(/_x([\dA-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .trim()
}

function dateStyles(office: OfficeFile): boolean[] {
  const sheet = child(office.xml('xl/styles.xml'), 'styleSheet')
  const custom = new Map(
    elements(child(sheet, 'numFmts'), 'numFmt').map((format) => [
      Number(format.attributes.get('numFmtId')),
      format.attributes.get('formatCode') ?? '',
    ]),
  )
  return elements(child(sheet, 'cellXfs'), 'xf').map((xf) => {
    const id = Number(xf.attributes.get('numFmtId') ?? 0)
    if ((id >= 14 && id <= 22) || (id >= 45 && id <= 47) || (id >= 27 && id <= 36)) return true
    const code = (custom.get(id) ?? '').replace(/"[^"]*"|\\.|\[[^[\]]{0,80}\]/g, '')
    return /[ymdhs]/i.test(code) && !/general/i.test(code)
  })
}
