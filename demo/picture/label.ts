/**
 * Breaks a name into lines of a box, without measuring in the page, so that the same answer gives
 * the same picture.
 */

/** Rough advance of a character in ems, on the wide side for the usual system fonts. */
function advance(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code >= 0x1100 && code !== 0x2013 && code !== 0x2014 && code !== 0x2019 && code !== 0x2026)
    return 1.02
  if (" ,.;:!'|ijlIft()[]-’".includes(character)) return 0.34
  if ('mwMW@%'.includes(character)) return 0.92
  if (character >= 'A' && character <= 'Z') return 0.7
  return 0.57
}

/** Estimated width of a text in ems. */
export function emWidth(text: string): number {
  let sum = 0
  for (const character of text) sum += advance(character)
  return sum
}

/** A stretch that is not broken of itself, and whether a space stands before it. */
interface Piece {
  readonly text: string
  readonly spaced: boolean
}

/** Pieces end at spaces, and behind the strokes of paths and the hyphens of compounds. */
function piecesOf(label: string): Piece[] {
  const pieces: Piece[] = []
  for (const word of label.split(/\s+/u)) {
    let from = 0
    for (let i = 0; i < word.length; i++) {
      if (i < word.length - 1 && !'/\\_-'.includes(word[i]!)) continue
      pieces.push({ text: word.slice(from, i + 1), spaced: from === 0 })
      from = i + 1
    }
  }
  return pieces
}

/** Width in ems of the widest piece: a box of that width breaks no word. */
export function widestPiece(label: string): number {
  return piecesOf(label).reduce((widest, { text }) => Math.max(widest, emWidth(text)), 0)
}

/**
 * Breaks between pieces, else anywhere, with a hyphen inside a word, into at most `maxLines` lines
 * of `ems`; what does not fit ends in an ellipsis.
 */
export function labelLines(label: string, ems: number, maxLines: number): readonly string[] {
  const pieces = piecesOf(label)
  const lines: string[] = []
  let line = ''
  let at = 0
  while (at < pieces.length && lines.length < maxLines) {
    const { text, spaced } = pieces[at]!
    const joined = line === '' ? text : `${line}${spaced ? ' ' : ''}${text}`
    if (emWidth(joined) <= ems) {
      line = joined
      at++
    } else if (line !== '') {
      lines.push(line)
      line = ''
    } else {
      // A single piece wider than the box: cut it, the rest is the next piece.
      const head = fitting(text, ems - emWidth('-')),
        rest = text.slice(head.length)
      if (rest === '') at++
      else pieces[at] = { text: rest, spaced: false }
      lines.push(/\p{L}$/u.test(head) && /^\p{L}/u.test(rest) ? `${head}-` : head)
    }
  }
  if (line !== '' && lines.length < maxLines) lines.push(line)
  else if (at < pieces.length || line !== '') {
    const last = lines[maxLines - 1] ?? ''
    lines[maxLines - 1] = `${fitting(last, ems - emWidth('…'))}…`
  }
  return lines.length > 0 ? lines : ['']
}

/** The longest head of `text` that is at most `ems` wide, never less than one character. */
function fitting(text: string, ems: number): string {
  let out = ''
  let width = 0
  for (const character of text) {
    width += advance(character)
    if (width > ems && out !== '') break
    out += character
  }
  return out
}
