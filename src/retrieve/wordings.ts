/**
 * Owns which texts say the same in the same words. Refuses: likeness; only case, numbers and
 * punctuation are looked past.
 */
import { FNV_OFFSET, fnv1aStep } from '../base/hash.ts'

/** Texts by their wording; few are compared in full, as few begin with the same letters. */
export class Wordings {
  /** By the hash of first letters: the one text that has it, or the wordings of several. */
  private readonly byBeginning = new Map<number, string | Set<string>>()

  /** False, and nothing added, where a text of the same wording is there. */
  add(text: string): boolean {
    const beginning = firstLetters(text),
      same = this.byBeginning.get(beginning)
    if (same === undefined) {
      this.byBeginning.set(beginning, text)
      return true
    }
    const wordings = typeof same === 'string' ? new Set([wording(same)]) : same,
      before = wordings.size
    if (typeof same === 'string') this.byBeginning.set(beginning, wordings)
    return wordings.add(wording(text)).size > before
  }
}

/** What a text says, numbers, case and punctuation aside. */
function wording(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim()
}

/** Letters that tell most texts apart. */
const FIRST_LETTERS = 64

/**
 * A hash (FNV-1a) of a text's first letters of ASCII, in small: the same for texts of one wording.
 */
function firstLetters(text: string): number {
  let hash = FNV_OFFSET,
    left = FIRST_LETTERS
  for (let i = 0; i < text.length && left > 0; i++) {
    let unit = text.charCodeAt(i)
    // the Kelvin sign and the dotted capital I are all that become letters of ASCII in small
    unit = unit < 128 ? unit | 32 : unit === 0x212a ? 107 : unit === 0x130 ? 105 : 0
    if (unit < 97 || unit > 122) continue
    hash = fnv1aStep(hash, unit)
    left--
  }
  return hash
}
