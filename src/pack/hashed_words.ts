/** The words of one text as hashes, with their places; equal hashes are taken for equal words. */
import { fnv1a, FNV_OFFSET } from '../base/hash.ts'
import { LIMITS } from '../base/limits.ts'
import { WordColumns } from '../lexical/word_columns.ts'

const SPELLING = new Uint16Array(LIMITS.wordChars)

export class HashedWords extends WordColumns {
  /** Reads `text.slice(from, to)`; `ids` are `fnv1a` of each word in lower case. */
  read(text: string, from = 0, to = text.length): this {
    this.scan(text, from, to, FNV_OFFSET, SPELLING)
    return this
  }

  protected idOfSpelling(_length: number, hash: number): number {
    return hash
  }

  protected idOfText(text: string, start: number, end: number): number {
    return fnv1a(text.slice(start, end).toLowerCase())
  }
}
