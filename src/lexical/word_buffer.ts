/**
 * Owns the words of one text as numbers with their places, in arrays that are used again for the
 * next text. Refuses: meaning.
 */
import { LIMITS } from '../base/limits.ts'
import type { Span } from '../types.ts'
import { hashed, type Vocabulary } from './vocabulary.ts'
import { ASCII_KINDS, begins, ends, LETTERS, scanWord, shapeOf } from './words.ts'

export class WordBuffer {
  length = 0
  ids = new Int32Array(1024)
  starts = new Int32Array(1024)
  ends = new Int32Array(1024)
  shapes = new Uint8Array(1024)

  /**
   * Reads the words of a text; unknown ones are added to the vocabulary, or numbered -1 when
   * `known` is true.
   */
  read(text: string, vocabulary: Vocabulary, known = false): this {
    const add = !known,
      { seed } = vocabulary,
      to = text.length
    const take = (start: number, end: number, shape: number): void => {
      // a run too long for a word is indexed by its beginning: it can still be found, and costs no
      // more than a word
      this.push(
        vocabulary.read(text, start, Math.min(end, start + LIMITS.wordChars), add),
        start,
        end,
        shape,
      )
    }
    this.length = 0
    for (let at = 0; at < to;) {
      let unit = text.charCodeAt(at),
        letter = unit < 128 ? (LETTERS[unit] as number) : 0
      if (letter === 0) {
        if (unit >= 128 && begins(text, at)) at = scanWord(text, at, to, take)
        else at++
        continue
      }
      // a word of ASCII letters and digits is spelt and hashed while its end is looked for
      const start = at,
        first = unit,
        { spelling } = vocabulary
      let length = 0,
        hash = seed,
        kinds = 0
      do {
        kinds |= ASCII_KINDS[unit] as number
        spelling[length++] = letter
        hash = hashed(hash, letter)
        if (++at === to) {
          letter = 0
          break
        }
        unit = text.charCodeAt(at)
        letter = unit < 128 ? (LETTERS[unit] as number) : 0
      } while (letter !== 0 && length < LIMITS.wordChars)
      if (letter !== 0 || (at < to && unit >= 128 && !ends(text, at)))
        at = scanWord(text, start, to, take)
      else this.push(vocabulary.look(length, hash, add), start, at, shapeOf(first, kinds))
    }
    return this
  }

  /** Words of a text read before: `length` numbers from `from`. */
  take(ids: Int32Array, from: number, length: number): void {
    while (length > this.ids.length) this.grow()
    for (let i = 0; i < length; i++) this.ids[i] = ids[from + i] as number
    this.length = length
  }

  /** How many words begin before a place in the text. */
  before(place: number): number {
    let count = this.length
    while (count > 0 && (this.starts[count - 1] as number) >= place) count--
    return count
  }

  /**
   * Ranges of words, [from, to), that lie in these spans of the text; each run of words once, and
   * none of more than `most`.
   */
  ranges(spans: readonly Span[], most: number): [from: number, to: number][] {
    const found = new Map<string, [number, number]>()
    for (const { start, end } of spans) {
      let from = 0
      for (let high = this.length; from < high;) {
        const middle = (from + high) >>> 1
        if ((this.starts[middle] as number) < start) from = middle + 1
        else high = middle
      }
      let to = from
      while (to < this.length && (this.ends[to] as number) <= end) to++
      if (to > from && to - from <= most)
        found.set(this.ids.subarray(from, to).join(' '), [from, to])
    }
    return [...found.values()]
  }

  private push(id: number, start: number, end: number, shape: number): void {
    const at = this.length
    if (at === this.ids.length) this.grow()
    this.ids[at] = id
    this.starts[at] = start
    this.ends[at] = end
    this.shapes[at] = shape
    this.length = at + 1
  }

  private grow(): void {
    const size = this.ids.length * 2
    const ids = new Int32Array(size),
      starts = new Int32Array(size),
      ends = new Int32Array(size),
      shapes = new Uint8Array(size)
    ids.set(this.ids)
    starts.set(this.starts)
    ends.set(this.ends)
    shapes.set(this.shapes)
    this.ids = ids
    this.starts = starts
    this.ends = ends
    this.shapes = shapes
  }
}
