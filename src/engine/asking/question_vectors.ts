/** A question's vector, and its cosines with passages and sentences. */
import { HubmeshError, throwIfAborted } from '../../base/errors.ts'
import type { Corpus } from '../../corpus/corpus.ts'
import type { Embedder } from '../../embed/embedder.ts'
import { ReadablePassages } from '../../retrieve/readable_passages.ts'
import type { SettledQuery } from '../../retrieve/request.ts'
import { TextVectors } from '../../retrieve/text_vectors.ts'
import { cosineOfUnits } from '../../vector/unit_vector.ts'
import type { Vectorizer } from '../vectorizer.ts'

/** Embeddings kept of questions, and of sentences that may answer. */
const KEPT_QUESTIONS = 64,
  KEPT_SENTENCES = 1024
/** Rows asked of an index that gives only its best. */
const HNSW_ROWS = 400

export class QuestionVectors {
  readonly readable: ReadablePassages
  private readonly queryVectors: TextVectors | null
  private readonly sentenceVectors: TextVectors | null

  /** `planned`: the mode of the Python planner, where it ranks. */
  constructor(
    private readonly corpus: Corpus,
    embedder: Embedder | null,
    private readonly vectorizer: Vectorizer | null,
    private readonly planned: string | null,
  ) {
    this.readable = new ReadablePassages(embedder, corpus.table)
    this.queryVectors = embedder ? new TextVectors(embedder, 'query', KEPT_QUESTIONS) : null
    this.sentenceVectors = embedder ? new TextVectors(embedder, 'passage', KEPT_SENTENCES) : null
  }

  /** Of every slot, NaN where it has no vector. */
  cosines(vector: Float32Array): Float32Array {
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
  async of(
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
      this.planned !== 'knn' &&
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
  async sentenceCosines(
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
}
