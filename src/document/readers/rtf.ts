/** Rich Text Format 1.9: paragraphs and cells, code pages, Unicode; no pictures, no hidden text. */
import { throwIfAborted } from '../../base/errors.ts'
import { tryDecode } from './decode.ts'
import { oneDocument, unreadable, type Reader } from './reader.ts'

/** Destinations whose text is not the document's. */
const SKIPPED = new Set(
  (
    'fonttbl colortbl stylesheet info pict object themedata colorschememapping datastore xmlnstbl ' +
    'listtable listoverridetable rsidtbl generator header footer headerl headerr footerl footerr ' +
    'fldinst latentstyles'
  ).split(' '),
)
const MOST_DEPTH = 512
/** Charsets of fonts (`\fcharset`) that are not the document's code page. */
const FONT_CHARSETS: ReadonlyMap<number, string> = new Map([
  [128, 'shift_jis'],
  [129, 'euc-kr'],
  [134, 'gb18030'],
  [136, 'big5'],
  [161, 'windows-1253'],
  [162, 'windows-1254'],
  [177, 'windows-1255'],
  [178, 'windows-1256'],
  [186, 'windows-1257'],
  [204, 'windows-1251'],
  [238, 'windows-1250'],
])
const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['par', '\n'],
  ['line', '\n'],
  ['sect', '\n'],
  ['page', '\n'],
  ['row', '\n'],
  ['cell', ' | '],
  ['tab', '\t'],
  ['emdash', '—'],
  ['endash', '–'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['bullet', '•'],
])

interface Group {
  skip: boolean
  hidden: boolean
  charset: string
  fallback: number
}

export const readRtf: Reader = async (file, context) => {
  const source = new TextDecoder('latin1').decode(await file.bytes())
  if (!source.startsWith('{\\rtf'))
    throw unreadable(file.path, 'the file does not begin as RTF does', 'save it again as rtf')
  throwIfAborted(context.signal)
  const text = rtfToText(source, file.path)
  return oneDocument(file.path, '', text)
}

function rtfToText(source: string, path: string): string {
  return new RtfText(source, path)
    .read()
    .split('\n')
    .map((line) => (line.endsWith(' | ') ? line.slice(0, -3) : line).trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

class RtfText {
  private readonly fonts: ReadonlyMap<number, string>
  private readonly preset: string
  private readonly stack: Group[] = []
  private readonly out: string[] = []
  private group: Group
  /** Of the group's charset, still to be decoded. */
  private bytes: number[] = []
  /** Characters to leave out: they stand for the Unicode one before. */
  private skipChars = 0

  constructor(
    private readonly source: string,
    private readonly path: string,
  ) {
    this.fonts = fontCharsets(source)
    const page = /\\ansicpg(\d{3,5})/.exec(source.slice(0, 4096))?.[1]
    this.preset = page === undefined ? 'windows-1252' : codePage(Number(page))
    this.group = { skip: false, hidden: false, charset: this.preset, fallback: 1 }
  }

  read(): string {
    const token =
      /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([\dA-Fa-f]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/g
    for (let found = token.exec(this.source); found !== null; found = token.exec(this.source)) {
      const [, word, argument, hex, symbol, brace, plain] = found
      if (brace !== undefined) this.brace(brace)
      else if (word === 'bin') token.lastIndex += Math.max(0, Number(argument ?? 0))
      else if (word !== undefined) this.word(word, argument)
      else if (hex !== undefined) this.byte(parseInt(hex, 16))
      else if (symbol !== undefined) this.symbol(symbol)
      else if (plain !== undefined) this.plain(plain)
    }
    this.flush()
    return this.out.join('')
  }

  private brace(brace: string): void {
    this.flush()
    if (brace === '}') this.group = this.stack.pop() ?? this.group
    else if (this.stack.push({ ...this.group }) > MOST_DEPTH)
      throw unreadable(
        this.path,
        `its groups are nested deeper than ${MOST_DEPTH}`,
        'save it again',
      )
  }

  private word(word: string, argument: string | undefined): void {
    const { group } = this,
      value = argument === undefined ? null : Number(argument)
    if (word === 'u') {
      const code = value ?? 0
      this.put(String.fromCharCode(code < 0 ? code + 65_536 : code))
      this.skipChars = group.fallback
    } else if (word === 'uc') group.fallback = Math.min(16, Math.max(0, value ?? 1))
    else if (word === 'v') group.hidden = argument !== '0'
    else if (word === 'plain') group.hidden = false
    else if (word === 'f') {
      this.flush()
      group.charset = this.fonts.get(value ?? 0) ?? this.preset
    } else {
      if (SKIPPED.has(word)) group.skip = true
      const text = SYMBOLS.get(word)
      if (text !== undefined) this.put(text)
    }
  }

  private byte(byte: number): void {
    if (this.skipChars > 0) this.skipChars--
    else if (!this.group.skip && !this.group.hidden) this.bytes.push(byte)
  }

  private symbol(symbol: string): void {
    if (symbol === '*') this.group.skip = true
    else if (symbol === '~') this.put('\u00a0')
    else if (symbol === '_') this.put('-')
    else if ('\\{}'.includes(symbol)) this.put(symbol)
  }

  private plain(plain: string): void {
    const rest = plain.slice(this.skipChars)
    this.skipChars = Math.max(0, this.skipChars - plain.length)
    if (rest !== '') this.put(rest)
  }

  private put(text: string): void {
    this.flush()
    if (!this.group.skip && !this.group.hidden) this.out.push(text)
  }

  private flush(): void {
    if (this.bytes.length === 0) return
    const raw = Uint8Array.from(this.bytes)
    this.out.push(tryDecode(raw, this.group.charset) ?? tryDecode(raw, 'windows-1252') ?? '')
    this.bytes = []
  }
}

/** Charsets of the fonts by number, from the font table. */
function fontCharsets(source: string): Map<number, string> {
  const out = new Map<number, string>()
  for (const [, font, charset] of source
    .slice(0, 262_144)
    .matchAll(/\\f(\d{1,5})(?:\\[a-z]{1,20}-?\d{0,5}){0,4}?\\fcharset(\d{1,3})/g)) {
    const known = FONT_CHARSETS.get(Number(charset))
    if (known !== undefined) out.set(Number(font), known)
  }
  return out
}

function codePage(page: number): string {
  const named = new Map([
    [932, 'shift_jis'],
    [936, 'gb18030'],
    [949, 'euc-kr'],
    [950, 'big5'],
    [10000, 'macintosh'],
    [65001, 'utf-8'],
  ]).get(page)
  return named ?? `windows-${page}`
}
