/** Which documents lie in which segment, and the plan of every change of them. */
import { LIMITS } from '../../base/limits.ts'
import { compareIds } from '../../base/compare_ids.ts'
import { yieldToEvents } from '../../base/platform.ts'
import { keepsVectors } from '../records/commit_batch.ts'
import type { StoredDocument } from '../storage.ts'
import {
  decodeDocumentHead,
  decodeItem,
  encodeItem,
  indexOf,
  itemAt,
  packDocuments,
  type DocumentHead,
  type Item,
} from './document_segment.ts'
import type { Draft } from './draft.ts'
import type { SegmentEntry } from './segment.ts'

/** Segments of one tier that become one of the next. */
export const TIER_WIDTH = 8

/**
 * Size class of a segment: eight of one class become one of the next, so a document is rewritten a
 * bounded number of times however small the commits are. A full one is left alone.
 */
export function tierOf(bytes: number): number {
  if (bytes >= LIMITS.segmentBytes / 2) return Number.POSITIVE_INFINITY
  return bytes < LIMITS.segmentBytes / 64 ? 0 : bytes < LIMITS.segmentBytes / 8 ? 1 : 2
}

/** Segments that a new one of so many bytes completes the tier of. */
export function peersOf(bytes: number, entries: readonly SegmentEntry[]): readonly SegmentEntry[] {
  const tier = tierOf(bytes)
  if (tier === Number.POSITIVE_INFINITY) return []
  const peers = entries.filter(({ body }) => tierOf(body) <= tier)
  return peers.length >= TIER_WIDTH - 1 ? peers : []
}

export interface DocumentChange {
  readonly put: readonly StoredDocument[]
  readonly remove: readonly string[]
}

export interface DocumentPlan {
  readonly segments: readonly SegmentEntry[]
  /** By how many documents the corpus grows. */
  readonly growth: number
  /** Ids whose vectors no longer fit: removed, or replaced by another text or other passages. */
  readonly losing: ReadonlySet<string>
  /** Brings the directory up to the plan, once it is current. */
  apply(): void
}

/** Reads a segment; null where its head or body is damaged or gone. */
export type ReadDocuments = (
  entry: SegmentEntry,
) => Promise<{ readonly head: DocumentHead; readonly body: Uint8Array } | null>

export class DocumentDirectory {
  /** Null where a head does not read. */
  private readonly heads = new Map<string, DocumentHead | null>()
  /** Of each document the name of its segment; made when a change first asks. */
  private where: Map<string, string> | null = null

  /** Learns what a segment holds; for ever, as segments never change. */
  learn(name: string, head: DocumentHead | null): void {
    this.heads.set(name, head)
    if (this.where !== null) for (const id of head?.ids ?? []) this.where.set(id, name)
  }

  head(name: string): DocumentHead | null | undefined {
    return this.heads.get(name)
  }

  /** Forgets all segments but these; gives those that were not learnt. */
  sync(entries: readonly SegmentEntry[]): readonly SegmentEntry[] {
    const names = new Set(entries.map(({ name }) => name))
    for (const name of [...this.heads.keys()]) if (!names.has(name)) this.forget(name)
    return entries.filter(({ name }) => !this.heads.has(name))
  }

  /** Hash and number of passages of a stored document. */
  known(id: string): { readonly hash: string; readonly passages: number } | null {
    const name = this.index().get(id),
      head = name === undefined ? null : this.heads.get(name)
    if (!head) return null
    const i = indexOf(head, id)
    return { hash: head.hashes[i]!, passages: head.passages[i]! }
  }

  /** Ids by the segment they lie in; those that are nowhere are left out. */
  groups(ids: readonly string[]): readonly (readonly string[])[] {
    const groups = new Map<string, string[]>()
    for (const id of ids) {
      const name = this.index().get(id)
      if (name === undefined) continue
      const group = groups.get(name)
      if (group === undefined) groups.set(name, [id])
      else group.push(id)
    }
    return [...groups.values()]
  }

  private forget(name: string): void {
    if (this.where !== null)
      for (const id of this.heads.get(name)?.ids ?? [])
        if (this.where.get(id) === name) this.where.delete(id)
    this.heads.delete(name)
  }

  private index(): Map<string, string> {
    if (this.where === null) {
      this.where = new Map()
      for (const [name, head] of this.heads)
        for (const id of head?.ids ?? []) this.where.set(id, name)
    }
    return this.where
  }

  /**
   * Rewrites the segments that hold an older version or a removed document, and adds the new ones;
   * small segments are merged by tiers.
   */
  async plan(
    { put, remove }: DocumentChange,
    entries: readonly SegmentEntry[],
    draft: Draft,
    read: ReadDocuments,
  ): Promise<DocumentPlan> {
    const where = this.index(),
      touchedNames = new Set<string>(),
      gone = new Map<string, StoredDocument | null>(),
      losing = new Set(remove.filter((id) => where.has(id)))
    let growth = put.length - losing.size
    for (const id of losing) gone.set(id, null)
    for (const document of put) gone.set(document.id, document)
    for (const [id, newer] of gone) {
      const name = where.get(id)
      if (name === undefined) continue
      touchedNames.add(name)
      if (newer !== null) growth--
    }
    const added: { readonly entry: SegmentEntry; readonly head: DocumentHead }[] = []
    const emit = async (items: readonly Item[]): Promise<void> => {
      const parts = packDocuments(items)
      added.push({ entry: await draft.add('d', parts), head: decodeDocumentHead(parts.head) })
    }
    const pool: Item[] = []
    let poolBytes = 0
    const take = async (items: readonly Item[]): Promise<void> => {
      for (const item of items) {
        pool.push(item)
        poolBytes += item.bytes.length
      }
      if (poolBytes < LIMITS.segmentBytes) return
      await emit(pool.splice(0))
      poolBytes = 0
    }
    for (const entry of entries.filter(({ name }) => touchedNames.has(name))) {
      const found = await read(entry)
      draft.drop(entry)
      if (found === null) continue
      const left: Item[] = []
      let bytes = 0
      for (let i = 0; i < found.head.ids.length; i++) {
        const item = itemAt(found.head, found.body, i),
          newer = gone.get(item.id)
        if (newer === undefined) {
          left.push(item)
          bytes += item.bytes.length
        } else if (newer !== null && !stillFits(item, newer)) losing.add(item.id)
      }
      if (bytes >= LIMITS.segmentBytes / 2) await emit(left)
      else await take(left)
    }
    const sorted = [...put].sort((a, b) => compareIds(a.id, b.id))
    let run: Item[] = [],
      runBytes = 0
    for (const document of sorted) {
      const item = encodeItem(document)
      if (runBytes > 0 && runBytes + item.bytes.length > LIMITS.segmentBytes) {
        await emit(run)
        await yieldToEvents()
        run = []
        runBytes = 0
      }
      run.push(item)
      runBytes += item.bytes.length
    }
    await take(run)
    for (;;) {
      const peers = pool.length === 0 ? [] : peersOf(poolBytes, entries.filter(draft.keeps))
      if (peers.length === 0) break
      for (const entry of peers) {
        const found = await read(entry)
        draft.drop(entry)
        if (found === null) continue
        await take(found.head.ids.map((_id, i) => itemAt(found.head, found.body, i)))
      }
    }
    if (pool.length > 0) await emit(pool)
    const segments = [...entries.filter(draft.keeps), ...added.map(({ entry }) => entry)]
    return {
      segments,
      growth,
      losing,
      apply: () => {
        for (const { entry, head } of added) this.learn(entry.name, head)
        this.sync(segments)
      },
    }
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
