/**
 * Owns the numbering of words and what is known of each: its stem, whether it is a stop word, in how many passages it is
 * written small. Refuses: postings, names.
 */
import { STOP_WORDS } from './stop_words.ts'
import { stem } from './stem.ts'

export class Vocabulary {
  private readonly ids = new Map<string, number>()
  private readonly words: string[] = []
  private terms = new Int32Array(256)
  private small = new Int32Array(256)

  get size(): number { return this.words.length }

  /** The number of a word in lower case; new words are added. */
  intern(word: string): number {
    const known = this.ids.get(word)
    if (known !== undefined) return known
    const id = this.words.length
    this.ids.set(word, id)
    this.words.push(word)
    if (id >= this.terms.length) this.grow()
    this.terms[id] = -2                                       // not asked yet
    return id
  }

  /** The number of a word in lower case, or -1. */
  find(word: string): number { return this.ids.get(word) ?? -1 }

  word(id: number): string { return this.words[id] as string }

  /** The term a word is indexed under: the number of its stem, or -1 for a stop word. */
  termOf(id: number): number {
    const known = this.terms[id] as number
    if (known !== -2) return known
    const word = this.word(id)
    const term = STOP_WORDS.has(word) ? -1 : this.intern(stem(word))
    this.terms[id] = term
    return term
  }

  isStop(id: number): boolean { return this.termOf(id) === -1 }

  /** Passages in whose text the word is written in small letters. */
  smallCount(id: number): number { return id < 0 ? 0 : (this.small[id] as number) }

  addSmall(id: number, by: 1 | -1): void { this.small[id] = (this.small[id] as number) + by }

  /** Bytes of the tables and an estimate of the strings and map entries (V8: about 32 bytes an entry, 16 + length a string). */
  get bytes(): number {
    let chars = 0
    for (const word of this.words) chars += word.length
    return this.terms.byteLength + this.small.byteLength + this.words.length * (32 + 16 + 8) + chars
  }

  private grow(): void {
    const size = Math.ceil(this.terms.length * 1.5)
    const terms = new Int32Array(size), small = new Int32Array(size)
    terms.set(this.terms); small.set(this.small)
    this.terms = terms; this.small = small
  }
}
