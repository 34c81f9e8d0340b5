import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Embedder } from '../embed/embedder.ts'
import { HubmeshError, isHubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { Engine, EngineStatus, Progress } from '../types.ts'
import { createEngine } from './create_engine.ts'
import type { CreateEngineOptions } from './create_engine.ts'
import { engineDouble } from './engine_double.ts'
import type { EngineDouble } from './engine_double.ts'
import { serveEngine } from './engine_service.ts'
import { fakeWorker } from '../port/fake_worker.ts'
import type { FakeWorker } from '../port/fake_worker.ts'
import { announceReady } from '../port/ready.ts'

const engines: Engine[] = []
beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  })
})
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close().catch(() => undefined)))
  vi.useRealTimers()
})

interface Setup {
  readonly engine: Engine
  /** Engine workers made so far, oldest first, and the engines in them. */
  readonly workers: FakeWorker[]
  readonly doubles: EngineDouble[]
}

/** A client of engines that share one "database". */
async function setup(options: Partial<CreateEngineOptions> = {}): Promise<Setup> {
  const workers: FakeWorker[] = []
  const doubles: EngineDouble[] = []
  const documents = new Map<string, string>()
  const engine = await createEngine({
    corpus: 'notes',
    workers: {
      engine: () => {
        const fake = fakeWorker()
        workers.push(fake)
        serveEngine(fake.scope, (given) => {
          const double = engineDouble(given, documents)
          doubles.push(double)
          return Promise.resolve(double.engine)
        })
        announceReady('engine', fake.scope)
        return fake.worker
      },
    },
    ...options,
  })
  engines.push(engine)
  return { engine, workers, doubles }
}

const documentsOf = (count: number): { id: string; text: string }[] =>
  Array.from({ length: count }, (_, i) => ({ id: `d${String(i)}`, text: `text ${String(i)}` }))
const caught = (promise: Promise<unknown>): Promise<HubmeshError> =>
  promise.then(
    () => {
      throw new Error('expected a rejection')
    },
    (error: unknown) => error as HubmeshError,
  )

it('add sends everything through, in order, with its options and its progress', async () => {
  const { engine, doubles } = await setup()
  const seen: Progress[] = []
  const input = documentsOf(3 * LIMITS.stageItems + 5)
  const result = await engine.add(input, {
    onConflict: 'replace',
    onProgress: (progress) => {
      seen.push(progress)
    },
  })
  expect(result.added).toEqual(input.map(({ id }) => id))
  expect(doubles[0]!.calls).toEqual(['add replace'])
  expect(seen.at(-1)).toMatchObject({ done: input.length, total: input.length })
})

it('an entry that cannot be cloned is input/invalid and leaves nothing behind', async () => {
  const { engine, doubles } = await setup()
  const entry = { id: 'f', text: 'x', metadata: { f: () => 1 } }
  await expect(engine.add([...documentsOf(600), entry as never])).rejects.toMatchObject({
    code: 'input/invalid',
  })
  expect(doubles[0]!.documents.size).toBe(0)
})

it('a cancelled add rejects with aborted and its own reason', async () => {
  const { engine } = await setup()
  const controller = new AbortController()
  const adding = engine.add([{ id: 'a', text: 'hang' }], {
    signal: controller.signal,
    onProgress: () => undefined,
  })
  await engine.status()
  controller.abort('enough')
  await expect(adding).rejects.toMatchObject({ code: 'aborted', cause: 'enough' })
})

it('status reports reach the page until unsubscribed', async () => {
  const { engine, doubles } = await setup()
  const seen: EngineStatus[] = []
  const stop = engine.onStatus((status) => {
    seen.push(status)
  })
  doubles[0]!.tell({ passages: 1 })
  doubles[0]!.tell({ passages: 2 })
  await engine.status()
  expect(seen.map(({ passages }) => passages)).toEqual([1, 2])
  stop()
  doubles[0]!.tell({ passages: 3 })
  await engine.status()
  expect(seen).toHaveLength(2)
})

it('when the worker dies pending reads say so, writes are indeterminate, and a new worker answers', async () => {
  const { engine, workers, doubles } = await setup()
  await engine.add(documentsOf(3))
  const read = caught(engine.retrieve('anything'))
  const write = caught(engine.add([{ id: 'late', text: 'hang' }]))
  await engine.status()
  workers[0]!.fail('Uncaught Error: boom')
  expect((await read).code).toBe('worker/crashed')
  const lost = await write
  expect(lost).toMatchObject({
    code: 'store/indeterminate',
    retryable: true,
    cause: { code: 'worker/crashed' },
  })
  expect(isHubmeshError(lost)).toBe(true)
  const after = engine.getDocument('d1')
  await vi.advanceTimersByTimeAsync(LIMITS.workerBackoffMs)
  expect(await after).toMatchObject({ id: 'd1', text: 'text 1' })
  expect(workers).toHaveLength(2)
  expect(doubles[1]!.options.corpus).toBe('notes')
})

it(
  'a corpus in memory is lost with its worker: every later call says so and none answers ' +
    'from an empty one',
  async () => {
    const { engine, workers } = await setup({ storage: 'memory' })
    await engine.add(documentsOf(3))
    workers[0]!.fail('Uncaught Error: boom')
    const error = await caught(engine.status())
    expect(error).toMatchObject({ code: 'worker/crashed', details: { corpus: 'notes' } })
    expect(error.message).toContain('memory')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(workers).toHaveLength(1)
  },
)

it('a worker that stops answering is replaced', async () => {
  const { engine, workers } = await setup()
  // Deaf from here on: what arrives is not heard, as in an endless loop.
  workers[0]!.scope.close()
  const asked = caught(engine.status())
  await vi.advanceTimersByTimeAsync(LIMITS.workerPingMs * (LIMITS.workerPings + 1))
  expect(await asked).toMatchObject({ code: 'worker/timeout' })
  const again = engine.status()
  await vi.advanceTimersByTimeAsync(LIMITS.hungWorkerMs)
  expect(await again).toMatchObject({ corpus: 'double' })
})

it('a worker that answers with something else is replaced, and the call says so', async () => {
  const { engine, workers } = await setup()
  await engine.add(documentsOf(3))
  // Comlink's answer carries the number of its question; whoever else holds the port can send one.
  const send = workers[0]!.worker.postMessage.bind(workers[0]!.worker)
  workers[0]!.worker.postMessage = (message: { readonly id?: string }) => {
    workers[0]!.worker.dispatchEvent(
      new MessageEvent('message', { data: { id: message.id, type: 'RAW', value: 'garbage' } }),
    )
  }
  expect(await caught(engine.status())).toMatchObject({ code: 'worker/crashed' })
  workers[0]!.worker.postMessage = send
  const again = engine.status()
  await vi.advanceTimersByTimeAsync(LIMITS.workerBackoffMs)
  expect(await again).toMatchObject({ corpus: 'double' })
  expect(workers).toHaveLength(2)
})

it('close lets the engine finish, ends the worker, and later calls are store/closed', async () => {
  const { engine, workers, doubles } = await setup()
  await Promise.all([engine.close(), engine.close()])
  expect(doubles[0]!.calls).toEqual(['close'])
  expect(workers[0]!.terminated()).toBe(true)
  await expect(engine.status()).rejects.toMatchObject({ code: 'store/closed' })
  await engine.close()
})

it('destroy removes the corpus and closes', async () => {
  const { engine, workers, doubles } = await setup()
  await engine.add(documentsOf(2))
  await engine.destroy()
  expect(doubles[0]!.documents.size).toBe(0)
  expect(workers[0]!.terminated()).toBe(true)
  await expect(engine.add('x')).rejects.toMatchObject({ code: 'store/closed' })
})

it('an engine that cannot open its storage rejects the creation and ends its worker', async () => {
  const fake = fakeWorker()
  serveEngine(fake.scope, () =>
    Promise.reject(
      new HubmeshError('store/unavailable', 'No IndexedDB here.', { details: { where: 'test' } }),
    ),
  )
  announceReady('engine', fake.scope)
  await expect(
    createEngine({ corpus: 'x', workers: { engine: () => fake.worker } }),
  ).rejects.toMatchObject({ code: 'store/unavailable', details: { where: 'test' } })
  expect(fake.terminated()).toBe(true)
})

it('an Embedder of the page stays on the page and is called back in batches', async () => {
  const asked: string[][] = []
  const identity = { model: 'mine', revision: '1', dtype: 'f32', dims: 2, pooling: 'none' }
  const model: Embedder = {
    identity,
    embed: (texts) => {
      asked.push([...texts])
      if (texts[0] === 'fail')
        return Promise.reject(new HubmeshError('model/fetch', 'Offline.', { retryable: true }))
      return Promise.resolve(
        texts.map((text) => new Float32Array(text === 'wrong' ? 3 : 2).fill(0.5)),
      )
    },
    close: () => Promise.resolve(),
  }
  const { doubles } = await setup({ model })
  const embedder = doubles[0]!.options.embedder!
  expect(embedder.identity).toEqual(identity)
  expect(await embedder.embed(['a', 'b'], { kind: 'passage' })).toEqual([
    new Float32Array([0.5, 0.5]),
    new Float32Array([0.5, 0.5]),
  ])
  expect(asked).toEqual([['a', 'b']])
  await expect(embedder.embed(['fail'], { kind: 'query' })).rejects.toMatchObject({
    code: 'model/fetch',
    retryable: true,
  })
  await expect(embedder.embed(['wrong'], { kind: 'query' })).rejects.toMatchObject({
    code: 'model/incompatible',
  })
})

it.each([
  ['an unknown option', { corpus: 'x', storge: 'memory' }, 'storge'],
  ['a folder as storage', { corpus: 'x', storage: { directory: '/tmp' } }, 'storage'],
  ['a model that is no embedder', { corpus: 'x', model: { embed: 1 } }, 'model'],
  [
    'a model nobody vouched for',
    { corpus: 'x', model: 'https://example.org/unheard-of/' },
    undefined,
  ],
  ['nothing', undefined, undefined],
])('%s is input/invalid before any worker is made', async (_name, options, option) => {
  const error = await caught(createEngine(options as never))
  expect(error.code).toBe('input/invalid')
  if (option !== undefined) expect(error.details).toMatchObject({ option })
})
