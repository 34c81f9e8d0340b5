/** Which passages are in a script that the model reads: of the others its cosine says nothing. */
import type { CorpusTable, DocumentEntry } from '../corpus/corpus_table.ts'
import type { Embedder } from '../embed/embedder.ts'
import { isLatin } from '../lexical/scripts.ts'

export class ReadablePassages {
  private readonly latinOnly: boolean
  /** Each slot's document when it was looked at, and what was seen. */
  private readonly entries: (DocumentEntry | undefined)[] = []
  private readonly seen: boolean[] = []

  constructor(
    embedder: Pick<Embedder, 'reads'> | null,
    private readonly table: CorpusTable,
  ) {
    this.latinOnly = embedder?.reads === 'latin'
  }

  /** Whether the model reads a question. */
  readsText(text: string): boolean {
    return !this.latinOnly || isLatin(text)
  }

  /** Takes the cosines of passages that the model cannot read out. */
  clear(cosines: Float32Array): void {
    if (!this.latinOnly) return
    for (let slot = 0; slot < cosines.length; slot++)
      if (this.table.has(slot) && !this.reads(slot)) cosines[slot] = NaN
  }

  /** Passages that the model cannot read. */
  count(): number {
    let count = 0
    if (this.latinOnly)
      for (let slot = 0; slot < this.table.slots; slot++)
        if (this.table.has(slot) && !this.reads(slot)) count++
    return count
  }

  private reads(slot: number): boolean {
    const entry = this.table.entry(slot)
    if (this.entries[slot] !== entry) {
      this.entries[slot] = entry
      this.seen[slot] = isLatin(this.table.text(slot))
    }
    return this.seen[slot]!
  }
}
