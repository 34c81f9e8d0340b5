/**
 * Owns taking a document out of the open corpus, and what of the page it leaves untrue. Refuses: an
 * answer that still shows what is gone.
 */
import type { RetrieveResult } from '../../src/index.ts'
import { corpusLabel } from '../words/corpus_name.ts'
import { counted } from '../words/format.ts'
import { problemOf, type Problem } from '../words/problems.ts'
import type { Asking } from './asking.ts'
import { EMPTY_ASK, type Store } from './state.ts'

/**
 * Gives what is in the way, and leaves all as it is then; null once it is out and the question
 * shown was asked anew.
 */
export async function removeDocument(
  store: Store,
  asking: Pick<Asking, 'again'>,
  id: string,
  title: string,
): Promise<Problem | null> {
  const { engine } = store.state
  if (!engine) return null
  try {
    await engine.remove(id)
    const status = await engine.status()
    if (store.state.engine !== engine) return null
    const { excluded, pinned, answer } = store.state
    // What was kept to compare with cannot be asked anew.
    store.set({
      status,
      opened: null,
      excluded: excluded.filter((document) => document.id !== id),
      pinned: pinned && shows(pinned.answer, id) ? null : pinned,
      ...(status.documents === 0 ? EMPTY_ASK : {}),
    })
    if (status.documents > 0 && answer) await asking.again()
    if (store.state.engine === engine)
      store.set({
        announcement: `${title} removed. ${corpusLabel(engine.corpus)} holds ${counted(status.documents, 'document')}.`,
      })
    return null
  } catch (error) {
    return problemOf(error)
  }
}

function shows({ sources, blocks }: RetrieveResult, id: string): boolean {
  return (
    sources.some((source) => source.documentId === id) ||
    blocks.some((block) => block.documentId === id)
  )
}
