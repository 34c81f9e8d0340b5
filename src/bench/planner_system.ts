/**
 * The ranking of hubmesh for Python under measure, on this package's names (its own come from
 * spaCy).
 */
import { HubmeshError } from '../base/errors.ts'
import { buildEntityKG } from '../compat/planner/build_entity_kg.ts'
import { Planner } from '../compat/planner/planner.ts'
import { InMemoryStore } from '../compat/stores/in_memory_store.ts'
import type { BenchPassage } from './dataset.ts'
import type { BenchSystem, RankedAnswer, RankSettings } from './system.ts'

/** What is measured is the ranking, not the packing. */
const NO_BUDGET = 1_000_000

export class PlannerSystem implements BenchSystem {
  readonly name = 'hubmesh'
  private planner: Planner | null = null

  async index(
    passages: readonly BenchPassage[],
    vectors: readonly Float32Array[] | null,
  ): Promise<void> {
    if (vectors === null)
      throw new HubmeshError(
        'input/invalid',
        '--ranking hubmesh needs vectors; leave out --tier text.',
      )
    const documents = passages.map(({ id, title, text }) => ({ id, title, text }))
    const store = new InMemoryStore(
      documents.map((document, i) => ({ ...document, vector: vectors[i]! })),
    )
    this.planner = new Planner(store, null, {}, await buildEntityKG(documents))
  }

  async rank(
    question: string,
    queryVector: Float32Array | null,
    count: number,
    { injected = [], excluded = [] }: RankSettings = {},
  ): Promise<RankedAnswer> {
    if (this.planner === null || queryVector === null)
      throw new TypeError('index() with vectors comes before rank().')
    const started = performance.now()
    const { sources, debug } = await this.planner.retrieve(question, {
      topK: count,
      budgetTokens: NO_BUDGET,
      queryVector,
      seedEntities: injected,
      excludeDocs: excluded,
    })
    return {
      ids: sources.map((source) => source.id),
      scores: sources.map((source) => source.compositeScore),
      seeds: debug.mode === 'kg' ? debug.queryMentions : [],
      paths: () => [],
      subjects: () => [],
      timings: { rank: performance.now() - started },
    }
  }
}
