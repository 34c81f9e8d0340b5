/** Exact duplicates modulo case, numbers and punctuation. */
import { fnv1aStep, randomMultipliers } from '../base/hash.ts'

/** Few texts are compared in full, as few begin with the same letters. */
export class Wordings {
  /** By the hash of first letters: the one text that has it, or the wordings of several. */
  private readonly byBeginning = new Map<number, string | Set<string>>()
  private readonly seed = randomMultipliers()[0]
  /** Texts that were compared in full: what equal beginnings and collisions cost. */
  compared = 0

  /** False where a text of the same wording is there already. */
  add(text: string): boolean {
    const beginning = firstLetters(text, this.seed),
      same = this.byBeginning.get(beginning)
    if (same === undefined) {
      this.byBeginning.set(beginning, text)
      return true
    }
    this.compared++
    const wordings = typeof same === 'string' ? new Set([wording(same)]) : same,
      before = wordings.size
    if (typeof same === 'string') this.byBeginning.set(beginning, wordings)
    return wordings.add(wording(text)).size > before
  }
}

function wording(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim()
}

const FIRST_LETTERS = 64

/** FNV-1a of a text's first ASCII letters in lower case: the same for texts of one wording. */
function firstLetters(text: string, seed: number): number {
  let hash = seed,
    left = FIRST_LETTERS
  for (let i = 0; i < text.length && left > 0; i++) {
    let unit = text.charCodeAt(i)
    // The Kelvin sign and the dotted capital I are all that become ASCII letters in lower case.
    unit = unit < 128 ? unit | 32 : unit === 0x212a ? 107 : unit === 0x130 ? 105 : 0
    if (unit < 97 || unit > 122) continue
    hash = fnv1aStep(hash, unit)
    left--
  }
  return hash
}
