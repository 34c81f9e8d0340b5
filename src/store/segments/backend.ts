/** What a place that keeps segments must do; everything else of a corpus is the same in each. */
import type { StoredDocument, QuarantinedRecord, StorageUsage, VectorRow } from '../storage.ts'
import type { Sealer } from '../encryption/sealer.ts'
import type { Manifest } from './manifest.ts'
import type { Parts, Segment, SegmentEntry } from './segment.ts'

/** The step from one manifest to the next. */
export interface Switch {
  /** The text that must still be in force; null where there is none yet. */
  readonly before: string | null
  readonly next: Manifest
  readonly text: string
  /** Written in the same step. */
  readonly add: readonly Segment[]
  /** Names that the next manifest no longer holds. */
  readonly remove: readonly string[]
  /** Bytes that the whole call writes, for `store/quota`. */
  readonly needed: number
  /** Takes the corpus of the layout before away. */
  readonly dropLegacy: boolean
}

/** A corpus as versions before 0.2 laid it out; read only, and gone with the first switch. */
export interface LegacyCorpus {
  readonly manifest: Manifest
  documents(
    sealer: Sealer | null,
    damaged: (record: QuarantinedRecord) => void,
  ): AsyncIterable<readonly StoredDocument[]>
  vectors(
    sealer: Sealer | null,
    damaged: (record: QuarantinedRecord) => void,
  ): AsyncIterable<readonly VectorRow[]>
  /** Null where there is none, undefined where it is damaged. */
  kept(name: string, sealer: Sealer | null): Promise<Uint8Array | null | undefined>
}

export interface Backend {
  readonly kind: 'indexeddb' | 'directory'
  /** Where it lies, for messages. */
  readonly place: string
  readonly warnings: readonly string[]
  /** Texts of the manifest in force, the same in copies; none for a corpus never written. */
  manifests(): Promise<readonly string[]>
  /** True where segments lie although there is no manifest. */
  hasSegments(): Promise<boolean>
  /** The corpus of the layout before; null where there is none. */
  legacy(): Promise<LegacyCorpus | null>
  head(entry: SegmentEntry): Promise<Uint8Array | null>
  /** Null for one that is gone. */
  segments(entries: readonly SegmentEntry[]): Promise<readonly (Parts | null)[]>

  /** Becomes the one that may write. Rejects with `writer/not-leader`. */
  lock(): Promise<void>
  readonly locked: boolean
  /** The same, however long another is; `onWait` is called when one is. */
  lockPatiently(onWait: () => void): Promise<void>
  unlock(): Promise<void>
  /** Writes segments that no manifest names yet. */
  write(segments: readonly Segment[], before: string | null, needed: number): Promise<void>
  /** Durable when resolved; after a crash all of it is there or nothing. Rejects with `writer/lost`. */
  switch(step: Switch): Promise<void>
  /** Removes segments; missing ones are no fault. */
  remove(names: readonly string[]): Promise<void>
  /** Removes every segment but these, and other left-overs of a crash. For the writer alone. */
  sweep(keep: ReadonlySet<string>): Promise<void>
  /** Bytes kept free for a removal on a full disk. */
  reserved(): Promise<number>
  /** Keeps these in place of those of before, or none; `needed`: bytes of the whole call. */
  reserve(bytes: Uint8Array | null, needed: number): Promise<void>

  /** Calls back when another may have written. */
  follow(onChange: (what: 'documents' | 'vectors') => void): void
  announce(what: 'documents' | 'vectors', manifest: Manifest): void
  usage(): Promise<StorageUsage>
  destroy(): Promise<void>
  close(): Promise<void>
}
