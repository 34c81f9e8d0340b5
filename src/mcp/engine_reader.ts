/** The tools' answers from an engine. */
import { isHubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { Engine, PathNode, Place, ResolvedEntity } from '../types.ts'
import {
  cut,
  documentNodeId,
  entityNodeId,
  rounded,
  type CorpusReader,
  type CommunitiesAnswer,
  type NeighborsAnswer,
  type PassagesAnswer,
  type SubgraphAnswer,
  type NodeRef,
  type PathAnswer,
  type RetrieveAnswer,
  type ResolvedRef,
  type RetrieveRequest,
  type StatsAnswer,
} from './corpus_reader.ts'

const NOT_FOUND = 'Probably not in these documents; the quotes and sources are the nearest.'

export function engineReader(engine: Engine): CorpusReader {
  return new EngineReader(engine)
}

class EngineReader implements CorpusReader {
  constructor(private readonly engine: Engine) {}

  async retrieve({
    query,
    topK,
    seedEntities,
    excludeDocs,
    budgetTokens,
    history = [],
    signal,
  }: RetrieveRequest): Promise<RetrieveAnswer> {
    const { answer, sources, reasoning, context, debug } = await this.engine.retrieve(query, {
      topK,
      seedEntities,
      excludeDocs,
      history,
      ...(budgetTokens > 0 ? { budgetTokens } : {}),
      ...(signal ? { signal } : {}),
    })
    return {
      answer: {
        state: answer.state,
        confidence: rounded(answer.confidence, 4),
        ...(answer.state === 'none' ? { note: NOT_FOUND } : {}),
        quotes: answer.quotes.map(
          ({ documentId, title, start, end, text, highlight, ...place }) => ({
            ...{ id: documentId, title, ...placeIn(place), start, end, text },
            highlight: text.slice(highlight.start - start, highlight.end - start),
          }),
        ),
      },
      ...(debug.question === query ? {} : { read_as: debug.question }),
      sources: sources.map(
        ({ documentId, title, passage, start, end, text, score, cosine, ...source }) => ({
          id: documentId,
          snippet: cut(text, LIMITS.mcpSnippetChars),
          score: rounded(score, 4),
          cosine: cosine === null ? null : rounded(cosine, 4),
          graph_score: rounded(source.contributions.graph, 6),
          title,
          ...placeIn(source),
          passage,
          start,
          end,
        }),
      ),
      seeds_used: debug.seeds.map(({ name }) => entityNodeId(name)),
      reasoning_paths: reasoning.slice(0, 5).map(({ nodes, score, sentence }) => ({
        nodes: nodes.map(nodeId),
        score: rounded(score, 4),
        sentence,
      })),
      ...(debug.noReasoning === null ? {} : { no_reasoning: debug.noReasoning }),
      ...(budgetTokens > 0 ? { context } : {}),
      ...(debug.unknownSeeds.length > 0 ? { unknown_seeds: debug.unknownSeeds } : {}),
      ...(debug.warnings.length > 0 ? { warnings: debug.warnings } : {}),
    }
  }

  async resolve(mentions: readonly string[]): Promise<(ResolvedRef | null)[]> {
    const refOf = ({
      name,
      label,
    }: {
      readonly name: string
      readonly label: string
    }): NodeRef => ({
      node: entityNodeId(name),
      label,
    })
    return (await this.engine.resolveEntities(mentions)).map((found) =>
      found === null
        ? null
        : {
            ...refOf(found),
            ...(found.alternatives ? { alternatives: found.alternatives.map(refOf) } : {}),
          },
    )
  }

  /** The one name that is meant; null where the corpus has none, or several. */
  private async single(entity: string): Promise<ResolvedEntity | null> {
    const [found] = await this.engine.resolveEntities([entity])
    return found && !found.alternatives ? found : null
  }

  async nearest(entity: string): Promise<readonly string[]> {
    try {
      await this.engine.entityNeighbors(entity, { limit: 1 })
    } catch (error) {
      const near = isHubmeshError(error) ? error.details['nearest'] : null
      if (Array.isArray(near)) {
        const found = await this.engine.resolveEntities(near as string[])
        return found.map((name, i) => name?.label ?? (near[i] as string))
      }
    }
    return []
  }

  async neighbors(entity: string, limit: number): Promise<NeighborsAnswer | null> {
    const found = await this.single(entity)
    if (!found) return null
    const near = await this.engine.entityNeighbors(entity, { limit })
    return {
      entity: entityNodeId(found.name),
      label: found.label,
      connected_entities: near.map(({ name, label, weight }) => ({
        node: entityNodeId(name),
        label,
        weight,
      })),
      documents: (found.documents ?? []).slice(0, limit),
    }
  }

  async paths(a: string, b: string, k: number): Promise<PathAnswer[]> {
    return (await this.engine.pathBetween(a, b, { k })).map(({ nodes }) => ({
      nodes: nodes.map(nodeRef),
      hops: nodes.length - 1,
      via_documents: nodes.filter(({ kind }) => kind === 'document').length,
    }))
  }

  async document(id: string): ReturnType<CorpusReader['document']> {
    const found = await this.engine.getDocument(id)
    return found === null
      ? null
      : { id, text: found.text, metadata: found.metadata, title: found.title }
  }

  async subgraph(
    around: string | null,
    depth: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<SubgraphAnswer | null> {
    if (around !== null && !(await this.single(around))) return null
    const { nodes, edges, total } = await this.engine.subgraph({
      ...(around === null ? {} : { around }),
      ...(signal ? { signal } : {}),
      depth: depth === 2 ? 2 : 1,
      limit,
    })
    return {
      nodes: nodes.map(({ name, ...node }) => ({ node: entityNodeId(name), ...node })),
      edges: edges.map(({ source, target, weight }) => ({
        source: entityNodeId(source),
        target: entityNodeId(target),
        weight: rounded(weight, 4),
      })),
      total,
    }
  }

  async communities(limit: number, signal?: AbortSignal): Promise<CommunitiesAnswer> {
    const found = await this.engine.communities({ limit, ...(signal ? { signal } : {}) })
    return {
      communities: found.map(({ size, names }) => ({
        size,
        names: names.map(({ name, label }) => ({ node: entityNodeId(name), label })),
      })),
    }
  }

  async passages(entity: string, limit: number): Promise<PassagesAnswer | null> {
    if (!(await this.single(entity))) return null
    const found = await this.engine.passagesOf(entity, { limit })
    return {
      passages: found.map(({ documentId, title, start, end, text }) => ({
        ...{ id: documentId, title, start, end },
        snippet: cut(text, LIMITS.mcpSnippetChars),
      })),
    }
  }

  async stats(): Promise<StatsAnswer> {
    const { documents, passages, entities, edges, hubs } = await this.engine.graphStats()
    return {
      documents,
      entities,
      edges,
      top_hub_entities: hubs.map(({ label, degree }) => ({ label, degree })),
      passages,
    }
  }
}

const nodeId = ({ kind, id }: PathNode): string =>
  kind === 'document' ? documentNodeId(id) : entityNodeId(id)
const nodeRef = (node: PathNode): NodeRef => ({ node: nodeId(node), label: node.label })

/** Section, page and row, where there are any. */
function placeIn({ section, page, row }: Place): Place {
  return {
    ...(section === undefined ? {} : { section }),
    ...(page === undefined ? {} : { page }),
    ...(row === undefined ? {} : { row }),
  }
}
