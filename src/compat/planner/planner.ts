/**
 * The Planner of hubmesh: a question to ranked documents, packed context and paths, over a store and,
 * where there is one, an entity graph.
 */
import { HubmeshError, throwIfAborted } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { checkOptions, strings, type KnownOptions } from '../../base/options.ts'
import { toUnitVector } from '../../vector/unit_vector.ts'
import { PlannerConfig, whole } from './config.ts'
import type { PlannerOptions } from './config.ts'
import { readVectors } from './document_vectors.ts'
import type { DocumentVectors } from './document_vectors.ts'
import type { EntityKG } from './entity_kg.ts'
import { rankByGraph } from './kg_mode.ts'
import { rankByNeighbors } from './knn_mode.ts'
import { CANDIDATES_PER_SOURCE, packContext, selectSources, type Candidate } from './packing.ts'
import { PprSolver } from './ppr.ts'
import { questionNames } from './question_names.ts'
import type { Asked, Ranking } from './ranking.ts'
import type {
  PlannerEmbed,
  PlannerResult,
  PlannerRetrieveOptions,
  PlannerSource,
  PlannerStore,
} from './result.ts'

/** Names in a question, as they are written there. */
export type MentionReader = (
  question: string,
  kg: EntityKG,
) => readonly string[] | Promise<readonly string[]>

const DEFAULT_TOP_K = 10
const DEFAULT_BUDGET_TOKENS = 4000
const MOST_PATHS = 5

const RETRIEVE_OPTIONS: KnownOptions<PlannerRetrieveOptions> = {
  topK: true,
  budgetTokens: true,
  queryVector: true,
  seedEntities: true,
  excludeDocs: true,
  signal: true,
}
/** What a planner calls of its store. */
const STORE_METHODS = ['search', 'getMany', 'neighbors'] as const

interface GraphState {
  readonly solver: PprSolver
  readonly documentIds: readonly string[]
}

export class Planner {
  readonly store: PlannerStore
  readonly embed: PlannerEmbed | null
  readonly config: PlannerConfig
  readonly kg: EntityKG | null
  private readonly mentions: MentionReader
  /** Made at the first question, as it reads the whole graph. */
  private state: GraphState | null = null
  private vectors: { readonly counter: number; readonly vectors: Promise<DocumentVectors> } | null =
    null

  /**
   * KG mode where a graph is given and the question is text, kNN mode otherwise. Without `embed`,
   * give `queryVector` with each question. `mentions` reads the names of a question (default: names
   * of the graph, then capitalised runs). Throws `input/invalid` for an impossible config and for a
   * store without `search`, `getMany` or `neighbors`.
   */
  constructor(
    store: PlannerStore,
    embed: PlannerEmbed | null = null,
    config: PlannerConfig | PlannerOptions = {},
    kg: EntityKG | null = null,
    mentions: MentionReader = questionNames,
  ) {
    const given = (store ?? {}) as Partial<PlannerStore>,
      missing = STORE_METHODS.filter((method) => typeof given[method] !== 'function')
    if (missing.length > 0)
      throw new HubmeshError(
        'input/invalid',
        `The store has no ${missing.join(', no ')}; a planner needs ${STORE_METHODS.join(', ')}. ` +
          'Pass a store of hubmesh/stores, or add what is missing.',
        { details: { missing } },
      )
    this.store = store
    this.embed = embed
    this.config = config instanceof PlannerConfig ? config : new PlannerConfig(config)
    this.kg = kg
    this.mentions = mentions
  }

  /**
   * The sources, context and paths for a question: text, or a vector (kNN mode). Rejects with
   * `input/invalid` (options out of range, a vector that is not finite, none where one is needed,
   * seedEntities in kNN mode), with what the store or the embedder rejects with, and with
   * `aborted`.
   */
  async retrieve(
    query: string | ArrayLike<number>,
    options: PlannerRetrieveOptions = {},
  ): Promise<PlannerResult> {
    checkOptions<PlannerRetrieveOptions>('retrieve()', options, RETRIEVE_OPTIONS)
    throwIfAborted(options.signal)
    const text = typeof query === 'string' ? query : ''
    const inGraph = this.kg !== null && text.trim() !== ''
    const seedEntities = strings('seedEntities', options.seedEntities ?? [])
    if (!inGraph && seedEntities.length > 0) {
      throw new HubmeshError(
        'input/invalid',
        `${seedEntities.length} seedEntities were given, but the planner has no graph or the ` +
          'question is no text; they are nodes of a graph to begin at.',
        { details: { field: 'seedEntities' } },
      )
    }
    const asked: Asked = {
      text,
      seedEntities,
      topK: whole('topK', options.topK ?? DEFAULT_TOP_K, LIMITS.topK),
      budgetTokens: whole(
        'budgetTokens',
        options.budgetTokens ?? DEFAULT_BUDGET_TOKENS,
        LIMITS.budgetTokens,
      ),
      vector: await this.vectorOf(query, options),
      excluded: new Set(strings('excludeDocs', options.excludeDocs ?? [])),
      signal: options.signal ?? null,
    }
    throwIfAborted(options.signal)
    const ranking = inGraph
      ? await this.rankByGraph(asked, this.kg!)
      : await this.rankByNeighbors(asked)
    throwIfAborted(options.signal)
    return this.answer(asked, ranking)
  }

  private async rankByGraph(asked: Asked, kg: EntityKG): Promise<Ranking> {
    this.state ??= {
      solver: new PprSolver(kg.graph, this.config.hubDiscount),
      documentIds: kg.documentIds(),
    }
    const vectors = await this.documentVectors(this.state.documentIds)
    if (!asked.vector && vectors.size > 0) throw noVector()
    const mentions = await this.mentions(asked.text.slice(0, LIMITS.queryChars), kg)
    return rankByGraph(asked, {
      kg,
      ...this.state,
      store: this.store,
      config: this.config,
      vectors,
      mentions,
    })
  }

  private async rankByNeighbors(asked: Asked): Promise<Ranking> {
    if (!asked.vector) throw noVector()
    return rankByNeighbors({ ...asked, vector: asked.vector }, this.store, this.config)
  }

  private async answer(asked: Asked, ranking: Ranking): Promise<PlannerResult> {
    const candidates = await this.candidatesOf(ranking, asked.topK * CANDIDATES_PER_SOURCE)
    const { picked, omitted } = selectSources(candidates, asked.topK, this.config.redundancyLambda)
    const packed = packContext(
      picked.map(({ document }) => document),
      asked.budgetTokens,
      this.config.tokenCounter,
    )
    const sources = picked.map(
      ({ document: { id, title, text, metadata }, rank, compositeScore }, i): PlannerSource => ({
        id,
        title,
        text,
        metadata,
        rank,
        similarity: ranking.similarityOf(id),
        cosine: ranking.cosineOf(id),
        pprScore: ranking.massOf(id),
        compositeScore,
        block: packed.blocks[i] ?? null,
      }),
    )
    return {
      query: asked.text,
      context: packed.context,
      sources,
      omitted,
      reasoning: ranking.paths(
        sources.map((source) => source.id),
        Math.min(MOST_PATHS, asked.topK),
      ),
      debug: ranking.debug([...ranking.warnings, ...packed.warnings]),
    }
  }

  /** The best `most` documents that the store has: one that only the graph has takes no rank. */
  private async candidatesOf(ranking: Ranking, most: number): Promise<Candidate[]> {
    const found: Candidate[] = []
    for (let from = 0; from < ranking.ranked.length && found.length < most;) {
      const batch = ranking.ranked.slice(from, from + most - found.length)
      const documents = await this.store.getMany(batch.map(([id]) => id))
      batch.forEach(([id, compositeScore], i) => {
        const document = documents[i]
        const vector = ranking.vectors.get(id) ?? null
        if (document) found.push({ document, rank: found.length, compositeScore, vector })
      })
      from += batch.length
    }
    return found
  }

  /** The unit vector of the question: given, or embedded; null where neither is there. */
  private async vectorOf(
    query: string | ArrayLike<number>,
    { queryVector, signal }: PlannerRetrieveOptions,
  ): Promise<Float32Array | null> {
    const given = typeof query === 'string' ? queryVector : query
    if (given !== undefined) return toUnitVector(given, given.length)
    if (!this.embed) return null
    const text = query as string
    const options = signal ? { signal } : {}
    const made =
      typeof this.embed === 'function'
        ? await this.embed(text, options)
        : (await this.embed.embed([text], { kind: 'query', ...options }))[0]!
    return toUnitVector(made, made.length)
  }

  /** Read once, and again when the store says that it changed. A failed reading is tried again. */
  private documentVectors(ids: readonly string[]): Promise<DocumentVectors> {
    const counter = this.store.mutationCounter ?? 0
    if (this.vectors?.counter !== counter) {
      // Shared by the questions that wait for it, so the signal of none of them may end it.
      const vectors = readVectors(this.store, ids)
      vectors.catch(() => {
        if (this.vectors?.vectors === vectors) this.vectors = null
      })
      this.vectors = { counter, vectors }
    }
    return this.vectors.vectors
  }
}

function noVector(): HubmeshError {
  return new HubmeshError(
    'input/invalid',
    'The question has no vector: give the planner an embedder, pass queryVector, or ask with a vector.',
    { details: { field: 'queryVector' } },
  )
}
