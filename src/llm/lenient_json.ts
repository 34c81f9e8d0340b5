/**
 * Reading JSON as models write it: trailing commas, comments, bare or single-quoted keys, raw line
 * breaks in strings, an end that never came. One pass, bounded depth.
 */

export interface LenientJson {
  readonly value: unknown
  /** Offset after the value. */
  readonly end: number
  /** False where the text ended inside the value. */
  readonly complete: boolean
}

const MAX_DEPTH = 16
const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
])
/** A value of which nothing can be kept. */
const NOTHING = Symbol('nothing')

/**
 * The object or list that begins at `start`, which must be at a brace or bracket; null where that
 * is no JSON at all.
 */
export function lenientJson(text: string, start: number): LenientJson | null {
  const reader = new Reader(text, start)
  const value = reader.value(0)
  return value === NOTHING ? null : { value, end: reader.at, complete: !reader.cut }
}

class Reader {
  readonly text: string
  at: number
  /** The text ended too early. */
  cut = false

  constructor(text: string, at: number) {
    this.text = text
    this.at = at
  }

  value(depth: number): unknown {
    this.space()
    const c = this.text[this.at]
    if (c === undefined) {
      this.cut = true
      return NOTHING
    }
    if (c === '{' || c === '[')
      return depth >= MAX_DEPTH ? NOTHING : c === '{' ? this.object(depth) : this.list(depth)
    if (c === '"' || c === "'" || c === '“') return this.string(c)
    return this.word()
  }

  private list(depth: number): unknown {
    const items: unknown[] = []
    this.at++
    while (this.more(']')) {
      const item = this.value(depth + 1)
      if (item === NOTHING) return this.cut ? items : NOTHING
      // A list or object that was cut inside is not what the model meant to say; a text is.
      if (!this.cut || depth === 0 || typeof item === 'object') items.push(item)
      if (this.cut) return items
    }
    return items
  }

  private object(depth: number): unknown {
    const entries = new Map<string, unknown>()
    this.at++
    while (this.more('}')) {
      const key = this.value(MAX_DEPTH)
      if (this.cut) break
      if (typeof key !== 'string') return NOTHING
      this.space()
      if (this.text[this.at] !== ':') {
        if (this.at >= this.text.length) {
          this.cut = true
          break
        }
        return NOTHING
      }
      this.at++
      const item = this.value(depth + 1)
      if (item === NOTHING) {
        if (this.cut) break
        return NOTHING
      }
      if (!this.cut || typeof item === 'object') entries.set(key, item)
      if (this.cut) break
    }
    return entries
  }

  /** Passes over commas; false at the closing bracket, which is passed over, and at the end. */
  private more(close: string): boolean {
    for (;;) {
      this.space()
      const c = this.text[this.at]
      if (c === undefined) {
        this.cut = true
        return false
      }
      if (c === close) {
        this.at++
        return false
      }
      if (c !== ',') return true
      this.at++
    }
  }

  private string(quote: string): unknown {
    const close = quote === '“' ? '”' : quote
    let value = '',
      from = ++this.at
    for (; this.at < this.text.length; this.at++) {
      const c = this.text[this.at]!
      if (c === close) {
        value += this.text.slice(from, this.at++)
        return value
      }
      if (c !== '\\') continue
      value += this.text.slice(from, this.at)
      const escaped = this.text[++this.at] ?? ''
      const code =
        escaped === 'u' ? /^[0-9a-fA-F]{4}/.exec(this.text.slice(this.at + 1, this.at + 5)) : null
      value += code ? String.fromCharCode(parseInt(code[0], 16)) : (ESCAPES.get(escaped) ?? escaped)
      if (code) this.at += 4
      from = this.at + 1
    }
    this.cut = true
    return NOTHING
  }

  /** A number, true, false, null, or a bare word, which models write for keys. */
  private word(): unknown {
    const from = this.at
    while (this.at < this.text.length && !/[\s,:{}[\]"']/.test(this.text[this.at]!)) this.at++
    const word = this.text.slice(from, this.at)
    if (this.at >= this.text.length) this.cut = true
    if (word === '') return NOTHING
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null' || word === 'None') return null
    return /^-?\d/.test(word) && Number.isFinite(Number(word)) ? Number(word) : word
  }

  private space(): void {
    for (;;) {
      while (this.at < this.text.length && /\s/.test(this.text[this.at]!)) this.at++
      const two = this.text.slice(this.at, this.at + 2)
      const close = two === '//' ? '\n' : two === '/*' ? '*/' : null
      if (close === null) return
      const end = this.text.indexOf(close, this.at + 2)
      this.at = end < 0 ? this.text.length : end + close.length
    }
  }
}
