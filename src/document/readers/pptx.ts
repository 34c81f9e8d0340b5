/** Presentations: slides in their order, titles as headings, tables, speaker notes. */
import { markdownTable, officeProperties, openOffice } from './office.ts'
import { oneDocument, unreadable, type Reader } from './reader.ts'
import { child, descendants, elements, textOf, type XmlNode } from './xml.ts'

export const readPptx: Reader = async (file, context) => {
  const office = await openOffice(file, context)
  const deck = child(office.xml('ppt/presentation.xml'), 'presentation')
  if (deck === undefined)
    throw unreadable(file.path, 'the file is no presentation', 'save it as pptx or pdf')
  const relations = office.relations('ppt/presentation.xml')
  const starts: number[] = []
  let text = '',
    first = ''
  elements(child(deck, 'sldIdLst'), 'sldId').forEach((slide, i) => {
    const part = relations.get(slide.attributes.get('r:id') ?? '')
    const tree = child(office.xml(part ?? ''), 'sld', 'cSld', 'spTree')
    const { title, parts } = slideParts(tree)
    const notes = [...office.relations(part ?? '').values()].find((one) =>
      one.includes('notesSlide'),
    )
    const said = notes === undefined ? '' : notesText(office.xml(notes))
    first ||= title
    if (text !== '') text += '\n\n'
    starts.push(text.length)
    text += [
      `## ${title || `Slide ${i + 1}`}`,
      ...parts,
      ...(said === '' ? [] : [`Notes: ${said}`]),
    ].join('\n\n')
  })
  if (first === '' && !/[^\s#\d]/.test(text.replaceAll('Slide', '')))
    throw unreadable(file.path, 'the slides hold no text', 'leave it out')
  const { title, metadata } = officeProperties(office)
  const own = title === '' || /^(powerpoint|presentation)/i.test(title) ? first : title
  return oneDocument(file.path, own, text, { ...metadata, pageStarts: starts })
}

function slideParts(tree: XmlNode | undefined): {
  readonly title: string
  readonly parts: string[]
} {
  let title = ''
  const parts: string[] = []
  const visit = (node: XmlNode): void => {
    for (const shape of elements(node)) {
      if (shape.name === 'grpSp') visit(shape)
      else if (shape.name === 'sp') {
        const kind = descendants(child(shape, 'nvSpPr'), 'ph')[0]?.attributes.get('type')
        const text = paragraphs(child(shape, 'txBody'))
        if ((kind === 'title' || kind === 'ctrTitle') && title === '')
          title = text.join(' ').slice(0, 300)
        else if (kind !== 'sldNum' && kind !== 'dt' && kind !== 'ftr' && text.length > 0)
          parts.push(text.join('\n'))
      } else
        for (const table of descendants(shape, 'tbl')) {
          const rows = elements(table, 'tr').map((row) =>
            elements(row, 'tc').map((cell) => paragraphs(child(cell, 'txBody')).join(' ')),
          )
          parts.push(markdownTable(rows))
        }
    }
  }
  if (tree !== undefined) visit(tree)
  return { title, parts }
}

function paragraphs(body: XmlNode | undefined): string[] {
  return elements(body, 'p')
    .map((one) =>
      elements(one)
        .map((run) => (run.name === 'br' ? '\n' : textOf(child(run, 't'))))
        .join('')
        .trim(),
    )
    .filter((text) => text !== '')
}

function notesText(notes: XmlNode | undefined): string {
  const shapes = descendants(child(notes, 'notes'), 'sp').filter(
    (shape) => descendants(child(shape, 'nvSpPr'), 'ph')[0]?.attributes.get('type') === 'body',
  )
  return shapes.flatMap((shape) => paragraphs(child(shape, 'txBody'))).join(' ')
}
