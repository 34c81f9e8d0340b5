/** Tables of values with a header: one document a row. */
import Papa from 'papaparse'
import { isHubmeshError, throwIfAborted } from '../../base/errors.ts'
import type { DocumentInput, Json } from '../../types.ts'
import { decodeText } from './decode.ts'
import { unreadable, type Reader } from './reader.ts'
import { define, recordToDocument, TEXT_FIELDS } from './records.ts'

/** Separators that are tried on the first rows. */
const DELIMITERS = [',', ';', '\t', '|']

/**
 * Reads RFC 4180 tables, the separator found out from the first rows; columns besides text, title
 * and id become metadata.
 */
export const readCsv: Reader = async (file, context) => {
  const text = decodeText(await file.bytes(), file.path)
  throwIfAborted(context.signal)
  const table = Papa.parse<string[]>(text, {
    header: false,
    skipEmptyLines: 'greedy',
    delimitersToGuess: DELIMITERS,
  })
  throwIfAborted(context.signal)
  const quotes = table.errors.find((error) => error.type === 'Quotes')
  if (quotes !== undefined)
    throw unreadable(
      file.path,
      `a quote in row ${quotes.row ?? 0} is not closed or not doubled`,
      'export the table again',
    )
  const [header, ...rows] = table.data
  const names = (header ?? []).map((name) => name.trim())
  const known = names.some((name) =>
    (TEXT_FIELDS as readonly string[]).includes(name.toLowerCase()),
  )
  if (!known)
    throw unreadable(
      file.path,
      `none of the ${names.length} columns is a text`,
      `give the table a header row and name one column ${TEXT_FIELDS.join(', ')}`,
      { columns: names.length },
    )
  if (rows.length === 0)
    throw unreadable(file.path, 'the table has a header and no rows', 'leave it out')
  const out: DocumentInput[] = []
  rows.forEach((row, index) => {
    if (index % 1024 === 0) throwIfAborted(context.signal)
    try {
      out.push(recordToDocument(toRecord(names, row), file.path, index))
    } catch (error) {
      if (!isHubmeshError(error)) throw error
      context.reject(`${file.path}#${index}`, error)
    }
  })
  return out
}

/** Cells by column, without empty ones and those beyond the header; of equal names the first. */
function toRecord(names: readonly string[], row: readonly string[]): object {
  const record: { [key: string]: Json } = {}
  names.forEach((name, column) => {
    const cell = row[column]
    if (name !== '' && cell !== undefined && cell !== '' && !Object.hasOwn(record, name))
      define(record, name, cell)
  })
  return record
}
