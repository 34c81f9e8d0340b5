/**
 * Owns a corpus in memory: documents, text tier and vectors under the same slots, changed together. Refuses: storage, embedding,
 * files; everything here is synchronous, so a question always sees one generation.
 */
import { TextIndex, type PassageText } from '../graph/text_index.ts'
import { yieldToEvents } from '../platform.ts'
import type { StoredDocument } from '../store/storage.ts'
import type { ChosenVectorIndex } from '../vector/create_vector_index.ts'
import { CorpusTable, type DocumentEntry } from './corpus_table.ts'

/** Re-reading this many passages takes some milliseconds: it is done at once, more of them in the background. */
const SETTLE_AT_ONCE = 128

/** Passages read between two looks at the queue by a rebuild that nobody waits for: some milliseconds. */
const REBUILD_SLICE = 32

export class Corpus {
  readonly table = new CorpusTable()
  text = new TextIndex((slot) => this.passage(slot))
  vectors: ChosenVectorIndex | null = null
  /** True while the text tier may still number words and names that only removed documents held. */
  remembers = false
  /** Counts what was put in and taken out, so that slow work can tell that it is late. */
  private changes = 0

  /** Adds a document, taking out an older one of the same id; gives what was taken out. */
  put(document: StoredDocument, readNow: boolean): { readonly entry: DocumentEntry; readonly replaced: DocumentEntry | undefined } {
    this.changes++
    const replaced = this.remove(document.id)
    const entry = this.table.add(document)
    for (const slot of entry.slots) this.text.add(slot, this.passage(slot), readNow)
    return { entry, replaced }
  }

  /** Adds the documents of a stored corpus, in the order of their ids, without reading them. */
  load(documents: readonly StoredDocument[]): void {
    for (const document of documents) this.table.add(document)
  }

  /** The text tier as it was kept, for the documents loaded. Throws `index/corrupt`, and then leaves it empty. */
  restoreText(bytes: Uint8Array): void {
    const text = new TextIndex((slot) => this.passage(slot))
    text.restore(bytes, this.table.passages)
    this.text = text
  }

  /** Reads everything anew, into an index that never heard of what was removed; the same answers come from it. */
  rebuildText(): void {
    this.text = new TextIndex((slot) => this.passage(slot))
    this.buildText()
    this.remembers = false
  }

  /** The same in slices that let questions through, which the old index answers meanwhile; false, and nothing has changed, where documents came or went, or `stop` says so. */
  async rebuildInSlices(stop: () => boolean): Promise<boolean> {
    const text = new TextIndex((slot) => this.passage(slot)), { changes } = this
    const late = async (): Promise<boolean> => { await yieldToEvents(); return stop() || this.changes !== changes }
    let read = 0
    for (const entry of this.table.all()) {
      for (const slot of entry.slots) {
        text.add(slot, this.passage(slot), false)
        if (++read % REBUILD_SLICE === 0 && await late()) return false
      }
    }
    while (text.pending() > 0) {
      text.settle(REBUILD_SLICE)
      if (await late()) return false
    }
    this.text = text
    this.remembers = false
    return true
  }

  /** Reads all loaded documents. */
  buildText(): void {
    for (const entry of this.table.all()) for (const slot of entry.slots) this.text.add(slot, this.passage(slot), false)
    this.text.settle()
  }

  remove(id: string): DocumentEntry | undefined {
    const entry = this.table.get(id)
    if (!entry) return undefined
    this.changes++
    this.remembers = true
    for (const slot of entry.slots) {
      this.text.remove(slot, this.passage(slot))
      this.vectors?.remove(slot)
    }
    this.table.remove(id)
    return entry
  }

  /** Reads passages again where that is quick; true when nothing is left to do. */
  settleIfQuick(): boolean {
    if (this.text.pending() > SETTLE_AT_ONCE) return false
    this.text.settle()
    return true
  }

  /** Slots without a vector, by document id and passage. */
  missingVectors(): number[] {
    const { vectors } = this
    const out: number[] = []
    for (const id of this.table.ids()) {
      for (const slot of (this.table.get(id) as DocumentEntry).slots) if (!vectors?.has(slot)) out.push(slot)
    }
    return out
  }

  get passagesWithVectors(): number { return this.vectors?.size ?? 0 }

  private passage(slot: number): PassageText {
    return { title: this.table.title(slot), text: this.table.text(slot), opening: this.table.passage(slot) === 0 }
  }
}
