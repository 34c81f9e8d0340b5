/**
 * Numbers words and keeps what is known of each: its term, and in how many passages it is written
 * small.
 *
 * A word is looked up where it stands in a text, by a hash over its units in lower case: reading a
 * known word makes no string, which is most of the cost of a Map. The hash starts from a random
 * number, so that no document can be written to make its words collide; numbers are given in order
 * of appearance and do not depend on it.
 */
import { grown } from '../base/grown.ts'
import { fnv1aStep } from '../base/hash.ts'
import { HashIndex } from '../base/hash_index.ts'
import { LIMITS } from '../base/limits.ts'
import { corrupt, type SectionReader, type SectionWriter } from '../base/sections.ts'
import { foldedUnit, spellingOf } from './folded_forms.ts'
import { LetterSignatures, signatureOf } from './letter_signatures.ts'
import { stem } from './stem.ts'
import { STOP_WORDS } from './stop_words.ts'

const NOT_ASKED = -2
/** Units at the beginning or the end of a word that make a key. */
export const WORD_KEY_UNITS = 3
/** First unit of a form: no word of a text has it. */
export const FORM_UNIT = 1

/** Where a word's units begin; its hash; its term, or NOT_ASKED; passages that write it small. */
const START = 0,
  HASH = 1,
  TERM = 2,
  SMALL = 3,
  ROW = 4

export class Vocabulary {
  private count = 0
  /** The units of all words one behind the other: a comparison follows no pointers. */
  private units = new Uint16Array(2048)
  /** START, HASH, TERM and SMALL of each word side by side, so that one look fetches all. */
  private rows = new Int32Array(1024)
  private readonly index = new HashIndex((id) => this.rows[id * ROW + HASH] as number)
  private readonly signatures = new LetterSignatures()
  /** What the hash of a word starts from. */
  readonly seed = crypto.getRandomValues(new Int32Array(1))[0] as number
  /** Units of the word that `look` is asked for; room for the longest word of a text. */
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
        const word = spellingOf(text.slice(start, end))
        return this.lookUp(word, 0, word.length, add)
      }
    }
    return this.lookUp(text, start, end, add)
  }

  // not by spreading: that walks an iterator for every unit
  word(id: number): string {
    return String.fromCharCode.apply(null, this.unitsOf(id) as unknown as number[])
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
   * Words that may be within `most` edits of another, by length and letters: a quick look at every
   * word, for the rare question with an unknown one.
   */
  *near(word: string, most: number): Generator<number> {
    this.signatures.extend(this.count, (id) => this.unitsOf(id))
    const signature = signatureOf(
      Uint16Array.from({ length: word.length }, (_, i) => word.charCodeAt(i)),
    )
    for (let id = 0; id < this.count; id++)
      if (
        Math.abs(this.lengthOf(id) - word.length) <= most &&
        this.signatures.mayBeNear(id, signature, most)
      )
        yield id
  }

  /**
   * Words whose first WORD_KEY_UNITS units make a key of `starts`, or their last one of `ends`: ten
   * bits of each unit without its mark, zeros behind a shorter word. One look at every word.
   */
  *withKeys(starts: ReadonlySet<number>, ends: ReadonlySet<number>): Generator<number> {
    for (let id = 0; id < this.count; id++) {
      const from = this.startOf(id),
        to = this.startOf(id + 1)
      if (
        starts.has(this.keyAt(from, to)) ||
        (ends.size > 0 &&
          to - from > WORD_KEY_UNITS &&
          ends.has(this.keyAt(to - WORD_KEY_UNITS, to)))
      )
        if (!this.isForm(id)) yield id
    }
  }

  /** Words of at most `most` units that begin so, marks on Latin letters aside; a look at each. */
  *startingWith(prefix: string, most = Infinity): Generator<number> {
    const units = Array.from({ length: prefix.length }, (_, i) => foldedUnit(prefix.charCodeAt(i)))
    for (let id = 0; id < this.count; id++) {
      const from = this.startOf(id),
        length = this.startOf(id + 1) - from
      if (
        length >= units.length &&
        length <= most &&
        units.every((unit, i) => foldedUnit(this.units[from + i] as number) === unit)
      )
        yield id
    }
  }

  /** Whether a word stands for a form, not for a word of a text. */
  isForm(id: number): boolean {
    return this.units[this.startOf(id)] === FORM_UNIT
  }

  private keyAt(from: number, to: number): number {
    let key = 0
    for (let i = 0; i < WORD_KEY_UNITS; i++)
      key = (key << 10) | (from + i < to ? foldedUnit(this.units[from + i] as number) & 1023 : 0)
    return key
  }

  /** Bytes of the tables. */
  get bytes(): number {
    return this.index.bytes + this.units.byteLength + this.rows.byteLength + this.signatures.bytes
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
        hash = fnv1aStep(hash, units[i] as number)
      this.rows.set(
        [starts[id] as number, hash, terms[id] as number, small[id] as number],
        id * ROW,
      )
    }
    this.rows[count * ROW + START] = units.length
    this.index.fill(count)
  }

  private startOf(id: number): number {
    return this.rows[id * ROW + START] as number
  }

  private unitsOf(id: number): Uint16Array {
    return this.units.subarray(this.startOf(id), this.startOf(id + 1))
  }

  private column(which: number, length: number): Int32Array<ArrayBuffer> {
    return Int32Array.from({ length }, (_, id) => this.rows[id * ROW + which] as number)
  }

  private lookUp(text: string, start: number, end: number, add: boolean): number {
    const length = end - start
    this.spelling = grown(this.spelling, length)
    let hash = this.seed
    for (let i = 0; i < length; i++) {
      const unit = small(text.charCodeAt(start + i))
      this.spelling[i] = unit
      hash = fnv1aStep(hash, unit)
    }
    return this.look(length, hash, add)
  }

  /**
   * The number of the word whose units in lower case are the first `length` of `spelling`, with
   * their hash; -1 for an unknown one unless it is to be added.
   */
  look(length: number, hash: number, add: boolean): number {
    const { index, rows } = this
    for (let at = index.first(hash); ; at = index.next(at)) {
      const id = index.at(at)
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
    const id = this.count++
    this.rows = grown(this.rows, (id + 2) * ROW)
    const from = this.startOf(id),
      to = from + length
    this.units = grown(this.units, to)
    for (let i = 0; i < length; i++) this.units[from + i] = this.spelling[i] as number
    const row = id * ROW
    this.rows[row + HASH] = hash
    this.rows[row + TERM] = NOT_ASKED
    this.rows[row + ROW + START] = to
    this.index.put(at, id)
    return id
  }
}

/** An ASCII capital as its small letter; every other unit as it is. */
function small(unit: number): number {
  return unit >= 65 && unit <= 90 ? unit | 32 : unit
}
