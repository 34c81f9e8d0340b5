/** Plain text and Markdown: the text as it stands, so that every span is a span of the file. */
import { closesFence, fenceLength, isUnderline, lineKind } from '../../chunk/lines.ts'
import type { DocumentInput } from '../../types.ts'
import { decodeText } from './decode.ts'
import type { Reader } from './reader.ts'

/**
 * Longest heading taken as a title, UTF-16 units: longer ones are prose that happens to begin with
 * `#`.
 */
const TITLE_CHARS = 300
/** Lines looked at for a title. */
const TITLE_LINES = 400

/**
 * One document, its path as id. A plain text has no title of its own: its first line may be
 * anything.
 */
export const readText: Reader = async (file) => [
  { id: file.path, text: decodeText(await file.bytes(), file.path) },
]

/**
 * One document; its title is the front matter's `title`, else the first heading. Front matter stays
 * in the text.
 */
export const readMarkdown: Reader = async (file) => {
  const text = decodeText(await file.bytes(), file.path)
  const title = markdownTitle(text)
  const document: DocumentInput = { id: file.path, text }
  return [title === '' ? document : { ...document, title }]
}

/** Gives the title of a Markdown text, or '' where it has none. Reads the first 400 lines. */
export function markdownTitle(text: string): string {
  let inFront = false
  let fenceMark = ''
  let fence = 0
  let above = ''
  let at = 0
  for (let n = 0; n < TITLE_LINES && at < text.length; n++) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(at, Math.min(end, at + TITLE_CHARS + 16)).trim()
    const whole = end - at <= TITLE_CHARS + 16
    at = end + 1
    if (n === 0 && line === '---') {
      inFront = true
    } else if (inFront) {
      if (line === '---' || line === '...') inFront = false
      else if (line.startsWith('title:')) {
        const title = unquote(line.slice('title:'.length).trim())
        if (title !== '' && whole) return title
      }
    } else if (fence > 0) {
      if (closesFence(line, 0, line.length, fenceMark, fence)) fence = 0
    } else {
      const kind = lineKind(line, 0, line.length)
      if (kind === 'fence') {
        fenceMark = line.charAt(0)
        fence = fenceLength(line, 0, line.length)
      } else if (kind === 'heading' && whole) {
        const title = plainHeading(line)
        if (title !== '') return title
      } else if (kind === 'rule' && above !== '' && isUnderline(line, 0, line.length)) {
        return plainHeading(above)
      }
      above = kind === 'prose' && whole ? line : ''
    }
  }
  return ''
}

/** `## A *title* ##` -> `A title`: marks at both ends and emphasis go, everything else stays. */
function plainHeading(line: string): string {
  let start = 0
  let end = line.length
  while (start < end && line.charAt(start) === '#') start++
  while (end > start && line.charAt(end - 1) === '#') end--
  return line.slice(start, end).replaceAll('**', '').replaceAll('`', '').trim()
}

function unquote(value: string): string {
  const quote = value.charAt(0)
  return (quote === '"' || quote === "'") && value.length > 1 && value.endsWith(quote)
    ? value.slice(1, -1).trim()
    : value
}
