import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import { HubmeshError } from '../base/errors.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import type { Engine, RetrieveResult } from '../types.ts'

const UNSETTLED = 'Names of new documents are still being looked up in older ones.'
/** Mentions first, the documents they name last: all of them are read twice. */
const documents = Array.from({ length: 1500 }, (_, i) => ({
  id: `d${String(i).padStart(4, '0')}`,
  text: `Zorblax${i % 700} saw Quillon${(i * 7) % 700} near the old mill number ${i}.`,
}))

async function all(stream: AsyncIterable<RetrieveResult>): Promise<RetrieveResult[]> {
  const out: RetrieveResult[] = []
  for await (const result of stream) out.push(result)
  return out
}
/** An engine whose names are not settled yet. */
async function unsettled(): Promise<Engine> {
  const engine = await openTestEngine()
  await engine.add(documents)
  expect((await engine.status()).settled).toBe(false)
  return engine
}

describe('a question right after an addition', () => {
  it('waits for the settled answer', async () => {
    const engine = await unsettled()
    const { debug } = await engine.retrieve('Zorblax3', { settleMs: 60_000 })
    expect(debug.warnings).not.toContain(UNSETTLED)
    expect((await engine.status()).settled).toBe(true)
  })

  it('is answered at once with a warning where it may not wait', async () => {
    const engine = await unsettled()
    expect((await engine.retrieve('Zorblax3', { settleMs: 0 })).debug.warnings).toContain(UNSETTLED)
  })

  it('can be cancelled while it waits, and names a wait out of range', async () => {
    const engine = await unsettled(),
      abort = new AbortController(),
      waiting = engine.retrieve('Zorblax3', { settleMs: 60_000, signal: abort.signal })
    abort.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
    await expect(engine.retrieve('Zorblax3', { settleMs: -1 })).rejects.toMatchObject({
      code: 'input/invalid',
      details: { field: 'settleMs' },
    })
  })
})

describe('retrieveStream', () => {
  it('gives the settled answer after the first, then ends', async () => {
    const engine = await unsettled()
    const results = await all(engine.retrieveStream('Zorblax3'))
    expect(results.map(({ debug }) => debug.warnings.includes(UNSETTLED))).toEqual([true, false])
    expect(await all(engine.retrieveStream('Zorblax3'))).toHaveLength(1)
  })

  it('gives the answer with meaning once every passage has its vector', async () => {
    let open = (): void => undefined
    const gate = new Promise<void>((resolve) => (open = resolve))
    class Slow extends HashingEmbedder {
      override async embed(...args: Parameters<HashingEmbedder['embed']>) {
        await gate
        return super.embed(...args)
      }
    }
    const engine = await openTestEngine(documents.slice(0, 3), { embedder: new Slow(32) }),
      stream = engine.retrieveStream('old mill')[Symbol.asyncIterator](),
      first = await stream.next()
    open()
    const second = await stream.next()
    expect([first.value?.debug.tier, second.value?.debug.tier]).toEqual(['text', 'full'])
    expect(second.value?.debug.passagesWithVectors).toBe(3)
    expect((await stream.next()).done).toBe(true)
  })

  it('ends with the first answer where the model fails', async () => {
    const failing = Object.assign(new HashingEmbedder(32), {
      ready: () => Promise.reject(new HubmeshError('model/fetch', 'The model is missing.')),
    })
    const engine = await openTestEngine(documents.slice(0, 3), { embedder: failing })
    expect(await all(engine.retrieveStream('old mill'))).toHaveLength(1)
  })
})

it('the full tier waits for the vectors that are stored', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'stored-vectors-')),
    options = { storage: { directory }, embedder: new HashingEmbedder(32) }
  try {
    const first = await openTestEngine(documents.slice(0, 300), options)
    await first.ready('vectors')
    await first.close()
    const again = await openTestEngine([], options)
    expect((await again.status()).passagesWithVectors).toBeLessThan(300)
    const { debug } = await again.retrieve('old mill', { tier: 'full' })
    expect([debug.tier, debug.passagesWithVectors]).toEqual(['full', 300])
    await again.close()
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})
