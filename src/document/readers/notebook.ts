/** Jupyter notebooks (nbformat 3 and 4): text as it stands, code and its printed output fenced. */
import { isPlainObject } from '../metadata.ts'
import { decodeText } from './decode.ts'
import { oneDocument, unreadable, type Reader } from './reader.ts'
import { markdownTitle, withoutData } from './text.ts'

type Fields = Readonly<Record<string, unknown>>
/** Printed output kept of a cell, UTF-16 units. */
const OUTPUT_CHARS = 2000

export const readNotebook: Reader = async (file, context) => {
  const text = await decodeText(await file.bytes(), file.path, context)
  let book: unknown
  try {
    book = JSON.parse(text)
  } catch {
    throw unreadable(file.path, 'the notebook is not JSON', 'save it again in Jupyter')
  }
  const cells = isPlainObject(book) ? cellsOf(book as Fields) : []
  const parts = cells.flatMap((cell) => cellParts(cell))
  const whole = withoutData(parts.filter((part) => part.trim() !== '').join('\n\n'))
  return oneDocument(file.path, markdownTitle(whole), whole, { kind: 'notebook' })
}

function cellsOf(book: Fields): Fields[] {
  const sheets = Array.isArray(book['worksheets']) ? (book['worksheets'] as unknown[]) : [book]
  return sheets
    .filter(isPlainObject)
    .flatMap((sheet) => (sheet as Fields)['cells'])
    .filter(isPlainObject) as Fields[]
}

function cellParts(cell: Fields): string[] {
  const source = joined(cell['source'] ?? cell['input'])
  if (cell['cell_type'] === 'heading')
    return [`${'#'.repeat(Number(cell['level']) || 1)} ${source}`]
  if (cell['cell_type'] !== 'code') return [source]
  const outputs = Array.isArray(cell['outputs']) ? cell['outputs'].filter(isPlainObject) : []
  const printed = outputs.map((output) => outputText(output as Fields)).filter((one) => one !== '')
  return [source, ...printed]
    .filter((one) => one.trim() !== '')
    .map((one) => `\`\`\`\n${one}\n\`\`\``)
}

function outputText(output: Fields): string {
  const data = (output['data'] ?? output) as Fields
  const text = joined(output['text'] ?? data['text/plain'] ?? data['text'])
  // colours of a terminal
  return text
    .replace(/\u001b\[[\d;]*m/g, '')
    .slice(0, OUTPUT_CHARS)
    .trimEnd()
}

function joined(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join('') : typeof value === 'string' ? value : ''
}
