/** Time and recall of the open vector index, by searches for the titles of its own documents. */
import type { Engine } from '../../src/index.ts'

export interface Measured {
  /** Milliseconds of a search in the middle of all. */
  readonly ms: number
  /** Share of the ten nearest by exact cosine that the index gives too. */
  readonly recall: number
}

const QUESTIONS = 20
const TOP = 10
/** Sources asked for where the order by cosine must be exact: re-ranked from a wide list. */
const WIDE = 400

export async function measureIndex(
  engine: Pick<Engine, 'listDocuments' | 'search'>,
): Promise<Measured> {
  const { documents } = await engine.listDocuments({ limit: 200 })
  const questions = documents
    .map(({ title, id }) => (title === '' ? id : title))
    .filter((_, i) => i % Math.max(1, Math.floor(documents.length / QUESTIONS)) === 0)
    .slice(0, QUESTIONS)
  const times: number[] = []
  let hits = 0,
    wanted = 0
  for (const question of questions) {
    const start = performance.now()
    const few = await engine.search(question, { mode: 'dense', topK: TOP })
    times.push(performance.now() - start)
    const wide = await engine.search(question, { mode: 'dense', topK: WIDE })
    const exact = [...wide].sort((a, b) => (b.cosine ?? -1) - (a.cosine ?? -1)).slice(0, TOP)
    const found = new Set(few.map(({ documentId, passage }) => `${documentId}\n${passage}`))
    wanted += exact.length
    hits += exact.filter(({ documentId, passage }) => found.has(`${documentId}\n${passage}`)).length
  }
  times.sort((a, b) => a - b)
  return { ms: times[times.length >> 1] ?? 0, recall: wanted === 0 ? 1 : hits / wanted }
}
