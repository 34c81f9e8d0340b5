/**
 * Owns the words of a text as hashes, in arrays that are used again for the next text. Refuses:
 * stems, and what the words are for.
 */
import { hashed } from '../lexical/vocabulary.ts'
import {
  ASCII_KINDS,
  begins,
  ends,
  LETTERS,
  scanWord,
  shapeOf,
  type WordVisitor,
} from '../lexical/words.ts'

export class HashedWords {
  length = 0
  /** `hashOf` of each word in lower case. */
  hashes = new Int32Array(256)
  starts = new Int32Array(256)
  ends = new Int32Array(256)
  /** How it is written: see lexical/words.ts. */
  shapes = new Uint8Array(256)
  private text = ''
  private readonly other: WordVisitor = (start, end, shape) => {
    this.push(hashOf(this.text.slice(start, end).toLowerCase()), start, end, shape)
  }

  /**
   * Reads the words of `text.slice(from, to)` as `scanWords` finds them. A word of ASCII is hashed
   * while its end is looked for.
   */
  read(text: string, from = 0, to = text.length): this {
    this.length = 0
    this.text = text
    for (let at = from; at < to;) {
      let unit = text.charCodeAt(at),
        letter = unit < 128 ? (LETTERS[unit] as number) : 0
      if (letter === 0) {
        if (unit >= 128 && begins(text, at)) at = scanWord(text, at, to, this.other)
        else at++
        continue
      }
      const start = at,
        first = unit
      let hash = OFFSET,
        kinds = 0
      do {
        kinds |= ASCII_KINDS[unit] as number
        hash = hashed(hash, letter)
        if (++at === to) break
        unit = text.charCodeAt(at)
        letter = unit < 128 ? (LETTERS[unit] as number) : 0
      } while (letter !== 0)
      if (at < to && unit >= 128 && !ends(text, at)) at = scanWord(text, start, to, this.other)
      else this.push(hash, start, at, shapeOf(first, kinds))
    }
    this.text = '' // a removed document must not stay here
    return this
  }

  private push(hash: number, start: number, end: number, shape: number): void {
    const at = this.length
    if (at === this.hashes.length) this.grow()
    this.hashes[at] = hash
    this.starts[at] = start
    this.ends[at] = end
    this.shapes[at] = shape
    this.length = at + 1
  }

  private grow(): void {
    const size = this.hashes.length * 2
    const hashes = new Int32Array(size),
      starts = new Int32Array(size),
      ends = new Int32Array(size),
      shapes = new Uint8Array(size)
    hashes.set(this.hashes)
    starts.set(this.starts)
    ends.set(this.ends)
    shapes.set(this.shapes)
    this.hashes = hashes
    this.starts = starts
    this.ends = ends
    this.shapes = shapes
  }
}

/** FNV-1a over UTF-16 units, as a signed whole number of 32 bits. */
export function hashOf(word: string): number {
  let hash = OFFSET
  for (let i = 0; i < word.length; i++) hash = hashed(hash, word.charCodeAt(i))
  return hash
}

const OFFSET = 0x811c9dc5 | 0
