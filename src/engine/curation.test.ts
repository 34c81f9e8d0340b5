import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import type { EngineOptions } from './engine_options.ts'
import type { DocumentInput, Engine, RetrieveResult } from '../types.ts'

const engine = (options?: Partial<EngineOptions>) => openTestEngine([], options)

const cities: readonly DocumentInput[] = [
  {
    id: 'a',
    title: 'New York City',
    text: 'New York City lies on the Hudson River. Its harbour was drawn by Henrietta Quill.',
  },
  {
    id: 'b',
    title: 'Henrietta Quill',
    text: 'Henrietta Quill was an engraver. She lived in NYC and printed maps for Oskar Bram.',
  },
  {
    id: 'c',
    title: 'Oskar Bram',
    text: 'Oskar Bram kept a shop in the Big Apple. He sold maps of the Hudson River.',
  },
  {
    id: 'd',
    title: '',
    text: 'NYC has five boroughs. The Big Apple never sleeps, wrote Henrietta Quill.',
  },
  {
    id: 'e',
    title: 'Gardening',
    text: 'Water the beds in the morning. Mulch keeps the soil moist.',
  },
]
const questions = [
  'Who drew the harbour of NYC?',
  'What is sold in the Big Apple?',
  'Where did Henrietta Quill live?',
  'mulch for the soil',
  'new york city harbour',
]
const names = ['New York City', 'NYC', 'Big Apple', 'Hudson River', 'Oskar Bram']

/** All that a merge could change in what an engine says. */
async function answers(one: Engine): Promise<string> {
  await one.ready('settled')
  const stable = ({
    debug: { timings: _, generation: __, ...debug },
    ...rest
  }: RetrieveResult): unknown => ({ ...rest, debug })
  const asked = await Promise.all(
    questions.map(async (question) => stable(await one.retrieve(question))),
  )
  const resolved = await one.resolveEntities(names),
    near = await Promise.all(
      resolved.flatMap((found) => (found ? [one.entityNeighbors(found.name)] : [])),
    )
  return JSON.stringify([
    asked,
    resolved,
    near,
    await one.graphStats(),
    await one.pathBetween('NYC', 'Oskar Bram').catch(() => null),
  ])
}
const bytesOf = async (one: Engine): Promise<Uint8Array> =>
  new Uint8Array(await (await one.export()).arrayBuffer())

describe('names that a user made one', () => {
  it('are one in questions, neighbours, paths and labels', async () => {
    const one = await engine()
    await one.add(cities)
    const titleOf = (result: RetrieveResult): number =>
      result.sources.find(({ documentId }) => documentId === 'a')!.contributions.title
    expect(titleOf(await one.retrieve('Who drew the harbour of NYC?'))).toBe(0)
    const merge = await one.mergeNames(['nyc', 'New York City'])
    expect(merge).toMatchObject({
      name: 'new york city',
      label: 'New York City',
      names: ['new york city', 'nyc'],
      into: null,
      absent: 0,
      passages: 3,
    })
    const answer = await one.retrieve('Who drew the harbour of NYC?')
    expect(answer.debug.seeds).toMatchObject([
      { name: 'new york city', label: 'New York City', passages: 3 },
    ])
    expect(titleOf(answer)).toBeGreaterThan(0)
    for (const { nodes, steps } of answer.reasoning) {
      expect(steps).toHaveLength(nodes.length - 1)
      for (const step of steps) {
        const document = await one.getDocument(step.documentId)
        expect((step.inTitle ? document?.title : document?.text)?.slice(step.start, step.end)).toBe(
          step.text,
        )
      }
    }
    expect(await one.resolveEntities(['NYC'])).toMatchObject([
      { name: 'new york city', documents: ['a', 'b', 'd'] },
    ])
    expect((await one.pathBetween('NYC', 'Oskar Bram'))[0]?.hops).toBe(1)
    const into = await one.mergeNames(['New York City', 'Big Apple'], { into: 'NYC' })
    expect(into).toMatchObject({ name: 'nyc', label: 'NYC', into: 'nyc', passages: 4 })
    expect((await one.mergedNames()).map((held) => held.name)).toEqual(['nyc', 'nyc'])
  })

  it(
    'give the answers of a fresh build with the same merges, in whatever order they and the ' +
      'documents came',
    async () => {
      const groups = fc.array(
        fc.tuple(
          fc.uniqueArray(fc.constantFrom(...names), { minLength: 2, maxLength: 3 }),
          fc.boolean(),
        ),
        { maxLength: 4 },
      )
      await fc.assert(
        fc.asyncProperty(
          groups,
          fc.shuffledSubarray([...cities], { minLength: 5 }),
          fc.integer({ min: 0, max: 4 }),
          fc.integer({ min: 0, max: 4 }),
          async (merges, order, gone, turn) => {
            const meaning = { embedder: new HashingEmbedder() },
              one = await engine(meaning),
              fresh = await engine({ embedder: new HashingEmbedder() })
            const apply = async (target: Engine, list: typeof merges): Promise<void> => {
              for (const [group, led] of list)
                await target.mergeNames(group, led ? { into: group.at(-1)! } : {})
            }
            await one.add(cities)
            await apply(one, merges)
            // documents come and go under the merges, and are another text for a while
            await one.remove(order[gone]!.id!)
            await one.update(
              order.map((document) => ({ ...document, text: `${document.text} old` })),
            )
            await one.update(order)
            for (const document of [...order].reverse()) await fresh.add(document)
            // the same set of names in two calls: the later `into` counts, so those keep their order
            const distinct =
              new Set(merges.map(([group]) => [...group].sort().join())).size === merges.length
            await apply(
              fresh,
              distinct ? [...merges.slice(turn), ...merges.slice(0, turn)] : merges,
            )
            for (const built of [one, fresh]) await built.ready('vectors')
            expect(await answers(one)).toBe(await answers(fresh))
            expect(await bytesOf(one)).toEqual(await bytesOf(fresh))
          },
        ),
        { numRuns: 10 },
      )
    },
  )

  it('leave no trace once undone: the same answers and the same bytes as never merged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uniqueArray(fc.constantFrom(...names), { minLength: 2, maxLength: 4 }), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.boolean(),
        fc.nat(),
        async (merges, byName, first) => {
          const one = await engine()
          await one.add(cities)
          const before = await answers(one),
            bytes = await bytesOf(one),
            ids = new Set<string>()
          for (const group of merges) ids.add((await one.mergeNames(group)).id)
          const kept = await bytesOf(one)
          if (byName)
            for (const name of new Set(merges.flat()))
              await one.splitName(name).catch((error: unknown) => {
                expect(error).toMatchObject({ code: 'input/invalid' })
              })
          else
            for (let left = [...ids], at = first; left.length > 0; at++) {
              const [id] = left.splice(at % left.length, 1)
              await one.undoMerge(id!)
            }
          expect(kept).not.toEqual(bytes)
          expect(await answers(one)).toBe(before)
          expect(await bytesOf(one)).toEqual(bytes)
          expect(await one.mergedNames()).toEqual([])
        },
      ),
      { numRuns: 8 },
    )
  })

  it('one undone merge leaves what another said', async () => {
    const one = await engine(),
      other = await engine()
    await one.add(cities)
    await other.add(cities)
    await one.mergeNames(['NYC', 'Big Apple'])
    const { id } = await one.mergeNames(['NYC', 'New York City'])
    await one.undoMerge(id)
    await other.mergeNames(['Big Apple', 'NYC'])
    expect(await answers(one)).toBe(await answers(other))
    await one.mergeNames(['NYC', 'New York City', 'Big Apple'])
    await one.splitName('New York City')
    expect((await one.mergedNames()).map((held) => held.names)).toEqual([['big apple', 'nyc']])
  })

  it('are refused where the corpus does not know a name, by its place and never by its text', async () => {
    const one = await engine()
    await one.add(cities)
    for (const [call, field] of [
      [one.mergeNames(['NYC', 'Atlantis Rising']), 'names[1]'],
      [one.mergeNames(['NYC', 'Big Apple'], { into: 'Atlantis Rising' }), 'into'],
      [one.mergeNames(['NYC', 'nyc']), 'names'],
      [one.mergeNames(['NYC']), 'names'],
      [one.mergeNames([]), 'names'],
      [one.splitName('NYC'), 'name'],
      [one.undoMerge('0123456789abcdef'), 'id'],
      [one.mergeNames('NYC' as never), 'names'],
      [one.splitName(3 as never), 'name'],
      [one.mergeNames(['NYC', 'soil']), 'names[1]'],
    ] as const) {
      const error: unknown = await call.then(
        () => null,
        (thrown: unknown) => thrown,
      )
      expect(error).toMatchObject({ code: 'input/invalid', details: { field } })
      expect(String((error as Error).message)).not.toContain('Atlantis')
    }
    await expect(
      one.mergeNames(['NYC', 'Big Apple'], { inot: 'NYC' } as never),
    ).rejects.toMatchObject({ code: 'input/invalid', details: { option: 'inot', nearest: 'into' } })
    expect(await one.mergedNames()).toEqual([])
  })

  it(
    'outlive reload, rebuild, re-ingest and archives, and the documents that held them, of ' +
      'which nothing stays',
    async () => {
      const directory = await mkdtemp(join(tmpdir(), 'hubmesh-said-'))
      try {
        const storage = { directory },
          first = await engine({ storage })
        await first.add(cities)
        await first.mergeNames(['NYC', 'Big Apple', 'New York City'])
        const expected = await answers(first)
        await first.close()
        const second = await engine({ storage })
        expect(await answers(second)).toBe(expected)
        const archive = await second.export(),
          third = await engine()
        await third.import(archive)
        expect(await answers(third)).toBe(expected)
        await second.remove(['c', 'd'])
        expect(await second.mergedNames()).toMatchObject([
          { name: 'new york city', names: ['new york city', 'nyc'], absent: 1 },
        ])
        await second.remove(cities.map(({ id }) => id!))
        expect(await second.mergedNames()).toMatchObject([
          { name: null, names: [], absent: 3, passages: 0 },
        ])
        await second.close()
        for (const file of await readdir(join(directory, 'test'))) {
          const bytes = (await readFile(join(directory, 'test', file)))
            .toString('latin1')
            .toLowerCase()
          for (const word of ['nyc', 'apple', 'york', 'quill'])
            expect(bytes.includes(word), `${file} holds ${word}`).toBe(false)
        }
        const last = await engine({ storage })
        await last.add([...cities].reverse())
        expect(await answers(last)).toBe(expected)
        await last.close()
      } finally {
        await rm(directory, { recursive: true, force: true })
      }
    },
  )
})
