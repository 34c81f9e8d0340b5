/**
 * Estimates how many word pieces a model reads in a text.
 *
 * Written for the uncased BERT vocabulary of all-MiniLM-L6-v2, on the high side: a Latin word is 1
 * piece up to 5 letters and a third more for each further one, half a piece beyond 25 (such words
 * are hashes and base64), nothing beyond 100 (the model reads such a word as one unknown piece); a
 * number 1 piece up to 2 digits, then half a piece a digit; a mark of punctuation 1; Han, kana and
 * letters of other scripts 1 each; Hangul 2, since it is decomposed.
 */
import { LIMITS } from '../base/limits.ts'
import {
  CLASSES,
  DIGIT,
  HANGUL,
  LATIN,
  LOWER,
  NEWLINE,
  SPACE,
  SURROGATE,
  UPPER,
} from './characters.ts'

/** Whole pieces are counted in twelfths, so that sums are exact. */
export const TWELFTHS = 12

/** What a run of units is: words and numbers get cheaper a unit, everything else does not. */
const RUN_NONE = 0
const RUN_WORD = 1
const RUN_NUMBER = 2

/** Kind of run of each class, and the twelfths that a unit of it costs outside runs. */
const RUN = new Uint8Array(32)
const ALONE = new Uint8Array(32).fill(TWELFTHS)
RUN[LOWER] = RUN[UPPER] = RUN[LATIN] = RUN_WORD
RUN[DIGIT] = RUN_NUMBER
ALONE[SPACE] = ALONE[NEWLINE] = 0
ALONE[HANGUL] = 24
ALONE[SURROGATE] = 6

/** Twelfths of the `length`-th unit of a run, from 1. */
const LONGEST = LIMITS.wordChars + 1
const WORD_COST = Uint8Array.from({ length: LONGEST + 1 }, (_, length) =>
  length === 1 ? 12 : length <= 5 || length === LONGEST ? 0 : length <= 25 ? 4 : 6,
)
const NUMBER_COST = Uint8Array.from({ length: LONGEST + 1 }, (_, length) =>
  length === 1 ? 12 : length === 2 || length === LONGEST ? 0 : 6,
)

/**
 * Estimated word pieces of `text.slice(start, end)`, in twelfths; stops once it is past `enough`.
 */
export function estimatePieces(
  text: string,
  start: number,
  end: number,
  enough = Infinity,
): number {
  let total = 0
  let run = RUN_NONE
  let length = 0
  for (let i = start; i < end; i++) {
    const class_ = CLASSES[text.charCodeAt(i)]!
    const kind = RUN[class_]!
    if (kind === RUN_NONE) {
      total += ALONE[class_]!
      if (total > enough) return total
    } else {
      length = kind !== run ? 1 : length < LONGEST ? length + 1 : LONGEST
      total += kind === RUN_WORD ? WORD_COST[length]! : NUMBER_COST[length]!
    }
    run = kind
  }
  return total
}

/** The same estimate for a reader that stops where it likes. */
export class PieceMeter {
  /** Twelfths of a piece so far. */
  total = 0
  private run = RUN_NONE
  private length = 0

  /** Counts one UTF-16 unit and gives the total in twelfths. */
  add(unit: number): number {
    const class_ = CLASSES[unit]!
    const kind = RUN[class_]!
    this.length = kind !== this.run ? 1 : Math.min(this.length + 1, LONGEST)
    this.run = kind
    this.total +=
      kind === RUN_NONE
        ? ALONE[class_]!
        : kind === RUN_WORD
          ? WORD_COST[this.length]!
          : NUMBER_COST[this.length]!
    return this.total
  }

  /** Begins again at 0, as at the start of a word. */
  reset(): void {
    this.total = 0
    this.run = RUN_NONE
    this.length = 0
  }
}
