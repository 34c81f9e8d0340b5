/** Names by each of their words: what a beginning that is typed may become. */
import { grown } from '../base/grown.ts'
import type { NameTrie } from './name_trie.ts'

export class NamesByWord {
  /** By word, its entry added last plus 1, and how many entries it has. */
  private heads = new Int32Array(1024)
  private counts = new Int32Array(1024)
  /** By entry: twice the name, plus 1 where it begins so; and the word's entry before it plus 1. */
  private entries = new Int32Array(1024)
  private used = 0
  private names = 0
  /** Entries looked at so far. */
  looked = 0

  constructor(private readonly trie: NameTrie) {}

  /** Takes in the names that are new since the last call. */
  extend(): this {
    if (this.trie.size < this.names) {
      this.heads.fill(0)
      this.counts.fill(0)
      this.used = this.names = 0
    }
    for (; this.names < this.trie.size; this.names++)
      for (const [at, word] of [...new Set(this.trie.wordsOf(this.names))].entries()) {
        this.heads = grown(this.heads, word + 1)
        this.counts = grown(this.counts, word + 1)
        this.entries = grown(this.entries, (this.used + 1) * 2)
        this.entries[this.used * 2] = this.names * 2 + (at === 0 ? 1 : 0)
        this.entries[this.used * 2 + 1] = this.heads[word]!
        this.heads[word] = ++this.used
        this.counts[word]!++
      }
    return this
  }

  /** Names that have the word, in force or not. */
  countOf(word: number): number {
    return this.counts[word] ?? 0
  }

  visit(word: number, visitor: (name: number, isFirst: boolean) => void): void {
    for (let entry = this.heads[word] ?? 0; entry > 0; entry = this.entries[entry * 2 - 1]!) {
      this.looked++
      const name = this.entries[entry * 2 - 2]!
      visitor(name >> 1, (name & 1) === 1)
    }
  }
}

const made = new WeakMap<NameTrie, NamesByWord>()

/** The names of a trie by word; made when first asked for. */
export function namesByWord(trie: NameTrie): NamesByWord {
  let names = made.get(trie)
  if (!names) made.set(trie, (names = new NamesByWord(trie)))
  return names.extend()
}
