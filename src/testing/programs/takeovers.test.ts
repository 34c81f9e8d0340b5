import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { CorpusManager, createEngine } from '../../node.ts'
import type { Engine } from '../../types.ts'
import { AFTER_ANOTHER, FIRST_CALLS, SEED, UNSEEN_CALLS, holdingOf } from './first_calls.ts'
import { startProgram } from './program.ts'

const NIGHTLY = process.env['HUBMESH_NIGHTLY'] === '1'
/** 30 takeovers of each way, and as many first calls as there are. */
const ROUNDS = NIGHTLY ? Math.ceil(30 / FIRST_CALLS.length) : 1
const ROUND_MS = 60_000

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hubmesh-takeover-'))
})
afterAll(async () => {
  await rm(directory, { recursive: true, force: true })
})

let count = 0
async function open(corpus: string): Promise<Engine> {
  const engine = await createEngine({ corpus, storage: { directory } })
  onTestFinished(() => engine.close())
  return engine
}

async function seeded(): Promise<string> {
  const corpus = `c${++count}`,
    engine = await open(corpus)
  await engine.add(SEED)
  await engine.close()
  return corpus
}

const ENDS = ['closed', 'killed', 'frozen'] as const

describe.each(ENDS)('A writer that was %s', (end) => {
  const calls = end === 'frozen' && !NIGHTLY ? FIRST_CALLS.slice(0, 2) : FIRST_CALLS
  it.each(calls)(
    'is followed by one whose first call, $name, rests on what it stored',
    async ({ call, gives, leaves }) => {
      for (let round = 0; round < ROUNDS; round++) {
        const corpus = await seeded(),
          next = await open(corpus),
          writer = await startProgram('process', { directory, corpus, dims: null })
        expect(await writer.call('writeAsAnother')).toMatchObject({ value: null })
        if (end === 'closed') await writer.close()
        else if (end === 'killed') await writer.kill()
        else writer.freeze()
        expect(await whenLeading(() => call(next))).toEqual(gives)
        const holding = await holdingOf(next)
        expect(holding).toEqual({ ...AFTER_ANOTHER, ...leaves })
        if (end === 'frozen') {
          writer.thaw()
          expect((await writer.call('remove', 'seed')).code).toMatch(/^writer\/(lost|not-leader)$/)
        }
        await next.close()
        const again = await open(corpus)
        expect(await holdingOf(again)).toEqual(holding)
        await again.close()
        await writer.kill()
      }
    },
    ROUNDS * ROUND_MS,
  )

  it('is followed by a build that removes also what it added', async () => {
    const corpus = await seeded(),
      manager = new CorpusManager(directory, { embedder: null })
    onTestFinished(() => manager.close())
    await manager.load(corpus)
    const writer = await startProgram('process', { directory, corpus, dims: null })
    await writer.call('writeAsAnother')
    if (end === 'closed') await writer.close()
    else if (end === 'killed') await writer.kill()
    else writer.freeze()
    const { removed } = await whenLeading(() =>
      manager.build(corpus, [{ id: 'seed', text: SEED[0].text }]),
    )
    expect([...removed].sort()).toEqual(['kept', 'secret', 'theirs'])
    expect((await holdingOf(await manager.load(corpus))).documents).toEqual(['seed'])
    await writer.kill()
  })
})

/** Tried again while the other may be alive. */
async function whenLeading<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries > 20 || (error as { code?: unknown }).code !== 'writer/not-leader') throw error
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}

describe('A follower', () => {
  it('is told writer/not-leader for every call that must write, also of ids nobody has seen', async () => {
    const corpus = await seeded(),
      follower = await open(corpus),
      writer = await startProgram('process', { directory, corpus, dims: null })
    await writer.call('writeAsAnother')
    for (const call of UNSEEN_CALLS)
      await expect(call(follower)).rejects.toMatchObject({ code: 'writer/not-leader' })
    expect((await follower.add([{ id: 'kept', text: SEED[1].text }])).unchanged).toEqual(['kept'])
    await vi.waitFor(async () => {
      expect(await holdingOf(follower)).toEqual(AFTER_ANOTHER)
    }, 10_000)
    await writer.kill()
  })

  it('that was opened before its corpus existed follows it, and may lead it', async () => {
    const corpus = `c${++count}`,
      early = await open(corpus),
      writer = await startProgram('process', { directory, corpus, dims: null })
    await writer.call('add', SEED)
    await writer.call('writeAsAnother')
    await vi.waitFor(async () => {
      expect(await holdingOf(early)).toEqual(AFTER_ANOTHER)
    }, 10_000)
    const later = `c${++count}`,
      unaware = await open(later),
      other = await startProgram('process', { directory, corpus: later, dims: null })
    await other.call('add', SEED)
    await other.call('writeAsAnother')
    await other.close()
    expect((await unaware.remove('secret')).removed).toEqual(['secret'])
    await writer.kill()
  })
})
