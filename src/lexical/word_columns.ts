/** Words of one text as columns, in arrays that are reused for the next text. */
import { grown } from '../base/grown.ts'
import { fnv1aStep } from '../base/hash.ts'
import { LIMITS } from '../base/limits.ts'
import { ASCII_KINDS, begins, ends, LETTERS, scanWord, shapeOf } from './words.ts'

export abstract class WordColumns {
  length = 0
  ids = new Int32Array(256)
  starts = new Int32Array(256)
  ends = new Int32Array(256)
  /** How each word is written: see words.ts. */
  shapes = new Uint8Array(256)

  /** The id of a word of ASCII: its `length` units in lower case lie in the spelling buffer. */
  protected abstract idOfSpelling(length: number, hash: number): number

  protected abstract idOfText(text: string, start: number, end: number): number

  /**
   * Reads the words of `text.slice(from, to)` as `scanWords` finds them. A word of ASCII is spelt
   * and hashed (FNV-1a from `seed`) while its end is looked for. A run too long for a word is read
   * by its beginning: it can still be found, and costs no more than a word.
   */
  protected scan(
    text: string,
    from: number,
    to: number,
    seed: number,
    spelling: Uint16Array,
  ): void {
    const take = (start: number, end: number, shape: number): void => {
      this.push(
        this.idOfText(text, start, Math.min(end, start + LIMITS.wordChars)),
        start,
        end,
        shape,
      )
    }
    this.length = 0
    for (let at = from; at < to;) {
      let unit = text.charCodeAt(at),
        letter = unit < 128 ? (LETTERS[unit] as number) : 0
      if (letter === 0) {
        if (unit >= 128 && begins(text, at)) at = scanWord(text, at, to, take)
        else at++
        continue
      }
      const start = at,
        first = unit
      let length = 0,
        hash = seed,
        kinds = 0
      do {
        kinds |= ASCII_KINDS[unit] as number
        spelling[length++] = letter
        hash = fnv1aStep(hash, letter)
        if (++at === to) {
          letter = 0
          break
        }
        unit = text.charCodeAt(at)
        letter = unit < 128 ? (LETTERS[unit] as number) : 0
      } while (letter !== 0 && length < LIMITS.wordChars)
      if (letter !== 0 || (at < to && unit >= 128 && !ends(text, at)))
        at = scanWord(text, start, to, take)
      else this.push(this.idOfSpelling(length, hash), start, at, shapeOf(first, kinds))
    }
  }

  protected reserve(length: number): void {
    if (length <= this.ids.length) return
    this.ids = grown(this.ids, length)
    this.starts = grown(this.starts, length)
    this.ends = grown(this.ends, length)
    this.shapes = grown(this.shapes, length)
  }

  private push(id: number, start: number, end: number, shape: number): void {
    const at = this.length
    if (at === this.ids.length) this.reserve(at * 2)
    this.ids[at] = id
    this.starts[at] = start
    this.ends[at] = end
    this.shapes[at] = shape
    this.length = at + 1
  }
}
