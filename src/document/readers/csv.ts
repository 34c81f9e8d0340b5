/** CSV and TSV by RFC 4180, the separator found from the first rows. */
import Papa from 'papaparse'
import { throwIfAborted } from '../../base/errors.ts'
import { decodeText } from './decode.ts'
import { unreadable, type Reader } from './reader.ts'
import { tableToDocuments } from './table.ts'

const DELIMITERS = [',', ';', '\t', '|']

export const readCsv: Reader = async (file, context) => {
  const text = await decodeText(await file.bytes(), file.path, context)
  throwIfAborted(context.signal)
  const table = Papa.parse<string[]>(text, {
    header: false,
    skipEmptyLines: 'greedy',
    ...(file.path.toLowerCase().endsWith('.tsv')
      ? { delimiter: '\t' }
      : { delimitersToGuess: DELIMITERS }),
  })
  throwIfAborted(context.signal)
  const quotes = table.errors.find((error) => error.type === 'Quotes')
  if (quotes !== undefined)
    throw unreadable(
      file.path,
      `a quote in row ${quotes.row ?? 0} is not closed or not doubled`,
      'export the table again',
    )
  return tableToDocuments({ rows: table.data, path: file.path }, context)
}
