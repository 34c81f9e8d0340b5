/**
 * A corpus in memory: documents, text tier and vectors under the same slots, changed together.
 * Synchronous, so that a question always sees one generation.
 */
import { rangeOf, type GivenRelations } from '../graph/given_relations.ts'
import type { NameRule } from '../graph/name_rules.ts'
import { TextIndex, type PassageText } from '../graph/text_index.ts'
import { yieldToEvents } from '../base/platform.ts'
import { drain } from '../base/slices.ts'
import { corrupt } from '../base/sections.ts'
import type { StoredDocument } from '../store/storage.ts'
import type { ChosenVectorIndex } from '../vector/create_vector_index.ts'
import { CorpusTable, type DocumentEntry } from './corpus_table.ts'

/**
 * Re-reading this many passages takes some milliseconds: it is done at once, more of them in the
 * background; after a larger addition twice as many as it brought, up to a tenth of a second's.
 */
const SETTLE_AT_ONCE = 128,
  SETTLE_AT_ONCE_MOST = 512

/**
 * Passages read between two looks at the queue by a background rebuild: some
 * milliseconds.
 */
const REBUILD_SLICE = 32

export interface Put {
  readonly entry: DocumentEntry
  readonly replaced: DocumentEntry | undefined
}

export class Corpus {
  readonly table: CorpusTable
  text = new TextIndex((slot) => this.passage(slot))
  vectors: ChosenVectorIndex | null = null
  /** True while the text tier may still number words and names that only removed documents held. */
  remembers = false
  /**
   * Which names are one, and what was given of names: by the user, kept whatever the text tier is.
   */
  rules: readonly NameRule[] = []
  relations: GivenRelations = new Map()
  /** Counts what was put in and taken out, so that slow work can tell that it is late. */
  private changes = 0
  /** True between two pieces of a change. */
  private underWay = false

  /** `embeddedText`: the version by which passages are searched and embedded, see versions.ts. */
  constructor(private readonly embeddedText = 1) {
    this.table = new CorpusTable(embeddedText)
  }

  /** True while nothing was ever in it, so that an index made elsewhere fits. */
  get fresh(): boolean {
    return this.table.slots === 0 && !this.remembers && this.relations.size === 0
  }

  /**
   * Adds a document in place of an older one of the same id, which shows until all of the new one
   * is in; gives both. Yields after each piece of work how much it was; nothing else may change the
   * documents in between.
   */
  *put(document: StoredDocument, readNow: boolean): Generator<number, Put> {
    const replaced = this.table.get(document.id),
      entry = this.table.add(document)
    this.table.hide(entry)
    for (const slot of entry.slots) {
      const passage = this.passage(slot)
      this.text.add(slot, passage, readNow)
      yield* this.worked(passage)
    }
    this.table.show(entry)
    if (replaced) yield* this.takeOut([replaced])
    this.underWay = false
    return { entry, replaced }
  }

  setRules(rules: readonly NameRule[]): void {
    this.rules = rules
    this.text.setMerges(rules)
  }

  /**
   * Takes other relations; documents of which they say something else are counted anew, and wait to
   * be settled.
   */
  setRelations(relations: GivenRelations): void {
    this.changes++
    const before = this.relations,
      slots: number[] = []
    for (const id of new Set([...before.keys(), ...relations.keys()]))
      if (before.get(id) !== relations.get(id))
        for (const slot of this.table.get(id)?.slots ?? [])
          if (this.text.has(slot)) slots.push(slot)
    for (const slot of slots) this.text.remove(slot, this.passage(slot))
    drain(this.text.sweep())
    this.relations = relations
    for (const slot of slots)
      this.text.add(slot, this.passage(slot), slots.length <= SETTLE_AT_ONCE)
  }

  /** Adds the documents of a stored corpus, in the order of their ids, without reading them. */
  load(documents: readonly StoredDocument[]): void {
    for (const document of documents) this.table.add(document)
  }

  /**
   * The text tier as it was kept, of documents that may still be on their way. Throws
   * `index/corrupt`.
   */
  readText(bytes: Uint8Array): TextIndex {
    const text = new TextIndex((slot) => this.passage(slot))
    text.restore(bytes)
    return text
  }

  /**
   * Takes it for the documents loaded. Throws `index/corrupt` where it is of others, and then stays
   * as it is.
   */
  takeText(text: TextIndex): void {
    if (text.size !== this.table.passages) throw corrupt()
    text.setMerges(this.rules)
    this.text = text
  }

  /**
   * Reads everything anew, into an index that never heard of what was removed; the same answers
   * come from it.
   */
  rebuildText(): void {
    this.text = new TextIndex((slot) => this.passage(slot))
    this.text.setMerges(this.rules)
    this.buildText()
    this.remembers = false
  }

  /**
   * The text tier as another corpus of the same documents, added in the order of their ids and
   * no curation, would keep it: equal documents give equal bytes. Takes as long as adding
   * them, in one piece.
   */
  freshIndex(): Uint8Array<ArrayBuffer> {
    const fresh = new Corpus(this.embeddedText)
    fresh.load(this.table.ids().map((id) => this.table.get(id) as DocumentEntry))
    fresh.buildText()
    return fresh.text.snapshot(fresh.table.order())
  }

  /**
   * The same in slices that let questions through, which the old index answers meanwhile; false,
   * and nothing has changed, where documents came or went, or `stop` says so.
   */
  async rebuildInSlices(stop: () => boolean): Promise<boolean> {
    const text = new TextIndex((slot) => this.passage(slot)),
      { changes } = this
    const late = async (): Promise<boolean> => {
      await yieldToEvents()
      return stop() || this.changes !== changes || this.underWay
    }
    let read = 0
    for (const entry of this.table.all()) {
      for (const slot of entry.slots) {
        text.add(slot, this.passage(slot), false)
        if (++read % REBUILD_SLICE === 0 && (await late())) return false
      }
    }
    while (text.pending() > 0) {
      text.settle(REBUILD_SLICE)
      if (await late()) return false
    }
    text.setMerges(this.rules)
    this.text = text
    this.remembers = false
    return true
  }

  /** Reads all loaded documents. */
  buildText(): void {
    for (const entry of this.table.all())
      for (const slot of entry.slots) this.text.add(slot, this.passage(slot), false)
    this.text.settle()
  }

  /**
   * Takes documents out, each id once; gives those that were there. Yields as `put`; none shows from
   * the beginning on.
   */
  *remove(ids: readonly string[]): Generator<number, DocumentEntry[]> {
    const entries = ids.map((id) => this.table.get(id)).filter((entry) => entry !== undefined)
    yield* this.takeOut(entries)
    this.underWay = false
    return entries
  }

  private *takeOut(entries: readonly DocumentEntry[]): Generator<number, void> {
    if (entries.length === 0) return
    this.remembers = true
    for (const entry of entries) this.table.hide(entry)
    for (const entry of entries)
      for (const slot of entry.slots) {
        const passage = this.passage(slot)
        this.text.remove(slot, passage)
        this.vectors?.remove(slot)
        yield* this.worked(passage)
      }
    yield* this.text.sweep()
    for (const entry of entries) this.table.remove(entry)
  }

  private *worked({ title, text }: PassageText): Generator<number, void> {
    this.changes++
    this.underWay = true
    yield title.length + text.length
  }

  /**
   * Reads passages again where that is quick beside the `added` ones; true when nothing is left to
   * do.
   */
  settleIfQuick(added = 0): boolean {
    if (this.text.pending() > Math.max(SETTLE_AT_ONCE, Math.min(SETTLE_AT_ONCE_MOST, 2 * added)))
      return false
    this.text.settle()
    return true
  }

  /** Slots without a vector, by document id and passage. */
  missingVectors(): number[] {
    const { vectors } = this
    const out: number[] = []
    for (const id of this.table.ids()) {
      for (const slot of (this.table.get(id) as DocumentEntry).slots)
        if (!vectors?.has(slot)) out.push(slot)
    }
    return out
  }

  get passagesWithVectors(): number {
    return this.vectors?.size ?? 0
  }

  private passage(slot: number): PassageText {
    const plain = {
      title: this.table.title(slot),
      text: this.table.text(slot),
      ...this.table.searchedBeside(slot),
      opening: this.table.passage(slot) === 0,
    }
    if (this.relations.size === 0) return plain
    const { id, hash } = this.table.entry(slot),
      given = this.relations.get(id),
      { start, end } = this.table.span(slot)
    if (given?.hash !== hash) return plain
    const here = given.relations.filter(
      (relation) => rangeOf(relation).start >= start && rangeOf(relation).end <= end,
    )
    return {
      ...plain,
      names: here
        .flatMap(({ subject, object }) => [subject, object])
        .map((span) => ({ start: span.start - start, end: span.end - start })),
    }
  }
}
