/**
 * XML as a bounded tree, over htmlparser2's tokenizer: no entity of a document is expanded, and
 * depth and number of nodes are limited.
 */
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { unreadable } from './reader.ts'

export interface XmlNode {
  /** Name without its prefix. */
  readonly name: string
  /** Attributes by their name, with its prefix and without; of two the first. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: (XmlNode | string)[]
}

const MOST_DEPTH = 256
const MOST_NODES = 3_000_000

/** The root holds what the document holds. Throws `input/invalid` beyond the limits. */
export function parseXml(xml: string, path: string): XmlNode {
  const builder = new Builder(xml, path)
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, builder)
  tokenizer.write(xml)
  tokenizer.end()
  return builder.root
}

/** Children that are elements, of a name where one is given. */
export function elements(node: XmlNode | undefined, name?: string): XmlNode[] {
  return (node?.children ?? []).filter(
    (child): child is XmlNode =>
      typeof child !== 'string' && (name === undefined || child.name === name),
  )
}

export function child(node: XmlNode | undefined, ...names: readonly string[]): XmlNode | undefined {
  let at = node
  for (const name of names) at = elements(at, name)[0]
  return at
}

/** Every element of a name below the node, in order. */
export function descendants(node: XmlNode | undefined, name: string): XmlNode[] {
  const out: XmlNode[] = []
  const visit = (one: XmlNode): void => {
    for (const inner of elements(one)) {
      if (inner.name === name) out.push(inner)
      visit(inner)
    }
  }
  if (node !== undefined) visit(node)
  return out
}

/** All text below the node. */
export function textOf(node: XmlNode | undefined): string {
  const parts: string[] = []
  const visit = (one: XmlNode): void => {
    for (const inner of one.children)
      if (typeof inner === 'string') parts.push(inner)
      else visit(inner)
  }
  if (node !== undefined) visit(node)
  return parts.join('')
}

class Builder implements TokenizerCallbacks {
  readonly root: XmlNode = { name: '', attributes: new Map(), children: [] }
  private readonly open: XmlNode[] = [this.root]
  private attributes = new Map<string, string>()
  private name = ''
  private attribute = ''
  private value = ''
  private nodes = 0

  constructor(
    private readonly xml: string,
    private readonly path: string,
  ) {}

  ontext(start: number, end: number): void {
    this.text(this.xml.slice(start, end))
  }

  ontextentity(code: number): void {
    this.text(characterOf(code))
  }

  oncdata(start: number, end: number, offset: number): void {
    this.text(this.xml.slice(start, end - offset))
  }

  onopentagname(start: number, end: number): void {
    this.name = localName(this.xml.slice(start, end))
    this.attributes = new Map()
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.xml.slice(start, end)
    this.value = ''
  }

  onattribdata(start: number, end: number): void {
    this.value += this.xml.slice(start, end)
  }

  onattribentity(code: number): void {
    this.value += characterOf(code)
  }

  onattribend(): void {
    for (const name of [this.attribute, localName(this.attribute)])
      if (!this.attributes.has(name)) this.attributes.set(name, this.value)
  }

  onopentagend(): void {
    this.push(true)
  }

  onselfclosingtag(): void {
    this.push(false)
  }

  onclosetag(start: number, end: number): void {
    const name = localName(this.xml.slice(start, end))
    for (let i = this.open.length - 1; i > 0; i--)
      if (this.open[i]!.name === name) {
        this.open.length = i
        return
      }
  }

  private push(stays: boolean): void {
    const node: XmlNode = { name: this.name, attributes: this.attributes, children: [] }
    this.open.at(-1)!.children.push(node)
    if (stays) this.open.push(node)
    if (this.open.length > MOST_DEPTH || ++this.nodes > MOST_NODES)
      throw unreadable(
        this.path,
        `its XML has more than ${MOST_DEPTH} levels or ${MOST_NODES} elements`,
        'split the file',
      )
  }

  private text(text: string): void {
    this.open.at(-1)!.children.push(text)
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Numeric references may name what is no character. */
export function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    ? String.fromCodePoint(code)
    : '\ufffd'
}
