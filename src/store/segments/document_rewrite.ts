/** The segments of one change of documents: survivors of those that are touched, and new ones. */
import { LIMITS } from '../../base/limits.ts'
import { compareIds } from '../../base/compare_ids.ts'
import { yieldToEvents } from '../../base/platform.ts'
import { keepsVectors } from '../records/commit_batch.ts'
import type { StoredDocument } from '../storage.ts'
import {
  decodeDocumentHead,
  decodeItem,
  encodeItem,
  itemAt,
  packDocuments,
  type DocumentHead,
  type Item,
} from './document_segment.ts'
import type { Draft } from './draft.ts'
import type { SegmentEntry } from './segment.ts'
import { peersOf } from './tiers.ts'

/** Reads a segment; null where its head or body is damaged or gone. */
export type ReadDocuments = (
  entry: SegmentEntry,
) => Promise<{ readonly head: DocumentHead; readonly body: Uint8Array } | null>

export class DocumentRewrite {
  private readonly added: { readonly entry: SegmentEntry; readonly head: DocumentHead }[] = []
  /** What does not fill a segment yet. */
  private pool: Item[] = []
  private poolBytes = 0

  constructor(
    private readonly draft: Draft,
    private readonly read: ReadDocuments,
  ) {}

  /**
   * Takes over what stays of a segment; gives the ids whose newer version, the value in `gone`, does
   * not fit the vectors of the one that lies here.
   */
  async without(
    entry: SegmentEntry,
    gone: ReadonlyMap<string, StoredDocument | null>,
  ): Promise<readonly string[]> {
    const found = await this.read(entry)
    this.draft.drop(entry)
    if (found === null) return []
    const left: Item[] = [],
      unfit: string[] = []
    let bytes = 0
    for (let i = 0; i < found.head.ids.length; i++) {
      const item = itemAt(found.head, found.body, i),
        newer = gone.get(item.id)
      if (newer === undefined) {
        left.push(item)
        bytes += item.bytes.length
      } else if (newer !== null && !stillFits(item, newer)) unfit.push(item.id)
    }
    if (bytes >= LIMITS.segmentBytes / 2) await this.emit(left)
    else await this.take(left)
    return unfit
  }

  /** Adds documents, in segments of neighbouring ids. */
  async put(documents: readonly StoredDocument[]): Promise<void> {
    let run: Item[] = [],
      bytes = 0
    for (const document of [...documents].sort((a, b) => compareIds(a.id, b.id))) {
      const item = encodeItem(document)
      if (bytes > 0 && bytes + item.bytes.length > LIMITS.segmentBytes) {
        await this.emit(run)
        await yieldToEvents()
        run = []
        bytes = 0
      }
      run.push(item)
      bytes += item.bytes.length
    }
    await this.take(run)
  }

  /** Merges some of these small segments by tiers, and gives all that are new. */
  async finish(entries: readonly SegmentEntry[]): Promise<DocumentRewrite['added']> {
    while (this.pool.length > 0) {
      const peers = peersOf(this.poolBytes, entries.filter(this.draft.keeps))
      if (peers.length === 0) break
      for (const entry of peers) await this.without(entry, new Map())
    }
    if (this.pool.length > 0) await this.emit(this.pool)
    return this.added
  }

  private async take(items: readonly Item[]): Promise<void> {
    for (const item of items) {
      if (this.pool.length > 0 && this.poolBytes + item.bytes.length > LIMITS.segmentBytes) {
        await this.emit(this.pool)
        this.pool = []
        this.poolBytes = 0
      }
      this.pool.push(item)
      this.poolBytes += item.bytes.length
    }
  }

  private async emit(items: readonly Item[]): Promise<void> {
    if (items.length === 0) return
    const parts = packDocuments(items)
    this.added.push({
      entry: await this.draft.add('d', parts),
      head: decodeDocumentHead(parts.head),
    })
  }
}

function stillFits(item: Item, newer: StoredDocument): boolean {
  if (item.hash !== newer.hash) return false
  try {
    return keepsVectors(decodeItem(item), newer)
  } catch {
    return false
  }
}
