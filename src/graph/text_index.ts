/**
 * Owns the text tier: words, names and graph of numbered passages, kept in step as passages come
 * and go. Refuses: documents, vectors, ranking.
 *
 * A passage is read in two steps. `add` counts what it brings: terms, small spellings, candidate
 * names. Reading its mentions needs the names of all others, so a name that comes into force later
 * is looked up in older passages by `settle`. Once settled, the index is a function of the passages
 * it holds, whatever the order in which they came.
 */
import { LexicalIndex } from '../lexical/bm25.ts'
import { KeptWords } from '../lexical/kept_words.ts'
import { Vocabulary } from '../lexical/vocabulary.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'
import { SMALL } from '../lexical/words.ts'
import { invariant } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { NumberSet } from '../base/number_set.ts'
import { corrupt, SectionReader, SectionWriter } from '../base/sections.ts'
import type { Span } from '../types.ts'
import { AboutShare } from './about_share.ts'
import { EntityGraph } from './entity_graph.ts'
import { Gazetteer } from './gazetteer.ts'
import { MergedMentions } from './merged_mentions.ts'
import { NameMerges } from './name_merges.ts'
import type { NameRule } from './name_rules.ts'
import { scanNameSpans, titleName } from './name_spans.ts'
import { SlotSet } from '../base/slot_set.ts'

export interface PassageText {
  readonly title: string
  readonly text: string
  /** True for the first passage of its document. */
  readonly opening: boolean
  /** Where names stand by somebody's word, whatever their capitals; offsets into `text`. */
  readonly names?: readonly Span[]
}

/** Words of an untitled passage in which the name it is about must begin. */
const ABOUT_WORDS = 25
/** Words of a document's first passage in which an article names its title. */
const OPENING_WORDS = 40
/** Places at which the name of an untitled article may begin. */
const UNTITLED_OPENING = 2

/** Gives the text of a slot that is in the index. */
export type TextOf = (slot: number) => PassageText

export class TextIndex {
  readonly vocabulary = new Vocabulary()
  readonly lexical = new LexicalIndex()
  readonly gazetteer = new Gazetteer(this.vocabulary)
  readonly graph = new EntityGraph()
  readonly merges = new NameMerges(this.gazetteer.trie, (name) => this.nameText(name))
  private readonly mentions = new MergedMentions(this.graph, this.merges)
  private readonly text = new WordBuffer()
  private readonly title = new WordBuffer()
  /**
   * Words of passages that are to be read for their names, so that they are not looked up twice.
   */
  private readonly waiting = new KeptWords()
  // of the passage under way
  private readonly small = new NumberSet()
  private readonly spans = new NumberSet()
  private readonly names = new NumberSet()
  private readonly takeName = (name: number): void => {
    this.names.add(name)
  }
  private terms = new Int32Array(1024)
  /** Name of a slot's title, or -1. */
  private titleNames = new Int32Array(1024).fill(-1)
  /** Name a slot is about, or -1: its title, else the first name of its opening. */
  private abouts = new Int32Array(1024).fill(-1)
  /** 1: an opening passage; 3: one that holds the name it is about near its beginning. */
  private openings = new Uint8Array(1024)
  private readonly about = new AboutShare()
  /** Slots in the index. */
  private readonly present = new SlotSet()
  /** Slots whose mentions must be read again; all of them when null. */
  private stale: SlotSet | null = new SlotSet()

  /** Readings of passages for their names so far: what settling costs. */
  passagesRead = 0

  constructor(private readonly textOf: TextOf) {}

  get size(): number {
    return this.present.size
  }

  has(slot: number): boolean {
    return this.present.has(slot)
  }

  /** True when every passage has been read with the names now in force. */
  get settled(): boolean {
    return this.stale !== null && this.stale.size === 0 && this.gazetteer.pendingChanges === 0
  }

  /**
   * Adds a passage; its own mentions are read at once with the names known so far, unless a bulk
   * load will settle soon.
   */
  add(slot: number, passage: PassageText, readNow = true): void {
    this.present.add(slot)
    this.count(slot, passage, 1)
    this.graph.passages = this.present.size
    this.gazetteer.sizeChanged(this.present.size)
    this.waiting.keep(slot, this.title, this.text)
    if (readNow) this.readMentions(slot)
    this.stale?.add(slot)
  }

  /** Takes a passage out, given the text it was added with. */
  remove(slot: number, passage: PassageText): void {
    this.present.delete(slot)
    this.mentions.clear(slot)
    this.waiting.forget(slot)
    this.count(slot, passage, -1)
    this.setOpening(slot, 0, -1)
    this.graph.passages = this.present.size
    this.gazetteer.sizeChanged(this.present.size)
    this.stale?.delete(slot)
  }

  /** Passages known to wait for another reading; looking changes nothing. */
  get unread(): number {
    return this.stale === null ? this.present.size : this.stale.size
  }

  /** The passages that still have to be read again; calling it takes up the changes so far. */
  pending(): number {
    this.collectStale()
    return this.stale === null ? this.present.size : this.stale.size
  }

  /**
   * Reads at most `most` stale passages again; gives how many are left. Work is bounded by the
   * passages that hold all words of a name that changed, or by the corpus when so many changed that
   * looking each one up would cost more.
   */
  settle(most = Infinity): number {
    this.collectStale()
    this.stale ??= this.present.copy()
    for (
      let done = 0, slot = this.stale.lowest();
      slot >= 0 && done < most;
      done++, slot = this.stale.lowest()
    ) {
      if (!this.waiting.take(slot, this.title, this.text)) this.lookUp(this.textOf(slot))
      this.readMentions(slot)
      this.stale.delete(slot)
    }
    return this.stale.size
  }

  /**
   * Takes the rules by which names are one. Only passages that mention such a name change, and none
   * is read again.
   */
  setMerges(rules: readonly NameRule[]): void {
    this.mentions.remap(this.merges.setRules(rules))
  }

  /**
   * The name a passage is about, or -1: its document's title, else the first name of its opening.
   * `spelt`: as it stands there, whatever it was merged into.
   */
  aboutOf(slot: number, spelt = false): number {
    const name = this.abouts[slot] ?? -1
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
    return this.about.share
  }

  /**
   * Names of the corpus in a text of the caller's, longest first from left to right; ranges of
   * words in `words`, and the name as it stands there.
   */
  readNames(
    text: string,
    words: WordBuffer,
    nested: boolean,
    visit: (name: number, from: number, to: number, spelt: number) => void,
  ): void {
    words.read(text, this.vocabulary, true)
    this.namesIn(words.ids, words.length, nested, visit)
  }

  /** The same of the first `length` of words that were read. */
  namesIn(
    ids: Int32Array,
    length: number,
    nested: boolean,
    visit: (name: number, from: number, to: number, spelt: number) => void,
  ): void {
    this.gazetteer.trie.read(ids, length, nested, (name, from, to) => {
      visit(this.merges.canonical(name), from, to, name)
    })
  }

  /** A name as its words in lower case. */
  nameText(name: number): string {
    return this.gazetteer.trie
      .wordsOf(name)
      .map((word) => this.vocabulary.word(word))
      .join(' ')
  }

  /** The settled index in one buffer, the slots numbered anew: `slots[i]` becomes i. */
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
    out
      .put(slots.map((slot) => this.titleNames[slot] as number))
      .put(slots.map((slot) => this.abouts[slot] as number))
    out.put(Uint8Array.from(slots, (slot) => this.openings[slot] as number))
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
    this.titleNames = input.int32()
    this.abouts = input.int32()
    this.openings = input.uint8()
    if (input.left > 0) this.gazetteer.restoreGiven(input)
    input.end()
    for (const column of [this.titleNames, this.abouts, this.openings])
      if (
        column.length !== passages ||
        !column.every((name) => name >= -1 && name < Math.max(names, 4))
      )
        throw corrupt()
    for (let slot = 0; slot < passages; slot++) {
      this.present.add(slot)
      const opening = this.openings[slot] as number
      if (opening !== 0) this.about.change(this.abouts[slot] as number, 1, opening === 3)
    }
  }

  get bytes(): number {
    return (
      this.vocabulary.bytes +
      this.lexical.bytes +
      this.gazetteer.bytes +
      this.graph.bytes +
      this.titleNames.byteLength * 2 +
      this.openings.byteLength +
      this.present.bytes * 2 +
      this.waiting.bytes
    )
  }

  private count(slot: number, passage: PassageText, by: 1 | -1): void {
    const { vocabulary, gazetteer } = this
    this.lookUp(passage)
    // terms: the title counts twice
    let length = 0
    this.room(this.title.length * 2 + this.text.length)
    for (let repeat = 0; repeat < 2; repeat++) length = this.takeTerms(this.title, length)
    length = this.takeTerms(this.text, length)
    if (by === 1) this.lexical.add(slot, this.terms, length)
    else this.lexical.remove(slot, this.terms, length)
    // small spellings, once a passage
    const { small, spans } = this,
      { ids, shapes } = this.text
    small.clear()
    for (let i = 0; i < this.text.length; i++)
      if ((shapes[i] as number) & SMALL && small.add(ids[i] as number))
        vocabulary.addSmall(ids[i] as number, by)
    // candidate names, once a passage
    spans.clear()
    scanNameSpans(passage.text, this.text, vocabulary, (from, to) => {
      spans.add(gazetteer.name(ids, from, to))
    })
    for (let i = 0; i < spans.size; i++) gazetteer.countSpan(spans.values[i] as number, by)
    if (passage.names)
      for (const [from, to] of this.text.ranges(passage.names, LIMITS.nameWords))
        gazetteer.addGiven(ids, from, to, by)
    const named = this.title.before(titleName(passage.title).length),
      titled = named > 0 && named <= LIMITS.nameWords
    if (slot >= this.titleNames.length) {
      const next = new Int32Array(Math.ceil((slot + 1) * 1.5)).fill(-1)
      next.set(this.titleNames)
      this.titleNames = next
      const abouts = new Int32Array(next.length).fill(-1),
        openings = new Uint8Array(next.length)
      abouts.set(this.abouts)
      openings.set(this.openings)
      this.abouts = abouts
      this.openings = openings
    }
    if (by === 1) this.setOpening(slot, passage.opening ? 1 : 0, -1)
    this.titleNames[slot] = titled ? gazetteer.addTitle(this.title.ids, named, by) : -1
    if (by === -1) this.titleNames[slot] = -1
    for (let i = 0; i < small.size; i++)
      gazetteer.smallChanged(
        small.values[i] as number,
        vocabulary.smallCount(small.values[i] as number),
        by,
      )
  }

  private lookUp(passage: PassageText): void {
    this.title.read(passage.title, this.vocabulary)
    this.text.read(passage.text, this.vocabulary)
  }

  private takeTerms(words: WordBuffer, length: number): number {
    for (let i = 0; i < words.length; i++) {
      const term = this.vocabulary.termOf(words.ids[i] as number)
      if (term >= 0) this.terms[length++] = term
    }
    return length
  }

  private room(needed: number): void {
    if (needed > this.terms.length) this.terms = new Int32Array(needed * 2)
  }

  /** Reads the passage whose words are in the buffers for the names it mentions. */
  private readMentions(slot: number): void {
    this.passagesRead++
    const { trie } = this.gazetteer,
      { names } = this,
      titled = this.titleNames[slot] as number
    let about = titled >= 0 && trie.isInForce(titled) ? titled : -1
    names.clear()
    if (about >= 0) names.add(about)
    trie.read(this.title.ids, this.title.length, true, this.takeName)
    trie.read(this.text.ids, this.text.length, true, this.takeName)
    if (titled < 0)
      trie.read(this.text.ids, Math.min(this.text.length, ABOUT_WORDS), false, (name) => {
        if (about < 0) about = name
      })
    const mentions: number[] = []
    for (let i = 0; i < names.size; i++)
      mentions.push((names.values[i] as number) * 2 + (names.values[i] === about ? 1 : 0))
    this.mentions.set(slot, mentions)
    const opens =
      about >= 0 &&
      this.opensWith(trie.wordsOf(about), titled < 0 ? UNTITLED_OPENING : OPENING_WORDS)
    this.setOpening(slot, this.openings[slot] === 0 ? 0 : opens ? 3 : 1, about)
  }

  /**
   * Whether the text in the buffer holds these words in a row, beginning within its first `within`
   * places or ending within so many words.
   */
  private opensWith(words: readonly number[], within: number): boolean {
    const last =
      within === UNTITLED_OPENING ? within - 1 : Math.min(this.text.length, within) - words.length
    for (let at = 0; at <= last; at++)
      if (words.every((word, i) => this.text.ids[at + i] === word && at + i < this.text.length))
        return true
    return false
  }

  private setOpening(slot: number, value: 0 | 1 | 3, about: number): void {
    const before = this.openings[slot] as number
    if (before !== 0) this.about.change(this.abouts[slot] as number, -1, before === 3)
    if (value !== 0) this.about.change(about, 1, value === 3)
    this.openings[slot] = value
    this.abouts[slot] = about
  }

  private collectStale(): void {
    if (this.gazetteer.pendingChanges === 0) return
    const changed = this.gazetteer.takeChanged()
    this.mentions.remap(this.merges.refresh(changed))
    if (this.stale === null) return
    if (changed.length > 64 && changed.length * 4 > this.present.size) {
      this.stale = null
      return
    }
    for (const name of changed) {
      if (!this.addHolders(name, this.stale)) {
        this.stale = null
        return
      }
    }
  }

  /**
   * Adds the passages that hold all words of a name; false when that cannot be told from the terms.
   */
  private addHolders(name: number, into: SlotSet): boolean {
    const terms = [
      ...new Set(
        this.gazetteer.trie
          .wordsOf(name)
          .map((word) => this.vocabulary.termOf(word))
          .filter((term) => term >= 0),
      ),
    ]
    if (terms.length === 0) return false
    terms.sort((a, b) => this.lexical.documentFrequency(a) - this.lexical.documentFrequency(b))
    let slots = new Set<number>()
    this.lexical.visit(terms[0] as number, (slot) => slots.add(slot))
    for (const term of terms.slice(1)) {
      if (slots.size <= 8) break // reading a few passages costs less than a long list of postings
      const both = new Set<number>()
      this.lexical.visit(term, (slot) => {
        if (slots.has(slot)) both.add(slot)
      })
      slots = both
    }
    for (const slot of slots) into.add(slot)
    return true
  }
}
