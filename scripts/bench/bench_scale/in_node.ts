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
    let engine = await open(directory),
      answeredWhileAdding = 0,
      growing = true
    const documents = documentsOf(passages)
    const adding = clock(async () => {
      await engine.add(documents)
      await engine.ready('settled')
    }).finally(() => {
      growing = false
    })
    for (let i = 0; growing; i++) {
      await new Promise((resolve) => setTimeout(resolve, 250))
      answeredWhileAdding = Math.max(
        answeredWhileAdding,
        await clock(() =>
          engine.retrieve(questions[i % questions.length] as string, { tier: 'text' }),
        ),
      )
    }
    const ingestMs = await adding,
      account = accountOf(engine)
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
    const added: number[] = [],
      updated: number[] = [],
      removed: number[] = []
    for (let i = 0; i < CHANGES; i++) {
      const { name, text, question } = changeOf(passages, i),
        changed = changeOf(passages, i + CHANGES)
      const find = async (): Promise<void> => {
        if (
          !(await engine.retrieve(question, { tier: 'text' })).sources.some(
            ({ documentId }) => documentId === `new-${i}`,
          )
        )
          throw new Error('What was added was not found.')
      }
      added.push(
        await clock(async () => {
          await engine.add({ id: `new-${i}`, title: name, text })
          await find()
        }),
      )
      updated.push(
        await clock(async () => {
          await engine.update({
            id: `new-${i}`,
            title: name,
            text: changed.text.replace(changed.name, name),
          })
          await find()
        }),
      )
      removed.push(await clock(() => engine.remove(`new-${i}`)))
    }
    await engine.ready('settled')
    const many = passages.slice(0, Math.min(1000, size >> 1)).map(({ id }) => id),
      before = accountOf(engine).textRead
    const start = performance.now()
    await engine.remove(many)
    const resolved = performance.now() - start
    await engine.ready('settled')
    const settled = performance.now() - start,
      read = accountOf(engine).textRead - before
    await engine.close()
    return {
      host: 'node',
      passages: size,
      ingestRate: size / (ingestMs / 1000),
      answeredWhileAdding,
      accountBytes: (account.text + account.tables) / size,
      heapBytes: null,
      retrieveText,
      retrieve,
      roundTrip: null,
      embedRate: size / (embedMs / 1000),
      exactScan,
      hnsw: size <= hnswUpTo ? await measureHnsw(passages, questions) : null,
      addOne: spreadOf(added),
      updateOne: spreadOf(updated),
      removeOne: spreadOf(removed),
      removeMany: { documents: many.length, resolved, settled, read },
      openText,
      openVectors,
      longTasks: null,
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
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
