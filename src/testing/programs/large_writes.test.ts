import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { HashingEmbedder } from '../../embed/hashing.ts'
import { createEngine } from '../../node.ts'
import type { Engine } from '../../types.ts'
import { SEED, holdingOf } from './first_calls.ts'
import { largeArchive, largeDocuments } from './large_input.ts'
import { startProgram } from './program.ts'

const NIGHTLY = process.env['HUBMESH_NIGHTLY'] === '1'
const KILLS = NIGHTLY ? 30 : 3
/** 340 of 50 kB are 17 MB. */
const KILLED_DOCUMENTS = 340,
  /** 3 MB. */
  DISK_DOCUMENTS = 60
/** Disks from one that holds little more than the corpus to one that holds all, KiB. */
const DISKS = NIGHTLY
  ? [640, 1024, 1536, 2048, 2560, 3072, 3584, 4096, 6144, 8192]
  : [1024, 3584, 8192]

let directory = '',
  archiveFile = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hubmesh-large-'))
  archiveFile = join(directory, 'large.hubmesh')
  await writeFile(archiveFile, await (await largeArchive(KILLED_DOCUMENTS)).bytes())
}, 60_000)
afterAll(async () => {
  await rm(directory, { recursive: true, force: true })
})

const open = async (place: string, corpus: string, dims = 0): Promise<Engine> => {
  const engine = await createEngine({
    corpus,
    storage: { directory: place },
    model: dims === 0 ? null : new HashingEmbedder(dims),
  })
  onTestFinished(() => engine.close().catch(() => undefined))
  return engine
}

const BEFORE = { documents: SEED.map(({ id }) => id).sort(), merges: 0, relations: 0 }
const large = largeDocuments(KILLED_DOCUMENTS)
const withLarge = (count: number): readonly string[] =>
  [...SEED, ...large.slice(0, count)].map(({ id }) => id!).sort()

describe.each([
  ['addition', 'addLarge', { ...BEFORE, documents: withLarge(KILLED_DOCUMENTS) }],
  ['archive', 'importLarge', { documents: withLarge(KILLED_DOCUMENTS), merges: 1, relations: 1 }],
] as const)('An %s of 17 MB', (_name, call, after) => {
  it(
    `that is killed on its way, ${KILLS} times, is all there or not at all`,
    async () => {
      const seen = { whole: 0, absent: 0 }
      let storedMs = 0
      for (let kill = 0; kill <= KILLS; kill++) {
        const corpus = `${call}-${kill}`,
          before = await open(directory, corpus)
        await before.add(SEED)
        await before.close()
        const writer = await startProgram('process', { directory, corpus, dims: null })
        await writer.call('prepareLarge', KILLED_DOCUMENTS, archiveFile)
        const answer = writer.call(call)
        if (kill === 0) {
          // the first is left to end: how long it takes is what the moments are swept over
          storedMs = Number((await answer).value) * 1.2
        } else
          await new Promise((resolve) => setTimeout(resolve, (storedMs * (kill - 0.5)) / KILLS))
        await writer.kill()
        const acknowledged = kill > 0 && (await answer).code === undefined
        const again = await open(directory, corpus),
          holding = await holdingOf(again),
          isWhole = holding.documents.length > BEFORE.documents.length
        expect(holding, `kill ${kill}`).toEqual(isWhole ? after : BEFORE)
        if (acknowledged) expect(isWhole).toBe(true)
        if (kill > 0) seen[isWhole ? 'whole' : 'absent']++
        // the next write sweeps what was left
        await again.remove('kept')
        if (!isWhole) expect((await segmentsIn(directory, corpus)).length).toBe(1)
        await again.close()
        await rm(join(directory, corpus), { recursive: true })
      }
      console.info(`${call}: ${seen.whole} whole, ${seen.absent} absent`)
      expect(seen.absent).toBeGreaterThan(0)
    },
    (KILLS + 1) * 60_000,
  )
})

async function segmentsIn(place: string, corpus: string): Promise<string[]> {
  return (await readdir(join(place, corpus))).filter((name) => name.endsWith('.seg'))
}

/** Why no small disk can be made here; null where it can. */
const noDisk = ((): string | null => {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], {
      stdio: 'ignore',
    })
    return null
  } catch {
    return 'this system lets us mount no disk'
  }
})()
if (noDisk !== null) console.info(`skipped: full disks: ${noDisk}`)

/** A disk of its own for a test. */
async function disk(kib: number): Promise<string> {
  const place = await mkdtemp(join(directory, 'disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', place])
  onTestFinished(() => {
    execFileSync('umount', ['-l', place])
  })
  return place
}

/** Another program takes all the room that is left. */
async function fill(place: string): Promise<void> {
  const { bavail, bsize } = await statfs(place)
  if (bavail === 0) return
  await writeFile(join(place, `other-${performance.now()}`), new Uint8Array(bavail * bsize))
}

describe.skipIf(noDisk !== null)('A full disk', () => {
  let archive: Blob | null = null

  it.each(DISKS)(
    'of %i KiB takes a large write whole or not at all, and says why',
    async (size) => {
      archive ??= await largeArchive(DISK_DOCUMENTS)
      for (const write of ['add', 'import'] as const) {
        const place = await disk(size)
        let engine = await open(place, 'c', 8)
        await engine.add(SEED)
        await engine.ready('vectors')
        const error = await (
          write === 'add' ? engine.add(large.slice(0, DISK_DOCUMENTS)) : engine.import(archive)
        ).then(
          () => null,
          (failure: { code: string; message: string; details: Record<string, unknown> }) => failure,
        )
        const expected =
          error === null
            ? {
                documents: withLarge(DISK_DOCUMENTS),
                merges: write === 'add' ? 0 : 1,
                relations: write === 'add' ? 0 : 1,
              }
            : BEFORE
        if (error !== null) {
          expect(error.code).toBe('store/quota')
          expect(error.message).toContain('Nothing of this call was kept')
          expect(error.details['neededBytes']).toBeGreaterThan(2_500_000)
          expect(error.details['availableBytes']).toBeLessThan(size * 1024)
        }
        expect(await holdingOf(engine)).toEqual(expected)
        if (error !== null) expect((await segmentsIn(place, 'c')).length).toBeLessThan(5)
        await engine.close()
        engine = await open(place, 'c', 8)
        expect(await holdingOf(engine)).toEqual(expected)
        expect((await engine.remove(['kept'])).removed).toEqual(['kept'])
        expect((await engine.add([{ id: 'small', text: 'A small one.' }])).added).toEqual(['small'])
        await engine.close()
        if (size <= 2048) expect(error).not.toBeNull()
        if (size === 8192) expect(error).toBeNull()
      }
    },
  )

  it.each([0, 64])(
    'without a byte left lets every document be removed, with vectors of %i numbers, though ' +
      'another program takes what gets free',
    async (dims) => {
      const place = await disk(12 * 1024)
      let engine = await open(place, 'c', dims)
      await engine.add([...SEED, ...large.slice(0, 60)])
      if (dims > 0) await engine.ready('vectors')
      await engine.mergeNames(['Ida Holm', 'Emil Zand'])
      await engine.addRelations(
        large.slice(0, 60).map(({ id }) => ({
          ...{ documentId: id!, subject: 'Ida Holm', predicate: 'met', object: 'Emil Zand' },
        })),
      )
      let left = (await holdingOf(engine)).documents
      await engine.close()
      for (let round = 0; left.length > 0; round++) {
        await fill(place)
        engine = await open(place, 'c', dims)
        // one, some of many segments, all
        const ids = round % 3 === 0 ? left.slice(0, 1) : left.filter((_, i) => i % 7 === 0)
        expect((await engine.remove(ids)).removed).toEqual(ids)
        const holding = await holdingOf(engine)
        expect(holding.relations).toBe(holding.documents.filter((id) => id.startsWith('l')).length)
        left = left.filter((id) => !ids.includes(id))
        expect(holding.documents).toEqual(left)
        await engine.close()
      }
      expect((await segmentsIn(place, 'c')).filter((name) => /^[dv]/.test(name))).toEqual([])
    },
  )
})
