/** Classes of UTF-16 units, as a table, so that every engine agrees; 0: no rule speaks of it. */
export const SPACE = 1
export const NEWLINE = 2
/** `.`: ends a sentence or an abbreviation. */
export const DOT = 3
/** `!` and `?` and their doubles. */
export const BANG = 4
/**
 * Marks that end a sentence whatever follows: CJK full stops, danda, Arabic, Armenian, Ethiopic,
 * Khmer, Myanmar, Mongolian, Tibetan.
 */
export const FULL_STOP = 5
export const ELLIPSIS = 6
/** Quotes and brackets that close; they belong to the sentence before them. */
export const CLOSE = 7
export const OPEN = 8
/** `"` and `'`: the space beside them tells which side they are on. */
export const QUOTE = 9
export const DIGIT = 10
export const LOWER = 11
export const UPPER = 12
/** Thai and Lao: written without full stops, a space ends a phrase. */
export const THAI = 13
/** Han, kana, bopomofo, Hangul: a character is about one word piece. */
export const CJK = 14
export const HANGUL = 15
/** Letters and marks of every other script outside Latin. */
export const OTHER_LETTER = 16
export const SURROGATE = 17
/** Latin letters beyond ASCII; their case is asked for when a rule needs it. */
export const LATIN = 18

const RANGES: readonly (readonly [class_: number, from: number, to: number])[] = [
  [OTHER_LETTER, 0x370, 0x1fff],
  [LATIN, 0xaa, 0x2af],
  [LATIN, 0x1d00, 0x1dbf],
  [LATIN, 0x1e00, 0x1eff],
  [LATIN, 0x2c60, 0x2c7f],
  [LATIN, 0xa720, 0xa7ff],
  [OTHER_LETTER, 0x2c00, 0x2c5f],
  [OTHER_LETTER, 0x2c80, 0x2dff],
  [OTHER_LETTER, 0xa4d0, 0xa6ff],
  [OTHER_LETTER, 0xa800, 0xabff],
  [OTHER_LETTER, 0xfb1d, 0xfdff],
  [OTHER_LETTER, 0xfe70, 0xfefc],
  [THAI, 0xe00, 0xeff],
  [DIGIT, 0x660, 0x669],
  [DIGIT, 0x6f0, 0x6f9],
  [DIGIT, 0x966, 0x96f],
  [HANGUL, 0x1100, 0x11ff],
  [HANGUL, 0x3130, 0x318f],
  [HANGUL, 0xac00, 0xd7af],
  [CJK, 0x2e80, 0x2fdf],
  [CJK, 0x3005, 0x3007],
  [CJK, 0x3021, 0x3029],
  [CJK, 0x3041, 0x312f],
  [CJK, 0x31a0, 0x9fff],
  [CJK, 0xf900, 0xfaff],
  [CJK, 0xff66, 0xff9f],
  [UPPER, 0x41, 0x5a],
  [LOWER, 0x61, 0x7a],
  [DIGIT, 0x30, 0x39],
  [DIGIT, 0xff10, 0xff19],
  [UPPER, 0xff21, 0xff3a],
  [LOWER, 0xff41, 0xff5a],
  [SURROGATE, 0xd800, 0xdfff],
]

const CHARACTERS: readonly (readonly [class_: number, characters: string])[] = [
  // The same set as `\s` and `trim()`, split by whether it ends a line.
  [
    SPACE,
    '\t \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a' +
      '\u202f\u205f\u3000\ufeff',
  ],
  [NEWLINE, '\n\u000b\f\r\u2028\u2029'],
  [DOT, '.'],
  [BANG, '!?\u203c\u203d\u2047\u2048\u2049'],
  [
    FULL_STOP,
    '\u3002\uff01\uff1f\uff0e\uff61\ufe12\ufe52\ufe56\ufe57\u0589\u061f\u06d4\u0964\u0965' +
      '\u1362\u1367\u1368\u17d4\u17d5\u104b\u1803\u1809\u0f0d\u0f0e',
  ],
  [ELLIPSIS, '\u2026\u2025'],
  [
    CLOSE,
    ')]}\u2019\u201d\u203a\u00bb\u3009\u300b\u300d\u300f\u3011\u3015\u3017\uff09\uff3d' +
      '\uff5d\uff63\u301e\u301f',
  ],
  [
    OPEN,
    '([{\u2018\u201c\u2039\u00ab\u201a\u201e\u00bf\u00a1\u3008\u300a\u300c\u300e\u3010' +
      '\u3014\u3016\uff08\uff3b\uff5b\uff62\u301d',
  ],
  [QUOTE, '"\'`*_'],
  // Signs that stand in the Latin and Greek blocks without being letters.
  [
    0,
    '\u00ab\u00ac\u00ad\u00ae\u00af\u00b0\u00b1\u00b2\u00b3\u00b4\u00b6\u00b7\u00b8\u00b9' +
      '\u00bc\u00bd\u00be\u00d7\u00f7\u037e\u0387\u060c\u061b',
  ],
  [CLOSE, '\u00bb'],
  [OPEN, '\u00ab'],
]

/** Class of every UTF-16 unit. */
export const CLASSES: Uint8Array = /* @__PURE__ */ buildTable()

function buildTable(): Uint8Array {
  const table = new Uint8Array(0x10000)
  for (const [class_, from, to] of RANGES) table.fill(class_, from, to + 1)
  for (const [class_, characters] of CHARACTERS)
    for (let i = 0; i < characters.length; i++) table[characters.charCodeAt(i)] = class_
  return table
}

/** Class of the unit at `at`; 0 past either end. */
export function classAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? CLASSES[text.charCodeAt(at)]! : 0
}

/** White space as `\s` has it, line ends included. */
export function isSpace(text: string, at: number): boolean {
  const class_ = classAt(text, at)
  return class_ === SPACE || class_ === NEWLINE
}

export function isLowerAt(text: string, at: number): boolean {
  const class_ = classAt(text, at)
  if (class_ === LOWER) return true
  if (class_ !== LATIN && class_ !== OTHER_LETTER) return false
  const character = text.charAt(at)
  return character !== character.toUpperCase() && character === character.toLowerCase()
}

export function isUpperAt(text: string, at: number): boolean {
  const class_ = classAt(text, at)
  if (class_ === UPPER) return true
  if (class_ !== LATIN && class_ !== OTHER_LETTER) return false
  const character = text.charAt(at)
  return character !== character.toLowerCase()
}

/** A letter of any script, a digit, or half of an astral character. */
export function isWordAt(text: string, at: number): boolean {
  return classAt(text, at) >= DIGIT
}

/** Moves an offset out of the middle of a surrogate pair, to the pair's start. */
export function outOfPair(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return at
  const unit = text.charCodeAt(at)
  const before = text.charCodeAt(at - 1)
  return unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff ? at - 1 : at
}

/** The range without white space at either end; `start === end` where there is nothing else. */
export function trimSpan(text: string, start: number, end: number): { start: number; end: number } {
  while (start < end && isSpace(text, start)) start++
  while (end > start && isSpace(text, end - 1)) end--
  return { start, end }
}
