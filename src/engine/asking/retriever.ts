/** Answers a question, from the check of the request to the packed context. Writes nothing. */
import type { Corpus } from '../../corpus/corpus.ts'
import type { DocumentEntry } from '../../corpus/corpus_table.ts'
import type { Vectorizer } from '../vectorizer.ts'
import { PassageReader } from '../../graph/passage_reader.ts'
import type { Embedder } from '../../embed/embedder.ts'
import { HubmeshError, throwIfAborted } from '../../base/errors.ts'
import { readGivenNames, severalNames, type GivenNames } from '../../explain/name_lookup.ts'
import { MentionReader } from '../../explain/mentions.ts'
import { packContext } from '../../pack/pack.ts'
import { createTokenCounter } from '../../pack/token_counter.ts'
import { now } from '../../base/platform.ts'
import type { CorpusStorage } from '../../store/storage.ts'
import type { EngineOptions } from '../engine_options.ts'
import type {
  ReasoningPath,
  RetrieveDebug,
  RetrieveOptions,
  RetrieveResult,
  SearchOptions,
  Source,
  TokenCounter,
} from '../../types.ts'
import { answerOf } from '../../answer/card.ts'
import { comparedTexts } from '../../sentences/scores.ts'
import { completeQuestion } from '../../answer/history.ts'
import { outside } from '../../retrieve/facets.ts'
import { candidatesOf, draftOf, placed, reasoningOf, seedReports, sourcesOf } from './answer.ts'
import { compareByFields } from '../../document/sort.ts'
import { LIMITS } from '../../base/limits.ts'
import { whole } from '../../base/options.ts'
import type { PlannedRanker, PlannedRanking } from '../planned_ranking.ts'
import { QuestionVectors } from './question_vectors.ts'
import { Rankers } from './rankers.ts'
import { remarksOn, whyNoPath } from './remarks.ts'
import type { Language } from '../../lexical/languages.ts'
import { CorpusLanguages } from '../../retrieve/corpus_languages.ts'
import type { Ranking } from '../../retrieve/rank.ts'
import { PACK_FROM, settleQuery, type SettledQuery } from '../../retrieve/request.ts'
import { DENSE_WEIGHTS } from '../../retrieve/weights.ts'

/** A question, and all that was awaited for it. */
interface Asked {
  readonly settled: SettledQuery
  readonly isOut: ((entry: DocumentEntry) => boolean) | null
  readonly vector: Float32Array | null
  readonly languages: readonly Language[]
  readonly count: TokenCounter
  readonly planned: Awaited<ReturnType<PlannedRanker['rank']>> | null
  readonly times: { readonly started: number; readonly embedded: number }
}

/** What one generation of the corpus has for it. */
interface Found {
  readonly ranking: Ranking
  readonly sources: Source[]
  readonly draft: ReturnType<typeof draftOf>
  readonly reasoning: readonly ReasoningPath[]
  readonly packed: ReturnType<typeof packContext>
  readonly given: GivenNames
  readonly named: GivenNames | null
  readonly seeds: RetrieveDebug['seeds']
  readonly times: { readonly ranked: number; readonly explained: number; readonly packed: number }
}

export class Retriever {
  private readonly vectors: QuestionVectors
  private readonly rankers: Rankers
  /** The Python planner, where it ranks. */
  private readonly planned: PlannedRanker | null
  private readonly languages: CorpusLanguages
  private counter: Promise<TokenCounter> | null = null

  constructor(
    private readonly corpus: Corpus,
    private readonly storage: CorpusStorage,
    embedder: Embedder | null,
    private readonly vectorizer: Vectorizer | null,
    private readonly options: EngineOptions,
    planning: PlannedRanking | null,
  ) {
    this.planned = planning ? planning(corpus, () => storage.generation, options.planner) : null
    this.vectors = new QuestionVectors(corpus, embedder, vectorizer, this.planned?.mode ?? null)
    this.rankers = new Rankers(corpus, this.vectors, options.ranking, embedder?.meaningTrust ?? 1)
    this.languages = new CorpusLanguages(options.languages)
  }

  /** What the model cannot do for this corpus; null where there is nothing to say. */
  get warning(): string | null {
    const count = this.vectors.readable.count()
    return count === 0
      ? null
      : `${count} of ${this.corpus.table.passages} passages are in a script that the model cannot ` +
          'read; they are ranked by their words. A multilingual model would read them.'
  }

  async retrieve(query: string, options: RetrieveOptions): Promise<RetrieveResult> {
    const asked = await this.prepare(query, options),
      { settled, vector } = asked,
      { corpus } = this
    // from here on nothing is awaited: the answer is from one generation
    const found = this.find(asked),
      { ranking, reasoning, packed, draft } = found,
      debug = this.debugOf(asked, found)
    this.vectorizer?.touch(ranking.ranked.slice(0, settled.topK).map(({ slot }) => slot))
    const { cosines, warning } = vector
      ? await this.vectors.sentenceCosines(comparedTexts(draft), vector, options.signal)
      : { cosines: null, warning: null }
    const { answer } = answerOf(draft, cosines, ranking.gate),
      noReasoning = whyNoPath(answer.state, reasoning.length, ranking.seeds.length)
    return {
      answer: {
        ...answer,
        quotes: placed(answer.quotes, ({ highlight }) => highlight.start, corpus),
      },
      context: packed.context,
      contextTokens: packed.contextTokens,
      blocks: placed(packed.blocks, ({ spans }) => spans[0]!.start, corpus),
      omitted: packed.omitted.filter(({ rank }) => rank <= settled.topK),
      sources: found.sources,
      reasoning: noReasoning === null ? reasoning : [],
      debug: {
        ...debug,
        timings: { ...debug.timings, answer: now() - found.times.packed },
        warnings: warning === null ? debug.warnings : [...debug.warnings, warning],
        noReasoning,
      },
    }
  }

  /** All that is awaited before the ranking. */
  private async prepare(query: string, options: RetrieveOptions): Promise<Asked> {
    const started = now(),
      { corpus } = this
    const asked = settleQuery(query, options, corpus.vectors?.dims ?? null),
      settled = { ...asked, ...completeQuestion(asked.text, asked.history, corpus.text) },
      isOut = outside(settled.excludeDocs, options.filter)
    const vector = await this.vectors.of(settled, options.signal),
      languages = await this.languages.of(settled.text, corpus.text)
    this.counter ??= createTokenCounter(this.options.countTokens ?? 'approx')
    const count = await this.counter
    throwIfAborted(options.signal)
    const embedded = now(),
      planned =
        this.planned &&
        (await this.planned.rank({ settled, vector, isOut, signal: options.signal }))
    return { settled, isOut, vector, languages, count, planned, times: { started, embedded } }
  }

  /** Ranks, explains and packs. */
  private find({ settled, isOut, vector, languages, count, planned }: Asked): Found {
    const { corpus } = this,
      given = readGivenNames(settled.seedEntities, corpus),
      named = settled.questionSeeds ? readGivenNames(settled.questionSeeds, corpus) : null
    const passages = new PassageReader(corpus.text, (slot) => corpus.table.text(slot))
    const ranking = planned
      ? planned.ranking
      : this.rankers.rank(
          this.rankers.graph,
          settled,
          passages,
          vector,
          isOut,
          Math.max(settled.topK, PACK_FROM),
          given.names,
          named?.names,
          languages,
        )
    const ranked = now(),
      reader = new MentionReader(corpus.text, corpus.table, passages)
    const sources = sourcesOf(ranking.ranked.slice(0, settled.topK), ranking, corpus, reader),
      draft = draftOf(ranking, corpus, passages),
      reasoning = planned?.reasoning ?? reasoningOf(ranking, draft, corpus, reader)
    const explained = now(),
      packed = packContext(
        candidatesOf(ranking, corpus, passages),
        {
          question: settled.text,
          budgetTokens: settled.budgetTokens,
          countTokens: count,
          names: settled.seedEntities,
          // scores of the Python planner are on a scale of their own
          fill: settled.fill || planned !== null,
        },
        ranking.question.words,
      )
    return {
      ...{ ranking, sources, draft, reasoning, packed, given, named },
      seeds: planned?.seeds ?? seedReports(ranking, corpus, reader),
      times: { ranked, explained, packed: now() },
    }
  }

  private debugOf(
    { settled, vector, planned, times }: Asked,
    { ranking, packed, given, named, seeds, times: after }: Found,
  ): Omit<RetrieveDebug, 'noReasoning'> {
    const { corpus, vectorizer } = this,
      full = vector !== null
    return {
      question: settled.text,
      tier: full ? 'full' : 'text',
      mode: planned?.mode ?? (ranking.seeds.length > 0 ? 'graph' : 'hybrid'),
      passages: corpus.table.passages,
      passagesWithVectors: corpus.passagesWithVectors,
      seeds,
      unknownSeeds: planned?.unknownSeeds ?? given.unknown,
      excludedDocuments: settled.excludeDocs.filter((id) => corpus.table.get(id)),
      gate: ranking.gate,
      walk: {
        pushes: ranking.walk?.pushes ?? 0,
        touchedEdges: ranking.walk?.touchedEdges ?? 0,
        residual: ranking.walk?.residual ?? 0,
        candidates: ranking.candidates,
      },
      timings: {
        embed: times.embedded - times.started,
        rank: after.ranked - times.embedded,
        explain: after.explained - after.ranked,
        pack: after.packed - after.explained,
        answer: 0,
      },
      warnings: [
        ...settled.warnings,
        ...given.warnings,
        ...(named?.warnings ?? []),
        ...(ranking.doubts ?? []).map(({ text, names }) => severalNames(text, names, corpus)),
        ...(planned?.warnings ??
          remarksOn({
            ...{ settled, ranking, full, corpus, vectorizer },
            isRead: this.vectors.readable.readsText(settled.text),
          })),
        ...packed.warnings,
      ],
      generation: this.storage.generation,
    }
  }

  /**
   * Passages by words, by meaning or by both, without the graph; without vectors only those that
   * have a word of the question.
   */
  async search(query: string, options: SearchOptions): Promise<readonly Source[]> {
    const mode = options.mode ?? 'hybrid'
    if (mode !== 'lexical' && mode !== 'dense' && mode !== 'hybrid')
      throw new HubmeshError(
        'input/invalid',
        'search() has the modes "lexical", "dense" and "hybrid".',
        { details: { field: 'mode' } },
      )
    const { mode: _mode, offset = 0, sort = [], ...rest } = options
    const settled = settleQuery(
      query,
      { ...rest, tier: mode === 'lexical' ? 'text' : mode === 'dense' ? 'full' : 'auto' },
      this.corpus.vectors?.dims ?? null,
    )
    whole('offset', offset, 0, LIMITS.topK - settled.topK)
    const compare = compareByFields<number>(sort, (slot) => this.corpus.table.entry(slot).metadata),
      isOut = outside(settled.excludeDocs, options.filter)
    const vector = await this.vectors.of(settled, options.signal),
      languages = await this.languages.of(settled.text, this.corpus.text)
    throwIfAborted(options.signal)
    const passages = new PassageReader(this.corpus.text, (slot) => this.corpus.table.text(slot))
    const ranking = this.rankers.rank(
      mode === 'dense' ? DENSE_WEIGHTS : this.rankers.hybrid,
      settled,
      passages,
      vector,
      isOut,
      compare ? LIMITS.topK : offset + settled.topK,
      [],
      [],
      languages,
    )
    // without vectors, what has no word of the question has nothing of it
    const found = vector ? [...ranking.ranked] : ranking.ranked.filter(({ score }) => score > 0)
    if (compare) found.sort((a, b) => compare(a.slot, b.slot))
    return sourcesOf(
      found.slice(offset, offset + settled.topK),
      ranking,
      this.corpus,
      new MentionReader(this.corpus.text, this.corpus.table, passages),
    )
  }
}
