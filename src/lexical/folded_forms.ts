/** A word without its marks, in the ways people leave them out. */
import { JOINERS } from './words.ts'

/** Letters that marks do not make: each as other people write it. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ...[
    ...['ßss', 'æae', 'œoe', 'øo', 'łl', 'đd', 'ðd', 'þth', 'ıi', 'ħh', 'ςσ', 'ىي', 'ةه'],
    ...['کك', 'یي', 'ўу', 'ґг'],
  ].map((pair): [string, string] => [pair.charAt(0), pair.slice(1)]),
  ['ـ', ''],
])
/** The German and Nordic way to write a letter without its mark. */
const DIGRAPHS: ReadonlyMap<string, string> = new Map([
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['å', 'aa'],
  ['ø', 'oe'],
])
const MARKS = /\p{M}+/gu

/** Other forms of a word in lower case; none of a word of ASCII, or one without marks. */
export function foldedForms(word: string): string[] {
  if (isAscii(word, 0, word.length)) return []
  const forms = [fold(word)]
  if (Array.from(word).some((char) => DIGRAPHS.has(char)))
    forms.push(fold(Array.from(word, (char) => DIGRAPHS.get(char) ?? char).join('')))
  return forms.filter((form, i) => form !== word && form !== '' && forms.indexOf(form) === i)
}

function fold(word: string): string {
  return Array.from(
    word.normalize('NFKD').replace(MARKS, ''),
    (char) => LETTERS.get(char) ?? char,
  ).join('')
}

export function isAscii(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) > 127) return false
  return true
}

const FOLDED = new Uint16Array(0x180)
for (let unit = 0; unit < FOLDED.length; unit++)
  FOLDED[unit] = String.fromCharCode(unit).normalize('NFD').charCodeAt(0)

/** A unit of a Latin letter without its mark; every other unit as it is. */
export function foldedUnit(unit: number): number {
  return unit < FOLDED.length ? (FOLDED[unit] as number) : unit
}

/** How a word beyond ASCII is spelt: composed, full width as half, without joiners, lower case. */
export function spellingOf(word: string): string {
  return word.replace(JOINERS, '').normalize('NFKC').toLowerCase()
}
