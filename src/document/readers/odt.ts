/** OpenDocument texts: headings, lists with their numbers, tables, notes in brackets. */
import { markdownTable, openOffice } from './office.ts'
import { oneDocument, unreadable, type Reader } from './reader.ts'
import { child, descendants, elements, textOf, type XmlNode } from './xml.ts'

export const readOdt: Reader = async (file, context) => {
  const office = await openOffice(file, context)
  const body = child(office.xml('content.xml'), 'document-content', 'body', 'text')
  if (body === undefined)
    throw unreadable(
      file.path,
      'the file is no OpenDocument text, or is locked with a password',
      'save it as odt without a password',
    )
  const parts: string[] = []
  write(body, parts)
  const meta = child(office.xml('meta.xml'), 'document-meta', 'meta')
  const heading = descendants(body, 'h')[0]
  const title = textOf(child(meta, 'title')).trim() || inline(heading).trim()
  const author = textOf(child(meta, 'initial-creator')).trim()
  const text = parts.filter((part) => part.trim() !== '').join('\n\n')
  return oneDocument(file.path, title.slice(0, 300), text, author === '' ? {} : { author })
}

function write(node: XmlNode, parts: string[]): void {
  for (const one of elements(node)) {
    if (one.name === 'h') {
      const level = Number(one.attributes.get('outline-level') ?? 1)
      parts.push(`${'#'.repeat(Math.min(6, Math.max(1, level)))} ${inline(one).trim()}`)
    } else if (one.name === 'p') parts.push(inline(one).trim())
    else if (one.name === 'list') parts.push(items(one).join('\n'))
    else if (one.name === 'table') parts.push(markdownTable(rows(one)))
    else if (one.name === 'section' || one.name === 'index-body') write(one, parts)
  }
}

function items(list: XmlNode): string[] {
  return elements(list, 'list-item').flatMap((item) =>
    elements(item).flatMap((one) =>
      one.name === 'list' ? items(one) : [`- ${inline(one).trim()}`],
    ),
  )
}

function rows(table: XmlNode): string[][] {
  const above: string[] = []
  return descendants(table, 'table-row').map((row) => {
    const cells: string[] = []
    for (const cell of elements(row)) {
      const covered = cell.name === 'covered-table-cell'
      if (cell.name !== 'table-cell' && !covered) continue
      const own = elements(cell)
        .map((one) => inline(one).trim())
        .join(' ')
      const text = covered ? (cells.at(-1) ?? above[cells.length] ?? '') : own
      const times = Number(cell.attributes.get('number-columns-repeated') ?? 1)
      for (let i = 0; i < Math.min(64, Math.max(1, times)); i++) {
        above[cells.length] = text
        cells.push(text)
      }
    }
    while (cells.at(-1) === '') cells.pop()
    return cells
  })
}

function inline(node: XmlNode | undefined): string {
  return (node?.children ?? [])
    .map((one) => {
      if (typeof one === 'string') return one.replace(/\s+/g, ' ')
      if (one.name === 's') return ' '.repeat(Math.min(100, Number(one.attributes.get('c') ?? 1)))
      if (one.name === 'tab') return '\t'
      if (one.name === 'line-break') return '\n'
      if (one.name === 'note') return ` [${inline(child(one, 'note-body')).trim()}]`
      return ['annotation', 'tracked-changes'].includes(one.name) ? '' : inline(one)
    })
    .join('')
}
