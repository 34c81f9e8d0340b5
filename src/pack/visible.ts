/**
 * Writes foreign text into a context: what cannot be seen is made visible, and lines that look
 * like our own frame are escaped. Every other character stays as it is.
 */

/** Escapes a look-alike: put before the first character of what only our own frame may write. */
const ESCAPE = '\\'

/** What the pass below could change; most text has none of it. */
const SUSPECT = new RegExp(
  '[^\\t\\n\\x20-;=?-Z\\\\-~\\xa0-\\xac\\xae-\\u034e\\u0350-\\u061b\\u061d-\\u115e\\u2010-\\u2027' +
    '\\u2030-\\u2038\\u203b-\\u205e\\u2070-\\u276d\\u2770-\\u2fff\\u3001-\\u3007\\u300a-\\u3163' +
    '\\u3165-\\ud7ff]',
)

/**
 * The same of each unit of ASCII: a look into a table takes a quarter of the time of the pattern.
 */
const SUSPECT_ASCII = Uint8Array.from({ length: 128 }, (_, unit) =>
  SUSPECT.test(String.fromCharCode(unit)) ? 1 : 0,
)

/**
 * Signs that a reader may take for those of the frame: full-width, small, and quotation marks of
 * that shape.
 */
const OPENING = '<\uff1c\ufe64\u2039\u276e\u3008',
  CLOSING = '>\uff1e\ufe65\u203a\u276f\u3009'

/** Longest name between `<|` and `|>` that chat templates use, with room. */
const CONTROL_TOKEN_CHARS = 40

/** True where `visibleText` leaves a text, and any part of it, as it is. */
export function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 127) return !SUSPECT.test(text)
    if (SUSPECT_ASCII[unit] === 1) return false
  }
  return true
}

/**
 * `text` as it is shown inside the fence. The start and the end of the text count as starts and
 * ends of a line. One pass; a run of invisible characters becomes one mark, so the result is at
 * most 12 times as long.
 */
export function visibleText(text: string): string {
  if (isPlain(text)) return text
  let out = '',
    kept = 0,
    lineStart = true,
    at = 0
  while (at < text.length) {
    const point = text.codePointAt(at) as number
    const width = point > 0xffff ? 2 : 1
    if (isHidden(text, at, point)) {
      let end = at + width,
        count = 1
      while (end < text.length) {
        const next = text.codePointAt(end) as number
        if (!isHidden(text, end, next)) break
        end += next > 0xffff ? 2 : 1
        count++
      }
      out += text.slice(kept, at) + mark(point, count)
      at = kept = end
      lineStart = false
      continue
    }
    const unit = text.charCodeAt(at)
    if (isLineEnd(unit)) lineStart = true
    else if (!isBlank(unit)) {
      const look = lookAlike(text, at, unit, lineStart)
      if (look > 0) {
        out += text.slice(kept, at) + ESCAPE
        kept = at
        at += look
        lineStart = false
        continue
      }
      lineStart = false
    }
    at += width
  }
  return out === '' ? text : out + text.slice(kept)
}

/** Anything but words of ASCII with one space between them, which most titles are. */
const UNTIDY = /[^ -~]|^ | $|  /

/** A title on one line of at most `limit` units, with the same care. */
export function visibleTitle(title: string, limit: number): string {
  const shown = visibleText(title.slice(0, limit * 4)),
    line = !UNTIDY.test(shown)
      ? shown
      : shown.replace(/[\n\r\v\f\u0085\u2028\u2029\t ]+/g, ' ').trim()
  if (line.length <= limit) return line
  const cut =
    line.charCodeAt(limit - 2) >= 0xd800 && line.charCodeAt(limit - 2) < 0xdc00
      ? limit - 2
      : limit - 1
  return line.slice(0, cut).trimEnd() + '…'
}

/** Length of a look-alike of the frame that begins here, 0 for none. */
function lookAlike(text: string, at: number, unit: number, lineStart: boolean): number {
  if (unit === 0x5b || unit === 0xff3b) return lineStart ? sourceNumber(text, at) : 0 // [12]
  if (isOneOf(unit, OPENING)) {
    // <|name|> or <<<
    if (unit === 0x3c && text.charCodeAt(at + 1) === 0x7c) return controlToken(text, at)
    if (!lineStart) return 0
    const run = runOf(text, at, OPENING)
    return run >= 3 ? run : 0
  }
  if (isOneOf(unit, CLOSING) && !(at > 0 && isOneOf(text.charCodeAt(at - 1), CLOSING))) {
    // >>> at the end of a line
    const run = runOf(text, at, CLOSING)
    return run >= 3 && endsLine(text, at + run) ? run : 0
  }
  return 0
}

const DIGIT = /^\p{Nd}$/u

function sourceNumber(text: string, at: number): number {
  let end = at + 1
  while (isBlank(text.charCodeAt(end))) end++
  const first = end
  while (end < text.length && DIGIT.test(String.fromCodePoint(text.codePointAt(end) as number)))
    end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1
  if (end === first) return 0
  while (isBlank(text.charCodeAt(end))) end++
  const close = text.charCodeAt(end)
  return close === 0x5d || close === 0xff3d ? end + 1 - at : 0
}

function controlToken(text: string, at: number): number {
  const close = text.slice(at + 2, at + 2 + CONTROL_TOKEN_CHARS + 2).indexOf('|>')
  return close < 0 ? 0 : 2
}

function isOneOf(unit: number, signs: string): boolean {
  for (let i = 0; i < signs.length; i++) if (signs.charCodeAt(i) === unit) return true
  return false
}

function runOf(text: string, at: number, signs: string): number {
  let end = at
  while (end < text.length && isOneOf(text.charCodeAt(end), signs)) end++
  return end - at
}

function endsLine(text: string, at: number): boolean {
  while (at < text.length && isBlank(text.charCodeAt(at))) at++
  return at >= text.length || isLineEnd(text.charCodeAt(at))
}

function isBlank(unit: number): boolean {
  return (
    unit === 0x20 ||
    unit === 0x09 ||
    unit === 0xa0 ||
    unit === 0x3000 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x202f ||
    unit === 0x205f
  )
}

function isLineEnd(unit: number): boolean {
  return (unit >= 0x0a && unit <= 0x0d) || unit === 0x85 || unit === 0x2028 || unit === 0x2029
}

/**
 * Controls (but tab and line ends), bidi controls, zero-width and filler characters, tags,
 * variation selectors and half surrogates: what a reader does not see and a model reads. A joiner
 * inside Persian, Indic or emoji text and a single variation selector after a symbol are spelling,
 * not hiding, and stay.
 */
function isHidden(text: string, at: number, point: number): boolean {
  if (point < 0x20)
    return point !== 0x09 && point !== 0x0a && !(point === 0x0d && text.charCodeAt(at + 1) === 0x0a)
  if (point < 0x7f) return false
  if (point <= 0x9f) return point !== 0x85
  if (point === 0xad || point === 0x34f || point === 0x61c) return true
  if (point < 0x115f) return false
  if (point >= 0xd800 && point <= 0xdfff) return true
  if (point === 0x200c || point === 0x200d)
    return !(
      isSpelling(text.charCodeAt(at - 1)) &&
      isSpelling(text.charCodeAt(at + 1)) &&
      text.charCodeAt(at + 1) !== 0xfe0f
    )
  if (point === 0xfe0e || point === 0xfe0f) {
    const before = text.charCodeAt(at - 1)
    return (
      before === 0xfe0f ||
      before === 0x200c ||
      before === 0x200d ||
      !(isSpelling(before) || isKeycap(before))
    )
  }
  return HIDDEN.some(([from, to]) => point >= from && point <= to)
}

/** Fillers, zero-width, bidi and format characters, variation selectors, tags. */
const HIDDEN: readonly (readonly [from: number, to: number])[] = [
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
]

/**
 * A neighbour that gives a joiner or selector its sense: not ASCII, and not itself hidden, blank or
 * a line end.
 */
function isSpelling(unit: number): boolean {
  if (!(unit >= 0xa9) || unit === 0xad || isBlank(unit) || isLineEnd(unit)) return false
  return !NO_SPELLING.some(([from, to]) => unit >= from && unit <= to)
}

/** Zero-width, bidi and selector characters, and first halves of tags (U+E0000 to U+E0FFF). */
const NO_SPELLING: readonly (readonly [from: number, to: number])[] = [
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0xfe00, 0xfe0e],
  [0xfeff, 0xfeff],
  [0xdb40, 0xdb43],
]

function isKeycap(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || unit === 0x23 || unit === 0x2a
}

function mark(point: number, count: number): string {
  const name = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
  return count === 1 ? `⟨${name}⟩` : `⟨${name}+${count - 1}⟩`
}
