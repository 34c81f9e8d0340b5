/** Owns the words of one text as numbers with their places, in arrays that are used again for the next text. Refuses: meaning. */
import { LIMITS } from '../limits.ts'
import type { Span } from '../types.ts'
import type { Vocabulary } from './vocabulary.ts'
import { scanWords } from './words.ts'

export class WordBuffer {
  length = 0
  ids = new Int32Array(1024)
  starts = new Int32Array(1024)
  ends = new Int32Array(1024)
  shapes = new Uint8Array(1024)

  /** Reads the words of a text; unknown ones are added to the vocabulary, or numbered -1 when `known` is true. */
  read(text: string, vocabulary: Vocabulary, known = false): this {
    this.length = 0
    scanWords(text, (start, end, shape) => {
      const at = this.length
      if (at === this.ids.length) this.grow()
      // a run too long for a word is indexed by its beginning: it can still be found, and costs no more than a word
      this.ids[at] = vocabulary.read(text, start, Math.min(end, start + LIMITS.wordChars), !known)
      this.starts[at] = start
      this.ends[at] = end
      this.shapes[at] = shape
      this.length = at + 1
    })
    return this
  }

  /** Ranges of words, [from, to), that lie in these spans of the text; each run of words once, and none of more than `most`. */
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
      if (to > from && to - from <= most) found.set(this.ids.subarray(from, to).join(' '), [from, to])
    }
    return [...found.values()]
  }

  private grow(): void {
    const size = this.ids.length * 2
    const ids = new Int32Array(size), starts = new Int32Array(size), ends = new Int32Array(size), shapes = new Uint8Array(size)
    ids.set(this.ids); starts.set(this.starts); ends.set(this.ends); shapes.set(this.shapes)
    this.ids = ids; this.starts = starts; this.ends = ends; this.shapes = shapes
  }
}
