/**
 * Word numbers of passages that wait to be read for their names, so that no text is read twice.
 * Beyond LIMITS.keptWords they are read from their text again.
 */
import { grown } from '../base/grown.ts'
import { LIMITS } from '../base/limits.ts'
import type { WordBuffer } from './word_buffer.ts'

/** Numbers of words for which memory stays at hand: some fifty passages. */
const SMALL = 8192

export class KeptWords {
  private words = new Int32Array(0)
  private used = 0
  /**
   * Where the words of each slot begin, plus 1 (0: none are kept): their numbers in title and text,
   * then the words.
   */
  private places = new Int32Array(0)
  private count = 0

  keep(slot: number, title: WordBuffer, text: WordBuffer): void {
    this.forget(slot)
    const end = this.used + 2 + title.length + text.length
    if (end > LIMITS.keptWords) return
    if (end > this.words.length) {
      const next = new Int32Array(
        Math.min(LIMITS.keptWords, Math.max(end, SMALL, Math.ceil(this.words.length * 1.5))),
      )
      next.set(this.words)
      this.words = next
    }
    this.places = grown(this.places, slot + 1)
    this.places[slot] = this.used + 1
    this.count++
    this.words[this.used] = title.length
    this.words[this.used + 1] = text.length
    put(this.words, this.used + 2, title)
    put(this.words, this.used + 2 + title.length, text)
    this.used = end
  }

  /**
   * Puts the words back into the buffers, without their places and shapes, and forgets them; false
   * where they are not kept.
   */
  take(slot: number, title: WordBuffer, text: WordBuffer): boolean {
    const at = (this.places[slot] ?? 0) - 1
    if (at < 0) return false
    const titled = this.words[at] as number,
      length = this.words[at + 1] as number
    title.take(this.words, at + 2, titled)
    text.take(this.words, at + 2 + titled, length)
    this.forget(slot)
    return true
  }

  forget(slot: number): void {
    if ((this.places[slot] ?? 0) === 0) return
    this.places[slot] = 0
    if (--this.count > 0) return
    if (this.words.length > SMALL) this.words = new Int32Array(0)
    this.used = 0
  }

  get bytes(): number {
    return this.words.byteLength + this.places.byteLength
  }
}

function put(into: Int32Array, at: number, { ids, length }: WordBuffer): void {
  for (let i = 0; i < length; i++) into[at + i] = ids[i] as number
}
