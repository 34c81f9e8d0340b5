/**
 * The page of the bench: what the driver calls, one function a phase, each with the longest task of
 * the page's thread in it.
 */
import { createEngine } from '../../../src/index.ts'
import type { DocumentInput, Engine } from '../../../src/types.ts'
import type { Order } from './engine.worker.ts'

export interface Timed<T> {
  readonly value: T
  readonly ms: number
  /** Longest task meanwhile, 0 where none passed 50 ms. */
  readonly longest: number
}

type WithoutCall<T> = T extends unknown ? Omit<T, 'call'> : never

let engine: Engine | null = null
let documents: DocumentInput[] = []
const tasks: { start: number; duration: number }[] = []
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries())
    tasks.push({ start: startTime, duration })
}).observe({ type: 'longtask', buffered: true })

const channel = new BroadcastChannel('hubmesh-bench'),
  waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
let calls = 0
channel.onmessage = ({
  data,
}: MessageEvent<{ reply?: number; result?: unknown; error?: string }>) => {
  const waiter = data.reply === undefined ? undefined : waiting.get(data.reply)
  if (!waiter || data.reply === undefined) return
  waiting.delete(data.reply)
  if (data.error === undefined) waiter.resolve(data.result)
  else waiter.reject(new Error(data.error))
}

function inside(order: WithoutCall<Order>): Promise<unknown> {
  const call = ++calls
  return new Promise((resolve, reject) => {
    waiting.set(call, { resolve, reject })
    channel.postMessage({ ...order, call })
  })
}

const opened = (): Engine => {
  if (!engine) throw new Error('Nothing is open.')
  return engine
}

async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const from = performance.now(),
    value = await work(),
    ms = performance.now() - from
  await new Promise((resolve) => setTimeout(resolve, 60)) // the observer tells of a task after it
  return {
    value,
    ms,
    longest: Math.max(
      0,
      ...tasks
        .filter(({ start, duration }) => start + duration >= from)
        .map(({ duration }) => duration),
    ),
  }
}

const bench = {
  /**
   * Fetches the documents in parts: parsing all at once would be a long task of the bench's own.
   */
  async load(parts: number, from: string): Promise<number> {
    documents = []
    for (let i = 0; i < parts; i++)
      documents.push(...((await (await fetch(`${from}/${i}.json`)).json()) as DocumentInput[]))
    return documents.length
  },
  async open(corpus: string): Promise<void> {
    engine = await createEngine({
      corpus,
      model: null,
      chunk: { strategy: 'none' },
      workers: { engine: () => new Worker('/engine.worker.js', { type: 'module' }) },
    })
  },
  /** Opens and asks; `ms` of the first answer counts from the start of the navigation. */
  openAndAsk: (corpus: string, question: string): Promise<Timed<number>> =>
    timed(async () => {
      await bench.open(corpus)
      const { sources } = await opened().retrieve(question, { tier: 'text' })
      if (sources.length === 0) throw new Error('The reopened corpus gave no source.')
      return performance.now()
    }),
  /** Adds all; asks meanwhile, again and again. */
  add: (
    questions: readonly string[],
  ): Promise<Timed<{ added: number; slowest: number; answers: number }>> =>
    timed(async () => {
      let growing = true,
        slowest = 0,
        answers = 0
      const adding = opened()
        .add(documents)
        .finally(() => {
          growing = false
        })
      for (let i = 0; growing; i++) {
        await new Promise((resolve) => setTimeout(resolve, 250))
        const from = performance.now()
        const { sources } = await opened().retrieve(questions[i % questions.length] as string, {
          tier: 'text',
        })
        slowest = Math.max(slowest, performance.now() - from)
        if (sources.length > 0) answers++
      }
      const { added } = await adding
      await opened().ready('settled')
      documents = []
      return { added: added.length, slowest, answers }
    }),
  inside: (order: WithoutCall<Order>): Promise<Timed<unknown>> => timed(() => inside(order)),
  embed: (): Promise<Timed<void>> =>
    timed(async () => {
      await opened().resumeEmbedding()
      await opened().ready('vectors')
    }),
  vectors: (): Promise<number> =>
    opened()
      .ready('vectors')
      .then(() => performance.now()),
  roundTrips: (questions: readonly string[]): Promise<Timed<number[]>> =>
    timed(async () => {
      const out: number[] = []
      for (const question of questions) {
        const from = performance.now()
        await opened().retrieve(question)
        out.push(performance.now() - from)
      }
      return out
    }),
  /** Until it resolves and a question finds it. */
  put: (document: DocumentInput, question: string): Promise<Timed<boolean>> =>
    timed(async () => {
      await opened().update(document)
      return (await opened().retrieve(question, { tier: 'text' })).sources.some(
        ({ documentId }) => documentId === document.id,
      )
    }),
  remove: (ids: readonly string[]): Promise<Timed<number>> =>
    timed(async () => (await opened().remove(ids)).removed.length),
  settled: (): Promise<Timed<void>> => timed(() => opened().ready('settled')),
  async close(): Promise<void> {
    await engine?.close()
    engine = null
  },
}

export type Bench = typeof bench
;(globalThis as unknown as { bench: Bench }).bench = bench
