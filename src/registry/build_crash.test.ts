/**
 * A crash at every step of a build in a folder: whoever opens what is left finds the corpus of
 * before or the new one.
 */
import { cpSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import type { DocumentInput } from '../types.ts'

const BEFORE: readonly DocumentInput[] = ['a', 'b', 'c'].map((id) => ({
  id,
  text: `The text of ${id} as it was.`,
}))
/** One document that stays, one that changes, one that goes, and new ones. */
const AFTER: readonly DocumentInput[] = [
  BEFORE[0]!,
  { id: 'b', text: 'Another text for b.' },
  ...Array.from({ length: 5 }, (_, i) => ({ id: `new ${i}`, text: `Line ${i}. `.repeat(40) })),
]

type Promises = typeof import('node:fs/promises')
/** What changes a folder. */
const STEPS = ['link', 'mkdir', 'open', 'rename', 'rm', 'writeFile'] as const

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hubmesh-crash-'))
})
afterEach(async () => {
  await rm(root, { recursive: true, force: true })
})

it('whatever step of a build a crash comes before, the corpus is the old one or the new one, whole', async () => {
  const promises = process.getBuiltinModule('node:fs/promises') as unknown as Record<
    string,
    (...args: unknown[]) => Promise<unknown>
  > &
    Promises
  const real = { ...promises },
    live = join(root, 'live'),
    found: string[] = []
  let copying = false,
    step = 0
  // Before each step the folder is copied as a dead process would leave it.
  for (const name of STEPS) {
    Object.assign(promises, {
      [name]: async (...args: unknown[]) => {
        if (copying) cpSync(live, join(root, `at-${step++}`), { recursive: true })
        return (real[name] as (...given: unknown[]) => Promise<unknown>)(...args)
      },
    })
  }
  try {
    vi.resetModules()
    const { CorpusManager } = await import('./corpus_manager.ts')
    const corpora = new CorpusManager(live, { embedder: null })
    await corpora.build('notes', BEFORE)
    copying = true
    expect(await corpora.build('notes', AFTER)).toMatchObject({
      unchanged: ['a'],
      replaced: ['b'],
      removed: ['c'],
    })
    copying = false
    await corpora.close()
  } finally {
    Object.assign(promises, real)
  }
  vi.resetModules()
  const { CorpusManager } = await import('./corpus_manager.ts')
  for (let at = 0; at < step; at++) {
    await cp(join(root, `at-${at}`), join(root, 'dead'), { recursive: true })
    await rm(join(root, 'dead', 'notes', 'LOCK'), { force: true })
    const corpora = new CorpusManager(join(root, 'dead'), { embedder: new HashingEmbedder(4) })
    const { documents } = await (await corpora.load('notes')).listDocuments()
    const texts = new Map<string, number>(documents.map(({ id, chars }) => [id, chars]))
    const is = (wanted: readonly DocumentInput[]): boolean =>
      texts.size === wanted.length && wanted.every(({ id, text }) => texts.get(id!) === text.length)
    found.push(is(BEFORE) ? 'old' : is(AFTER) ? 'new' : `neither: ${JSON.stringify([...texts])}`)
    await corpora.close()
    await rm(join(root, 'dead'), { recursive: true })
  }
  // old up to the switch, new from then on
  const switched = found.indexOf('new')
  expect(switched).toBeGreaterThan(3)
  expect(switched).toBeLessThan(found.length)
  expect(found).toEqual(found.map((_, at) => (at < switched ? 'old' : 'new')))
}, 120_000)
