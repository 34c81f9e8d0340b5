/** Owns the words of a text as hashes. Refuses: stems, and what the words are for. */
import { hashed } from '../lexical/vocabulary.ts'
import { ASCII_KINDS, begins, ends, LETTERS, scanWord, shapeOf } from '../lexical/words.ts'

/** Called for each word in order, with its shape (lexical/words.ts) and the `hashOf` of it in lower case. */
export type HashedWordVisitor = (start: number, end: number, shape: number, hash: number) => void

/** Visits the words of `text.slice(from, to)` as `scanWords` does. A word of ASCII is hashed while its end is looked for. */
export function scanHashedWords(text: string, visit: HashedWordVisitor, from = 0, to = text.length): void {
  const other = (start: number, end: number, shape: number): void => { visit(start, end, shape, hashOf(text.slice(start, end).toLowerCase())) }
  for (let at = from; at < to;) {
    let unit = text.charCodeAt(at), letter = unit < 128 ? (LETTERS[unit] as number) : 0
    if (letter === 0) {
      if (unit >= 128 && begins(text, at)) at = scanWord(text, at, to, other)
      else at++
      continue
    }
    const start = at, first = unit
    let hash = OFFSET, kinds = 0
    do {
      kinds |= ASCII_KINDS[unit] as number
      hash = hashed(hash, letter)
      if (++at === to) break
      unit = text.charCodeAt(at)
      letter = unit < 128 ? (LETTERS[unit] as number) : 0
    } while (letter !== 0)
    if (at < to && unit >= 128 && !ends(text, at)) at = scanWord(text, start, to, other)
    else visit(start, at, shapeOf(first, kinds), hash >>> 0)
  }
}

/** FNV-1a over UTF-16 units. */
export function hashOf(word: string): number {
  let hash = OFFSET
  for (let i = 0; i < word.length; i++) hash = hashed(hash, word.charCodeAt(i))
  return hash >>> 0
}

const OFFSET = 0x811c9dc5
