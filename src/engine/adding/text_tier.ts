/** Stored documents into the text tier in memory, and out of it. */
import { Slices } from '../../base/slices.ts'
import type { Corpus } from '../../corpus/corpus.ts'
import type { StoredDocument } from '../../store/storage.ts'
import type { Vectorizer } from '../vectorizer.ts'

interface MemoryParts {
  readonly corpus: Corpus
  readonly vectorizer: Vectorizer | null
}

/** An addition with more passages than this reads names after all are in, not one by one. */
const BULK = 64

/** Reads saved documents into the text tier; gives their slots. */
export async function indexDocuments(
  parts: MemoryParts,
  group: readonly StoredDocument[],
  onRead: (documents: number) => void,
): Promise<number[]> {
  const { corpus, vectorizer } = parts,
    slots: number[] = []
  const bulk = group.reduce((sum, document) => sum + document.passages.length / 2, 0) > BULK
  const slices = new Slices()
  for (const [i, document] of group.entries()) {
    const held = corpus.table.get(document.id)
    if (held?.hash === document.hash) {
      held.metadata = document.metadata
      continue
    }
    vectorizer?.remove(held?.slots ?? [])
    const { entry } = await slices.run(corpus.put(document, !bulk), () => {
      onRead(i)
    })
    for (const slot of entry.slots) slots.push(slot)
  }
  return slots
}

/** Takes documents that are no longer stored out of the memory too. */
export async function forget(parts: MemoryParts, ids: readonly string[]): Promise<void> {
  const { corpus, vectorizer } = parts
  for (const id of ids) vectorizer?.remove(corpus.table.get(id)?.slots ?? [])
  await new Slices().run(corpus.remove(ids))
}
