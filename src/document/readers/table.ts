/** Tables of cells with or without a header row: one document a row, columns typed as a whole. */
import { isHubmeshError, throwIfAborted } from '../../base/errors.ts'
import type { DocumentInput } from '../../types.ts'
import { unreadable, type ReaderContext } from './reader.ts'
import { define, recordToDocument } from './records.ts'

export interface Table {
  /** Rows of cells as written; the first may be a header. */
  readonly rows: readonly (readonly string[])[]
  /** Where the rows lie: the file's path, or `path#sheet`. */
  readonly path: string
  /** Said of every row, such as the sheet's name. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** One document for each row that has a cell; throws where there is none. */
export function tableToDocuments(table: Table, context: ReaderContext): DocumentInput[] {
  const { path, metadata = {} } = table
  const rows = table.rows.filter((row) => row.some((cell) => cell.trim() !== ''))
  const first = rows[0]
  if (first === undefined) throw unreadable(path, 'the table has no cells', 'leave it out')
  const headed = isHeader(first)
  const names = headed ? columnNames(first) : first.map((_, i) => `column ${i + 1}`)
  const body = headed ? rows.slice(1) : rows
  if (body.length === 0)
    throw unreadable(path, 'the table has a header and no rows', 'leave it out')
  const readers = names.map((_, column) => columnReader(body.map((row) => row[column] ?? '')))
  const out: DocumentInput[] = []
  body.forEach((row, index) => {
    if (index % 1024 === 0) throwIfAborted(context.signal)
    const record = {},
      typed: { [key: string]: string | number } = { ...metadata, row: index + 1 }
    names.forEach((name, column) => {
      const cell = (row[column] ?? '').trim()
      if (name === '' || cell === '' || Object.hasOwn(record, name)) return
      define(record, name, cell)
      const value = readers[column]!(cell)
      if (value !== null) define(typed, name, value)
    })
    try {
      const document = recordToDocument(record, path, index)
      out.push({ ...document, metadata: { ...document.metadata, ...onlyOf(typed, document) } })
    } catch (error) {
      if (!isHubmeshError(error)) throw error
      context.reject(`${path}#${index}`, error)
    }
  })
  return out
}

/** Typed values replace the strings of the record's metadata; `row` and the sheet join them. */
function onlyOf(
  typed: Readonly<Record<string, string | number>>,
  { metadata = {} }: DocumentInput,
): Record<string, string | number> {
  const out: Record<string, string | number> = {}
  for (const [key, value] of Object.entries(typed))
    if (Object.hasOwn(metadata, key) || key === 'row' || key === 'sheet') define(out, key, value)
  return out
}

/** A header has names in most cells, no number, and no name twice. */
function isHeader(first: readonly string[]): boolean {
  const cells = first.map((cell) => cell.trim()).filter((cell) => cell !== '')
  if (cells.some((cell) => NUMBER.test(cell) || cell.length > 120)) return false
  return new Set(cells).size === cells.length
}

function columnNames(header: readonly string[]): string[] {
  return header.map((name, i) => name.trim().replace(/\s+/g, ' ') || `column ${i + 1}`)
}

const NUMBER = /^[-+]?\d+(?:[.,]\d+)*$/
const PLAIN = /^[-+]?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?$/
const GROUPED = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const COMMA = /^[-+]?(?:\d{1,3}(?:\.\d{3})+|\d{1,15})(?:,\d{1,12})?$/
const DOTTED_DATE = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/
const SLASHED_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

type CellReader = (cell: string) => string | number | null

/**
 * How the cells of a column become values: one rule for all, so that a column is of one type.
 * Numbers with a point, with grouped thousands or with a decimal comma; dates as ISO 8601, where
 * day and month cannot be told apart they stay as written.
 */
function columnReader(cells: readonly string[]): CellReader {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const all = (form: RegExp): boolean => filled.length > 0 && filled.every((c) => form.test(c))
  if (all(PLAIN)) return Number
  if (all(GROUPED)) return (cell) => Number(cell.replaceAll(',', ''))
  if (all(COMMA) && filled.some((cell) => cell.includes(',')))
    return (cell) => Number(cell.replaceAll('.', '').replace(',', '.'))
  if (all(DOTTED_DATE)) return (cell) => isoDate(DOTTED_DATE.exec(cell)!, false)
  if (all(SLASHED_DATE)) {
    const parts = filled.map((cell) => SLASHED_DATE.exec(cell)!)
    const dayFirst = parts.some((part) => Number(part[1]) > 12)
    const monthFirst = parts.some((part) => Number(part[2]) > 12)
    if (dayFirst !== monthFirst) return (cell) => isoDate(SLASHED_DATE.exec(cell)!, monthFirst)
  }
  return () => null
}

function isoDate(part: RegExpExecArray, monthFirst: boolean): string {
  const [day, month] = monthFirst ? [part[2]!, part[1]!] : [part[1]!, part[2]!]
  return `${part[3]!}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
