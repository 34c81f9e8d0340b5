/**
 * Trie of names over word numbers. Edges lie in one open-addressing table of typed arrays: 250,000
 * names take 12 MB, a tenth of nested maps. A name no longer in force keeps its nodes.
 */
import { randomMultipliers } from '../base/hash.ts'
import { grown } from '../base/grown.ts'
import { corrupt, type SectionReader, type SectionWriter } from '../base/sections.ts'

/** Called for each mention: the name, and the first and one past the last of its words. */
export type MentionVisitor = (name: number, from: number, to: number) => void

export class NameTrie {
  /** Four numbers an edge: node (0: empty), word, child, name in force that ends there plus 1. */
  private table = new Int32Array(4096)
  /** Bloom filter of one hash over the edges: most look-ups find none; it stays in cache. */
  private filter = new Uint8Array(1024)
  /** Children of the root by word, each with the name in force that is this word alone plus 1. */
  private beginnings = new Int32Array(2048)
  private parents = new Int32Array(512)
  private words = new Int32Array(512)
  private names = new Int32Array(512).fill(-1)
  private readonly multipliers = randomMultipliers()
  private edges = 0
  private nodes = 1 // node 0 is the root
  private nodeOfName: number[] = []
  private inForce = new Uint8Array(512)
  private inNames = new Uint8Array(1024)
  /** Names in force of several words, by their first word. */
  private longer = new Int32Array(1024)

  /** Taken places passed over so far: what collisions cost. */
  passedOver = 0

  /** Names ever seen, in force or not. */
  get size(): number {
    return this.nodeOfName.length
  }

  /** The number of the name made of these words; new names are added, out of force. */
  intern(words: ArrayLike<number>, from = 0, to = words.length): number {
    let node = 0
    for (let i = from; i < to; i++) {
      const word = words[i]!
      node = this.child(node, word) || this.addNode(node, word)
    }
    if (this.names[node]! >= 0) return this.names[node]!
    const name = this.nodeOfName.length
    this.nodeOfName.push(node)
    this.names[node] = name
    this.inForce = grown(this.inForce, name + 1)
    return name
  }

  /** The number of a name, in force or not, or -1. */
  find(words: ArrayLike<number>, from = 0, to = words.length): number {
    let node = 0
    for (let i = from; i < to; i++) {
      node = words[i]! < 0 ? 0 : this.child(node, words[i]!)
      if (node === 0) return -1
    }
    return node === 0 ? -1 : this.names[node]!
  }

  nameAt(node: number): number {
    return this.names[node]!
  }

  isInForce(name: number): boolean {
    return this.inForce[name] === 1
  }

  setInForce(name: number, value: boolean): void {
    this.inForce[name] = value ? 1 : 0
    this.countLonger(name, value ? 1 : -1)
    const node = this.nodeOfName[name]!,
      parent = this.parents[node]!,
      word = this.words[node]!
    if (parent === 0) this.beginnings[word * 2 + 1] = value ? name + 1 : 0
    else this.table[this.edge(parent, word) + 3] = value ? name + 1 : 0
  }

  /** Names in force of several words that begin with this word. */
  longerThan(word: number): number {
    return this.longer[word] ?? 0
  }

  /** Whether a word is or was part of a name. */
  hasWord(word: number): boolean {
    return this.inNames[word] === 1
  }

  /** The word of a name that has no other, else -1. */
  onlyWordOf(name: number): number {
    const node = this.nodeOfName[name]!
    return this.parents[node] === 0 ? this.words[node]! : -1
  }

  /** The words of a name in order. */
  wordsOf(name: number): number[] {
    const out: number[] = []
    for (let node = this.nodeOfName[name]!; node !== 0; node = this.parents[node]!)
      out.push(this.words[node]!)
    return out.reverse()
  }

  /**
   * Visits the longest names from left to right and, where `nested`, the longest that begins at
   * every word inside each of them. Word numbers below 0 are in no name.
   */
  read(words: Int32Array, length: number, nested: boolean, visit: MentionVisitor): void {
    let at = 0
    while (at < length) {
      const end = this.longest(words, at, length)
      if (end === at) {
        at++
        continue
      }
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
    out
      .put(this.parents.slice(0, this.nodes))
      .put(this.words.slice(0, this.nodes))
      .put(this.names.slice(0, this.nodes))
      .put(this.inForce.slice(0, this.size))
  }

  /** A trie as `dump` wrote it, over word numbers below `limit`. Throws `index/corrupt`. */
  restore(input: SectionReader, limit: number): void {
    const parents = input.int32(),
      words = input.int32(),
      names = input.int32(),
      inForce = input.uint8()
    if (parents.length === 0 || words.length !== parents.length || names.length !== parents.length)
      throw corrupt()
    this.nodeOfName = new Array<number>(inForce.length).fill(0)
    let size = this.table.length
    while (parents.length * 20 > size * 3) size *= 2
    this.table = new Int32Array(size)
    this.filter = new Uint8Array(size / 4)
    for (let node = 1; node < parents.length; node++) {
      const parent = parents[node]!,
        word = words[node]!,
        name = names[node]!
      if (
        parent < 0 ||
        parent >= node ||
        word < 0 ||
        word >= limit ||
        name < -1 ||
        name >= inForce.length
      )
        throw corrupt()
      this.addNode(parent, word, name >= 0 && inForce[name] === 1 ? name + 1 : 0)
      if (name >= 0) {
        this.names[node] = name
        this.nodeOfName[name] = node
      }
    }
    if (this.nodeOfName.includes(0)) throw corrupt()
    this.inForce = new Uint8Array(Math.max(512, inForce.length * 2))
    this.inForce.set(inForce)
    for (let name = 0; name < this.size; name++) if (inForce[name] === 1) this.countLonger(name, 1)
  }

  get bytes(): number {
    return (
      this.table.byteLength +
      this.filter.byteLength +
      this.beginnings.byteLength +
      this.inNames.byteLength +
      this.parents.byteLength * 3 +
      this.inForce.byteLength +
      this.nodeOfName.length * 8
    )
  }

  private longestName = -1

  /** End of the longest name in force from `at`, or `at`; another name than `except`. */
  private longest(words: Int32Array, at: number, length: number, except = -1): number {
    const first = words[at]!
    if (first < 0 || first * 2 >= this.beginnings.length) return at
    let node = this.beginnings[first * 2]!,
      best = at
    if (node === 0) return at
    const only = this.beginnings[first * 2 + 1]! - 1
    if (only >= 0 && only !== except) {
      best = at + 1
      this.longestName = only
    }
    for (let i = at + 1; i < length; i++) {
      const word = words[i]!
      if (word < 0 || !this.mayLead(node, word)) break
      const edge = this.edge(node, word)
      node = this.table[edge + 2]!
      if (node === 0) break
      const name = this.table[edge + 3]! - 1
      if (name >= 0 && name !== except) {
        best = i + 1
        this.longestName = name
      }
    }
    return best
  }

  private countLonger(name: number, by: 1 | -1): void {
    let node = this.nodeOfName[name]!
    if (this.parents[node] === 0) return
    while (this.parents[node] !== 0) node = this.parents[node]!
    this.longer = grown(this.longer, this.words[node]! + 1)
    this.longer[this.words[node]!]! += by
  }

  /** The node behind a word, from the root 0; 0 where there is none. */
  child(node: number, word: number): number {
    if (node === 0) return word * 2 < this.beginnings.length ? this.beginnings[word * 2]! : 0
    return this.table[this.edge(node, word) + 2]!
  }

  /** Where the edge lies, or the empty place, which leads to no child, where it would. */
  private edge(node: number, word: number): number {
    const { table } = this,
      mask = table.length - 4
    let at = (this.hash(node, word) << 2) & mask
    for (; ; at = (at + 4) & mask) {
      const key = table[at]!
      if (key === 0 || (key === node && table[at + 1] === word)) return at
      this.passedOver++
    }
  }

  /** False where there is surely no such edge. */
  private mayLead(node: number, word: number): boolean {
    const bit = this.hash(node, word) & (this.filter.length * 8 - 1)
    return (this.filter[bit >>> 3]! & (1 << (bit & 7))) !== 0
  }

  private addNode(parent: number, word: number, name = 0): number {
    const node = this.nodes++
    this.parents = grown(this.parents, this.nodes)
    this.words = grown(this.words, this.nodes)
    this.names = grown(this.names, this.nodes)
    this.parents[node] = parent
    this.words[node] = word
    this.names[node] = -1
    this.inNames = grown(this.inNames, word + 1)
    this.inNames[word] = 1
    if (parent === 0) this.begin(word, node, name)
    else {
      this.edges++
      if (this.edges * 20 > this.table.length * 3) this.growEdges()
      this.put(parent, word, node, name)
    }
    return node
  }

  private begin(word: number, node: number, name: number): void {
    this.beginnings = grown(this.beginnings, word * 2 + 2)
    this.beginnings[word * 2] = node
    this.beginnings[word * 2 + 1] = name
  }

  private put(node: number, word: number, child: number, name = 0): void {
    const at = this.edge(node, word),
      bit = this.hash(node, word) & (this.filter.length * 8 - 1)
    this.filter[bit >>> 3]! |= 1 << (bit & 7)
    this.table[at] = node
    this.table[at + 1] = word
    this.table[at + 2] = child
    this.table[at + 3] = name
  }

  private growEdges(): void {
    const before = this.table
    this.table = new Int32Array(before.length * 2)
    this.filter = new Uint8Array(before.length / 2)
    for (let at = 0; at < before.length; at += 4) {
      if (before[at] !== 0) this.put(before[at]!, before[at + 1]!, before[at + 2]!, before[at + 3])
    }
  }

  /** A linear sum over random multipliers, its bits mixed: no names can be chosen to meet. */
  private hash(node: number, word: number): number {
    const sum = Math.imul(node, this.multipliers[0]) + Math.imul(word + 1, this.multipliers[1]),
      mixed = Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d)
    return (mixed ^ (mixed >>> 13)) >>> 0
  }
}
