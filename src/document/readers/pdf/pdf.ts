/** PDF: text in reading order, words joined over line ends, headings, where each page begins. */
import { HubmeshError, isHubmeshError } from '../../../base/errors.ts'
import { pdfLines, type PdfLine } from './pdf_layout.ts'
import { parsePdf, type RawPdf } from './pdf_parse.ts'
import { oneDocument, shown, unreadable, type Reader } from '../reader.ts'

/** A heading is set larger than the body, and short, UTF-16 units. */
const HEADING_SCALE = 1.18
const HEADING_CHARS = 160
/** Pages whose places fit into the metadata of a document. */
const MOST_PAGES = 1800
/** Space above a paragraph, in heights of its line. */
const PARAGRAPH_GAP = 1.75

export const readPdf: Reader = async (file, context) => {
  const raw = await parsePdf(await file.bytes(), {
    ...context.limits,
    signal: context.signal,
  }).catch((error: unknown) => {
    if (!isHubmeshError(error) || error.code === 'aborted') throw error
    throw new HubmeshError(error.code, `${shown(file.path)}: ${error.message}`, { cause: error })
  })
  return pdfDocuments(raw, file.path, context)
}

export function pdfDocuments(
  raw: RawPdf,
  path: string,
  context: Pick<Parameters<Reader>[1], 'warn'>,
): ReturnType<typeof oneDocument> {
  const pages = pdfLines(raw)
  const blank = raw.pages.filter(({ items }) => items.length === 0).length
  if (blank === raw.pages.length)
    throw unreadable(
      path,
      `its ${raw.pages.length} pages hold no text, they are pictures of it (scanned)`,
      'run character recognition (OCR) and add the result',
    )
  if (blank > raw.pages.length / 2)
    context.warn(path, `${blank} of ${raw.pages.length} pages hold no text; they may be scanned.`)
  const body = bodyHeight(pages.flat())
  const outline = new Map(raw.outline.map(({ title, depth }) => [plain(title), depth]))
  const words = new Set(pages.flatMap((lines) => lines.flatMap(({ text }) => wordsOf(text))))
  const starts: number[] = []
  let text = '',
    first = ''
  for (const lines of pages) {
    const blocks = blocksOf(lines, body, outline, words)
    if (starts.length === 0) first = largestOf(lines, body)
    if (text !== '' && blocks.length > 0) text += '\n\n'
    starts.push(text.length)
    text += blocks.join('\n\n')
  }
  const own = /^\s*$|untitled|microsoft|\.(?:docx?|indd|tex|dvi|pdf)$/i.test(raw.title)
    ? first
    : raw.title.trim()
  return oneDocument(path, own.slice(0, 300), text, {
    pages: pages.length,
    ...(starts.length <= MOST_PAGES ? { pageStarts: starts } : {}),
    ...(raw.author.trim() === '' ? {} : { author: raw.author.trim().slice(0, 200) }),
  })
}

/** What is set largest above all on the first page: its title, rather than who publishes it. */
function largestOf(lines: readonly PdfLine[], body: number): string {
  const large = lines.filter(
      ({ text, height }) => height >= HEADING_SCALE * body && text.length <= HEADING_CHARS,
    ),
    tallest = Math.max(...large.map(({ height }) => height))
  return large.find(({ text, height }) => height === tallest && /\p{L}/u.test(text))?.text ?? ''
}

/** The height most characters have. */
function bodyHeight(lines: readonly PdfLine[]): number {
  const counts = new Map<number, number>()
  for (const { text, height } of lines) {
    const key = Math.round(height * 2) / 2
    counts.set(key, (counts.get(key) ?? 0) + text.length)
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 10
}

function blocksOf(
  lines: readonly PdfLine[],
  body: number,
  outline: ReadonlyMap<string, number>,
  words: ReadonlySet<string>,
): string[] {
  const out: string[] = []
  let kind: 'none' | 'prose' | 'table' = 'none'
  for (const { text, height, gap } of lines) {
    const depth = outline.get(plain(text))
    const large = height >= HEADING_SCALE * body && text.length <= HEADING_CHARS
    if (depth !== undefined || (large && /\p{L}/u.test(text))) {
      out.push(`${'#'.repeat(Math.min(6, (depth ?? 0) + 1))} ${text}`)
      kind = 'none'
    } else if (text.startsWith('| ')) {
      if (kind === 'table') out.push(withRow(out.pop() ?? '', text))
      else out.push(text)
      kind = 'table'
    } else if (kind === 'prose' && gap < PARAGRAPH_GAP && !/^[•▪–-]\s/.test(text)) {
      out.push(joined(out.pop() ?? '', text, words))
    } else {
      out.push(text)
      kind = 'prose'
    }
  }
  return out
}

/** A first row without a digit above one with digits is a header. */
function withRow(table: string, row: string): string {
  const headed = !table.includes('\n') && !/\d/.test(table) && /\d/.test(row)
  return `${table}${headed ? `\n|${' --- |'.repeat(table.split(' | ').length)}` : ''}\n${row}`
}

/** `Daten-` + `schutz` is one word, unless the text writes it with its hyphen elsewhere. */
function joined(above: string, line: string, words: ReadonlySet<string>): string {
  const head = /(\p{L}{1,80})[-\u00ad]$/u.exec(above.slice(-82))?.[1],
    tail = /^(\p{Ll}[\p{L}]*)/u.exec(line)?.[1]
  if (head === undefined || tail === undefined) return `${above} ${line}`
  const whole = (head + tail).toLowerCase(),
    hyphened = `${head}-${tail}`.toLowerCase()
  const keeps = words.has(hyphened) && !words.has(whole)
  return keeps ? above + line : above.slice(0, -1) + line
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+(?:-\p{L}+)*/gu) ?? []
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}
