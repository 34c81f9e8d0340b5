/** Owns the stem of an English word. Refuses: identifiers and other scripts, which stay as they are. */
import stemEnglish from 'wink-porter2-stemmer'
import { LIMITS } from '../limits.ts'

/**
 * Snowball English (Porter2, snowballstem.org/algorithms/english/stemmer.html) of a word in lower case. Words with a
 * digit are identifiers and words of other scripts are no English: both are their own stems. So is what is too long for a word: the
 * rules are regular expressions, whose time grows with its square.
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
  const result = stemEnglish(word)
  if (stems.size >= REMEMBERED) stems.clear()
  stems.set(word, result)
  return result
}

/** Stems lately asked for: the words of a corpus come again and again, and stemming one takes longer than reading ten. */
const stems = new Map<string, string>()
const REMEMBERED = 20_000
