/** Stems of English words; identifiers and other scripts stay as they are. */
import stemEnglish from 'wink-porter2-stemmer'
import { LIMITS } from '../base/limits.ts'

/**
 * Snowball English (Porter2, snowballstem.org/algorithms/english/stemmer.html) of a word in lower
 * case. A word with a digit, of another script or too long for a word is its own stem: the rules
 * are regular expressions, whose time grows with the square of the length.
 */
export function stem(word: string): string {
  if (word.length > LIMITS.wordChars) return word
  const known = stems.get(word)
  if (known !== undefined) return known
  for (let i = 0; i < word.length; i++) {
    const unit = word.charCodeAt(i)
    const latin = (unit >= 97 && unit <= 122) || (unit >= 0xdf && unit <= 0x24f)
    if (!latin) return word
  }
  if (!mayChange(word)) return word
  const result = stemEnglish(word)
  if (stems.size >= REMEMBERED) stems.clear()
  stems.set(word, result)
  return result
}

/**
 * False where no rule of the stemmer can apply: all of them but the exceptions, which end in -e,
 * -g, -s or -y, take off or change an ending, and these are the endings they look for. Spares half
 * of a corpus' words, which are mostly names, the stemmer's forty regular expressions.
 */
function mayChange(word: string): boolean {
  const last = word.length - 1
  if (last < 2) return false
  const before = word.charCodeAt(last - 1)
  switch (word.charCodeAt(last)) {
    case 101:
    case 105:
    case 115:
    case 121:
      return true // -e, -i, -s, -y
    case 100:
      return before === 101 // -ed, -eed
    case 103:
      return before === 110 // -ing
    case 108:
      return before === 97 || before === 117 || before === 108 // -al, -ful, -ll
    case 114:
      return before === 101 || before === 111 // -er, -ator
    case 99:
      return before === 105 // -ic
    case 116:
      return before === 110 // -ant, -ent
    case 109:
      return before === 115 // -ism
    case 110:
      return before === 111 // -ion
    default:
      return false
  }
}

/** Stems asked for before: stemming a word takes longer than reading ten. */
const stems = new Map<string, string>()
const REMEMBERED = 20_000
