/** Answers a question, from the check of the request to the packed context. Writes nothing. */
import type { Corpus } from '../corpus/corpus.ts'
import type { DocumentEntry } from '../corpus/corpus_table.ts'
import type { Vectorizer } from './vectorizer.ts'
import { PassageReader } from '../graph/passage_reader.ts'
import type { TextIndex } from '../graph/text_index.ts'
import type { Embedder } from '../embed/embedder.ts'
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import { readGivenNames, severalNames } from '../explain/name_lookup.ts'
import { MentionReader } from '../explain/mentions.ts'
import { packContext } from '../pack/pack.ts'
import { createTokenCounter } from '../pack/token_counter.ts'
import { now } from '../base/platform.ts'
import type { CorpusStorage } from '../store/storage.ts'
import type { EngineOptions } from './engine_options.ts'
import type {
  Answer,
  RetrieveOptions,
  RetrieveResult,
  SearchOptions,
  Source,
  TokenCounter,
} from '../types.ts'
import { answerOf } from '../answer/card.ts'
import { comparedTexts } from '../sentences/scores.ts'
import { completeQuestion } from '../answer/history.ts'
import { cosineOfUnits } from '../vector/unit_vector.ts'
import { outside } from '../retrieve/facets.ts'
import { candidatesOf, draftOf, placed, reasoningOf, seedReports, sourcesOf } from './answer.ts'
import { compareByFields } from '../document/sort.ts'
import { LIMITS } from '../base/limits.ts'
import { whole } from '../base/options.ts'
import type { PlannedRanker, PlannedRanking } from './planned_ranking.ts'
import type { Language } from '../lexical/languages.ts'
import { CorpusLanguages } from '../retrieve/corpus_languages.ts'
import { ReadablePassages } from '../retrieve/readable_passages.ts'
import { TextVectors } from '../retrieve/text_vectors.ts'
import { Ranker, type Ranking } from '../retrieve/rank.ts'
import { atMostPerDocument } from '../retrieve/select.ts'
import { PACK_FROM, settleQuery, type SettledQuery } from '../retrieve/request.ts'
import {
  DEFAULT_WEIGHTS,
  DENSE_WEIGHTS,
  HYBRID_WEIGHTS,
  trusting,
  type RankingWeights,
} from '../retrieve/weights.ts'

export class Retriever {
  /**
   * Rankers hold work arrays from question to question; they are made anew when the text tier is
   * another one.
   */
  private readonly rankers = new Map<
    RankingWeights,
    { readonly ranker: Ranker; readonly text: TextIndex }
  >()
  private readonly queryVectors: TextVectors | null
  private readonly sentenceVectors: TextVectors | null
  private readonly graphWeights: RankingWeights
  private readonly hybridWeights: RankingWeights
  /** The Python planner, where it ranks. */
  private readonly planned: PlannedRanker | null
  private readonly languages: CorpusLanguages
  private readonly readable: ReadablePassages
  private counter: Promise<TokenCounter> | null = null

  constructor(
    private readonly corpus: Corpus,
    private readonly storage: CorpusStorage,
    embedder: Embedder | null,
    private readonly vectorizer: Vectorizer | null,
    private readonly options: EngineOptions,
    planning: PlannedRanking | null,
  ) {
    const trust = embedder?.meaningTrust ?? 1
    this.graphWeights =
      typeof options.ranking === 'object' ? options.ranking : trusting(DEFAULT_WEIGHTS, trust)
    this.planned = planning ? planning(corpus, () => storage.generation, options.planner) : null
    this.hybridWeights = trusting(HYBRID_WEIGHTS, trust)
    this.readable = new ReadablePassages(embedder, corpus.table)
    this.languages = new CorpusLanguages(options.languages)
    this.queryVectors = embedder ? new TextVectors(embedder, 'query', KEPT_QUESTIONS) : null
    this.sentenceVectors = embedder ? new TextVectors(embedder, 'passage', KEPT_SENTENCES) : null
  }

  /** What the model cannot do for this corpus; null where there is nothing to say. */
  get warning(): string | null {
    const count = this.readable.count()
    return count === 0
      ? null
      : `${count} of ${this.corpus.table.passages} passages are in a script that the model cannot ` +
          'read; they are ranked by their words. A multilingual model would read them.'
  }

  async retrieve(query: string, options: RetrieveOptions): Promise<RetrieveResult> {
    const started = now(),
      { corpus } = this
    const asked = settleQuery(query, options, corpus.vectors?.dims ?? null)
    const settled = { ...asked, ...completeQuestion(asked.text, asked.history, corpus.text) }
    const isOut = outside(settled.excludeDocs, options.filter)
    const vector = await this.vectorFor(settled, options.signal),
      languages = await this.languages.of(settled.text, corpus.text)
    this.counter ??= createTokenCounter(this.options.countTokens ?? 'approx')
    const count = await this.counter
    throwIfAborted(options.signal)
    const embedded = now(),
      planned =
        this.planned &&
        (await this.planned.rank({ settled, vector, isOut, signal: options.signal }))

    // from here on nothing is awaited: the answer is from one generation
    const given = readGivenNames(settled.seedEntities, corpus),
      named = settled.questionSeeds ? readGivenNames(settled.questionSeeds, corpus) : null
    const passages = new PassageReader(corpus.text, (slot) => corpus.table.text(slot))
    const ranking = planned
      ? planned.ranking
      : this.rank(
          this.graphWeights,
          settled,
          passages,
          vector,
          isOut,
          Math.max(settled.topK, PACK_FROM),
          given.names,
          named?.names,
          languages,
        )
    const ranked = now()
    const reader = new MentionReader(corpus.text, corpus.table, passages)
    const sources = sourcesOf(ranking.ranked.slice(0, settled.topK), ranking, corpus, reader)
    const draft = draftOf(ranking, corpus, passages),
      reasoning = planned?.reasoning ?? reasoningOf(ranking, draft, corpus, reader)
    const explained = now()
    const packed = packContext(
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
    const finished = now()
    this.vectorizer?.touch(ranking.ranked.slice(0, settled.topK).map(({ slot }) => slot))
    const generation = this.storage.generation,
      warnings = [
        ...settled.warnings,
        ...given.warnings,
        ...(named?.warnings ?? []),
        ...(ranking.doubts ?? []).map(({ text, names }) => severalNames(text, names, corpus)),
        ...(planned?.warnings ?? this.notes(settled, ranking, vector !== null)),
        ...packed.warnings,
      ]
    const { cosines, warning } = vector
      ? await this.sentenceCosines(comparedTexts(draft), vector, options.signal)
      : { cosines: null, warning: null }
    const { answer } = answerOf(draft, cosines, ranking.gate),
      answered = now(),
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
      sources,
      reasoning: noReasoning === null ? reasoning : [],
      debug: {
        question: settled.text,
        tier: vector ? 'full' : 'text',
        mode: planned?.mode ?? (ranking.seeds.length > 0 ? 'graph' : 'hybrid'),
        passages: corpus.table.passages,
        passagesWithVectors: corpus.passagesWithVectors,
        seeds: planned?.seeds ?? seedReports(ranking, corpus, reader),
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
          embed: embedded - started,
          rank: ranked - embedded,
          explain: explained - ranked,
          pack: finished - explained,
          answer: answered - finished,
        },
        warnings: warning === null ? warnings : [...warnings, warning],
        noReasoning,
        generation,
      },
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
    const vector = await this.vectorFor(settled, options.signal),
      languages = await this.languages.of(settled.text, this.corpus.text)
    throwIfAborted(options.signal)
    const passages = new PassageReader(this.corpus.text, (slot) => this.corpus.table.text(slot))
    const ranking = this.rank(
      mode === 'dense' ? DENSE_WEIGHTS : this.hybridWeights,
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

  private rank(
    weights: RankingWeights,
    settled: SettledQuery,
    reader: PassageReader,
    vector: Float32Array | null,
    isOut: ((entry: DocumentEntry) => boolean) | null,
    count: number,
    injected: readonly number[],
    asked: readonly number[] | undefined,
    languages: readonly Language[],
  ): Ranking {
    const { table, vectors } = this.corpus,
      { perDocument } = settled
    const ranking = this.rankerFor(weights).rank({
      question: settled.text,
      languages,
      cosines: vector && vectors ? this.cosines(vector) : null,
      excludedMask: table.mask(isOut),
      filtered: isOut !== null,
      slots: table.slots,
      count: perDocument === Infinity ? count : LIMITS.topK,
      injected,
      ...(asked ? { asked } : {}),
      documentOf: table.documentOf,
      reader,
      compare: table.compare,
    })
    if (perDocument === Infinity) return ranking
    const ranked = atMostPerDocument(ranking.ranked, perDocument, table.documentOf)
    return { ...ranking, ranked: ranked.slice(0, count), spare: [] }
  }

  private rankerFor(weights: RankingWeights): Ranker {
    const { text } = this.corpus,
      known = this.rankers.get(weights)
    if (known?.text === text) return known.ranker
    const ranker = new Ranker(text, weights)
    this.rankers.set(weights, { ranker, text })
    return ranker
  }

  private cosines(vector: Float32Array): Float32Array {
    const { vectors, table } = this.corpus
    const all = vectors!.scores(vector, table.slots)
    if (all) {
      this.readable.clear(all)
      return all
    }
    // an index that gives only its best rows: the last of them is the floor of all others that have
    // a vector
    const hits = vectors!.search(vector, HNSW_ROWS),
      floor = hits.at(-1)?.score ?? 0
    const cosines = new Float32Array(table.slots)
    for (let slot = 0; slot < cosines.length; slot++)
      cosines[slot] = vectors!.has(slot) ? floor : NaN
    for (const { row, score } of hits) cosines[row] = score
    this.readable.clear(cosines)
    return cosines
  }

  /** The question's vector, or null where this answer is of the text tier. */
  private async vectorFor(
    { text, tier, queryVector }: SettledQuery,
    signal?: AbortSignal,
  ): Promise<Float32Array | null> {
    if (tier === 'text') return null
    if (queryVector) return this.corpus.vectors ? queryVector : null
    const { queryVectors, vectorizer } = this
    if (!queryVectors || !vectorizer) {
      if (tier === 'full')
        throw new HubmeshError(
          'input/invalid',
          'Ranking by meaning needs an embedder or a queryVector, and this engine has neither. Open ' +
            'it with a model, or ask by words: tier "auto", or search() with mode "lexical".',
        )
      return null
    }
    if (
      tier === 'auto' &&
      this.planned?.mode !== 'knn' &&
      (!vectorizer.ready || vectorizer.error || this.corpus.passagesWithVectors === 0)
    )
      return null
    if (!this.readable.readsText(text)) return null
    if (!vectorizer.ready) await vectorizer.start()
    return queryVectors.get(text, signal)
  }

  /**
   * Cosines of the question with sentences; null, with a warning, where they cannot be embedded: the
   * answer is then chosen by words and passages.
   */
  private async sentenceCosines(
    texts: readonly string[],
    vector: Float32Array,
    signal?: AbortSignal,
  ): Promise<{ cosines: number[] | null; warning: string | null }> {
    const { sentenceVectors } = this
    if (sentenceVectors === null || texts.length === 0) return { cosines: null, warning: null }
    try {
      const vectors = await Promise.all(texts.map((text) => sentenceVectors.get(text, signal)))
      return {
        cosines: vectors.map((other) => cosineOfUnits(vector, 0, other, 0, vector.length)),
        warning: null,
      }
    } catch (error) {
      throwIfAborted(signal)
      const why = error instanceof Error ? error.message : String(error)
      return { cosines: null, warning: `The quotes were chosen by their words only: ${why}` }
    }
  }

  private notes(settled: SettledQuery, ranking: Ranking, full: boolean): string[] {
    const { corpus } = this,
      out: string[] = []
    if (corpus.table.passages === 0) out.push('The corpus is empty.')
    else if (ranking.ranked.length === 0) out.push('Every document is excluded or filtered out.')
    else if (ranking.question.terms.length === 0 && !full)
      out.push(
        'No word of the question tells documents of this corpus apart; the order is that of the ids.',
      )
    if (ranking.question.respelt.length > 0)
      out.push(
        'Read as the corpus spells it: ' +
          `${ranking.question.respelt.map((at) => corpus.text.vocabulary.word(ranking.question.words.ids[at] as number)).join(', ')}.`,
      )
    if (full && corpus.passagesWithVectors < corpus.table.passages)
      out.push(
        `${corpus.passagesWithVectors} of ${corpus.table.passages} passages have a vector yet; ` +
          'the others are ranked by their words.',
      )
    const isRead = this.readable.readsText(settled.text)
    if (settled.tier !== 'text' && !full && !isRead) out.push(UNREAD_QUESTION)
    else if (settled.tier === 'auto' && !full && this.vectorizer)
      out.push(
        this.vectorizer.error
          ? `Ranked by names and words only: ${this.vectorizer.error.message}`
          : 'Ranked by names and words only: meaning is not ready yet.',
      )
    if (settled.queryVector && !full && settled.tier !== 'text')
      out.push('The queryVector was left aside: the corpus has no vectors to compare it with.')
    if (ranking.walk?.capped) out.push('The walk was cut at its work limit.')
    if (!corpus.text.settled)
      out.push('Names of new documents are still being looked up in older ones.')
    return out
  }
}

const UNREAD_QUESTION =
  'Ranked by names and words only: the model cannot read the script of the question.'
/** Embeddings kept of questions, and of sentences that may answer. */
const KEPT_QUESTIONS = 64,
  KEPT_SENTENCES = 1024
/** Rows asked of an index that gives only its best. */
const HNSW_ROWS = 400

function whyNoPath(state: Answer['state'], paths: number, seeds: number): string | null {
  if (state === 'none') return 'The documents hold no answer that a path could lead to.'
  if (paths > 0) return null
  return seeds === 0
    ? 'No name of the question is known here, and no name joins the passages that answer best.'
    : 'No name of the question stands in the passages that answer best.'
}
