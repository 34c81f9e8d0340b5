/**
 * Walks the tokens of an HTML text and writes what a reader of the page would read. Uses
 * htmlparser2's tokenizer alone: its parser keeps open elements in an array it shifts, quadratic in
 * the depth of hostile files.
 */
import type { TokenizerCallbacks } from 'htmlparser2'
import type { HtmlWriter } from './html_writer.ts'
import { characterOf } from './xml.ts'

/** `all` text, `content` without boilerplate, or of that only what `<main>` or `<article>` hold. */
export type HtmlScope = 'all' | 'content' | 'main'

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))
/** Elements whose content is not read. */
const SKIPPED = words(
  'script style noscript template svg math iframe object canvas audio video select textarea button datalist',
)
/** Elements that are boilerplate wherever they stand outside an article. */
const ASIDE = words('nav footer aside dialog')
const ASIDE_ROLES = words('navigation banner contentinfo complementary dialog alertdialog search')
/** Elements that a class name or `hidden` may mark as boilerplate: those that are always closed. */
const MARKABLE = words('div section nav aside footer header ul ol form span a dialog table figure')
const ASIDE_NAMES = new RegExp(
  '(?:^|[\\s_-])(?:nav|navbar|navigation|menu|sidebar|footer|cookies?|consent|gdpr|breadcrumbs?|' +
    'pagination|social|newsletter|popup|advert(?:isement)?s?|headerlink|anchorjs-link|editsection|' +
    'noprint|skip-?(?:link|nav|to)\\S*)(?:$|[\\s_-])',
  'i',
)
/** Elements that stand apart from what is around them, by a blank line or a line end. */
const BLOCKS = words(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption ' +
    'figure footer form header hgroup hr html main nav ol p pre section summary ul caption',
)
const HEADING = /^h[1-6]$/
/** Longest title, UTF-16 units. */
const TITLE_CHARS = 300
/** Cells that one may span. */
const MOST_SPAN = 1000

export class HtmlExtractor implements TokenizerCallbacks {
  lang = ''
  private readonly titleParts: string[] = []
  private firstHeading: string[] | null = null
  private name = ''
  private attribute = ''
  private attributes = new Map<string, string>()
  /** Element whose content is being skipped, and how many of its name are open. */
  private skipped = ''
  private depth = 0
  private inTitle = false
  private titleDone = false
  private inPre = false
  private readonly main = { main: 0, article: 0 }
  /** Numbers of the open ordered lists; null for an unordered one. */
  private readonly lists: (number | null)[] = []

  constructor(
    private readonly html: string,
    private readonly writer: HtmlWriter,
    private readonly scope: HtmlScope,
  ) {}

  title(): string {
    const own = this.titleParts.join('').split(/\s+/).join(' ').trim()
    const first = (this.firstHeading ?? []).join('').trim()
    const title = own === '' ? first : own
    return title.length <= TITLE_CHARS ? title : ''
  }

  finish(): void {
    this.writer.closeTable()
  }

  ontext(start: number, end: number): void {
    this.take(this.html.slice(start, end))
  }

  ontextentity(code: number): void {
    this.take(characterOf(code))
  }

  onopentagname(start: number, end: number): void {
    this.name = this.html.slice(start, end).toLowerCase()
    this.attributes = new Map()
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, Math.min(end, start + 40)).toLowerCase()
    if (!this.attributes.has(this.attribute)) this.attributes.set(this.attribute, '')
  }

  onattribdata(start: number, end: number): void {
    const before = this.attributes.get(this.attribute) ?? ''
    if (before.length < 500)
      this.attributes.set(
        this.attribute,
        before + this.html.slice(start, Math.min(end, start + 500)),
      )
  }

  onopentagend(): void {
    this.opened()
  }

  onselfclosingtag(): void {
    this.opened()
    // `<svg/>` has no content to skip; other elements are not closed by the slash.
    const closes = this.name === 'svg' || this.name === 'math'
    if (this.skipped !== '' && this.name === this.skipped && closes) this.leave()
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase()
    if (this.skipped !== '') {
      if (name === this.skipped) this.leave()
    } else this.close(name)
  }

  private opened(): void {
    const { name } = this
    if (this.skipped !== '') {
      if (name === this.skipped) this.depth++
    } else if (SKIPPED.has(name) || (this.scope !== 'all' && this.isBoilerplate())) {
      this.skipped = name
      this.depth = 1
    } else this.open(name)
  }

  private isBoilerplate(): boolean {
    const { name, attributes } = this
    if (name === 'main' || name === 'article' || name === 'body' || name === 'html') return false
    const inMain = this.main.main + this.main.article > 0
    if (ASIDE.has(name) && !(inMain && name === 'aside')) return true
    if (name === 'header' && !inMain) return true
    if (ASIDE_ROLES.has(attributes.get('role') ?? '')) return true
    if (!MARKABLE.has(name)) return false
    if (attributes.has('hidden') || attributes.get('aria-hidden') === 'true') return true
    if (/display:\s*none|visibility:\s*hidden/i.test(attributes.get('style') ?? '')) return true
    return ASIDE_NAMES.test(`${attributes.get('class') ?? ''} ${attributes.get('id') ?? ''}`)
  }

  private leave(): void {
    this.depth--
    if (this.depth === 0) this.skipped = ''
  }

  private take(text: string): void {
    if (this.inTitle) this.titleParts.push(text)
    else if (this.skipped !== '') return
    else if (this.scope === 'main' && this.main.main + this.main.article === 0) return
    else if (this.inPre) this.writer.verbatim(text)
    else this.writer.words(text === '¶' ? '' : text)
  }

  private open(name: string): void {
    const { writer, attributes } = this
    if (name === 'html') this.lang = attributes.get('lang') ?? ''
    if (name === 'main' || name === 'article') this.main[name]++
    if (name === 'title') this.inTitle = !this.titleDone
    else if (HEADING.test(name)) {
      writer.open(2)
      writer.prefix(`${'#'.repeat(Number(name[1]))} `)
      if (this.firstHeading === null) writer.heading = this.firstHeading = []
    } else if (name === 'br') {
      if (this.inPre) writer.verbatim('\n')
      else writer.open(1)
    } else if (name === 'li') this.openItem()
    else if (name === 'table') {
      writer.open(2)
      writer.openTable()
    } else if (name === 'tr') writer.openRow()
    else if (name === 'td' || name === 'th') writer.openCell(name === 'th', ...this.spans())
    else if (BLOCKS.has(name)) {
      if (name === 'ol' || name === 'ul') this.lists.push(name === 'ol' ? this.listStart() : null)
      writer.open(2)
      if (name === 'pre') this.pre(true)
    }
  }

  private openItem(): void {
    const at = this.lists.length - 1,
      own = Number(this.attributes.get('value') ?? NaN),
      number = this.lists[at] ?? null
    this.writer.open(1)
    if (number === null) this.writer.prefix('- ')
    else {
      const shown = Number.isSafeInteger(own) ? own : number
      this.writer.prefix(`${shown}. `)
      this.lists[at] = shown + 1
    }
  }

  private listStart(): number {
    const start = Number(this.attributes.get('start') ?? 1)
    return Number.isSafeInteger(start) ? start : 1
  }

  private spans(): [number, number] {
    const span = (name: string): number =>
      Math.min(MOST_SPAN, Math.max(1, Math.floor(Number(this.attributes.get(name))) || 1))
    return [span('colspan'), span('rowspan')]
  }

  private close(name: string): void {
    const { writer } = this
    if ((name === 'main' || name === 'article') && this.main[name] > 0) this.main[name]--
    if (name === 'title') {
      this.titleDone ||= this.inTitle
      this.inTitle = false
    } else if (HEADING.test(name)) {
      writer.heading = null
      writer.close(2)
    } else if (name === 'li') writer.close(1)
    else if (name === 'td' || name === 'th') writer.closeCell()
    else if (name === 'tr') writer.closeCell()
    else if (name === 'table') writer.closeTable()
    else if (BLOCKS.has(name)) {
      if (name === 'ol' || name === 'ul') this.lists.pop()
      if (name === 'pre') this.pre(false)
      writer.close(2)
    }
  }

  /** Code keeps its lines, between fences as in Markdown. */
  private pre(open: boolean): void {
    if (open === this.inPre) return
    this.writer.verbatim(open ? '```\n' : '\n```')
    this.inPre = open
  }

  onattribentity(): void {}
  onattribend(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
}
