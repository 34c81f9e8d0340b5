import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentHash } from '../../document/content_hash.ts'
import { openDirectoryStorage } from '../../store/folder/storage.ts'
import { checkStorageInvariants } from '../../store/testing/storage_invariants.ts'
import { SETTINGS, allDocuments } from '../../store/testing/storage_samples.ts'
import { createEngine } from '../../node.ts'
import { startProgram, unavailable, type Program, type ProgramKind } from './program.ts'

const RUNS = process.env['HUBMESH_NIGHTLY'] === '1' ? 20 : 2
const OLD = 20,
  EACH = 12
const KINDS = (['thread', 'process', 'container'] as const).filter((kind) => {
  const why = unavailable(kind)
  if (why !== null) console.info(`skipped: two writers, each in a ${kind}: ${why}`)
  return why === null
})

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hubmesh-two-'))
})
afterAll(async () => {
  await rm(directory, { recursive: true, force: true })
})

interface Told {
  readonly acknowledged: string[]
  readonly codes: Set<string>
}

/** Adds one document after another; what is refused is left and told. */
async function storm(program: Program, name: string, { acknowledged, codes }: Told): Promise<void> {
  for (let i = 0; i < EACH; i++) {
    const id = `${name}-${i}`
    const { code } = await program.call('add', {
      id,
      text: `${name} wrote note ${i} in Burbank. `.repeat(20),
    })
    if (code === undefined) acknowledged.push(id)
    else if (code !== 'gone') codes.add(code)
    if (code === 'gone') return
    if (code !== undefined) await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function writeAtOnce(kind: ProgramKind, corpus: string, killing: boolean): Promise<Told> {
  const before = await createEngine({ corpus, storage: { directory } })
  await before.add(
    Array.from({ length: OLD }, (_, i) => ({ id: `old-${i}`, text: `An old note ${i}.` })),
  )
  await before.close()
  const setting = { directory, corpus, dims: 8 },
    [one, other] = await Promise.all([startProgram(kind, setting), startProgram(kind, setting)])
  const told: Told = { acknowledged: [], codes: new Set() }
  const storms = [storm(one, 'one', told), storm(other, 'other', told)]
  if (killing) {
    await new Promise((resolve) => setTimeout(resolve, 150))
    await one.kill()
  }
  await Promise.all(storms)
  await Promise.all([one.close(), other.close()])
  return told
}

describe.each(KINDS)('Two writers, each in a %s of its own', (kind) => {
  it(
    `one writes and the other is told writer/not-leader, in ${RUNS} runs; nothing that was ` +
      'acknowledged is lost, also where one of them is killed',
    async () => {
      let refusals = 0
      for (let run = 0; run < RUNS; run++) {
        const corpus = `${kind}-${run}`,
          { acknowledged, codes } = await writeAtOnce(kind, corpus, run % 2 === 1)
        expect([...codes].filter((code) => code !== 'writer/not-leader')).toEqual([])
        refusals += codes.size
        const storage = await openDirectoryStorage({ directory, corpus, settings: SETTINGS }),
          stored = new Set((await allDocuments(storage)).map(({ id }) => id)),
          old = Array.from({ length: OLD }, (_, i) => `old-${i}`)
        expect(
          await checkStorageInvariants(storage, {
            acknowledged: [...old, ...acknowledged],
            hashOf: ({ title, text }) => contentHash(title, text),
          }),
        ).toEqual([])
        expect([storage.quarantined, storage.warnings]).toEqual([[], []])
        expect([...stored].filter((id) => !/^(old|one|other)-\d+$/.test(id))).toEqual([])
        await storage.close()
        expect(acknowledged.length).toBeGreaterThan(0)
      }
      expect(refusals).toBeGreaterThan(0)
    },
    RUNS * 60_000,
  )
})
