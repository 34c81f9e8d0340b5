/** Taking a document out of the open corpus, and out of every answer that shows it. */
import type { RetrieveResult } from '../../src/index.ts'
import { corpusLabel } from '../words/corpus_name.ts'
import { words } from '../words/words.ts'
import { problemOf, type Problem } from '../words/problems.ts'
import type { Asking } from './asking.ts'
import { EMPTY_ASK, type Store, type Turn } from './state.ts'

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
    const { excluded, pinned, answer, turns, opened } = store.state
    // What was kept to compare with cannot be asked anew.
    store.set({
      status,
      opened: opened?.id === id ? null : opened,
      turns: turns.filter((turn) => !quotes(turn, id)),
      excluded: excluded.filter((document) => document.id !== id),
      pinned: pinned && shows(pinned.answer, id) ? null : pinned,
      ...(status.documents === 0 ? EMPTY_ASK : {}),
    })
    if (status.documents > 0 && answer) await asking.again()
    if (store.state.engine === engine)
      store.set({
        announcement: words().report.removed(title, corpusLabel(engine.corpus), status.documents),
      })
    return null
  } catch (error) {
    return problemOf(error)
  }
}

function quotes({ card, answer }: Turn, id: string): boolean {
  return (
    card.quotes.some(({ documentId }) => documentId === id) ||
    (answer !== null && shows(answer, id))
  )
}

function shows({ sources, blocks }: RetrieveResult, id: string): boolean {
  return (
    sources.some((source) => source.documentId === id) ||
    blocks.some((block) => block.documentId === id)
  )
}
