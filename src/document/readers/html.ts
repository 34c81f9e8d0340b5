/**
 * HTML to text with light Markdown (headings, items, table rows, code) for the chunker. Uses
 * htmlparser2's tokenizer alone: its parser keeps open elements in an array it shifts, quadratic
 * in the depth of hostile files.
 */
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import type { DocumentInput } from '../../types.ts'
import { decodeText } from './decode.ts'
import { unreadable, type Reader } from './reader.ts'

/** Elements whose content is not read. */
const SKIPPED = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'canvas',
  'audio',
  'video',
  'select',
  'textarea',
  'button',
  'datalist',
])
/** Elements that stand apart from what is around them, by a blank line or a line end. */
const BLOCKS = new Set(
  (
    'address article aside blockquote body center dd details dialog div dl dt fieldset ' +
    'figcaption figure footer form header hgroup hr html main nav ol p pre section summary table ' +
    'ul'
  ).split(' '),
)
const HEADINGS = new Map([
  ['h1', '# '],
  ['h2', '## '],
  ['h3', '### '],
  ['h4', '#### '],
  ['h5', '##### '],
  ['h6', '###### '],
])
/** Longest first heading taken as a title, UTF-16 units. */
const TITLE_CHARS = 300

/** One document, its path as id; its title is `<title>`, else the first heading. */
export const readHtml: Reader = async (file) => {
  const { title, text } = htmlToText(decodeText(await file.bytes(), file.path))
  if (text === '')
    throw unreadable(
      file.path,
      'the page holds no text outside scripts and styles',
      'leave it out, or save it after its scripts have run',
    )
  const document: DocumentInput = { id: file.path, text }
  return [title === '' ? document : { ...document, title }]
}

/** Gives the title and the words of an HTML text. Linear in its length; never throws. */
export function htmlToText(html: string): { readonly title: string; readonly text: string } {
  const writer = new Writer()
  const callbacks = new Extractor(html, writer)
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, callbacks)
  tokenizer.write(html)
  tokenizer.end()
  return { title: callbacks.title(), text: writer.text() }
}

/** Collapses white space as a browser shows it. */
class Writer {
  private readonly parts: string[] = []
  /** Line ends owed before the next word: 0, 1 or 2. */
  private breaks = 0
  private space = false
  private mark = ''
  private empty = true
  /** Where given, words are collected here as well. */
  heading: string[] | null = null

  /** Where an element opens. A mark that waits for its word keeps waiting: `<li><p>word`. */
  open(lines: 1 | 2): void {
    if (this.mark === '') this.breaks = Math.max(this.breaks, lines)
    this.space = false
  }

  /** Where an element closes: a mark without a word is dropped. */
  close(lines: 1 | 2): void {
    this.breaks = Math.max(this.breaks, lines)
    this.space = false
    this.mark = ''
  }

  /** Put in front of the next word: a heading's or an item's mark. */
  prefix(mark: string): void {
    this.mark = mark
  }

  words(text: string): void {
    let from = 0
    while (from < text.length) {
      let to = from
      while (to < text.length && !isHtmlSpace(text.charCodeAt(to))) to++
      if (to > from) this.word(text.slice(from, to))
      from = to
      while (from < text.length && isHtmlSpace(text.charCodeAt(from))) from++
      if (from > to) this.space = true
    }
  }

  /** Writes as it stands: inside `<pre>`. */
  verbatim(text: string): void {
    if (text !== '') this.push(text)
  }

  text(): string {
    return this.parts.join('').trim()
  }

  private word(word: string): void {
    if (this.breaks === 0 && this.space && !this.empty) {
      this.parts.push(' ')
      this.heading?.push(' ')
    }
    this.push(word)
    this.heading?.push(word)
  }

  private push(text: string): void {
    if (this.breaks > 0 && !this.empty) this.parts.push('\n'.repeat(this.breaks))
    this.parts.push(this.mark, text)
    this.breaks = 0
    this.space = false
    this.mark = ''
    this.empty = false
  }
}

class Extractor implements TokenizerCallbacks {
  private readonly html: string
  private readonly writer: Writer
  private readonly titleParts: string[] = []
  private firstHeading: string[] | null = null
  private name = ''
  /** Element whose content is being skipped, and how many of its name are open. */
  private skipped = ''
  private depth = 0
  private inTitle = false
  private titleDone = false
  private inPre = false
  private cells = 0

  constructor(html: string, writer: Writer) {
    this.html = html
    this.writer = writer
  }

  title(): string {
    const own = this.titleParts.join('').split(/\s+/).join(' ').trim()
    const title = own === '' ? (this.firstHeading ?? []).join('').trim() : own
    return title.length <= TITLE_CHARS ? title : ''
  }

  ontext(start: number, end: number): void {
    this.take(this.html.slice(start, end))
  }

  ontextentity(codepoint: number): void {
    // Numeric references may name what is no character; a browser shows the replacement character.
    this.take(
      codepoint > 0 && codepoint <= 0x10ffff && !(codepoint >= 0xd800 && codepoint <= 0xdfff)
        ? String.fromCodePoint(codepoint)
        : '\ufffd',
    )
  }

  onopentagname(start: number, end: number): void {
    this.name = this.html.slice(start, end).toLowerCase()
    const name = this.name
    if (this.skipped !== '') {
      if (name === this.skipped) this.depth++
      return
    }
    if (SKIPPED.has(name)) {
      this.skipped = name
      this.depth = 1
    } else this.open(name)
  }

  onselfclosingtag(): void {
    // `<svg/>` has no content to skip; other elements are not closed by the slash.
    if (
      this.skipped !== '' &&
      this.name === this.skipped &&
      (this.name === 'svg' || this.name === 'math')
    )
      this.leave()
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase()
    if (this.skipped !== '') {
      if (name === this.skipped) this.leave()
    } else this.close(name)
  }

  private leave(): void {
    this.depth--
    if (this.depth === 0) this.skipped = ''
  }

  private take(text: string): void {
    if (this.inTitle) this.titleParts.push(text)
    else if (this.skipped !== '') return
    else if (this.inPre) this.writer.verbatim(text)
    else this.writer.words(text)
  }

  private open(name: string): void {
    const mark = HEADINGS.get(name)
    if (name === 'title') this.inTitle = !this.titleDone
    else if (mark !== undefined) {
      this.writer.open(2)
      this.writer.prefix(mark)
      if (this.firstHeading === null) this.writer.heading = this.firstHeading = []
    } else if (name === 'br') {
      if (this.inPre) this.writer.verbatim('\n')
      else this.writer.open(1)
    } else if (name === 'li') {
      this.writer.open(1)
      this.writer.prefix('- ')
    } else if (name === 'tr') {
      this.writer.open(1)
      this.writer.prefix('| ')
      this.cells = 0
    } else if (name === 'td' || name === 'th') {
      if (this.cells++ > 0) this.writer.words(' | ')
    } else if (BLOCKS.has(name)) {
      this.writer.open(2)
      if (name === 'pre') this.pre(true)
    }
  }

  private close(name: string): void {
    if (name === 'title') {
      this.titleDone ||= this.inTitle
      this.inTitle = false
    } else if (HEADINGS.has(name)) {
      this.writer.heading = null
      this.writer.close(2)
    } else if (name === 'li' || name === 'tr') this.writer.close(1)
    else if (BLOCKS.has(name)) {
      if (name === 'pre') this.pre(false)
      this.writer.close(2)
    }
  }

  /** Code keeps its lines, between fences as in Markdown. */
  private pre(open: boolean): void {
    if (open === this.inPre) return
    this.writer.verbatim(open ? '```\n' : '\n```')
    this.inPre = open
  }

  onattribdata(): void {}
  onattribentity(): void {}
  onattribend(): void {}
  onattribname(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onopentagend(): void {}
  onprocessinginstruction(): void {}
}

function isHtmlSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) || unit === 0xa0
}
