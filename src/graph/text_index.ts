/**
 * The text tier: words, names and graph of numbered passages.
 *
 * `add` counts what a passage brings: terms, lower-case spellings, candidate names. Reading its
 * mentions needs the names of all others, so `settle` reads older passages again where a name came
 * into force later. A settled index is a function of the passages it holds, whatever their order.
 */
import { invariant } from '../base/errors.ts'
import { NumberSet } from '../base/number_set.ts'
import { SectionReader, SectionWriter } from '../base/sections.ts'
import { SlotSet } from '../base/slot_set.ts'
import { LexicalIndex } from '../lexical/bm25.ts'
import { KeptWords } from '../lexical/kept_words.ts'
import { Vocabulary } from '../lexical/vocabulary.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'
import { AboutTable } from './about_table.ts'
import { EntityGraph } from './entity_graph.ts'
import { Gazetteer } from './gazetteer.ts'
import { MergedMentions } from './merged_mentions.ts'
import { NameMerges } from './name_merges.ts'
import type { NameRule } from './name_rules.ts'
import { headOf, PassageCounts, type PassageText } from './passage_counts.ts'
import { StalePassages } from './stale_passages.ts'

export type { PassageText } from './passage_counts.ts'

/** Words of an untitled passage in which the name it is about must begin. */
const ABOUT_WORDS = 25
/** Words of a document's first passage in which an article names its title. */
const OPENING_WORDS = 40
/** Places at which the name of an untitled article may begin. */
const UNTITLED_OPENING = 2

/** Gives the text of a slot that is in the index. */
export type TextOf = (slot: number) => PassageText

/** A range of words, the name it is known by and the one that stands there. */
export type NameVisitor = (name: number, from: number, to: number, spelt: number) => void

export class TextIndex {
  readonly vocabulary = new Vocabulary()
  readonly lexical = new LexicalIndex()
  readonly gazetteer = new Gazetteer(this.vocabulary)
  readonly graph = new EntityGraph()
  readonly merges = new NameMerges(this.gazetteer.trie, (name) => this.nameText(name))
  private readonly mentions = new MergedMentions(this.graph, this.merges)
  private readonly counts = new PassageCounts(this.vocabulary, this.lexical, this.gazetteer)
  private readonly about = new AboutTable()
  private readonly present = new SlotSet()
  private readonly stale = new StalePassages(this.present, this.lexical, (name) =>
    this.termsOf(name),
  )
  /** Words of counted passages whose mentions are not read yet. */
  private readonly waiting = new KeptWords()
  // of the passage under way
  private readonly text = new WordBuffer()
  /** Title and headings. */
  private readonly head = new WordBuffer()
  private headRead: string | null = null
  private readonly names = new NumberSet()
  private readonly takeName = (name: number): void => {
    this.names.add(name)
  }

  /** Readings of passages for their names so far: what settling costs. */
  passagesRead = 0

  /** `textOf`: the text of a slot that is in the index. */
  constructor(readonly textOf: TextOf) {}

  get size(): number {
    return this.present.size
  }

  has(slot: number): boolean {
    return this.present.has(slot)
  }

  /** True when every passage has been read with the names now in force. */
  get settled(): boolean {
    return this.stale.size === 0 && this.gazetteer.pendingChanges === 0
  }

  /**
   * Adds a passage; its mentions are read at once with the names known so far, unless a bulk load
   * will settle soon.
   */
  add(slot: number, passage: PassageText, readNow = true): void {
    this.present.add(slot)
    this.lookUp(passage)
    this.about.set(slot, passage.opening ? 1 : 0, -1)
    this.about.setTitle(slot, this.counts.count(slot, passage, this.head, this.text, 1))
    this.sizeChanged()
    this.waiting.keep(slot, this.head, this.text)
    if (readNow) this.readMentions(slot)
    this.stale.add(slot)
  }

  /**
   * Takes a passage out, given the text it was added with; `sweep` is to be run before its slot is
   * used again.
   */
  remove(slot: number, passage: PassageText): void {
    this.present.delete(slot)
    this.mentions.clear(slot)
    this.waiting.forget(slot)
    this.lookUp(passage)
    this.counts.count(slot, passage, this.head, this.text, -1)
    this.about.setTitle(slot, -1)
    this.about.set(slot, 0, -1)
    this.sizeChanged()
    this.stale.delete(slot)
  }

  /** Takes out what lists still hold of removed passages; yields how much it looked at. */
  *sweep(): Generator<number, void> {
    yield* this.lexical.sweep()
    yield* this.graph.sweep()
  }

  /** Passages known to wait for another reading; looking changes nothing. */
  get unread(): number {
    return this.stale.size
  }

  /** The passages that still have to be read again; takes up the changes of names so far. */
  pending(): number {
    if (this.gazetteer.pendingChanges > 0) {
      const changed = this.gazetteer.takeChanged()
      this.mentions.remap(this.merges.refresh(changed))
      this.stale.changed(changed)
    }
    return this.stale.size
  }

  /**
   * Reads at most `most` stale passages again; gives how many are left. Work is bounded by the
   * passages that hold all words of a name that changed, or by the corpus where many changed.
   */
  settle(most = Infinity): number {
    this.pending()
    for (
      let done = 0, slot = this.stale.next();
      slot >= 0 && done < most;
      done++, slot = this.stale.next()
    ) {
      if (this.waiting.take(slot, this.head, this.text)) this.headRead = null
      else this.lookUp(this.textOf(slot))
      this.readMentions(slot)
      this.stale.delete(slot)
    }
    return this.stale.size
  }

  /** Takes the rules by which names are one; reads no passage again. */
  setMerges(rules: readonly NameRule[]): void {
    this.mentions.remap(this.merges.setRules(rules))
  }

  /**
   * The name a passage is about, or -1: its document's title, else the first name of its opening.
   * `spelt`: as it stands there, whatever it was merged into.
   */
  aboutOf(slot: number, spelt = false): number {
    const name = this.about.nameOf(slot)
    return spelt ? name : this.merges.canonical(name)
  }

  /** Passages that mention a name, or one it was merged with. */
  passagesWith(name: number): number {
    return this.graph.documentFrequency(this.merges.canonical(name))
  }

  /**
   * How much the corpus is a set of articles about named things, in [0, 1]: the share of documents
   * that name what they are about in their first words, each divided by the documents about the
   * same name. A graph of names is worth most there.
   */
  get articles(): number {
    return this.about.articleShare
  }

  /** Names of the corpus in any text, longest first from left to right; fills `words`. */
  readNames(text: string, words: WordBuffer, nested: boolean, visit: NameVisitor): void {
    words.read(text, this.vocabulary, true)
    this.namesIn(words.ids, words.length, nested, visit)
  }

  /** The same of the first `length` of words that were read. */
  namesIn(ids: Int32Array, length: number, nested: boolean, visit: NameVisitor): void {
    this.gazetteer.trie.read(ids, length, nested, (name, from, to) => {
      visit(this.merges.canonical(name), from, to, name)
    })
  }

  /** A name as its words in lower case. */
  nameText(name: number): string {
    const { vocabulary, gazetteer } = this
    return gazetteer.trie
      .wordsOf(name)
      .map((word) => vocabulary.word(word))
      .join(' ')
  }

  /** The settled index in one buffer, the slots renumbered: `slots[i]` becomes i. */
  snapshot(slots: Int32Array): Uint8Array<ArrayBuffer> {
    invariant(this.settled && slots.length === this.size, 'An unsettled index was to be stored.')
    const out = new SectionWriter(),
      places = new Int32Array(slots.reduce((most, slot) => Math.max(most, slot), -1) + 1)
    slots.forEach((slot, i) => {
      places[slot] = i
    })
    this.vocabulary.dump(out)
    this.lexical.dump(out, this.vocabulary.size, slots, places)
    this.gazetteer.dump(out)
    this.mentions.withoutMerges(() => {
      this.graph.dump(out, slots)
    }) // merges are the user's and kept apart
    this.about.dump(out, slots)
    this.gazetteer.dumpGiven(out)
    return out.finish()
  }

  /**
   * An index as `snapshot` gave it, of slots 0 to `size` - 1. Throws `index/corrupt`; the index is
   * then no longer usable.
   */
  restore(bytes: Uint8Array): void {
    const input = new SectionReader(bytes)
    this.vocabulary.restore(input)
    const passages = this.lexical.restore(input)
    this.gazetteer.restore(input, passages)
    const names = this.gazetteer.trie.size
    this.graph.restore(input, passages, names)
    this.about.restore(input, passages, names)
    if (input.left > 0) this.gazetteer.restoreGiven(input)
    input.end()
    for (let slot = 0; slot < passages; slot++) this.present.add(slot)
  }

  get bytes(): number {
    const { vocabulary, lexical, gazetteer, graph, about, waiting } = this
    return [vocabulary, lexical, gazetteer, graph, about, waiting].reduce(
      (sum, part) => sum + part.bytes,
      this.present.bytes * 2,
    )
  }

  private lookUp(passage: PassageText): void {
    const head = headOf(passage) // the same for many passages of a document
    if (head !== this.headRead) this.head.read(head, this.vocabulary)
    this.headRead = head
    this.text.read(passage.text, this.vocabulary)
  }

  private sizeChanged(): void {
    this.graph.passages = this.present.size
    this.gazetteer.sizeChanged(this.present.size)
  }

  private termsOf(name: number): number[] {
    return this.gazetteer.trie
      .wordsOf(name)
      .map((word) => this.vocabulary.termOf(word))
      .filter((term) => term >= 0)
  }

  /** Reads the passage whose words are in the buffers for the names it mentions. */
  private readMentions(slot: number): void {
    this.passagesRead++
    const { trie } = this.gazetteer,
      { names, about } = this,
      titled = about.titleOf(slot)
    // a title that texts write small is named by its own passages alone
    let name = titled >= 0 && this.gazetteer.mayTitle(titled) ? titled : -1
    names.clear()
    if (name >= 0) names.add(name)
    trie.read(this.head.ids, this.head.length, true, this.takeName)
    trie.read(this.text.ids, this.text.length, true, this.takeName)
    if (titled < 0)
      trie.read(this.text.ids, Math.min(this.text.length, ABOUT_WORDS), false, (first) => {
        if (name < 0) name = first
      })
    const mentions: number[] = []
    for (let i = 0; i < names.size; i++)
      mentions.push(names.values[i]! * 2 + (names.values[i] === name ? 1 : 0))
    this.mentions.set(slot, mentions)
    const opens = name >= 0 && this.opensWith(trie.wordsOf(name), titled < 0)
    about.set(slot, !about.isOpening(slot) ? 0 : opens ? 3 : 1, name)
  }

  /** Whether the text in the buffer names these words near its start. */
  private opensWith(words: readonly number[], untitled: boolean): boolean {
    const { ids, length } = this.text,
      last = untitled ? UNTITLED_OPENING - 1 : Math.min(length, OPENING_WORDS) - words.length
    for (let at = 0; at <= last; at++)
      if (words.every((word, i) => at + i < length && ids[at + i] === word)) return true
    return false
  }
}
