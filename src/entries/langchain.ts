/**
 * Entry `hubmesh/langchain`: a corpus as a retriever of LangChain.js, whose package is an optional
 * peer. The engine is the caller's and stays open.
 */
import type { CallbackManagerForRetrieverRun } from '@langchain/core/callbacks/manager'
import { Document } from '@langchain/core/documents'
import { BaseRetriever } from '@langchain/core/retrievers'
import type { BaseRetrieverInput } from '@langchain/core/retrievers'
import type { RunnableConfig } from '@langchain/core/runnables'
import type { Engine, Metadata, RetrieveOptions, Source, Span } from '../types.ts'

export interface HubmeshRetrieverFields extends BaseRetrieverInput {
  readonly engine: Pick<Engine, 'retrieve'>
  /** Options of every question. */
  readonly retrieve?: Omit<RetrieveOptions, 'signal'>
  /**
   * `sources` (default): a document for each ranked passage. `context`: one for each block of the
   * packed context, within `budgetTokens`.
   */
  readonly documents?: 'sources' | 'context'
}

/** Metadata of a retrieved document: where it lies, and what the corpus says of it. */
export interface HubmeshDocumentMetadata extends Record<string, unknown> {
  readonly documentId: string
  readonly title: string
  /** Offsets into the document's text. */
  readonly spans: readonly Span[]
  /** Of the passage, or of the block's best. */
  readonly rank: number
  /** Only of sources. */
  readonly score?: number
  readonly metadata?: Metadata
}

/**
 * `await new HubmeshRetriever({ engine }).invoke(question)`; a config's `signal` cancels. Rejects
 * with a HubmeshError.
 */
export class HubmeshRetriever extends BaseRetriever<HubmeshDocumentMetadata> {
  static override lc_name(): string {
    return 'HubmeshRetriever'
  }
  override lc_namespace = ['hubmesh', 'retrievers']
  readonly engine: Pick<Engine, 'retrieve'>
  readonly retrieve: Omit<RetrieveOptions, 'signal'>
  readonly documents: 'sources' | 'context'
  protected readonly signal: AbortSignal | undefined

  constructor(fields: HubmeshRetrieverFields) {
    const { engine, retrieve = {}, documents = 'sources', ...input } = fields
    super(input)
    this.engine = engine
    this.retrieve = retrieve
    this.documents = documents
  }

  /**
   * The base class keeps a config's signal to itself, so each call runs on a view of this retriever
   * that knows its own.
   */
  override invoke(
    input: string,
    options?: RunnableConfig,
  ): Promise<Document<HubmeshDocumentMetadata>[]> {
    const call = Object.create(this, { signal: { value: options?.signal } }) as this
    return super.invoke.call(call, input, options) as Promise<Document<HubmeshDocumentMetadata>[]>
  }

  override async _getRelevantDocuments(
    query: string,
    _manager?: CallbackManagerForRetrieverRun,
  ): Promise<Document<HubmeshDocumentMetadata>[]> {
    const { sources, blocks } = await this.engine.retrieve(query, {
      ...this.retrieve,
      ...(this.signal ? { signal: this.signal } : {}),
    })
    if (this.documents === 'sources') return sources.map(documentOf)
    return blocks.map(
      ({ documentId, title, spans, ranks, text }) =>
        new Document({
          pageContent: text,
          metadata: { documentId, title, spans, rank: Math.min(...ranks) },
        }),
    )
  }
}

function documentOf({
  documentId,
  title,
  passage,
  start,
  end,
  text,
  rank,
  score,
  metadata,
}: Source): Document<HubmeshDocumentMetadata> {
  return new Document({
    id: `${documentId}#${passage}`,
    pageContent: text,
    metadata: { documentId, title, spans: [{ start, end }], rank, score, metadata },
  })
}
