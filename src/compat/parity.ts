/**
 * `ranking: 'python'`: the planner's order over the passages of a corpus, as the engine answers.
 * What the planner walks is made at the first question after a change, which takes as long as
 * reading the corpus.
 */
import type { Corpus } from '../corpus/corpus.ts'
import { roundScore } from '../base/math.ts'
import { HubmeshError } from '../base/errors.ts'
import { findName } from '../explain/name_lookup.ts'
import { explainPlannerPaths } from './planner_paths.ts'
import { checkOptions, type KnownOptions } from '../base/options.ts'
import { PlannerConfig, type PlannerOptions } from './planner/config.ts'
import { EntityKG } from './planner/entity_kg.ts'
import type { EntityKGJson } from './planner/entity_kg_json.ts'
import { rankByGraph } from './planner/kg_mode.ts'
import { rankByNeighbors } from './planner/knn_mode.ts'
import { CANDIDATES_PER_SOURCE, selectSources } from './planner/packing.ts'
import { passageGraph } from './planner/passage_graph.ts'
import { PprSolver } from './planner/ppr.ts'
import { questionNames } from './planner/question_names.ts'
import type { Ranking as PlannerRanking } from './planner/ranking.ts'
import type { SeedReport } from '../types.ts'
import { toUnitVector } from '../vector/unit_vector.ts'
import { MOST_PATHS } from '../engine/asking/answer.ts'
import { PassageStore, PassageVectors } from './passage_store.ts'
import { readQuestion } from '../retrieve/question.ts'
import type { RankedSlot } from '../retrieve/rank.ts'
import type { PlannedAnswer, PlannedQuestion, PlannedRanker } from '../engine/planned_ranking.ts'

/**
 * What `createEngine` takes as `planner` beside `ranking: 'python'`: the fields of PlannerConfig
 * with its defaults, tokens being counted by `countTokens`.
 */
export interface PlannerSettings extends Omit<PlannerOptions, 'tokenCounter'> {
  /**
   * `kg` (default) walks the graph of names; `knn` that of nearest neighbours, and needs vectors.
   */
  readonly mode?: 'kg' | 'knn'
  /**
   * kg.json of hubmesh, parsed, instead of the graph of the corpus' own names. Its documents are
   * the passages by id: a document that is one passage has its own, others `id#chunkN`.
   */
  readonly graph?: EntityKGJson
}

const KNOWN: KnownOptions<PlannerSettings> = {
  mode: true,
  graph: true,
  seedTopK: true,
  nSeedsForPpr: true,
  subgraphHops: true,
  subgraphCap: true,
  pprAlpha: true,
  redundancyLambda: true,
  weights: true,
  useCommunityAnchor: true,
  useCoherence: true,
  integration: true,
  hubDiscount: true,
  useConvergence: true,
  detectCommunities: true,
}

interface Walked {
  readonly state: string
  readonly store: PassageStore
  readonly kg: EntityKG
  readonly solver: PprSolver
  readonly documentIds: readonly string[]
}

/** Times that a corpus which changes meanwhile is ranked anew. */
const ATTEMPTS = 3

export class ParityRanker implements PlannedRanker {
  readonly mode: 'kg' | 'knn'
  private readonly config: PlannerConfig
  private readonly graph: EntityKG | null
  private walked: Walked | null = null

  /**
   * Throws `input/invalid` for unknown settings or values out of range, and `archive/invalid` for a
   * graph of another shape.
   */
  constructor(
    private readonly corpus: Corpus,
    private readonly generation: () => number,
    settings: PlannerSettings = {},
  ) {
    if ('tokenCounter' in settings)
      throw new HubmeshError(
        'input/invalid',
        'planner.tokenCounter is countTokens of the engine: give it there.',
        { details: { option: 'planner.tokenCounter', nearest: 'countTokens' } },
      )
    checkOptions<PlannerSettings>('planner', settings, KNOWN)
    const { mode = 'kg', graph, ...config } = settings
    if ((mode as unknown) !== 'kg' && (mode as unknown) !== 'knn')
      throw new HubmeshError('input/invalid', 'planner.mode must be "kg" or "knn".', {
        details: { option: 'planner.mode' },
      })
    if (mode === 'knn' && graph !== undefined)
      throw new HubmeshError(
        'input/invalid',
        'planner.graph is walked in KG mode only; leave out the mode, or the graph.',
        { details: { option: 'planner.graph' } },
      )
    this.mode = mode
    this.config = new PlannerConfig(config)
    this.graph = graph === undefined ? null : EntityKG.fromJSON(graph)
  }

  /**
   * Rejects with `input/invalid` where kNN mode has no vector of the question, and with `aborted`.
   */
  async rank(question: PlannedQuestion): Promise<PlannedAnswer> {
    if (this.mode === 'knn' && !question.vector)
      throw new HubmeshError(
        'input/invalid',
        'kNN mode compares vectors, and the question has none: open the engine with a model, ' +
          'give queryVector, or leave tier "text" out.',
        { details: { field: 'queryVector' } },
      )
    for (let attempt = 1; ; attempt++) {
      const state = this.state(),
        walked = this.walk(),
        ranking = await this.rankWalked(question, walked)
      if (state === this.state()) return this.answer(question, walked, ranking)
      if (attempt === ATTEMPTS)
        throw new HubmeshError(
          'index/stale',
          'The corpus changed while the question was ranked. Ask again when ready("settled") has resolved.',
          { retryable: true },
        )
    }
  }

  private state(): string {
    return `${this.generation()} ${this.corpus.text.size} ${this.corpus.text.settled}`
  }

  private walk(): Walked {
    const state = this.state()
    if (this.walked?.state === state) return this.walked
    const store = new PassageStore(this.corpus),
      kg = this.graph ?? (this.mode === 'kg' ? passageGraph(this.corpus, store.slotOf) : NO_GRAPH)
    this.walked = {
      state,
      store,
      kg,
      solver: new PprSolver(kg.graph, this.config.hubDiscount),
      documentIds: this.mode === 'kg' ? kg.documentIds().filter((id) => store.slotOf.has(id)) : [],
    }
    return this.walked
  }

  private async rankWalked(
    { settled, vector, isOut, signal }: PlannedQuestion,
    walked: Walked,
  ): Promise<PlannerRanking> {
    const excluded = new Set<string>(),
      { store, kg } = walked
    if (isOut)
      for (const [id, slot] of store.slotOf)
        if (isOut(this.corpus.table.entry(slot))) excluded.add(id)
    const asked = {
      text: settled.text,
      vector: vector && toUnitVector(vector, vector.length),
      topK: settled.topK,
      budgetTokens: settled.budgetTokens,
      seedEntities: settled.seedEntities,
      excluded,
      signal: signal ?? null,
    }
    if (this.mode === 'knn')
      return rankByNeighbors({ ...asked, vector: asked.vector! }, store, this.config)
    const vectors = asked.vector
      ? new PassageVectors(this.corpus, store)
      : new Map<string, Float32Array>()
    return rankByGraph(asked, {
      ...walked,
      config: this.config,
      vectors,
      mentions: settled.questionSeeds ?? questionNames(settled.text, kg),
    })
  }

  private async answer(
    { settled }: PlannedQuestion,
    { store, kg }: Walked,
    ranking: PlannerRanking,
  ): Promise<PlannedAnswer> {
    const { corpus } = this,
      considered = ranking.ranked
        .filter(([id]) => store.slotOf.has(id))
        .slice(0, settled.topK * CANDIDATES_PER_SOURCE)
    const documents = await store.getMany(considered.map(([id]) => id))
    const candidates = considered.map(([id, compositeScore], rank) => ({
      document: documents[rank]!,
      rank,
      compositeScore,
      vector: ranking.vectors.get(id) ?? null,
    }))
    const { picked } = selectSources(candidates, settled.topK, this.config.redundancyLambda)
    const ranked = picked.map(({ document, compositeScore }) =>
      rankedSlot(store.slotOf.get(document.id)!, document.id, compositeScore, ranking),
    )
    const debug = ranking.debug([]),
      starts = debug.mode === 'kg' ? debug.pprSeeds : [],
      injected = new Set(debug.mode === 'kg' ? debug.injectedSeeds : [])
    const names = starts
      .map((node) => findName(kg.nodeToLabel.get(node) ?? '', corpus))
      .filter((name) => name >= 0)
    const seeds = [...new Set(names)].map((name) => ({
      name,
      weight: 1 / Math.max(1, names.length),
      origin: 'question' as const,
    }))
    const paths = ranking.paths(
      picked.map(({ document }) => document.id),
      Math.min(MOST_PATHS, settled.topK),
    )
    return {
      ranking: {
        question: readQuestion(settled.text, corpus.text, false),
        ranked,
        seeds,
        gate: starts.length > 0 ? 1 : 0,
        walk: null,
        candidates: considered.length,
      },
      reasoning: explainPlannerPaths(paths, this.mode === 'kg' ? kg : null, corpus, (id) =>
        store.slotOf.get(id),
      ),
      seeds: starts.map((node) => ({
        ...seedReport(node, kg, 1 / starts.length),
        origin: injected.has(node) ? 'injected' : 'question',
      })),
      unknownSeeds: settled.seedEntities.filter((seed) => kg.queryEntityNodes([seed]).length === 0),
      mode: this.mode,
      warnings: ranking.warnings,
    }
  }
}

function rankedSlot(slot: number, id: string, score: number, ranking: PlannerRanking): RankedSlot {
  const [relevance, walk, third] = ranking.partsOf(id)
  const contributions = { meaning: relevance, words: 0, graph: walk + third, title: 0, bridge: 0 }
  return { slot, score, cosine: ranking.cosineOf(id), contributions }
}

function seedReport(node: string, kg: EntityKG, weight: number): Omit<SeedReport, 'origin'> {
  return {
    name: node.slice(node.indexOf(':') + 1),
    label: kg.nodeToLabel.get(node) ?? node,
    passages: kg.entityToDocs.get(node)?.size ?? 0,
    weight: roundScore(weight),
  }
}

const NO_GRAPH = EntityKG.fromJSON({
  nodes: [],
  edges: [],
  doc_to_entities: {},
  entity_to_docs: {},
  entity_canonical_to_node: {},
  entity_node_to_label: {},
})
