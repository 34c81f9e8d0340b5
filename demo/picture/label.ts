/** Owns how a name is broken into lines of a box. Refuses: measuring in the page, so that the same answer gives the same picture. */

/** Rough advance of a character in ems, on the wide side for the usual system fonts. */
function advance(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code >= 0x1100 && code !== 0x2013 && code !== 0x2014 && code !== 0x2019 && code !== 0x2026) return 1.02
  if (' ,.;:!\'|ijlIft()[]-’'.includes(character)) return 0.34
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

/** Breaks at spaces, else anywhere, into at most `maxLines` lines of `ems`; what does not fit ends in an ellipsis. */
export function labelLines(label: string, ems: number, maxLines: number): readonly string[] {
  const words = label.split(/\s+/u).filter((word) => word !== '')
  const lines: string[] = []
  let line = ''
  let at = 0
  while (at < words.length && lines.length < maxLines) {
    const word = words[at] ?? ''
    const joined = line === '' ? word : `${line} ${word}`
    if (emWidth(joined) <= ems) {
      line = joined
      at++
    } else if (line !== '') {
      lines.push(line)
      line = ''
    } else {
      // A single word wider than the box: cut it, the rest is the next word.
      const head = fitting(word, ems)
      words[at] = word.slice(head.length)
      lines.push(head)
    }
  }
  if (line !== '' && lines.length < maxLines) lines.push(line)
  else if (at < words.length || line !== '') {
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
