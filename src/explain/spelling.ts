/** How a name is written in a text, found without tokenizing it. */
import { begins, ends } from '../lexical/words.ts'

/**
 * Names that can be looked for as they are: scripts without spaces cut their words otherwise, and
 * case beyond ASCII may change lengths.
 */
const PLAIN = /^[a-z0-9 ]+$/

/** Initials and abbreviations at the end of a name. */
const ABBREVIATED = /(?:^| )(?:[a-z] [a-z]|jr|sr|inc|ltd|co|corp)$/

/**
 * The first place in a text where the words of a name, in small letters with spaces between, stand
 * one behind the other as whole words: as it is written there, or null. Null, too, where a name or
 * text would have to be read to tell.
 */
export function spellingIn(text: string, name: string): string | null {
  if (!PLAIN.test(name)) return null
  const small = text.toLowerCase(),
    [first, ...rest] = name.split(' ') as [string, ...string[]]
  if (small.length !== text.length) return null
  for (let at = small.indexOf(first); at >= 0; at = small.indexOf(first, at + 1)) {
    if (at > 0 && !ends(text, at - 1)) continue
    let end = at + first.length,
      whole = end === text.length || ends(text, end)
    for (const word of rest) {
      while (whole && end < text.length && !begins(text, end)) end++
      whole &&= small.startsWith(word, end)
      end += word.length
      whole &&= end === text.length || ends(text, end)
    }
    // the stop of J. R. and Jr. belongs to the name
    if (whole) return text.slice(at, text[end] === '.' && ABBREVIATED.test(name) ? end + 1 : end)
  }
  return null
}
