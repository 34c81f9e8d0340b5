/**
 * Vectors that come with documents, from a caller or an archive. Rejects those of another
 * dimension; an existing vector is kept.
 */
import { HubmeshError } from '../../base/errors.ts'
import type { StoredDocument, VectorRow } from '../../store/storage.ts'
import type { AdmittedDocument } from '../../types.ts'
import type { Corpus } from '../../corpus/corpus.ts'
import type { Vectorizer } from '../vectorizer.ts'

/** An admitted document; cut already, and with vectors, where it comes from an archive. */
export type Prepared = AdmittedDocument & {
  readonly passages?: Int32Array
  readonly rows?: readonly VectorRow[]
}

export class GivenVectors {
  constructor(
    private readonly parts: {
      readonly corpus: Corpus
      readonly vectorizer: Vectorizer | null
    },
  ) {}

  /** Throws `input/invalid` for a vector that cannot be the passage's. */
  check(document: AdmittedDocument, stored: StoredDocument): void {
    if (!document.vector) return
    const dims = this.parts.corpus.vectors?.dims
    const name = `The vector of document "${document.id.slice(0, 80)}"`
    if (dims === undefined)
      throw new HubmeshError(
        'input/invalid',
        `${name} cannot be taken: the engine has no embedder whose vectors it could be ` +
          'compared with. Open it with a model or an Embedder.',
      )
    if (document.vector.length !== dims)
      throw new HubmeshError(
        'input/invalid',
        `${name} has ${document.vector.length} components; this corpus has vectors of ${dims}.`,
      )
    if (stored.passages.length !== 2)
      throw new HubmeshError(
        'input/invalid',
        `${name} cannot be taken: the document is cut into ${stored.passages.length / 2} ` +
          'passages, and a vector belongs to one. Leave the vector out, or open the engine with ' +
          `chunk: { strategy: 'none' }.`,
      )
  }

  /** Those of passages that have none yet; of documents that come, all. */
  rows(documents: readonly Prepared[], cut: ReadonlyMap<string, StoredDocument>): VectorRow[] {
    const rows: VectorRow[] = [],
      { corpus } = this.parts
    for (const { id, hash, vector, rows: given = [] } of documents) {
      const coming = cut.get(id),
        slots = corpus.table.get(id)?.slots ?? []
      const isWanted = (passage: number): boolean => {
        if (coming !== undefined) return passage * 2 < coming.passages.length
        const slot = slots[passage]
        return slot !== undefined && !corpus.vectors?.has(slot)
      }
      if (vector) rows.push({ documentId: id, hash, passage: 0, vector })
      for (const row of given) if (row.hash === hash && isWanted(row.passage)) rows.push(row)
    }
    return rows
  }

  /** Takes them into memory. */
  hold(rows: readonly VectorRow[]): void {
    const { corpus, vectorizer } = this.parts
    for (const row of rows) {
      const slot = corpus.table.get(row.documentId)?.slots[row.passage]
      if (slot === undefined) continue
      corpus.vectors?.set(slot, row.vector)
      vectorizer?.remove([slot])
    }
  }
}
