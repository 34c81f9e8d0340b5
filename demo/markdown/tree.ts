/**
 * Markdown as a tree of a short list of elements, each text with its place in the source, so that
 * spans of a document stay markable. Nothing here is ever an HTML string.
 */
import type { Span } from '../../src/index.ts'

export interface Text extends Span {
  readonly text: string
  /** False where the text is not the source's: an escape or an entity was decoded. */
  readonly exact: boolean
}
export interface Element {
  readonly tag: Tag
  readonly children: readonly Node[]
  /** Of a link whose scheme is allowed. */
  readonly href?: string
}
export type Node = Text | Element

const TAGS = [
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'blockquote',
  'pre',
  'code',
  'em',
  'strong',
  's',
  'a',
  'br',
  'hr',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'div',
] as const
export type Tag = (typeof TAGS)[number]
const ALLOWED: ReadonlySet<string> = new Set(TAGS)
const SCHEMES = /^(https?:|mailto:)/i

/** What is used of a token of markdown-it. */
export interface Token {
  readonly type: string
  readonly tag: string
  readonly nesting: -1 | 0 | 1
  readonly content: string
  readonly map: readonly [number, number] | null
  readonly children: readonly Token[] | null
  attrGet(name: string): string | null
}

interface Open {
  readonly tag: Tag
  readonly children: Node[]
  readonly href?: string
}

/** Places texts one after the other, each looked for behind the one before. */
class Source {
  private at = 0
  private readonly text: string
  private readonly lines: readonly number[]

  constructor(text: string) {
    this.text = text
    const lines = [0]
    for (let i = text.indexOf('\n'); i !== -1; i = text.indexOf('\n', i + 1)) lines.push(i + 1)
    this.lines = lines
  }

  toLine(line: number): void {
    this.at = Math.max(this.at, this.lines[line] ?? this.at)
  }

  place(text: string): Text {
    const found = text === '' ? -1 : this.text.indexOf(text, this.at)
    if (found === -1 || found > this.at + REACH)
      return { text, start: this.at, end: this.at, exact: false }
    this.at = found + text.length
    return { text, start: found, end: this.at, exact: true }
  }
}

/** Characters of markup between two texts at most. */
const REACH = 2000

/** The tree of a document's tokens; raw HTML stays the text it is. */
export function treeOf(text: string, tokens: readonly Token[]): readonly Node[] {
  const source = new Source(text),
    root: Node[] = [],
    open: Open[] = []
  const put = (node: Node): void => {
    ;(open.at(-1)?.children ?? root).push(node)
  }
  const read = (token: Token): void => {
    if (token.map && token.nesting !== -1) source.toLine(token.map[0])
    if (token.children) {
      for (const child of token.children) read(child)
    } else if (token.nesting === 1) open.push(opened(token))
    else if (token.nesting === -1) {
      const done = open.pop()
      if (done) put(done)
    } else leaf(token, source, put)
  }
  for (const token of tokens) read(token)
  while (open.length > 0) {
    const done = open.pop()!
    put(done)
  }
  return root
}

function opened(token: Token): Open {
  const tag = (ALLOWED.has(token.tag) ? token.tag : 'div') as Tag,
    href = token.attrGet('href')
  return {
    tag,
    children: [],
    ...(tag === 'a' && href !== null && SCHEMES.test(href) ? { href } : {}),
  }
}

function leaf(token: Token, source: Source, put: (node: Node) => void): void {
  switch (token.type) {
    case 'softbreak':
      put({ text: '\n', start: 0, end: 0, exact: false })
      break
    case 'hardbreak':
      put({ tag: 'br', children: [] })
      break
    case 'hr':
      put({ tag: 'hr', children: [] })
      break
    case 'fence':
    case 'code_block':
      put({ tag: 'pre', children: [{ tag: 'code', children: [source.place(token.content)] }] })
      break
    case 'code_inline':
      put({ tag: 'code', children: [source.place(token.content)] })
      break
    default:
      // Text, raw HTML, and an image's words.
      if (token.content !== '') put(source.place(token.content))
  }
}
