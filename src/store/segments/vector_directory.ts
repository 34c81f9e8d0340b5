/** Which vectors lie in which segment, and the plan of every change of them. */
import { LIMITS } from '../../base/limits.ts'
import { identityKey } from '../records/settings_codec.ts'
import type { EmbedderIdentity } from '../../types.ts'
import type { VectorRow } from '../storage.ts'
import { peersOf } from './tiers.ts'
import type { Draft } from './draft.ts'
import type { SegmentEntry } from './segment.ts'
import { decodeVectorHead, packVectors, rowBytes, type VectorHead } from './vector_segment.ts'

export interface VectorChange {
  /** Documents whose rows go. */
  readonly drop?: ReadonlySet<string>
  /** The one segment that may be rewritten for them; left out: any. */
  readonly within?: string
  readonly append?: readonly VectorRow[]
  /** Of the appended rows. */
  readonly identity?: EmbedderIdentity | null
}

/** The rows of a segment; none where it does not read. */
export type ReadRows = (entry: SegmentEntry) => Promise<readonly VectorRow[]>

export interface VectorPlan {
  readonly vectors: readonly SegmentEntry[]
  /** Brings the directory up to the plan, once it is current. */
  apply(): void
}

export class VectorDirectory {
  /** Null where a segment does not read: it goes with the next change. */
  private readonly heads = new Map<string, VectorHead | null>()
  /** Of each document the segments of its vectors; most have one, for which no list is made. */
  private holders: Map<string, string | readonly string[]> | null = null

  learn(name: string, head: VectorHead | null): void {
    if (head === null && this.heads.has(name)) this.forget(name)
    this.heads.set(name, head)
    if (this.holders !== null) this.enter(name, head, this.holders)
  }

  /** Forgets all segments but these; gives those that were not learnt. */
  sync(entries: readonly SegmentEntry[]): readonly SegmentEntry[] {
    const names = new Set(entries.map(({ name }) => name))
    for (const name of [...this.heads.keys()]) if (!names.has(name)) this.forget(name)
    return entries.filter(({ name }) => !this.heads.has(name))
  }

  /** Names of the segments that hold vectors of these documents. */
  holding(ids: Iterable<string>): ReadonlySet<string> {
    const names = new Set<string>()
    for (const id of ids) for (const name of this.of(id)) names.add(name)
    return names
  }

  /** The segments of the next manifest. */
  async plan(
    { drop = new Set(), within, append = [], identity = null }: VectorChange,
    entries: readonly SegmentEntry[],
    draft: Draft,
    read: ReadRows,
  ): Promise<VectorPlan> {
    const { appended, replaced } = byDocument(append)
    const touched = new Set<string>()
    for (const name of this.holding(drop))
      if (within === undefined || name === within) touched.add(name)
    for (const [id, passages] of replaced)
      for (const name of this.of(id))
        if (holdsAny(this.heads.get(name)!, id, passages)) touched.add(name)
    for (const entry of entries) if (this.heads.get(entry.name) === null) draft.drop(entry)
    const stays = (row: VectorRow): boolean =>
      !drop.has(row.documentId) && replaced.get(row.documentId)?.has(row.passage) !== true

    const added: { readonly entry: SegmentEntry; readonly head: VectorHead }[] = []
    const emit = async (key: string, dims: number, rows: readonly VectorRow[]): Promise<void> => {
      const step = Math.max(1, Math.floor(LIMITS.segmentBytes / rowBytes(dims)))
      for (let from = 0; from < rows.length; from += step) {
        const parts = packVectors(key, dims, rows.slice(from, from + step))
        added.push({ entry: await draft.add('v', parts), head: decodeVectorHead(parts.head) })
      }
    }
    for (const entry of entries.filter(({ name }) => touched.has(name))) {
      draft.drop(entry)
      const { identity: key, dims } = this.heads.get(entry.name)!
      await emit(key, dims, (await read(entry)).filter(stays))
    }
    if (appended.size > 0 && identity !== null) {
      const key = identityKey(identity)
      let rows = [...appended.values()]
      for (;;) {
        const peers = peersOf(
          rows.length * rowBytes(identity.dims),
          entries.filter(
            (entry) => draft.keeps(entry) && this.heads.get(entry.name)?.identity === key,
          ),
        )
        if (peers.length === 0) break
        const older: VectorRow[] = []
        for (const entry of peers) {
          draft.drop(entry)
          for (const row of await read(entry)) if (stays(row)) older.push(row)
        }
        rows = [...older, ...rows]
      }
      await emit(key, identity.dims, rows)
    }
    const vectors = [...entries.filter(draft.keeps), ...added.map(({ entry }) => entry)]
    return {
      vectors,
      apply: () => {
        for (const { entry, head } of added) this.learn(entry.name, head)
        this.sync(vectors)
      },
    }
  }

  private of(id: string): readonly string[] {
    if (this.holders === null) {
      this.holders = new Map()
      for (const [name, head] of this.heads) this.enter(name, head, this.holders)
    }
    const found = this.holders.get(id)
    return found === undefined ? [] : typeof found === 'string' ? [found] : found
  }

  private enter(
    name: string,
    head: VectorHead | null,
    holders: Map<string, string | readonly string[]>,
  ): void {
    for (const id of head?.ids ?? []) {
      const others = this.of(id).filter((other) => other !== name)
      holders.set(id, others.length === 0 ? name : [...others, name])
    }
  }

  private forget(name: string): void {
    if (this.holders !== null)
      for (const id of this.heads.get(name)?.ids ?? []) {
        const left = this.of(id).filter((other) => other !== name)
        if (left.length === 0) this.holders.delete(id)
        else this.holders.set(id, left.length === 1 ? left[0]! : left)
      }
    this.heads.delete(name)
  }
}

/** The last row of each passage, and which passages of which documents they are of. */
function byDocument(rows: readonly VectorRow[]): {
  readonly appended: ReadonlyMap<string, VectorRow>
  readonly replaced: ReadonlyMap<string, ReadonlySet<number>>
} {
  const appended = new Map<string, VectorRow>(),
    replaced = new Map<string, Set<number>>()
  for (const row of rows) {
    const { documentId, passage } = row,
      passages = replaced.get(documentId)
    appended.set(`${passage} ${documentId}`, row)
    if (passages === undefined) replaced.set(documentId, new Set([passage]))
    else passages.add(passage)
  }
  return { appended, replaced }
}

function holdsAny(head: VectorHead, id: string, passages: ReadonlySet<number>): boolean {
  for (let i = 0; i < head.documentOf.length; i++)
    if (passages.has(head.passageOf[i]!) && head.ids[head.documentOf[i]!] === id) return true
  return false
}
