/** Estimates how much a corpus takes, which browsers do not tell for one of several. */
import type { Engine, EngineStatus } from '../../src/index.ts'

/** Documents listed at a time. */
const PAGE = 1000

/**
 * Two bytes a character and four a component of a vector; null where the corpus is empty or does
 * not say.
 */
export async function bytesOf(
  engine: Pick<Engine, 'listDocuments'>,
  status: EngineStatus,
): Promise<number | null> {
  if (status.documents === 0) return null
  let characters = 0
  try {
    for (let offset = 0; offset < status.documents; offset += PAGE) {
      const { documents } = await engine.listDocuments({ offset, limit: PAGE })
      if (documents.length === 0) break
      for (const document of documents) characters += document.chars
    }
  } catch {
    return null
  }
  return 2 * characters + 4 * (status.embedding.identity?.dims ?? 0) * status.passages
}
