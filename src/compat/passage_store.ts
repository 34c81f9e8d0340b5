/** The passages of a corpus as the planner reads a store: ids, texts, vectors, nearest ones. */
import type { Corpus } from '../corpus/corpus.ts'
import { roundScore } from '../base/math.ts'
import { LIMITS } from '../base/limits.ts'
import type { PlannerDocument, PlannerStore } from './planner/result.ts'
import type { VectorStoreHit } from './stores/vector_store.ts'
import { selectBest } from '../retrieve/select.ts'

/**
 * Valid as long as no document comes or goes. A passage that is its whole document has its id,
 * others `id#chunkN`, as hubmesh's chunkers name them.
 */
export class PassageStore implements PlannerStore {
  readonly slotOf = new Map<string, number>()
  private readonly idBySlot: string[] = []

  constructor(private readonly corpus: Corpus) {
    for (const id of corpus.table.ids()) {
      const { slots } = corpus.table.get(id)!
      for (const slot of slots) {
        let own = slots.length === 1 ? id : `${id}#chunk${corpus.table.passage(slot)}`
        while (this.slotOf.has(own)) own += '#'
        this.slotOf.set(own, slot)
        this.idBySlot[slot] = own
      }
    }
  }

  idOf(slot: number): string {
    return this.idBySlot[slot]!
  }

  ids(): string[] {
    return [...this.slotOf.keys()]
  }

  search(query: ArrayLike<number>, k: number): Promise<VectorStoreHit[]> {
    return Promise.resolve(this.nearest(query, k, -1))
  }

  neighbors(id: string, k = 10): Promise<VectorStoreHit[]> {
    const slot = this.slotOf.get(id),
      vector = slot === undefined ? null : (this.corpus.vectors?.get(slot) ?? null)
    return Promise.resolve(vector === null ? [] : this.nearest(vector, k, slot!))
  }

  getMany(ids: readonly string[]): Promise<(PlannerDocument | null)[]> {
    return Promise.resolve(
      ids.map((id) => {
        const slot = this.slotOf.get(id)
        if (slot === undefined) return null
        const { table, vectors } = this.corpus,
          { title, metadata } = table.entry(slot)
        return { id, title, text: table.text(slot), metadata, vector: vectors?.get(slot) ?? null }
      }),
    )
  }

  /** Equal ones by document id and passage, so that no order in which documents came shows. */
  private nearest(query: ArrayLike<number>, k: number, except: number): VectorStoreHit[] {
    const { vectors, table } = this.corpus
    if (!vectors) return []
    const all = vectors.scores(query, table.slots)
    if (!all) {
      const hits = vectors.search(query, Math.min(k + 1, LIMITS.topK), (row) => row !== except)
      return hits
        .sort((a, b) => b.score - a.score || table.compare(a.row, b.row))
        .slice(0, k)
        .map(({ row, score }) => ({ id: this.idOf(row), score }))
    }
    const out = new Uint8Array(table.slots),
      scores = Float64Array.from(all, roundScore)
    for (let slot = 0; slot < out.length; slot++)
      if (Number.isNaN(all[slot]) || slot === except || !table.has(slot)) out[slot] = 1
    return selectBest(scores, table.slots, k, out, table.compare).map((slot) => ({
      id: this.idOf(slot),
      score: all[slot]!,
    }))
  }
}

/** Vectors of the passages as they are in the index at the moment: nothing is copied to be kept. */
export class PassageVectors extends Map<string, Float32Array> {
  constructor(
    private readonly corpus: Corpus,
    private readonly store: PassageStore,
  ) {
    super()
  }

  override get size(): number {
    return this.corpus.vectors?.size ?? 0
  }

  override get(id: string): Float32Array | undefined {
    const slot = this.store.slotOf.get(id)
    return slot === undefined ? undefined : (this.corpus.vectors?.get(slot) ?? undefined)
  }

  override has(id: string): boolean {
    return this.get(id) !== undefined
  }
}
