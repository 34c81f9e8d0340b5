/** Documents in memory and the slots of their passages. */
import { compareIds } from '../base/compare_ids.ts'
import { invariant } from '../base/errors.ts'
import {
  aboveAt,
  headingsAt,
  labelsOf,
  outlineOf,
  PATH_GAP,
  type Above,
  type Outline,
} from '../chunk/outline.ts'
import { placeAt } from '../document/place.ts'
import type { StoredDocument } from '../store/storage.ts'
import type { Label, PassageRef, Place, Span } from '../types.ts'

export interface DocumentEntry extends StoredDocument {
  metadata: StoredDocument['metadata']
  /** Slot of each passage, in reading order. */
  readonly slots: readonly number[]
  /** Read when it is first asked for. */
  outline?: Outline | null
}

/** Titles of source code: its comments are no headings. */
const FILE_OF_CODE = /^[^\s/]+\.[a-z]\w{0,9}$/i

/** Measured in Chromium 64-bit: object, map entry, two lists, 64 hex digits. */
const DOCUMENT_BYTES = 640
const SLOT_BYTES = 24

/**
 * Slots are small whole numbers, used again after a removal; nothing that ranks may depend on them.
 * Equal scores are ordered by document id (UTF-16 code units), then by passage.
 */
export class CorpusTable {
  private readonly byId = new Map<string, DocumentEntry>()
  private readonly entries: (DocumentEntry | null)[] = []
  private readonly numbers: number[] = [] // passage number of each slot
  private readonly free: number[] = []
  private used = 0
  /** 1 for slots without a passage. */
  private empty = new Uint8Array(64).fill(1)

  /** `version` of the embedded text, see versions.ts. */
  constructor(private readonly version = 1) {}

  get documents(): number {
    return this.byId.size
  }
  get passages(): number {
    return this.used
  }
  /** One past the highest slot ever used. */
  get slots(): number {
    return this.entries.length
  }

  /**
   * Bytes of what is kept beside the texts, as engines lay it out: an entry with its map place,
   * lists and digest; a slot's place in three columns.
   */
  get bytes(): number {
    return (
      this.byId.size * DOCUMENT_BYTES + this.entries.length * SLOT_BYTES + this.empty.byteLength
    )
  }

  get(id: string): DocumentEntry | undefined {
    return this.byId.get(id)
  }

  /**
   * In the order of `compareIds`, which is the one of a sort without a comparison, several times as
   * fast.
   */
  ids(): string[] {
    return [...this.byId.keys()].sort()
  }

  all(): IterableIterator<DocumentEntry> {
    return this.byId.values()
  }

  /** Adds a document; an older one of its id keeps its slots until it is removed. */
  add(document: StoredDocument): DocumentEntry {
    const { id, title, text, metadata, hash, passages } = document,
      slots: number[] = []
    const entry: DocumentEntry = { id, title, text, metadata, hash, passages, slots }
    for (let passage = 0; passage < document.passages.length / 2; passage++) {
      const slot = this.free.pop() ?? this.entries.length
      this.entries[slot] = entry
      this.numbers[slot] = passage
      if (slot >= this.empty.length) {
        const next = new Uint8Array(Math.ceil((slot + 1) * 1.5)).fill(1)
        next.set(this.empty)
        this.empty = next
      }
      this.empty[slot] = 0
      slots.push(slot)
      this.used++
    }
    this.byId.set(document.id, entry)
    return entry
  }

  remove(entry: DocumentEntry): void {
    if (this.byId.get(entry.id) === entry) this.byId.delete(entry.id)
    for (const slot of entry.slots) {
      this.entries[slot] = null
      this.empty[slot] = 1
      this.free.push(slot)
      this.used--
    }
  }

  /** Passages of a hidden document take part in no answer. */
  hide(entry: DocumentEntry): void {
    for (const slot of entry.slots) this.empty[slot] = 1
  }

  show(entry: DocumentEntry): void {
    for (const slot of entry.slots) this.empty[slot] = 0
  }

  has(slot: number): boolean {
    return (this.entries[slot] ?? null) !== null
  }

  entry(slot: number): DocumentEntry {
    const entry = this.entries[slot]
    invariant(entry, 'A passage that is not there was asked for.')
    return entry
  }

  passage(slot: number): number {
    return this.numbers[slot] as number
  }

  span(slot: number): Span {
    return spanOf(this.entry(slot), this.passage(slot))
  }

  ref(slot: number): PassageRef {
    return { documentId: this.entry(slot).id, index: this.passage(slot), ...this.span(slot) }
  }

  title(slot: number): string {
    return this.entry(slot).title
  }

  text(slot: number): string {
    const { start, end } = this.span(slot)
    return this.entry(slot).text.slice(start, end)
  }

  /** What stands over a passage in its document and is searched with it. */
  searchedAbove(slot: number): Above {
    const entry = this.entry(slot)
    return aboveAt(this.searched(entry), entry.title, this.span(slot).start)
  }

  /** The same with the path of its file, whose words count as those of a header. */
  searchedBeside(slot: number): Above {
    const { section, header } = this.searchedAbove(slot),
      path = this.version < 2 ? '' : filePathOf(this.entry(slot).id)
    return { section, header: path === '' ? header : `${header}\n${path}` }
  }

  /** The headings among it, where they stand in the document. */
  headings(slot: number): readonly (Span & { readonly text: string })[] {
    const entry = this.entry(slot),
      outline = this.searched(entry)
    return outline === null ? [] : headingsAt(outline, entry.title, this.span(slot).start)
  }

  /** What is embedded: the passage behind its document's title and what stands over it. */
  embeddedText(slot: number): string {
    const { section, header } = this.searchedAbove(slot),
      filled = (parts: readonly string[]): string[] => parts.filter((part) => part !== '')
    const path = filled([this.title(slot), section]).join(PATH_GAP)
    return filled([path, header, this.text(slot)]).join('. ')
  }

  private searched(entry: DocumentEntry): Outline | null {
    return this.version < 2 ? null : outlineIn(entry)
  }

  /** What stands over the parts of a passage; empty for nothing. */
  labels(slot: number): readonly Label[] {
    const entry = this.entry(slot)
    return labelsOf(outlineIn(entry), entry.title, this.span(slot))
  }

  /** Where the text of a document that begins at `at` stands. */
  placeAt(slot: number, at: number): Place {
    const entry = this.entry(slot)
    return placeAt(entry, outlineIn(entry), at)
  }

  /**
   * The same for all passages of a document and for them only; looks at nothing of the document,
   * which lies elsewhere in memory.
   */
  readonly documentOf = (slot: number): unknown => this.entries[slot]

  readonly same = (a: number, b: number): boolean => this.entries[a] === this.entries[b]

  readonly compare = (a: number, b: number): number =>
    this.entries[a] === this.entries[b]
      ? this.passage(a) - this.passage(b)
      : compareIds(this.entry(a).id, this.entry(b).id)

  /** All slots by document id, then passage. */
  order(): Int32Array {
    return Int32Array.from(this.ids().flatMap((id) => (this.byId.get(id) as DocumentEntry).slots))
  }

  /**
   * A mask of at least all slots: 0 for passages that take part, 1 for empty slots and those
   * `isOut` says yes to. Without `isOut` it is the table's own and must not be written to.
   */
  mask(isOut: ((entry: DocumentEntry) => boolean) | null): Uint8Array {
    if (!isOut) return this.empty
    const out = this.empty.slice()
    for (const entry of this.byId.values())
      if (isOut(entry)) for (const slot of entry.slots) out[slot] = 1
    return out
  }
}

/** Folders and name of a file, where an id is the path of one; '' for other ids. */
function filePathOf(id: string): string {
  const found = /^((?:[^/\n]{1,255}\/)+[^/\n]{1,255})\.\w{1,8}(?:#\S{1,80})?$/.exec(id)
  return found === null ? '' : found[1]!.replaceAll('_', ' ')
}

function outlineIn(entry: DocumentEntry): Outline | null {
  if (entry.outline === undefined)
    entry.outline = FILE_OF_CODE.test(entry.title) ? null : outlineOf(entry.text)
  return entry.outline
}

export function spanOf(document: StoredDocument, passage: number): Span {
  return {
    start: document.passages[2 * passage] as number,
    end: document.passages[2 * passage + 1] as number,
  }
}
