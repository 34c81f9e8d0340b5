/**
 * Owns the numbering of words and what is known of each: its stem, whether it is a stop word, in
 * how many passages it is written small. Refuses: postings, names.
 *
 * Words are looked up where they stand in a text, by a hash over their units in lower case: reading
 * a known word makes no string, which is most of the cost of a Map. The hash begins at a random
 * number, so that no document can be written to make its words collide; numbers are given in order
 * of appearance and do not depend on it.
 */
import { corrupt, type SectionReader, type SectionWriter } from '../base/sections.ts'
import { LIMITS } from '../base/limits.ts'
import { STOP_WORDS } from './stop_words.ts'
import { stem } from './stem.ts'

const NOT_ASKED = -2

/** Where a word's units begin; its hash; its term, or NOT_ASKED; passages that write it small. */
const START = 0,
  HASH = 1,
  TERM = 2,
  SMALL = 3,
  ROW = 4

/** One step of the hash of a word (FNV-1a) by the next unit in small. */
export function hashed(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193)
}

export class Vocabulary {
  private count = 0
  /**
   * The units of all words one behind the other; word `id` ends where the next one starts. A
   * comparison follows no pointers.
   */
  private units = new Uint16Array(2048)
  /**
   * What is known of a word, four numbers each, so that one look fetches all: see START, HASH,
   * TERM, SMALL.
   */
  private rows = new Int32Array(1024)
  private table = new Int32Array(1024) // open addressing: a word's number + 1
  /** Which letters a word has, one bit for every 32nd unit; made when first asked for. */
  private signatures = new Int32Array(0)
  private signed = 0
  /** What the hash of a word begins with. */
  readonly seed = crypto.getRandomValues(new Int32Array(1))[0] as number

  /**
   * The units of a word that is to be looked up by `look`: at least the longest word a text may
   * have.
   */
  spelling = new Uint16Array(LIMITS.wordChars)

  get size(): number {
    return this.count
  }

  /** The number of a word in lower case; new words are added. */
  intern(word: string): number {
    return this.lookUp(word, 0, word.length, true)
  }

  /** The number of a word in lower case, or -1. */
  find(word: string): number {
    return this.lookUp(word, 0, word.length, false)
  }

  /**
   * The number of `text.slice(start, end).toLowerCase()`; -1 for an unknown one unless it is to be
   * added.
   */
  read(text: string, start: number, end: number, add: boolean): number {
    for (let i = start; i < end; i++) {
      if (text.charCodeAt(i) > 127) {
        // case beyond ASCII is the language's to fold, and may change the length
        const word = text.slice(start, end).toLowerCase()
        return this.lookUp(word, 0, word.length, add)
      }
    }
    return this.lookUp(text, start, end, add)
  }

  // not by spreading: that walks an iterator for every unit
  word(id: number): string {
    return String.fromCharCode.apply(
      null,
      this.units.subarray(this.startOf(id), this.startOf(id + 1)) as unknown as number[],
    )
  }

  /** UTF-16 units of a word. */
  lengthOf(id: number): number {
    return this.startOf(id + 1) - this.startOf(id)
  }

  /** Whether a word begins with one of the digits 0 to 9. */
  startsWithDigit(id: number): boolean {
    const unit = this.units[this.startOf(id)] as number
    return unit >= 48 && unit <= 57
  }

  /** The term a word is indexed under: the number of its stem, or -1 for a stop word. */
  termOf(id: number): number {
    const known = this.rows[id * ROW + TERM] as number
    if (known !== NOT_ASKED) return known
    const word = this.word(id)
    const term = STOP_WORDS.has(word) ? -1 : this.intern(stem(word))
    this.rows[id * ROW + TERM] = term
    return term
  }

  isStop(id: number): boolean {
    return this.termOf(id) === -1
  }

  /** Passages in whose text the word is written in small letters. */
  smallCount(id: number): number {
    return id < 0 ? 0 : (this.rows[id * ROW + SMALL] as number)
  }

  /** Counts one such passage more or less; gives how many there are now. */
  addSmall(id: number, by: 1 | -1): number {
    return (this.rows[id * ROW + SMALL] = (this.rows[id * ROW + SMALL] as number) + by)
  }

  /**
   * Words that may be within `most` slips of another: those of about its length whose letters
   * differ by no more than so many slips can change. A quick look at every word, for the rare
   * question with an unknown one.
   */
  *near(word: string, most: number): Generator<number> {
    this.signAll()
    const signature = signatureOf(0, word.length, (i) => word.charCodeAt(i))
    for (let id = 0; id < this.count; id++) {
      const length = this.lengthOf(id)
      if (
        Math.abs(length - word.length) <= most &&
        bitCount((this.signatures[id] as number) ^ signature) <= 2 * most
      )
        yield id
    }
  }

  /** Bytes of the tables. */
  get bytes(): number {
    return (
      this.table.byteLength +
      this.units.byteLength +
      this.rows.byteLength +
      this.signatures.byteLength
    )
  }

  /** Writes the words, their terms and their small spellings. */
  dump(out: SectionWriter): void {
    for (let id = 0; id < this.count; id++) this.termOf(id) // asking adds stems to the words
    out
      .put(this.column(START, this.count + 1))
      .put(this.units.slice(0, this.startOf(this.count)))
      .put(this.column(TERM, this.count))
      .put(this.column(SMALL, this.count))
  }

  /** Words as `dump` wrote them. Throws `index/corrupt`. */
  restore(input: SectionReader): void {
    const starts = input.int32(),
      units = input.uint16(),
      terms = input.int32(),
      small = input.int32(),
      count = starts.length - 1
    if (
      count < 0 ||
      starts[0] !== 0 ||
      starts[count] !== units.length ||
      terms.length !== count ||
      small.length !== count
    )
      throw corrupt()
    for (let id = 0; id < count; id++) {
      if (
        (starts[id + 1] as number) < (starts[id] as number) ||
        (terms[id] as number) < -1 ||
        (terms[id] as number) >= count
      )
        throw corrupt()
    }
    this.count = count
    this.units = units
    this.rows = new Int32Array((count + 256) * ROW)
    for (let id = 0; id < count; id++) {
      let hash = this.seed
      for (let i = starts[id] as number; i < (starts[id + 1] as number); i++)
        hash = hashed(hash, units[i] as number)
      const row = id * ROW
      this.rows[row + START] = starts[id] as number
      this.rows[row + HASH] = hash
      this.rows[row + TERM] = terms[id] as number
      this.rows[row + SMALL] = small[id] as number
    }
    this.rows[count * ROW + START] = units.length
    let size = 1024
    while (count * 2 > size) size *= 2
    this.fillTable(size)
  }

  private startOf(id: number): number {
    return this.rows[id * ROW + START] as number
  }

  private column(which: number, length: number): Int32Array<ArrayBuffer> {
    const out = new Int32Array(length)
    for (let id = 0; id < length; id++) out[id] = this.rows[id * ROW + which] as number
    return out
  }

  private signAll(): void {
    if (this.signatures.length < this.count) {
      const next = new Int32Array(this.rows.length / ROW)
      next.set(this.signatures)
      this.signatures = next
    }
    for (; this.signed < this.count; this.signed++) {
      this.signatures[this.signed] = signatureOf(
        this.startOf(this.signed),
        this.startOf(this.signed + 1),
        (i) => this.units[i] as number,
      )
    }
  }

  private lookUp(text: string, start: number, end: number, add: boolean): number {
    const length = end - start
    if (length > this.spelling.length) this.spelling = new Uint16Array(length)
    let hash = this.seed
    for (let i = 0; i < length; i++) {
      const unit = small(text.charCodeAt(start + i))
      this.spelling[i] = unit
      hash = hashed(hash, unit)
    }
    return this.look(length, hash, add)
  }

  /**
   * The number of the word whose units in small are the first `length` of `spelling` and that is
   * hashed; -1 for an unknown one unless it is to be added.
   */
  look(length: number, hash: number, add: boolean): number {
    const { table, rows } = this,
      mask = table.length - 1
    for (let at = place(hash) & mask; ; at = (at + 1) & mask) {
      const id = (table[at] as number) - 1
      if (id < 0) return add ? this.add(length, hash, at) : -1
      if (rows[id * ROW + HASH] === hash && this.spells(id, length)) return id
    }
  }

  private spells(id: number, length: number): boolean {
    const { units, spelling } = this,
      from = this.startOf(id)
    if (this.startOf(id + 1) - from !== length) return false
    for (let i = 0; i < length; i++) if (units[from + i] !== spelling[i]) return false
    return true
  }

  private add(length: number, hash: number, at: number): number {
    const id = this.count
    if ((id + 2) * ROW > this.rows.length)
      this.rows = widened(this.rows, Math.ceil((this.rows.length / ROW) * 1.5) * ROW)
    const from = this.startOf(id),
      to = from + length
    if (to > this.units.length) {
      const units = new Uint16Array(Math.max(to, this.units.length * 2))
      units.set(this.units)
      this.units = units
    }
    for (let i = 0; i < length; i++) this.units[from + i] = this.spelling[i] as number
    const row = id * ROW
    this.rows[row + HASH] = hash
    this.rows[row + TERM] = NOT_ASKED
    this.rows[row + ROW + START] = to
    this.count++
    this.table[at] = id + 1
    if (this.count * 2 > this.table.length) this.fillTable(this.table.length * 2)
    return id
  }

  private fillTable(size: number): void {
    const table = new Int32Array(size),
      mask = size - 1
    for (let id = 0; id < this.count; id++) {
      let at = place(this.rows[id * ROW + HASH] as number) & mask
      while (table[at] !== 0) at = (at + 1) & mask
      table[at] = id + 1
    }
    this.table = table
  }
}

/** Where a hash is looked for: its high bits, which all units have reached, with the low ones. */
function place(hash: number): number {
  return hash ^ (hash >>> 15)
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
