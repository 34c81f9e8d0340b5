/** Word documents: headings by style, numbered lists, tables with merged cells filled, footnotes. */
import { markdownTable, officeProperties, openOffice, type OfficeFile } from './office.ts'
import { oneDocument, unreadable, type Reader } from './reader.ts'
import { child, descendants, elements, type XmlNode } from './xml.ts'

export const readDocx: Reader = async (file, context) => {
  const office = await openOffice(file, context)
  const body = child(office.xml('word/document.xml'), 'document', 'body')
  if (body === undefined)
    throw unreadable(file.path, 'the file is no Word document', 'save it as docx')
  const writer = new DocxWriter(office)
  writer.blocks(body)
  const { title, metadata } = officeProperties(office)
  const text = writer.text()
  return oneDocument(file.path, writer.title || title || writer.heading, text, metadata)
}

interface Style {
  readonly level: number | null
  readonly isTitle: boolean
}

interface Level {
  readonly ordered: boolean
  readonly start: number
}

class DocxWriter {
  title = ''
  heading = ''
  private readonly parts: string[] = []
  private readonly styles: ReadonlyMap<string, Style>
  private readonly levels: ReadonlyMap<string, Level>
  private readonly counters = new Map<string, number>()
  private readonly notes: ReadonlyMap<string, string>
  private readonly cited: string[] = []

  constructor(office: OfficeFile) {
    this.styles = stylesOf(office.xml('word/styles.xml'))
    this.levels = levelsOf(office.xml('word/numbering.xml'))
    this.notes = new Map(
      descendants(office.xml('word/footnotes.xml'), 'footnote').map((note) => [
        note.attributes.get('id') ?? '',
        descendants(note, 'p')
          .map((one) => this.runs(one))
          .join(' ')
          .trim(),
      ]),
    )
  }

  text(): string {
    const notes = this.cited.map((note, i) => `[${i + 1}] ${note}`)
    return [...this.parts, ...notes].filter((part) => part.trim() !== '').join('\n\n')
  }

  blocks(node: XmlNode): void {
    for (const one of elements(node)) {
      if (one.name === 'p') this.paragraph(one)
      else if (one.name === 'tbl') this.parts.push(markdownTable(this.rows(one)))
      else if (one.name === 'sdt') this.blocks(child(one, 'sdtContent') ?? one)
      else if (one.name === 'ins' || one.name === 'customXml') this.blocks(one)
    }
  }

  private paragraph(node: XmlNode): void {
    const text = this.runs(node).trim()
    if (text === '') return
    const properties = child(node, 'pPr')
    const style = this.styles.get(child(properties, 'pStyle')?.attributes.get('val') ?? '')
    const outline = child(properties, 'outlineLvl')?.attributes.get('val')
    const level = outline === undefined ? (style?.level ?? null) : Number(outline)
    if (style?.isTitle === true) {
      this.title ||= text.slice(0, 300)
      this.parts.push(`# ${text}`)
    } else if (level !== null && level < 9) {
      this.heading ||= text.slice(0, 300)
      this.parts.push(`${'#'.repeat(Math.min(6, level + 1))} ${text}`)
    } else this.parts.push(`${this.mark(child(properties, 'numPr'))}${text}`)
  }

  private mark(numbering: XmlNode | undefined): string {
    if (numbering === undefined) return ''
    const id = child(numbering, 'numId')?.attributes.get('val') ?? '0',
      depth = child(numbering, 'ilvl')?.attributes.get('val') ?? '0',
      level = this.levels.get(`${id}/${depth}`)
    if (level === undefined || !level.ordered) return '- '
    const key = `${id}/${depth}`,
      number = (this.counters.get(key) ?? level.start - 1) + 1
    this.counters.set(key, number)
    for (const other of this.counters.keys())
      if (other.startsWith(`${id}/`) && Number(other.split('/')[1]) > Number(depth))
        this.counters.delete(other)
    return `${number}. `
  }

  /** Text of a paragraph's runs, without what was deleted and the second form of drawings. */
  private runs(node: XmlNode): string {
    let out = ''
    for (const one of elements(node)) {
      if (one.name === 't') out += one.children.filter((c) => typeof c === 'string').join('')
      else if (one.name === 'tab') out += '\t'
      else if (one.name === 'br' || one.name === 'cr') out += '\n'
      else if (one.name === 'noBreakHyphen') out += '-'
      else if (one.name === 'footnoteReference') {
        const note = this.notes.get(one.attributes.get('id') ?? '')
        if (note) out += ` [${this.cited.push(note)}]`
      } else if (one.name === 'p') out += `${out === '' ? '' : ' '}${this.runs(one)}`
      else if (!['del', 'moveFrom', 'Fallback', 'pPr', 'rPr', 'instrText'].includes(one.name))
        out += this.runs(one)
    }
    return out
  }

  private rows(table: XmlNode): string[][] {
    const above: string[] = []
    return elements(table, 'tr').map((row) => {
      const cells: string[] = []
      for (const cell of elements(row, 'tc')) {
        const properties = child(cell, 'tcPr'),
          merge = child(properties, 'vMerge'),
          across = Number(child(properties, 'gridSpan')?.attributes.get('val') ?? 1)
        const continued = merge !== undefined && merge.attributes.get('val') !== 'restart'
        const text = continued ? (above[cells.length] ?? '') : this.cellText(cell)
        for (let i = 0; i < Math.min(64, Math.max(1, across)); i++) {
          above[cells.length] = text
          cells.push(text)
        }
      }
      return cells
    })
  }

  private cellText(cell: XmlNode): string {
    return descendants(cell, 'p')
      .map((one) => this.runs(one).trim())
      .filter((text) => text !== '')
      .join(' ')
  }
}

/** Heading levels from 0, by the outline of a style or its name, through what it is based on. */
function stylesOf(sheet: XmlNode | undefined): Map<string, Style> {
  const raw = new Map(
    descendants(sheet, 'style').map((style) => [style.attributes.get('styleId') ?? '', style]),
  )
  const styleOf = (id: string, depth: number): Style => {
    const style = raw.get(id)
    if (style === undefined || depth > 16) return { level: null, isTitle: false }
    const name = (child(style, 'name')?.attributes.get('val') ?? '').toLowerCase()
    const outline = child(style, 'pPr', 'outlineLvl')?.attributes.get('val')
    const named = /^heading (\d)$/.exec(name)
    if (outline !== undefined && Number(outline) < 9)
      return { level: Number(outline), isTitle: name === 'title' }
    if (named !== null) return { level: Number(named[1]) - 1, isTitle: false }
    if (name === 'title') return { level: null, isTitle: true }
    return styleOf(child(style, 'basedOn')?.attributes.get('val') ?? '', depth + 1)
  }
  return new Map([...raw.keys()].map((id) => [id, styleOf(id, 0)]))
}

/** List levels by `numId/ilvl`. */
function levelsOf(numbering: XmlNode | undefined): Map<string, Level> {
  const root = child(numbering, 'numbering')
  const abstract = new Map(
    elements(root, 'abstractNum').map((one) => [one.attributes.get('abstractNumId') ?? '', one]),
  )
  const out = new Map<string, Level>()
  for (const num of elements(root, 'num')) {
    const base = abstract.get(child(num, 'abstractNumId')?.attributes.get('val') ?? '')
    for (const level of elements(base, 'lvl')) {
      const format = child(level, 'numFmt')?.attributes.get('val') ?? 'decimal'
      out.set(`${num.attributes.get('numId') ?? ''}/${level.attributes.get('ilvl') ?? '0'}`, {
        ordered: format !== 'bullet' && format !== 'none',
        start: Number(child(level, 'start')?.attributes.get('val') ?? 1),
      })
    }
  }
  return out
}
