/** The phases of one corpus in a page: add, ask, reopen, change, remove. */
import type { CDPSession, Page } from 'playwright'
import type { BenchPassage } from '../../../src/bench/dataset.ts'
import type { DocumentInput } from '../../../src/types.ts'
import { CHANGES, changeOf } from './corpora.ts'
import { answersOf, spreadOf, type Answers, type AskedOnce, type SizeFigures } from './figures.ts'
import type { Account } from './inside.ts'
import type { Bench, Timed } from './page.ts'
import { workerHeap } from './worker_heap.ts'

type Method = keyof Bench
type Arguments<M extends Method> = Parameters<Bench[M]>
type Result<M extends Method> = Awaited<ReturnType<Bench[M]>>

/** The bench in its page, and the longest task of each phase. */
export class BenchPage {
  readonly longTasks: Record<string, number> = {}

  constructor(
    private readonly page: Page,
    private readonly origin: string,
  ) {}

  async visit(): Promise<void> {
    await this.page.goto(this.origin)
    await this.page.waitForFunction(() => 'bench' in globalThis)
  }

  call<M extends Method>(method: M, ...given: Arguments<M>): Promise<Result<M>> {
    return this.page.evaluate(
      ([name, list]) =>
        (globalThis as unknown as { bench: Record<string, (...all: unknown[]) => unknown> }).bench[
          name
        ]!(...list),
      [method as string, given as unknown[]] as const,
    ) as Promise<Result<M>>
  }

  async timed<T>(phase: string, run: Promise<Timed<T>>): Promise<Timed<T>> {
    const timed = await run
    this.longTasks[phase] = Math.max(this.longTasks[phase] ?? 0, timed.longest)
    return timed
  }

  async account(): Promise<Account> {
    return (await this.call('inside', { what: 'account' })).value as Account
  }
}

export interface PageCorpus {
  readonly passages: readonly BenchPassage[]
  readonly documents: readonly DocumentInput[]
  /** Parts that the documents are fetched in. */
  readonly parts: number
  readonly questions: readonly string[]
  readonly rounds: number
}

export async function measurePage(
  bench: BenchPage,
  session: CDPSession,
  corpus: PageCorpus,
): Promise<SizeFigures> {
  const { questions } = corpus
  await bench.visit()
  await bench.call('open', 'scale')
  const growth = await grow(bench, session, corpus)
  const retrieveText = await ask(bench, corpus, 'text')
  const embedded = await bench.timed('vectors', bench.call('embed'))
  const retrieve = await ask(bench, corpus, 'full')
  const trips = await bench.timed('retrieve', bench.call('roundTrips', questions))
  const scanned = await bench.call('inside', { what: 'scan', questions })
  await bench.call('close')

  await bench.visit()
  const opened = await bench.timed('open', bench.call('openAndAsk', 'scale', questions[0]!)),
    openVectors = await bench.call('vectors')
  const changes = await change(bench, corpus)
  return {
    host: 'chromium',
    passages: corpus.documents.length,
    ...growth,
    retrieveText,
    retrieve,
    roundTrip: spreadOf(trips.value),
    embedRate: corpus.documents.length / (embedded.ms / 1000),
    exactScan: spreadOf(scanned.value as number[]),
    hnsw: null,
    ...changes,
    removeMany: await removeMany(bench, corpus),
    openText: opened.value,
    openVectors,
    longTasks: bench.longTasks,
  }
}

async function grow(
  bench: BenchPage,
  session: CDPSession,
  { documents, parts, questions }: PageCorpus,
): Promise<Pick<SizeFigures, 'ingestRate' | 'answeredWhileAdding' | 'accountBytes' | 'heapBytes'>> {
  const heap = await workerHeap(session),
    empty = await heap(),
    size = documents.length
  await bench.call('load', parts, '/part')
  const added = await bench.timed('add', bench.call('add', questions))
  if (added.value.added !== size || added.value.answers === 0)
    throw new Error(
      `Of ${size} documents ${added.value.added} were added, and ${added.value.answers} ` +
        'answers were given meanwhile.',
    )
  const account = await bench.account(),
    full = await heap(),
    texts = documents.reduce(
      (sum, { id = '', title = '', text }) =>
        sum + stringBytes(id) + stringBytes(title) + stringBytes(text),
      0,
    )
  return {
    ingestRate: size / (added.ms / 1000),
    answeredWhileAdding: added.value.slowest,
    accountBytes: (account.text + account.tables) / size,
    heapBytes: full === null || empty === null ? null : (full - empty - texts) / size,
  }
}

async function ask(
  bench: BenchPage,
  { questions, rounds }: PageCorpus,
  tier: 'text' | 'full',
): Promise<Answers> {
  const once = async (asked: readonly string[]): Promise<AskedOnce[]> =>
    (await bench.timed('retrieve', bench.call('inside', { what: 'ask', questions: asked, tier })))
      .value as AskedOnce[]
  await once(questions.slice(0, 50)) // compiled before the clock starts
  const out: AskedOnce[][] = []
  for (let round = 0; round < rounds; round++) out.push(await once(questions))
  return answersOf(out)
}

async function change(
  bench: BenchPage,
  { passages }: PageCorpus,
): Promise<Pick<SizeFigures, 'addOne' | 'updateOne' | 'removeOne'>> {
  const added: number[] = [],
    updated: number[] = [],
    removed: number[] = []
  const put = async (
    into: number[],
    document: { readonly id: string; readonly title: string; readonly text: string },
    question: string,
  ): Promise<void> => {
    const { ms, value: found } = await bench.timed('change', bench.call('put', document, question))
    if (!found) throw new Error('What was added was not found.')
    into.push(ms)
  }
  for (let i = 0; i < CHANGES; i++) {
    const { name: title, text, question } = changeOf(passages, i),
      other = changeOf(passages, i + CHANGES),
      id = `new-${i}`
    await put(added, { id, title, text }, question)
    await put(updated, { id, title, text: other.text.replace(other.name, title) }, question)
    removed.push((await bench.timed('change', bench.call('remove', [id]))).ms)
  }
  return { addOne: spreadOf(added), updateOne: spreadOf(updated), removeOne: spreadOf(removed) }
}

async function removeMany(
  bench: BenchPage,
  { documents }: PageCorpus,
): Promise<SizeFigures['removeMany']> {
  await bench.call('settled')
  const ids = documents
      .slice(0, Math.min(1000, documents.length >> 1))
      .map(({ id }) => id as string),
    before = (await bench.account()).textRead
  const gone = await bench.timed('remove', bench.call('remove', ids)),
    settled = await bench.timed('remove', bench.call('settled'))
  return {
    documents: ids.length,
    resolved: gone.ms,
    settled: gone.ms + settled.ms,
    read: (await bench.account()).textRead - before,
  }
}

/** One byte a unit where all fit in one, else two; and the object's own head. */
function stringBytes(text: string): number {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 255) return 16 + text.length * 2
  return 16 + text.length
}
