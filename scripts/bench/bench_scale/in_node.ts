/** The figures of an engine in Node, kept in a folder. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LocalEngine } from '../../../src/engine/engine.ts'
import type { BenchPassage } from '../../../src/bench/dataset.ts'
import { hashedVector } from '../../../src/embed/hashing.ts'
import { createVectorIndex } from '../../../src/vector/create_vector_index.ts'
import { CHANGES, changeOf, documentsOf } from './corpora.ts'
import { answersOf, spreadOf, type Answers, type AskedOnce, type SizeFigures } from './figures.ts'
import { accountOf, askAll, benchEmbedder, DIMS, scanAll } from './inside.ts'

export interface NodeOptions {
  readonly questions: readonly string[]
  readonly rounds: number
  /** Largest size at which HNSW is built, as it takes minutes beyond. */
  readonly hnswUpTo: number
}

async function open(directory: string): Promise<LocalEngine> {
  const engine = await LocalEngine.open({
    corpus: 'scale',
    storage: { directory },
    embedder: benchEmbedder(),
    chunk: { strategy: 'none' },
  })
  await engine.pauseEmbedding()
  return engine
}

async function clock(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

export async function roundsOf(
  engine: LocalEngine,
  questions: readonly string[],
  tier: 'text' | 'full',
  rounds: number,
): Promise<Answers> {
  await askAll(engine, questions.slice(0, 50), tier) // compiled before the clock starts
  const out: AskedOnce[][] = []
  for (let round = 0; round < rounds; round++) out.push(await askAll(engine, questions, tier))
  return answersOf(out)
}

export async function measureInNode(
  passages: readonly BenchPassage[],
  { questions, rounds, hnswUpTo }: NodeOptions,
): Promise<SizeFigures> {
  const directory = await mkdtemp(join(tmpdir(), 'hubmesh-scale-')),
    size = passages.length
  try {
    let engine = await open(directory)
    const growth = await grow(engine, passages, questions)
    const retrieveText = await roundsOf(engine, questions, 'text', rounds)
    const embedMs = await clock(async () => {
      await engine.resumeEmbedding()
      await engine.ready('vectors')
    })
    const retrieve = await roundsOf(engine, questions, 'full', rounds),
      exactScan = spreadOf(scanAll(engine, questions))
    await engine.close()

    const from = performance.now()
    engine = await open(directory)
    await engine.retrieve(questions[0] as string, { tier: 'text' })
    const openText = performance.now() - from
    await engine.ready('vectors')
    const openVectors = performance.now() - from
    await engine.resumeEmbedding()
    const changes = await change(engine, passages),
      removed = await removeMany(engine, passages)
    await engine.close()
    return {
      host: 'node',
      passages: size,
      ...growth,
      heapBytes: null,
      retrieveText,
      retrieve,
      roundTrip: null,
      embedRate: size / (embedMs / 1000),
      exactScan,
      hnsw: size <= hnswUpTo ? await measureHnsw(passages, questions) : null,
      ...changes,
      removeMany: removed,
      openText,
      openVectors,
      longTasks: null,
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Adds all and asks meanwhile. */
async function grow(
  engine: LocalEngine,
  passages: readonly BenchPassage[],
  questions: readonly string[],
): Promise<Pick<SizeFigures, 'ingestRate' | 'answeredWhileAdding' | 'accountBytes'>> {
  const documents = documentsOf(passages)
  let answeredWhileAdding = 0,
    growing = true
  const adding = clock(async () => {
    await engine.add(documents)
    await engine.ready('settled')
  }).finally(() => {
    growing = false
  })
  for (let i = 0; growing; i++) {
    await new Promise((resolve) => setTimeout(resolve, 250))
    const question = questions[i % questions.length] as string
    answeredWhileAdding = Math.max(
      answeredWhileAdding,
      await clock(() => engine.retrieve(question, { tier: 'text' })),
    )
  }
  const ms = await adding,
    { text, tables } = accountOf(engine)
  return {
    ingestRate: passages.length / (ms / 1000),
    answeredWhileAdding,
    accountBytes: (text + tables) / passages.length,
  }
}

async function change(
  engine: LocalEngine,
  passages: readonly BenchPassage[],
): Promise<Pick<SizeFigures, 'addOne' | 'updateOne' | 'removeOne'>> {
  const added: number[] = [],
    updated: number[] = [],
    removed: number[] = []
  for (let i = 0; i < CHANGES; i++) {
    const { name: title, text, question } = changeOf(passages, i),
      other = changeOf(passages, i + CHANGES),
      id = `new-${i}`
    const find = async (): Promise<void> => {
      const { sources } = await engine.retrieve(question, { tier: 'text' })
      if (!sources.some(({ documentId }) => documentId === id))
        throw new Error('What was added was not found.')
    }
    added.push(
      await clock(async () => {
        await engine.add({ id, title, text })
        await find()
      }),
    )
    updated.push(
      await clock(async () => {
        await engine.update({ id, title, text: other.text.replace(other.name, title) })
        await find()
      }),
    )
    removed.push(await clock(() => engine.remove(id)))
  }
  return { addOne: spreadOf(added), updateOne: spreadOf(updated), removeOne: spreadOf(removed) }
}

async function removeMany(
  engine: LocalEngine,
  passages: readonly BenchPassage[],
): Promise<SizeFigures['removeMany']> {
  await engine.ready('settled')
  const ids = passages.slice(0, Math.min(1000, passages.length >> 1)).map(({ id }) => id),
    before = accountOf(engine).textRead,
    resolved = await clock(() => engine.remove(ids)),
    more = await clock(() => engine.ready('settled'))
  return {
    documents: ids.length,
    resolved,
    settled: resolved + more,
    read: accountOf(engine).textRead - before,
  }
}

async function measureHnsw(
  passages: readonly BenchPassage[],
  questions: readonly string[],
): Promise<SizeFigures['hnsw']> {
  const rows = passages.map(({ title, text }) => hashedVector(`${title}. ${text}`, DIMS)),
    asked = questions.slice(0, 100).map((question) => hashedVector(question, DIMS))
  const exact = await createVectorIndex({ dims: DIMS, index: 'exact', expectedRows: rows.length }),
    hnsw = await createVectorIndex({ dims: DIMS, index: 'hnsw', expectedRows: rows.length })
  rows.forEach((row, i) => {
    exact.set(i, row)
  })
  const from = performance.now()
  rows.forEach((row, i) => {
    hnsw.set(i, row)
  })
  hnsw.search(asked[0] as Float32Array, 10)
  const buildSeconds = (performance.now() - from) / 1000
  let found = 0,
    all = 0
  const times = asked.map((vector) => {
    const start = performance.now(),
      hits = hnsw.search(vector, 10),
      ms = performance.now() - start,
      right = new Set(exact.search(vector, 10).map(({ row }) => row))
    found += hits.filter(({ row }) => right.has(row)).length
    all += right.size
    return ms
  })
  exact.close()
  hnsw.close()
  return { buildSeconds, search: spreadOf(times), recall: found / all }
}
