import { afterEach, describe, expect, it, vi } from 'vitest'
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { serve } from '../port/serve.ts'
import { hashedVector } from './hashing.ts'
import { MINILM_INT8 } from './manifests.ts'
import { isTextFailure } from './embedder.ts'
import { EmbedderPool } from './pool.ts'
import type { EmbedderPoolOptions } from './pool_options.ts'
import type { EmbedWorkerHandle } from './pool_worker.ts'
import { EMBED_METHODS } from './worker_protocol.ts'
import type { EmbedService, EmbedWorkerOptions, EmbedWorkerReport } from './worker_protocol.ts'

const load: EmbedWorkerOptions = {
  manifest: MINILM_INT8,
  modelUrl: 'https://a.example/m/',
  runtimeUrl: 'https://a.example/ort/',
  threads: 1,
  cache: true,
}
const crashed = () =>
  new HubmeshError('worker/crashed', 'The embed worker crashed.', { retryable: true })
const code = (expected: string) => expect.objectContaining({ code: expected })

interface FakeWorker {
  readonly handle: EmbedWorkerHandle
  readonly number: number
  readonly texts: string[]
  terminated: boolean
  /** Ends it as a crash would. */
  crash(error?: HubmeshError): void
}

interface Behaviour {
  load?(
    worker: FakeWorker,
    options: EmbedWorkerOptions,
  ): EmbedWorkerReport | Promise<EmbedWorkerReport>
  embed?(worker: FakeWorker, text: string): Float32Array | Promise<Float32Array>
}

const pools: EmbedderPool[] = []
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close()
})

/** A pool over in-process workers on real message ports. */
function fakePool(behaviour: Behaviour = {}, options: Partial<EmbedderPoolOptions> = {}) {
  const workers: FakeWorker[] = []
  const spawn = (): Promise<EmbedWorkerHandle> => {
    const { port1, port2 } = new MessageChannel()
    let onDeath: (error: HubmeshError) => void = () => undefined
    const worker: FakeWorker = {
      number: workers.length,
      texts: [],
      terminated: false,
      crash(error = crashed()) {
        onDeath(error)
      },
      handle: {
        worker: port2 as unknown as EmbedWorkerHandle['worker'],
        onDeath(listener) {
          onDeath = listener
        },
        terminate() {
          worker.terminated = true
          port1.close()
          port2.close()
        },
      },
    }
    serve<EmbedService>(port1 as never, EMBED_METHODS, {
      load: (context, received) => {
        context.report({ kind: 'download', loadedBytes: 1, totalBytes: 2 })
        return behaviour.load?.(worker, received) ?? { threads: received.threads, notices: [] }
      },
      embed: (_context, text) => {
        worker.texts.push(text)
        return behaviour.embed?.(worker, text) ?? hashedVector(text, 384)
      },
    })
    port1.start()
    port2.start()
    workers.push(worker)
    return Promise.resolve(worker.handle)
  }
  const pool = new EmbedderPool({ load, spawn, embedBackoffMs: 0, ...options })
  pools.push(pool)
  return { pool, workers }
}

const never = () => new Promise<never>(() => undefined)
const texts = (n: number, prefix = 'text') => Array.from({ length: n }, (_, i) => `${prefix} ${i}`)

describe('a pool of embedding workers', () => {
  it('gives the vectors of the texts in their order, one text a call', async () => {
    const { pool, workers } = fakePool({}, { size: 3 })
    const wanted = texts(40)
    expect(await pool.embed(wanted, { kind: 'passage' })).toEqual(
      wanted.map((text) => hashedVector(text, 384)),
    )
    expect(workers.flatMap((worker) => worker.texts).sort()).toEqual([...wanted].sort())
    expect(await pool.embed([], { kind: 'passage' })).toEqual([])
    expect(pool.identity).toEqual({ ...MINILM_INT8.identity, runtime: 'wasm' })
  })

  it('starts no worker before it is needed, and the second only while texts wait', async () => {
    const { pool, workers } = fakePool({}, { size: 2 })
    expect(pool.status()).toMatchObject({ state: 'idle', workers: 0 })
    await pool.ready()
    expect(workers).toHaveLength(1)
    await pool.embed(['one question'], { kind: 'query' })
    expect(workers).toHaveLength(1)
    await pool.embed(texts(50), { kind: 'passage' })
    expect(workers).toHaveLength(2)
    expect(workers.every((worker) => worker.texts.length > 0)).toBe(true)
  })

  it('loads one worker at a time, so that the files are fetched once', async () => {
    let loading = 0
    let most = 0
    const { pool } = fakePool(
      {
        async load(_worker, options) {
          most = Math.max(most, ++loading)
          await new Promise((resolve) => {
            setImmediate(resolve)
          })
          loading--
          return { threads: options.threads, notices: [] }
        },
      },
      { size: 4 },
    )
    await pool.embed(texts(100), { kind: 'passage' })
    expect(most).toBe(1)
  })

  it('answers a question before the passages that wait', async () => {
    const { pool, workers } = fakePool()
    const passages = pool.embed(texts(5), { kind: 'passage' })
    const question = pool.embed(['question'], { kind: 'query' })
    await Promise.all([passages, question])
    expect(workers[0]!.texts[0]).toBe('question')
  })

  it('reports the download and what was survived, each notice once', async () => {
    const downloads: unknown[] = []
    const notice = { code: 'store/quota', message: 'No room.' } as const
    const { pool } = fakePool(
      { load: () => ({ threads: 1, notices: [notice] }) },
      {
        size: 2,
        onDownload: (progress) => {
          downloads.push(progress)
        },
      },
    )
    await pool.embed(texts(50), { kind: 'passage' })
    expect(downloads[0]).toMatchObject({ loadedBytes: 1, totalBytes: 2 })
    expect(pool.status().notices).toEqual([notice])
  })

  it('replaces a worker after its share of texts', async () => {
    const { pool, workers } = fakePool({}, { textsPerEmbedWorker: 10 })
    await pool.embed(texts(35), { kind: 'passage' })
    expect(workers.map((worker) => worker.texts.length)).toEqual([10, 10, 10, 5])
    expect(workers.map((worker) => worker.terminated)).toEqual([true, true, true, false])
    expect(pool.status().deaths).toBe(0)
  })
})

describe('a pool that has nothing to do any more', () => {
  it('keeps one worker for the next question and gives the memory of the others back', async () => {
    const { pool, workers } = fakePool({}, { size: 3, embedIdleMs: 1 })
    await pool.embed(texts(60), { kind: 'passage' })
    const most = workers.length
    expect(most).toBeGreaterThan(1)
    await vi.waitFor(() => {
      expect(pool.status().workers).toBe(1)
    })
    expect(workers.filter((worker) => worker.terminated)).toHaveLength(most - 1)
    await pool.embed(['a question'], { kind: 'query' })
    expect(workers).toHaveLength(most)
    expect(pool.status().deaths).toBe(0)
  })

  it('and is given work again in time keeps them all', async () => {
    const { pool, workers } = fakePool({}, { size: 2, embedIdleMs: 60_000 })
    await pool.embed(texts(40), { kind: 'passage' })
    await pool.embed(texts(40), { kind: 'passage' })
    expect(workers.map((worker) => worker.terminated)).toEqual([false, false])
  })
})

describe('a worker that dies', () => {
  it('costs no vector: its text is tried once more on a fresh worker', async () => {
    const { pool, workers } = fakePool({
      embed(worker, text) {
        if (worker.number === 0 && text === 'text 3') {
          worker.crash()
          return never()
        }
        return hashedVector(text, 384)
      },
    })
    expect(await pool.embed(texts(6), { kind: 'passage' })).toEqual(
      texts(6).map((text) => hashedVector(text, 384)),
    )
    expect(workers).toHaveLength(2)
    expect(workers[1]!.texts[0]).toBe('text 3')
    expect(pool.status()).toMatchObject({ state: 'ready', deaths: 1 })
  })

  it('twice over one text fails that text alone, with its code', async () => {
    const { pool } = fakePool({
      embed(worker, text) {
        if (text === 'poison') {
          worker.crash()
          return never()
        }
        return hashedVector(text, 384)
      },
    })
    const outcomes = await Promise.allSettled(
      ['a', 'poison', 'b', 'poison', 'c'].map((text) => pool.embed([text], { kind: 'passage' })),
    )
    expect(
      outcomes.map((outcome) =>
        outcome.status === 'rejected' ? (outcome.reason as HubmeshError).code : 'vector',
      ),
    ).toEqual(['vector', 'worker/crashed', 'vector', 'worker/crashed', 'vector'])
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(isTextFailure(outcome.reason)).toBe(true)
    expect(pool.status().state).toBe('ready')
  })

  it('while it has nothing to do is replaced when the next text comes', async () => {
    const { pool, workers } = fakePool()
    await pool.ready()
    workers[0]!.crash()
    expect(pool.status().workers).toBe(0)
    await pool.embed(['after'], { kind: 'query' })
    expect(workers[1]!.texts).toEqual(['after'])
  })

  it('for want of memory is replaced, although it still answers', async () => {
    const { pool, workers } = fakePool({
      embed(worker, text) {
        if (worker.number === 0) throw new HubmeshError('model/memory', 'Out of memory.')
        return hashedVector(text, 384)
      },
    })
    await pool.embed(['text'], { kind: 'passage' })
    expect(workers.map((worker) => worker.terminated)).toEqual([true, false])
  })

  it('by saying nothing any more is ended at the deadline', async () => {
    const { pool, workers } = fakePool(
      { embed: (worker, text) => (worker.number === 0 ? never() : hashedVector(text, 384)) },
      { embedTextMs: 30 },
    )
    await pool.embed(['text'], { kind: 'passage' })
    expect(workers.map((worker) => worker.terminated)).toEqual([true, false])
  })

  it(
    'again and again ends in the first cause, for waiting and for later calls, until it is ' +
      'asked to be ready again',
    async () => {
      let healthy = false
      const { pool, workers } = fakePool({
        embed(worker, text) {
          if (healthy) return hashedVector(text, 384)
          worker.crash(
            worker.number === 0 ? new HubmeshError('model/memory', 'Out of memory.') : crashed(),
          )
          return never()
        },
      })
      const outcomes = await Promise.allSettled(
        texts(4).map((text) => pool.embed([text], { kind: 'passage' })),
      )
      expect(outcomes.every((outcome) => outcome.status === 'rejected')).toBe(true)
      expect(workers.length).toBeLessThanOrEqual(2 * LIMITS.embedStrikes)
      expect(pool.status()).toMatchObject({
        state: 'failed',
        workers: 0,
        queued: 0,
        failure: { code: 'model/memory' },
      })
      const later = await pool.embed(['later'], { kind: 'query' }).catch((error: unknown) => error)
      expect(later).toEqual(code('model/memory'))
      expect(isTextFailure(later)).toBe(false)
      healthy = true
      await pool.ready()
      expect(await pool.embed(['later'], { kind: 'query' })).toEqual([hashedVector('later', 384)])
    },
  )

  it('while loading is tried again, at most three times', async () => {
    const { pool, workers } = fakePool({
      load(worker) {
        worker.crash()
        return never()
      },
    })
    await expect(pool.embed(['text'], { kind: 'passage' })).rejects.toEqual(code('worker/crashed'))
    expect(workers).toHaveLength(LIMITS.embedStrikes)
  })

  it('waits longer before each further start', async () => {
    const timer = vi.spyOn(globalThis, 'setTimeout')
    const { pool } = fakePool(
      {
        load(worker) {
          worker.crash()
          return never()
        },
      },
      { embedBackoffMs: 7 },
    )
    await expect(pool.ready()).rejects.toEqual(code('worker/crashed'))
    const waits = timer.mock.calls
      .map(([, ms]) => ms)
      .filter((ms) => ms === 7 || ms === 14 || ms === 28)
    timer.mockRestore()
    expect(waits).toEqual([7, 14])
  })
})

describe('a pool whose model cannot be', () => {
  it.each(['model/integrity', 'model/fetch', 'model/incompatible'] as const)(
    'fails at once with %s and does not fetch it again by itself',
    async (reason) => {
      const { pool, workers } = fakePool({
        load() {
          throw new HubmeshError(reason, 'The file is not right.')
        },
      })
      await expect(pool.embed(['text'], { kind: 'passage' })).rejects.toEqual(code(reason))
      await expect(pool.embed(['text'], { kind: 'passage' })).rejects.toEqual(code(reason))
      expect(workers).toHaveLength(1)
    },
  )

  it('goes on with one thread where the runtime cannot start several, and says so', async () => {
    const { pool } = fakePool(
      {
        load(_worker, options) {
          if (options.threads > 1) throw new HubmeshError('model/incompatible', 'No threads.')
          return { threads: 1, notices: [] }
        },
      },
      { load: { ...load, threads: 4 } },
    )
    await pool.embed(['text'], { kind: 'passage' })
    expect(pool.status()).toMatchObject({ threads: 1, notices: [{ code: 'worker/start-failed' }] })
  })

  it.each([
    ['of another size', new Float32Array(3)],
    ['not finite', new Float32Array(384).fill(Number.NaN)],
    ['zero', new Float32Array(384)],
  ])('refuses a vector that is %s', async (_name, vector) => {
    const { pool } = fakePool({ embed: () => vector })
    await expect(pool.embed(['text'], { kind: 'passage' })).rejects.toEqual(
      code('model/incompatible'),
    )
  })
})

describe('cancelling', () => {
  it('rejects at once, takes waiting texts back, and leaves the pool usable', async () => {
    let release = (): void => undefined
    const { pool, workers } = fakePool({
      embed: async (_worker, text) => {
        if (text === 'text 0')
          await new Promise<void>((resolve) => {
            release = resolve
          })
        return hashedVector(text, 384)
      },
    })
    await pool.ready()
    const controller = new AbortController()
    const call = pool.embed(texts(20), { kind: 'passage', signal: controller.signal })
    await vi.waitFor(() => {
      expect(workers[0]!.texts).toEqual(['text 0'])
    })
    controller.abort()
    await expect(call).rejects.toEqual(code('aborted'))
    release()
    await pool.embed(['next'], { kind: 'passage' })
    expect(workers[0]!.texts).toEqual(['text 0', 'next'])
    expect(workers).toHaveLength(1)
  })

  it('ends a worker that does not come back within the grace period', async () => {
    const { pool, workers } = fakePool(
      { embed: (worker, text) => (worker.number === 0 ? never() : hashedVector(text, 384)) },
      { embedAbortGraceMs: 10 },
    )
    const controller = new AbortController()
    const call = pool.embed(['spin'], { kind: 'passage', signal: controller.signal })
    await pool.ready()
    await vi.waitFor(() => {
      expect(workers[0]!.texts).toEqual(['spin'])
    })
    controller.abort()
    await expect(call).rejects.toEqual(code('aborted'))
    await pool.embed(['next'], { kind: 'passage' })
    expect(workers[0]!.terminated).toBe(true)
    expect(workers[1]!.texts).toEqual(['next'])
  })

  it('refuses calls that were cancelled before they began', async () => {
    const { pool, workers } = fakePool()
    await expect(pool.embed(['a'], { kind: 'query', signal: AbortSignal.abort() })).rejects.toEqual(
      code('aborted'),
    )
    await expect(pool.ready(AbortSignal.abort())).rejects.toEqual(code('aborted'))
    expect(workers).toHaveLength(0)
  })

  it('by closing ends every worker and every call, also one that is loading', async () => {
    const { pool, workers } = fakePool({ embed: never }, { size: 2 })
    const calls = Promise.allSettled(
      texts(3).map((text) => pool.embed([text], { kind: 'passage' })),
    )
    await pool.ready()
    await pool.close()
    for (const outcome of await calls)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'aborted' } })
    await vi.waitFor(() => {
      expect(workers.every((worker) => worker.terminated)).toBe(true)
    })
    expect(pool.status()).toMatchObject({ state: 'closed', workers: 0, queued: 0 })
    await expect(pool.embed(['late'], { kind: 'query' })).rejects.toEqual(code('aborted'))
  })
})
