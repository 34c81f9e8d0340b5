/**
 * Owns the trie of names over word numbers, and the reading of a text by it. Refuses: deciding what is a name.
 *
 * Edges lie in one open-addressed hash table of typed arrays: 250,000 names take some 12 MB, where maps of maps take ten
 * times that. Nodes are never taken out; a name that is no longer in force is only passed over.
 */

import { corrupt, type SectionReader, type SectionWriter } from '../sections.ts'

/** Called for each mention: the name, and the first and one past the last of its words in the text. */
export type MentionVisitor = (name: number, from: number, to: number) => void

export class NameTrie {
  // edge tables, one entry an edge: (node, word) -> child; a node's number is that of the edge that leads to it
  private keyNode = new Int32Array(1024).fill(-1)
  private keyWord = new Int32Array(1024)
  private keyChild = new Int32Array(1024)
  /** Children of the root by word: most words of a text begin no name, and are passed over by one look. */
  private beginnings = new Int32Array(1024)
  private parents = new Int32Array(512)
  private words = new Int32Array(512)
  private names = new Int32Array(512).fill(-1)
  private edges = 0
  private nodes = 1                                           // node 0 is the root
  private nodeOfName: number[] = []
  private inForce = new Uint8Array(512)
  private inNames = new Uint8Array(1024)

  /** Names ever seen, in force or not. */
  get size(): number { return this.nodeOfName.length }

  /** The number of the name made of these words; new names are added, out of force. */
  intern(words: ArrayLike<number>, from = 0, to = words.length): number {
    let node = 0
    for (let i = from; i < to; i++) {
      const word = words[i] as number
      node = this.child(node, word) || this.addNode(node, word)
    }
    const known = this.names[node] as number
    if (known >= 0) return known
    const name = this.nodeOfName.length
    this.nodeOfName.push(node)
    this.names[node] = name
    if (name >= this.inForce.length) {
      const next = new Uint8Array(this.inForce.length * 2)
      next.set(this.inForce)
      this.inForce = next
    }
    return name
  }

  /** The number of a name, in force or not, or -1. */
  find(words: ArrayLike<number>, from = 0, to = words.length): number {
    let node = 0
    for (let i = from; i < to; i++) {
      node = (words[i] as number) < 0 ? 0 : this.child(node, words[i] as number)
      if (node === 0) return -1
    }
    return node === 0 ? -1 : (this.names[node] as number)
  }

  isInForce(name: number): boolean { return this.inForce[name] === 1 }

  setInForce(name: number, value: boolean): void { this.inForce[name] = value ? 1 : 0 }

  /** Whether a word is or was part of a name. */
  hasWord(word: number): boolean { return this.inNames[word] === 1 }

  /** The words of a name in order. */
  wordsOf(name: number): number[] {
    const out: number[] = []
    for (let node = this.nodeOfName[name] as number; node !== 0; node = this.parents[node] as number) out.push(this.words[node] as number)
    return out.reverse()
  }

  /**
   * Visits the names in a text: from left to right the longest name that begins at each word, and, where `nested`, the longest
   * name that begins at every word inside that one and ends within it. Word numbers below 0 are in no name.
   */
  read(words: Int32Array, length: number, nested: boolean, visit: MentionVisitor): void {
    let at = 0
    while (at < length) {
      const end = this.longest(words, at, length)
      if (end === at) { at++; continue }
      const name = this.longestName
      visit(name, at, end)
      if (nested) {
        for (let inner = at; inner < end; inner++) {
          const innerEnd = this.longest(words, inner, end, name)
          if (innerEnd > inner) visit(this.longestName, inner, innerEnd)
        }
      }
      at = end
    }
  }

  /** Writes every name as its chain of nodes, and which are in force. */
  dump(out: SectionWriter): void {
    out.put(this.parents.slice(0, this.nodes)).put(this.words.slice(0, this.nodes)).put(this.names.slice(0, this.nodes)).put(this.inForce.slice(0, this.size))
  }

  /** A trie as `dump` wrote it, over word numbers below `limit`. Throws `index/corrupt`. */
  restore(input: SectionReader, limit: number): void {
    const parents = input.int32(), words = input.int32(), names = input.int32(), inForce = input.uint8()
    if (parents.length === 0 || words.length !== parents.length || names.length !== parents.length) throw corrupt()
    this.nodeOfName = new Array<number>(inForce.length).fill(0)
    for (let node = 1; node < parents.length; node++) {
      const parent = parents[node] as number, word = words[node] as number, name = names[node] as number
      if (parent < 0 || parent >= node || word < 0 || word >= limit || name < -1 || name >= inForce.length) throw corrupt()
      this.addNode(parent, word)
      if (name >= 0) { this.names[node] = name; this.nodeOfName[name] = node }
    }
    if (this.nodeOfName.includes(0)) throw corrupt()
    this.inForce = new Uint8Array(Math.max(512, inForce.length * 2))
    this.inForce.set(inForce)
  }

  get bytes(): number {
    return this.keyNode.byteLength * 3 + this.beginnings.byteLength + this.inNames.byteLength + this.parents.byteLength * 3 + this.inForce.byteLength + this.nodeOfName.length * 8
  }

  private longestName = -1

  /** End of the longest name in force from `at`, or `at`; another name than `except`. */
  private longest(words: Int32Array, at: number, length: number, except = -1): number {
    let node = 0, best = at
    for (let i = at; i < length; i++) {
      const word = words[i] as number
      if (word < 0) break
      node = this.child(node, word)
      if (node === 0) break
      const name = this.names[node] as number
      if (name >= 0 && name !== except && this.inForce[name] === 1) { best = i + 1; this.longestName = name }
    }
    return best
  }

  private child(node: number, word: number): number {
    if (node === 0) return word < this.beginnings.length ? (this.beginnings[word] as number) : 0
    const mask = this.keyNode.length - 1
    for (let i = hash(node, word) & mask; ; i = (i + 1) & mask) {
      const key = this.keyNode[i] as number
      if (key === -1) return 0
      if (key === node && this.keyWord[i] === word) return this.keyChild[i] as number
    }
  }

  private addNode(parent: number, word: number): number {
    const node = this.nodes++
    if (node >= this.parents.length) this.growNodes()
    this.parents[node] = parent
    this.words[node] = word
    this.names[node] = -1
    if (word >= this.inNames.length) {
      const next = new Uint8Array(Math.max(word + 1, Math.ceil(this.inNames.length * 1.5)))
      next.set(this.inNames)
      this.inNames = next
    }
    this.inNames[word] = 1
    if (parent === 0) this.begin(word, node)
    else {
      this.edges++
      if (this.edges * 5 > this.keyNode.length * 3) this.growEdges()
      this.put(parent, word, node)
    }
    return node
  }

  private begin(word: number, node: number): void {
    if (word >= this.beginnings.length) {
      const next = new Int32Array(Math.max(word + 1, Math.ceil(this.beginnings.length * 1.5)))
      next.set(this.beginnings)
      this.beginnings = next
    }
    this.beginnings[word] = node
  }

  private put(node: number, word: number, child: number): void {
    const mask = this.keyNode.length - 1
    let i = hash(node, word) & mask
    while (this.keyNode[i] !== -1) i = (i + 1) & mask
    this.keyNode[i] = node
    this.keyWord[i] = word
    this.keyChild[i] = child
  }

  private growEdges(): void {
    const size = this.keyNode.length * 2
    this.keyNode = new Int32Array(size).fill(-1)
    this.keyWord = new Int32Array(size)
    this.keyChild = new Int32Array(size)
    for (let node = 1; node < this.nodes - 1; node++) {     // the newest is put by its maker
      const parent = this.parents[node] as number
      if (parent !== 0) this.put(parent, this.words[node] as number, node)
    }
  }

  private growNodes(): void {
    const size = Math.ceil(this.parents.length * 1.5)
    const parents = new Int32Array(size), words = new Int32Array(size), names = new Int32Array(size).fill(-1)
    parents.set(this.parents); words.set(this.words); names.set(this.names)
    this.parents = parents; this.words = words; this.names = names
  }
}

function hash(node: number, word: number): number {
  let h = Math.imul(node, 0x9e3779b1) ^ Math.imul(word + 1, 0x85ebca6b)
  h ^= h >>> 15
  h = Math.imul(h, 0x2c1b3c6d)
  return (h ^ (h >>> 13)) >>> 0
}
