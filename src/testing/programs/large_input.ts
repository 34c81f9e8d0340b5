/** Additions that take many segments, and an archive of them with merges and relations. */
import { createEngine } from '../../node.ts'
import type { DocumentInput } from '../../types.ts'

const DOCUMENT_CHARS = 50_000

const WORDS = 'the river went to a bridge near its garden and school had light over one boat'.split(
  ' ',
)

/** So many documents of 50 kB, each of its own order of few words. */
export function largeDocuments(count: number): DocumentInput[] {
  return Array.from({ length: count }, (_, n) => {
    let text = 'Ida Holm met Emil Zand in Riga. ',
      state = n + 1
    while (text.length < DOCUMENT_CHARS) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      text += WORDS[state >>> 28]! + (state & 0x1000 ? ' ' : '. ')
    }
    return { id: `large-${String(n).padStart(4, '0')}`, text }
  })
}

/** An archive of them, with a merge and a relation. */
export async function largeArchive(count: number): Promise<Blob> {
  const engine = await createEngine({ corpus: 'large', storage: 'memory' })
  try {
    await engine.add(largeDocuments(count))
    await engine.mergeNames(['Ida Holm', 'Emil Zand'])
    await engine.addRelations([
      { documentId: 'large-0000', subject: 'Ida Holm', predicate: 'met', object: 'Emil Zand' },
    ])
    return await engine.export()
  } finally {
    await engine.close()
  }
}
