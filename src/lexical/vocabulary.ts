/**
 * Owns the numbering of words and what is known of each: its stem, whether it is a stop word, in how many passages it is
 * written small. Refuses: postings, names.
 *
 * Words are looked up where they stand in a text, by a hash over their units in lower case: reading a known word makes no string, which
 * is most of the cost of a Map. The hash begins at a random number, so that no document can be written to make its words collide; numbers
 * are given in order of appearance and do not depend on it.
 */
import { corrupt, type SectionReader, type SectionWriter } from '../sections.ts'
import { STOP_WORDS } from './stop_words.ts'
import { stem } from './stem.ts'

const NOT_ASKED = -2

export class Vocabulary {
  private count = 0
  /** The units of all words one behind the other; word `id` ends where the next one starts. A comparison follows no pointers. */
  private units = new Uint16Array(2048)
  private starts = new Int32Array(257)
  private terms = new Int32Array(256)
  private small = new Int32Array(256)
  private table = new Int32Array(2048)                        // open addressing: pairs of a hash and a word's number + 1
  /** Which letters a word has, one bit for every 32nd unit; made when first asked for. */
  private signatures = new Int32Array(0)
  private signed = 0
  private readonly seed = crypto.getRandomValues(new Int32Array(1))[0] as number

  get size(): number { return this.count }

  /** The number of a word in lower case; new words are added. */
  intern(word: string): number { return this.lookUp(word, 0, word.length, true) }

  /** The number of a word in lower case, or -1. */
  find(word: string): number { return this.lookUp(word, 0, word.length, false) }

  /** The number of `text.slice(start, end).toLowerCase()`; -1 for an unknown one unless it is to be added. */
  read(text: string, start: number, end: number, add: boolean): number {
    for (let i = start; i < end; i++) {
      if (text.charCodeAt(i) > 127) {                         // case beyond ASCII is the language's to fold, and may change the length
        const word = text.slice(start, end).toLowerCase()
        return this.lookUp(word, 0, word.length, add)
      }
    }
    return this.lookUp(text, start, end, add)
  }

  // not by spreading: that walks an iterator for every unit
  word(id: number): string { return String.fromCharCode.apply(null, this.units.subarray(this.starts[id], this.starts[id + 1]) as unknown as number[]) }

  /** UTF-16 units of a word. */
  lengthOf(id: number): number { return (this.starts[id + 1] as number) - (this.starts[id] as number) }

  /** Whether a word begins with one of the digits 0 to 9. */
  startsWithDigit(id: number): boolean {
    const unit = this.units[this.starts[id] as number] as number
    return unit >= 48 && unit <= 57
  }

  /** The term a word is indexed under: the number of its stem, or -1 for a stop word. */
  termOf(id: number): number {
    const known = this.terms[id] as number
    if (known !== NOT_ASKED) return known
    const word = this.word(id)
    const term = STOP_WORDS.has(word) ? -1 : this.intern(stem(word))
    this.terms[id] = term
    return term
  }

  isStop(id: number): boolean { return this.termOf(id) === -1 }

  /** Passages in whose text the word is written in small letters. */
  smallCount(id: number): number { return id < 0 ? 0 : (this.small[id] as number) }

  addSmall(id: number, by: 1 | -1): void { this.small[id] = (this.small[id] as number) + by }

  /**
   * Words that may be within `most` slips of another: those of about its length whose letters differ by no more than so many slips can
   * change. A quick look at every word, for the rare question with an unknown one.
   */
  *near(word: string, most: number): Generator<number> {
    this.signAll()
    const signature = signatureOf(0, word.length, (i) => word.charCodeAt(i))
    for (let id = 0; id < this.count; id++) {
      const length = (this.starts[id + 1] as number) - (this.starts[id] as number)
      if (Math.abs(length - word.length) <= most && bitCount((this.signatures[id] as number) ^ signature) <= 2 * most) yield id
    }
  }

  /** Bytes of the tables. */
  get bytes(): number {
    return this.table.byteLength + this.units.byteLength + this.starts.byteLength * 3 + this.signatures.byteLength
  }

  /** Writes the words, their terms and their small spellings. */
  dump(out: SectionWriter): void {
    for (let id = 0; id < this.count; id++) this.termOf(id)   // asking adds stems to the words
    out.put(this.starts.slice(0, this.count + 1)).put(this.units.slice(0, this.starts[this.count])).put(this.terms.slice(0, this.count)).put(this.small.slice(0, this.count))
  }

  /** Words as `dump` wrote them. Throws `index/corrupt`. */
  restore(input: SectionReader): void {
    const starts = input.int32(), units = input.uint16(), terms = input.int32(), small = input.int32(), count = starts.length - 1
    if (count < 0 || starts[0] !== 0 || starts[count] !== units.length || terms.length !== count || small.length !== count) throw corrupt()
    for (let id = 0; id < count; id++) {
      if ((starts[id + 1] as number) < (starts[id] as number) || (terms[id] as number) < -1 || (terms[id] as number) >= count) throw corrupt()
    }
    this.count = count
    this.starts = starts
    this.units = units
    this.terms = widened(terms, count + 1)
    this.small = widened(small, count + 1)
    let size = 2048
    while (count * 4 > size) size *= 2
    this.table = new Int32Array(size)
    const mask = size / 2 - 1
    for (let id = 0; id < count; id++) {
      let hash = this.seed
      for (let i = starts[id] as number; i < (starts[id + 1] as number); i++) hash = Math.imul(hash ^ (units[i] as number), 0x01000193)
      hash ^= hash >>> 15
      let at = hash & mask
      while (this.table[2 * at + 1] !== 0) at = (at + 1) & mask
      this.put(hash, id, at)
    }
  }

  private signAll(): void {
    if (this.signatures.length < this.count) {
      const next = new Int32Array(this.terms.length)
      next.set(this.signatures)
      this.signatures = next
    }
    for (; this.signed < this.count; this.signed++) {
      const from = this.starts[this.signed] as number
      this.signatures[this.signed] = signatureOf(from, this.starts[this.signed + 1] as number, (i) => this.units[i] as number)
    }
  }

  private lookUp(text: string, start: number, end: number, add: boolean): number {
    let hash = this.seed
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ small(text.charCodeAt(i)), 0x01000193)
    hash ^= hash >>> 15
    const mask = this.table.length / 2 - 1
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const id = (this.table[2 * at + 1] as number) - 1
      if (id < 0) return add ? this.add(text, start, end, hash, at) : -1
      if (this.table[2 * at] === hash && this.equals(id, text, start, end)) return id
    }
  }

  private equals(id: number, text: string, start: number, end: number): boolean {
    const from = this.starts[id] as number, length = (this.starts[id + 1] as number) - from
    if (length !== end - start) return false
    for (let i = 0; i < length; i++) if (this.units[from + i] !== small(text.charCodeAt(start + i))) return false
    return true
  }

  private add(text: string, start: number, end: number, hash: number, at: number): number {
    const id = this.count
    if (id + 1 >= this.terms.length || id + 2 > this.starts.length) this.growWords()
    const from = this.starts[id] as number, to = from + end - start
    if (to > this.units.length) {
      const units = new Uint16Array(Math.max(to, this.units.length * 2))
      units.set(this.units)
      this.units = units
    }
    for (let i = start; i < end; i++) this.units[from + i - start] = small(text.charCodeAt(i))
    this.starts[id + 1] = to
    this.count++
    this.terms[id] = NOT_ASKED
    this.put(hash, id, at)
    if (this.count * 4 > this.table.length) this.growTable()
    return id
  }

  private put(hash: number, id: number, at: number): void {
    this.table[2 * at] = hash
    this.table[2 * at + 1] = id + 1
  }

  private growWords(): void {
    const size = Math.ceil(this.terms.length * 1.5)
    this.starts = widened(this.starts, size + 1)
    this.terms = widened(this.terms, size)
    this.small = widened(this.small, size)
  }

  private growTable(): void {
    const old = this.table
    this.table = new Int32Array(old.length * 2)
    const mask = this.table.length / 2 - 1
    for (let i = 0; i < old.length; i += 2) {
      if (old[i + 1] === 0) continue
      let at = (old[i] as number) & mask
      while (this.table[2 * at + 1] !== 0) at = (at + 1) & mask
      this.put(old[i] as number, (old[i + 1] as number) - 1, at)
    }
  }
}

/** An ASCII capital as its small letter; every other unit as it is. */
function small(unit: number): number {
  return unit >= 65 && unit <= 90 ? unit | 32 : unit
}

function signatureOf(from: number, to: number, unit: (i: number) => number): number {
  let bits = 0
  for (let i = from; i < to; i++) bits |= 1 << (unit(i) & 31)
  return bits
}

function bitCount(bits: number): number {
  bits -= (bits >>> 1) & 0x55555555
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

function widened(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const next = new Int32Array(length)
  next.set(array)
  return next
}
