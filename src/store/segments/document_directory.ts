/** Which documents lie in which segment, and the plan of every change of them. */
import type { StoredDocument } from '../storage.ts'
import { DocumentRewrite, type ReadDocuments } from './document_rewrite.ts'
import { indexOf, type DocumentHead } from './document_segment.ts'
import type { Draft } from './draft.ts'
import type { SegmentEntry } from './segment.ts'

export interface DocumentChange {
  readonly put: readonly StoredDocument[]
  readonly remove: readonly string[]
  /** Small segments are merged by tiers. */
  readonly merges: boolean
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

  /** Rewrites the segments that hold an older version or a removed document, and adds the new ones. */
  async plan(
    { put, remove, merges }: DocumentChange,
    entries: readonly SegmentEntry[],
    draft: Draft,
    read: ReadDocuments,
  ): Promise<DocumentPlan> {
    const where = this.index(),
      touched = new Set<string>(),
      losing = new Set(remove.filter((id) => where.has(id))),
      gone = new Map<string, StoredDocument | null>()
    let growth = put.length - losing.size
    for (const id of losing) gone.set(id, null)
    for (const document of put) gone.set(document.id, document)
    for (const [id, newer] of gone) {
      const name = where.get(id)
      if (name === undefined) continue
      touched.add(name)
      if (newer !== null) growth--
    }
    const rewrite = new DocumentRewrite(draft, read)
    for (const entry of entries.filter(({ name }) => touched.has(name)))
      for (const id of await rewrite.without(entry, gone)) losing.add(id)
    await rewrite.put(put)
    const added = await rewrite.finish(merges ? entries : [])
    const segments = [...entries.filter(draft.keeps), ...added.map(({ entry }) => entry)]
    return {
      ...{ segments, growth, losing },
      apply: () => {
        for (const { entry, head } of added) this.learn(entry.name, head)
        this.sync(segments)
      },
    }
  }
}
