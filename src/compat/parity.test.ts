import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import type { LocalEngine } from '../engine/engine.ts'
import type { EngineOptions } from '../engine/engine_options.ts'
import { openEngine } from './open_engine.ts'
import { buildEntityKG } from './planner/build_entity_kg.ts'
import { Planner } from './planner/planner.ts'
import { configOf, type GoldenCase } from './planner/testing/golden_runs.ts'
import { InMemoryStore } from './stores/in_memory_store.ts'
import type { DocumentInput, EmbedderIdentity, RetrieveResult } from '../types.ts'
import type { PlannerSettings } from './parity.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import { FILMS } from '../testing/films.ts'

const engine = (
  options: Partial<EngineOptions>,
  documents: readonly DocumentInput[],
): Promise<LocalEngine> =>
  openTestEngine(documents, { chunk: { strategy: 'none' }, ranking: 'hubmesh', ...options })

const questions = [
  'Where was the director of Ed Wood born?',
  'mulch for the soil',
  'Which film did Scott Derrickson make?',
]

/** That every step of every path stands in its document. */
async function expectSpans(
  one: LocalEngine,
  { reasoning, sources }: RetrieveResult,
): Promise<void> {
  for (const { nodes, steps } of reasoning) {
    expect(steps).toHaveLength(nodes.length - 1)
    for (const step of steps) {
      const document = (await one.getDocument(step.documentId))!
      expect((step.inTitle ? document.title : document.text).slice(step.start, step.end)).toBe(
        step.text,
      )
      expect(document.text.slice(step.sentence.start, step.sentence.end)).toBe(step.sentence.text)
    }
  }
  for (const { contributions, score } of sources)
    expect(Math.abs(Object.values(contributions).reduce((a, b) => a + b, 0) - score)).toBeLessThan(
      2e-9,
    )
}

describe("ranking: 'hubmesh'", () => {
  it.each([
    ['kg', {}],
    ['kg', { integration: 'geom', hubDiscount: 1 }],
    ['kg', { useConvergence: false, pprAlpha: 0.3 }],
    ['knn', {}],
    ['knn', { useCoherence: true, useCommunityAnchor: true, subgraphHops: 1 }],
  ] as const)('ranks as the planner does over the same passages: %s %o', async (mode, config) => {
    const embedder = new HashingEmbedder(),
      one = await engine(
        { embedder, planner: { mode, ...config } satisfies PlannerSettings },
        FILMS,
      )
    await one.ready('vectors')
    const vectors = await embedder.embed(
      FILMS.map(({ title, text }) => `${title}. ${text}`),
      { kind: 'passage' },
    )
    const store = new InMemoryStore(
      FILMS.map(({ id, title, text }, i) => ({
        id: id!,
        title: title!,
        text,
        vector: vectors[i]!,
      })),
    )
    const planner = new Planner(
      store,
      embedder,
      config,
      mode === 'kg' ? await buildEntityKG(FILMS) : null,
    )
    for (const question of questions) {
      const ours = await one.retrieve(question, { topK: 3 }),
        theirs = await planner.retrieve(question, { topK: 3 })
      expect(ours.sources.map(({ documentId }) => documentId)).toEqual(
        theirs.sources.map(({ id }) => id),
      )
      ours.sources.forEach(({ score }, i) => {
        expect(Math.abs(score - theirs.sources[i]!.compositeScore)).toBeLessThan(1e-6)
      })
      expect(ours.debug.mode).toBe(mode)
      if (mode === 'kg' && theirs.debug.mode === 'kg')
        expect(ours.debug.seeds.map(({ name }) => `ent:${name}`)).toEqual(theirs.debug.pprSeeds)
      expect(ours.reasoning.length).toBe(theirs.reasoning.length)
      if (mode === 'knn')
        expect(
          ours.reasoning.every((path) => path.steps.every((step) => step.predicate === 'similar')),
        ).toBe(true)
      await expectSpans(one, ours)
    }
  })

  it('takes merges and given relations into its graph, seeds, exclusions, and answers without vectors', async () => {
    const one = await engine({}, FILMS)
    await one.addRelations([
      { documentId: 'a', subject: 'Ed Wood', predicate: 'directed by', object: 'Tim Burton' },
    ])
    await one.mergeNames(['Tim Burton', 'Timothy Walter Burton'])
    await one.ready('settled')
    const answer = await one.retrieve('What is Ed Wood?', {
      topK: 4,
      seedEntities: ['Nobody At All'],
    })
    expect(answer.debug.unknownSeeds).toEqual(['Nobody At All'])
    expect(
      answer.reasoning
        .flatMap((path) => path.steps)
        .some((step) => step.predicate === 'directed by'),
    ).toBe(true)
    await expectSpans(one, answer)
    expect((await one.retrieve('Tim Burton?')).debug.seeds.map(({ name }) => name)).toEqual(
      (await one.retrieve('Timothy Walter Burton?')).debug.seeds.map(({ name }) => name),
    )
    const without = await one.retrieve('What is Ed Wood?', { excludeDocs: ['a'] })
    expect(without.sources.map(({ documentId }) => documentId)).not.toContain('a')
    expect(without.debug.excludedDocuments).toEqual(['a'])
  })

  it(
    'refuses settings nobody knows, those of another ranking, and a question without a vector ' +
      'in kNN mode',
    async () => {
      for (const [options, details] of [
        [{ planner: { pprAlhpa: 0.3 } }, { option: 'pprAlhpa', nearest: 'pprAlpha' }],
        [{ planner: { tokenCounter: () => 1 } }, { nearest: 'countTokens' }],
        [{ planner: { mode: 'tree' } }, { option: 'planner.mode' }],
        [{ planner: { pprAlpha: 7 } }, {}],
        [{ ranking: undefined, planner: {} }, { option: 'planner' }],
        [{ ranking: 'hubmsh' }, { field: 'ranking' }],
        [{ rankin: 'hubmesh' }, { option: 'rankin', nearest: 'ranking' }],
        [{ chunk: { token: 3 } }, { option: 'token', nearest: 'tokens' }],
      ] as const)
        await expect(
          openEngine({
            corpus: 'parity',
            storage: 'memory',
            embedder: null,
            ranking: 'hubmesh',
            ...(options as object),
          }),
        ).rejects.toMatchObject({ code: 'input/invalid', details })
      const one = await engine({ planner: { mode: 'knn' } }, FILMS)
      await expect(one.retrieve('mulch')).rejects.toMatchObject({ code: 'input/invalid' })
      await expect(one.retrieve('mulch', { topk: 3 } as never)).rejects.toMatchObject({
        code: 'input/invalid',
        details: { option: 'topk', nearest: 'topK' },
      })
      await expect(one.search('mulch', { budgetTokens: 3 } as never)).rejects.toMatchObject({
        code: 'input/invalid',
        details: { option: 'budgetTokens' },
      })
    },
  )
})

const FOLDER = '../shared/fixtures/hubmesh'
const present = existsSync(`${FOLDER}/retrieve.json`)
if (!present)
  console.log(`golden values of ranking: 'hubmesh': left out, as ${FOLDER} is not there`)
const read = <T>(name: string): T => JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')) as T

describe.runIf(present)('the golden runs of hubmesh 0.4.2, asked of an engine', () => {
  const documents = present ? read<DocumentInput[]>('documents.json') : [],
    { cases } = present ? read<{ cases: GoldenCase[] }>('retrieve.json') : { cases: [] }
  const dims = documents[0]?.vector?.length ?? 1,
    identity: EmbedderIdentity = {
      model: 'golden',
      revision: '1',
      dtype: 'fp32',
      dims,
      pooling: 'mean',
    }
  // documents and questions bring their vectors
  const embedder = {
    identity,
    embed: () => Promise.reject(new Error('nothing is embedded here')),
    close: () => Promise.resolve(),
  }

  it.each(Object.keys(cases[0]?.runs ?? {}).filter((name) => name !== 'seedsAndExclude'))(
    '%s: sources, order, scores and the ways of its paths',
    async (name) => {
      const { config, communities, result } = cases[0]!.runs[name]!,
        mode = result.debug['mode'] as 'kg' | 'knn'
      const { tokenCounter: _, ...settings } = configOf(config, communities)
      const one =
        mode === 'kg' || !communities
          ? await engine(
              {
                embedder,
                planner: {
                  mode,
                  ...settings,
                  ...(mode === 'kg' ? { graph: read('kg.json') } : {}),
                },
              },
              documents,
            )
          : null
      for (const { question, vector, mentions, runs } of cases) {
        const run = runs[name]!,
          { tokenCounter: __, ...own } = configOf(run.config, run.communities)
        const asked = one ?? (await engine({ embedder, planner: { mode, ...own } }, documents))
        const ours = await asked.retrieve(question, {
          topK: run.options.topK,
          queryVector: vector,
          questionSeeds: mentions,
          ...(run.options.seedEntities ? { seedEntities: run.options.seedEntities } : {}),
        })
        expect(ours.sources.map(({ documentId }) => documentId)).toEqual(
          run.result.sources.map(({ id }) => id),
        )
        ours.sources.forEach(({ score }, i) => {
          expect(Math.abs(score - run.result.sources[i]!.compositeScore)).toBeLessThanOrEqual(1e-4)
        })
        await expectSpans(asked, ours)
      }
    },
  )
})
