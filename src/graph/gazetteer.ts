/**
 * Candidate names with their counts, and which of them are in force.
 *
 * Whether a name is in force depends on what the corpus holds now, not on the order in which it
 * came. A name of several words always is; a single word must be rare in lower case, by a
 * threshold that grows with the corpus in steps, so that one more document does not change it.
 */
import { grown } from '../base/grown.ts'
import type { Vocabulary } from '../lexical/vocabulary.ts'
import { corrupt, type SectionReader, type SectionWriter } from '../base/sections.ts'
import { NameTrie } from './name_trie.ts'

/** The corpus size the thresholds see: the largest floor(1.25^k) that is not above it. */
export function sizeStep(passages: number): number {
  let step = 1
  while (Math.max(step + 1, Math.floor(step * 1.25)) <= passages)
    step = Math.max(step + 1, Math.floor(step * 1.25))
  return Math.min(step, Math.max(passages, 1))
}

/**
 * Passages that have the name as a capitalised run; that have it as title; for which a user gave
 * it. Then the only word of a single-word name, else -1.
 */
const SPANS = 0,
  TITLES = 1,
  GIVEN = 2,
  SINGLE = 3,
  ROW = 4

/** A name was in force when the changes were last taken; it is among the touched ones. */
const WAS = 1,
  LISTED = 2

export class Gazetteer {
  readonly trie = new NameTrie()
  /** What is known of a name, four numbers each: see SPANS, TITLES, GIVEN, SINGLE. */
  private rows = new Int32Array(2048)
  private singles = new Int32Array(512) // name that a word is alone, plus 1
  private step = 1
  /**
   * Lower-case spellings up to which a single word is a name by a capitalised run, and by a title.
   */
  private mostOfSpan = 5
  private mostOfTitle = 1
  /**
   * Names judged anew since `takeChanged`, and what each was then: see WAS, LISTED.
   */
  private touched: number[] = []
  private marks = new Uint8Array(512)
  private differing = 0

  constructor(private readonly vocabulary: Vocabulary) {}

  /** One passage more or less that gives the name as a capitalised run. */
  countSpan(name: number, by: 1 | -1): void {
    this.count(SPANS, name, by)
  }

  addTitle(words: Int32Array, length: number, by: 1 | -1): number {
    const name = this.name(words, 0, length) // first: a new name may move the counts
    return this.count(TITLES, name, by)
  }

  /** A name given by a caller, in force whatever its capitals. */
  addGiven(words: Int32Array, from: number, to: number, by: 1 | -1): number {
    return this.count(GIVEN, this.name(words, from, to), by)
  }

  /**
   * Call when one passage more or less writes this word in lower case; `small` do now.
   */
  smallChanged(word: number, small: number, by: 1 | -1): void {
    const most = by === 1 ? small - 1 : small
    if (most !== this.mostOfSpan && most !== this.mostOfTitle) return // no bound was passed
    const name = this.singleOf(word)
    if (name >= 0) this.judge(name)
  }

  /** To be called when the corpus has grown or shrunk. */
  sizeChanged(passages: number): void {
    const step = sizeStep(passages)
    if (step === this.step) return
    this.setStep(step)
    for (let name = 0; name < this.trie.size; name++)
      if (this.rows[name * ROW + SINGLE]! >= 0) this.judge(name)
  }

  isTitle(name: number): boolean {
    return this.rows[name * ROW + TITLES]! > 0
  }

  isGiven(name: number): boolean {
    return this.rows[name * ROW + GIVEN]! > 0
  }

  /** Whether a document can be about the name: a stop word alone says nothing. */
  mayTitle(name: number): boolean {
    const word = this.rows[name * ROW + SINGLE]!
    return word < 0 || !this.vocabulary.isStop(word)
  }

  /** The names whose force changed since the last call. */
  takeChanged(): number[] {
    const out: number[] = []
    for (const name of this.touched) {
      const is = this.trie.isInForce(name) ? WAS : 0
      if ((this.marks[name]! & WAS) !== is) out.push(name)
      this.marks[name] = is
    }
    this.touched = []
    this.differing = 0
    return out
  }

  /**
   * How many names `takeChanged` would give: one that changed back before the call has not
   * changed.
   */
  get pendingChanges(): number {
    return this.differing
  }

  /** Writes names and their counts. */
  dump(out: SectionWriter): void {
    this.trie.dump(out)
    out.put(this.column(SPANS)).put(this.column(TITLES))
  }

  /** Writes the counts of given names; nothing where there is none. */
  dumpGiven(out: SectionWriter): void {
    const given = this.column(GIVEN)
    if (given.some((count) => count > 0)) out.put(given)
  }

  /** What `dumpGiven` wrote, after `restore`. Throws `index/corrupt`. */
  restoreGiven(input: SectionReader): void {
    const given = input.int32()
    if (given.length !== this.trie.size) throw corrupt()
    given.forEach((count, name) => {
      this.rows[name * ROW + GIVEN] = count
    })
  }

  /**
   * Names as `dump` wrote them, of a settled corpus of so many passages. Throws `index/corrupt`.
   */
  restore(input: SectionReader, passages: number): void {
    this.trie.restore(input, this.vocabulary.size)
    const spans = input.int32(),
      titles = input.int32(),
      { size } = this.trie
    if (spans.length !== size || titles.length !== size) throw corrupt()
    this.rows = grown(this.rows, size * ROW)
    this.marks = grown(this.marks, size)
    for (let name = 0; name < size; name++) {
      this.rows[name * ROW + SPANS] = spans[name]!
      this.rows[name * ROW + TITLES] = titles[name]!
      this.setSingle(name, this.trie.onlyWordOf(name))
      this.marks[name] = this.trie.isInForce(name) ? WAS : 0
    }
    this.setStep(sizeStep(passages))
  }

  get bytes(): number {
    return this.trie.bytes + this.rows.byteLength + this.marks.byteLength + this.singles.byteLength
  }

  /** The number of a name; a new one is neither counted nor in force yet. */
  name(words: Int32Array, from: number, to: number): number {
    const before = this.trie.size,
      name = this.trie.intern(words, from, to)
    if (name < before) return name
    this.rows = grown(this.rows, (name + 1) * ROW)
    this.marks = grown(this.marks, name + 1)
    this.setSingle(name, to - from === 1 ? words[from]! : -1)
    return name
  }

  private setSingle(name: number, word: number): void {
    this.rows[name * ROW + SINGLE] = word
    if (word < 0) return
    this.singles = grown(this.singles, word + 1)
    this.singles[word] = name + 1
  }

  private singleOf(word: number): number {
    return word < this.singles.length ? this.singles[word]! - 1 : -1
  }

  private setStep(step: number): void {
    this.step = step
    this.mostOfSpan = Math.floor(Math.max(5, 0.002 * step))
    this.mostOfTitle = Math.floor(Math.max(1, 0.01 * step))
  }

  private column(which: number): Int32Array<ArrayBuffer> {
    const out = new Int32Array(this.trie.size)
    for (let name = 0; name < out.length; name++) out[name] = this.rows[name * ROW + which]!
    return out
  }

  private count(which: number, name: number, by: 1 | -1): number {
    const count = this.rows[name * ROW + which]! + by
    this.rows[name * ROW + which] = count
    // else there were some and still are
    if (count === 0 || (count === 1 && by === 1)) this.judge(name)
    return name
  }

  private judge(name: number): void {
    const force = this.deserves(name)
    if (force === this.trie.isInForce(name)) return
    this.trie.setInForce(name, force)
    const marks = this.marks[name]!
    this.differing += force === ((marks & WAS) !== 0) ? -1 : 1
    if (marks & LISTED) return
    this.marks[name] = marks | LISTED
    this.touched.push(name)
  }

  private deserves(name: number): boolean {
    const row = name * ROW,
      spans = this.rows[row + SPANS]! > 0,
      titles = this.rows[row + TITLES]! > 0
    const word = this.rows[row + SINGLE]!
    if (this.rows[row + GIVEN]! > 0) return word < 0 || !this.vocabulary.isStop(word)
    if (word < 0) return spans || titles
    const small = this.vocabulary.smallCount(word)
    if (
      spans &&
      !this.vocabulary.startsWithDigit(word) &&
      this.vocabulary.lengthOf(word) >= 2 &&
      small <= this.mostOfSpan
    )
      return true
    return titles && !this.vocabulary.isStop(word) && small <= this.mostOfTitle
  }
}
