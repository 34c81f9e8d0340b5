/**
 * Owns which names the corpus knows: candidates with their counts, and which of them are in force. Refuses: mentions.
 *
 * Whether a name is in force depends only on what the corpus holds now, never on the order in which it came. A name of several
 * words always is; a single word must be rare in small letters, by a threshold that grows with the corpus in steps, so that one
 * more document does not change it.
 */
import type { Vocabulary } from '../lexical/vocabulary.ts'
import { corrupt, type SectionReader, type SectionWriter } from '../sections.ts'
import { NameTrie } from './name_trie.ts'

/** The corpus size the thresholds see: the largest floor(1.25^k) that is not above it. */
export function sizeStep(passages: number): number {
  let step = 1
  while (Math.max(step + 1, Math.floor(step * 1.25)) <= passages) step = Math.max(step + 1, Math.floor(step * 1.25))
  return Math.min(step, Math.max(passages, 1))
}

export class Gazetteer {
  readonly trie = new NameTrie()
  private spanCounts = new Int32Array(512)                    // passages that give the name as a capitalised run
  private titleCounts = new Int32Array(512)                   // passages whose title is the name
  private givenCounts = new Int32Array(512)                   // passages of which somebody said that the name stands there
  private first = new Int32Array(512)                         // the only word of a single-word name, else -1
  private readonly singleOfWord = new Map<number, number>()
  private step = 1
  /** Names that came into or went out of force since last taken. */
  private changed = new Set<number>()

  constructor(private readonly vocabulary: Vocabulary) {}

  /** One passage more or less that gives the name as a capitalised run. */
  countSpan(name: number, by: 1 | -1): void { this.count(this.spanCounts, name, by) }

  addTitle(words: Int32Array, length: number, by: 1 | -1): number {
    const name = this.name(words, 0, length)                  // first: a new name may move the counts
    return this.count(this.titleCounts, name, by)
  }

  /** A name that somebody gave, in force whatever its capitals. */
  addGiven(words: Int32Array, from: number, to: number, by: 1 | -1): number {
    return this.count(this.givenCounts, this.name(words, from, to), by)
  }

  /** To be called when the passages with a small spelling of this word have become more or fewer. */
  smallChanged(word: number): void {
    const name = this.singleOfWord.get(word)
    if (name !== undefined) this.judge(name)
  }

  /** To be called when the corpus has grown or shrunk. */
  sizeChanged(passages: number): void {
    const step = sizeStep(passages)
    if (step === this.step) return
    this.step = step
    for (const name of this.singleOfWord.values()) this.judge(name)
  }

  isTitle(name: number): boolean { return (this.titleCounts[name] as number) > 0 }

  /** The names whose force changed since the last call. */
  takeChanged(): Set<number> {
    const out = this.changed
    this.changed = new Set()
    return out
  }

  get pendingChanges(): number { return this.changed.size }

  /** Writes names and their counts. */
  dump(out: SectionWriter): void {
    const { size } = this.trie
    this.trie.dump(out)
    out.put(this.spanCounts.slice(0, size)).put(this.titleCounts.slice(0, size))
  }

  /** Writes the counts of given names; nothing where there is none. */
  dumpGiven(out: SectionWriter): void {
    const given = this.givenCounts.slice(0, this.trie.size)
    if (given.some((count) => count > 0)) out.put(given)
  }

  /** What `dumpGiven` wrote, after `restore`. Throws `index/corrupt`. */
  restoreGiven(input: SectionReader): void {
    const given = input.int32()
    if (given.length !== this.trie.size) throw corrupt()
    this.givenCounts.set(given)
  }

  /** Names as `dump` wrote them, of a settled corpus of so many passages. Throws `index/corrupt`. */
  restore(input: SectionReader, passages: number): void {
    this.trie.restore(input, this.vocabulary.size)
    const spans = input.int32(), titles = input.int32(), { size } = this.trie
    if (spans.length !== size || titles.length !== size) throw corrupt()
    while (this.spanCounts.length < size) this.grow()
    this.spanCounts.set(spans)
    this.titleCounts.set(titles)
    for (let name = 0; name < size; name++) {
      const words = this.trie.wordsOf(name), word = words.length === 1 ? (words[0] as number) : -1
      this.first[name] = word
      if (word >= 0) this.singleOfWord.set(word, name)
    }
    this.step = sizeStep(passages)
  }

  get bytes(): number { return this.trie.bytes + this.spanCounts.byteLength * 4 + this.singleOfWord.size * 32 }

  /** The number of a name; a new one is neither counted nor in force yet. */
  name(words: Int32Array, from: number, to: number): number {
    const before = this.trie.size, name = this.trie.intern(words, from, to)
    if (name < before) return name
    if (name >= this.spanCounts.length) this.grow()
    const word = to - from === 1 ? (words[from] as number) : -1
    this.first[name] = word
    if (word >= 0) this.singleOfWord.set(word, name)
    return name
  }

  private count(counts: Int32Array, name: number, by: 1 | -1): number {
    counts[name] = (counts[name] as number) + by
    this.judge(name)
    return name
  }

  private judge(name: number): void {
    const force = this.deserves(name)
    if (force === this.trie.isInForce(name)) return
    this.trie.setInForce(name, force)
    if (!this.changed.delete(name)) this.changed.add(name)    // changed back before anybody looked: no change
  }

  private deserves(name: number): boolean {
    const spans = (this.spanCounts[name] as number) > 0, titles = (this.titleCounts[name] as number) > 0
    const word = this.first[name] as number
    if ((this.givenCounts[name] as number) > 0) return word < 0 || !this.vocabulary.isStop(word)
    if (word < 0) return spans || titles
    const small = this.vocabulary.smallCount(word)
    if (spans && !this.vocabulary.startsWithDigit(word) && this.vocabulary.lengthOf(word) >= 2 && small <= Math.max(5, 0.002 * this.step)) return true
    return titles && !this.vocabulary.isStop(word) && small <= Math.max(1, 0.01 * this.step)
  }

  private grow(): void {
    const size = this.spanCounts.length * 2
    const widen = (array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> => { const next = new Int32Array(size); next.set(array); return next }
    this.spanCounts = widen(this.spanCounts)
    this.titleCounts = widen(this.titleCounts)
    this.givenCounts = widen(this.givenCounts)
    this.first = widen(this.first)
  }
}
