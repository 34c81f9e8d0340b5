/** The tools' answers from hubmesh's planner and its graph, as hubmesh 0.4.2 gives them. */
import { HubmeshError } from '../base/errors.ts'
import { distinctRoutes, type Barred } from '../graph/distinct_routes.ts'
import { LIMITS } from '../base/limits.ts'
import { FENCE_CHARS, fenced } from '../pack/fence.ts'
import { edgeWeight, type PlannerGraph } from '../compat/planner/graph.ts'
import type { EntityKG } from '../compat/planner/entity_kg.ts'
import type { Planner } from '../compat/planner/planner.ts'
import { compareIds } from '../base/compare_ids.ts'
import {
  cut,
  rounded,
  type CorpusReader,
  type NeighborsAnswer,
  type NodeRef,
  type PathAnswer,
  type RetrieveAnswer,
  type RetrieveRequest,
  type StatsAnswer,
} from './corpus_reader.ts'

export function plannerReader(planner: Planner): CorpusReader {
  const { kg } = planner
  if (kg === null)
    throw new HubmeshError(
      'input/invalid',
      'The planner has no graph, which the tools walk. Give it one.',
    )
  return new PlannerReader(planner, kg)
}

class PlannerReader implements CorpusReader {
  constructor(
    private readonly planner: Planner,
    private readonly kg: EntityKG,
  ) {}

  async retrieve(request: RetrieveRequest): Promise<RetrieveAnswer> {
    const { query, topK, seedEntities, excludeDocs, budgetTokens, signal } = request
    // The planner's context is bare quotes: the fence around them is paid from the budget.
    const fence = this.planner.config.tokenCounter('x'.repeat(FENCE_CHARS)) + 1
    const inner = budgetTokens - fence
    const { sources, reasoning, context, debug } = await this.planner.retrieve(query, {
      topK,
      seedEntities,
      excludeDocs,
      ...(inner > 0 ? { budgetTokens: inner } : {}),
      ...(signal ? { signal } : {}),
    })
    return {
      sources: sources.map(({ id, title, text, compositeScore, similarity, pprScore }) => ({
        id,
        snippet: cut(text, LIMITS.mcpSnippetChars),
        score: rounded(compositeScore, 4),
        cosine: rounded(similarity, 4),
        graph_score: rounded(pprScore, 6),
        title,
      })),
      seeds_used: debug.pprSeeds,
      reasoning_paths: reasoning
        .slice(0, 5)
        .map(({ nodeIds, score }) => ({ nodes: nodeIds, score: rounded(score, 4) })),
      ...(budgetTokens > 0 ? { context: inner > 0 && context !== '' ? fenced(context) : '' } : {}),
      ...(debug.warnings.length > 0 ? { warnings: debug.warnings } : {}),
    }
  }

  resolve(mentions: readonly string[]): Promise<(NodeRef | null)[]> {
    return Promise.resolve(
      mentions.map((mention) => {
        const node = this.nodeOf(mention)
        return node === null ? null : this.refOf(node)
      }),
    )
  }

  neighbors(entity: string, limit: number): Promise<NeighborsAnswer | null> {
    const { graph } = this.kg
    const node = this.nodeOf(entity)
    if (node === null) return Promise.resolve(null)
    const near = graph.neighbors(node).sort(compareIds)
    const names = near
      .filter((other) => !isDocument(other))
      .map((other) => {
        const edge = graph.edge(node, other)!
        const predicates = edge.attributes['predicates']
        const told = Array.isArray(predicates)
          ? { predicates: predicates.filter((one) => typeof one === 'string') }
          : {}
        return { ...this.refOf(other), weight: edgeWeight(edge), ...told }
      })
      .sort((a, b) => b.weight - a.weight)
    const documents = near.filter(isDocument).map((other) => this.labelOf(other))
    return Promise.resolve({
      entity: node,
      label: this.labelOf(node),
      connected_entities: names.slice(0, limit),
      documents: documents.slice(0, limit),
    })
  }

  paths(a: string, b: string, k: number): Promise<PathAnswer[]> {
    const from = this.nodeOf(a)
    const to = this.nodeOf(b)
    if (from === null || to === null || from === to) return Promise.resolve([])
    const routes = distinctRoutes<string>(
      (barred) => shortest(this.kg.graph, from, to, barred),
      k,
      (x, y) => compareIds(x.join('\u0000'), y.join('\u0000')),
    )
    return Promise.resolve(
      routes.map((inner) => {
        const nodes = [from, ...inner, to]
        return {
          nodes: nodes.map((node) => this.refOf(node)),
          hops: nodes.length - 1,
          via_documents: nodes.filter(isDocument).length,
        }
      }),
    )
  }

  async document(id: string): ReturnType<CorpusReader['document']> {
    const [found] = await this.planner.store.getMany([id])
    return found ? { id, text: found.text, metadata: found.metadata } : null
  }

  stats(): Promise<StatsAnswer> {
    const { graph } = this.kg
    const entities = graph.nodeIds().filter((node) => !isDocument(node))
    const hubs = entities
      .map((node) => ({ node, degree: graph.degree(node) }))
      .sort((a, b) => b.degree - a.degree || compareIds(a.node, b.node))
      .slice(0, 10)
    return Promise.resolve({
      documents: graph.order - entities.length,
      entities: entities.length,
      edges: graph.size,
      top_hub_entities: hubs.map(({ node, degree }) => ({ label: this.labelOf(node), degree })),
    })
  }

  private nodeOf(name: string): string | null {
    return this.kg.queryEntityNodes([name])[0] ?? null
  }

  private refOf(node: string): NodeRef {
    return { node, label: this.labelOf(node) }
  }

  private labelOf(node: string): string {
    return isDocument(node) ? node.slice(4) : (this.kg.nodeToLabel.get(node) ?? node)
  }
}

const isDocument = (node: string): boolean => node.startsWith('doc:')

/** Inner nodes of a shortest way, smaller ids first among equally short ones. */
function shortest(
  graph: PlannerGraph,
  from: string,
  to: string,
  { nodes: barred, direct }: Barred<string>,
): string[] | null {
  const before = new Map<string, string>([[from, '']])
  for (let level = [from]; level.length > 0;) {
    const next: string[] = []
    for (const node of level) {
      for (const other of graph.neighbors(node).sort(compareIds)) {
        if (before.has(other) || barred.has(other) || (direct && node === from && other === to))
          continue
        before.set(other, node)
        if (other === to) {
          const inner: string[] = []
          for (let at = node; at !== from; at = before.get(at)!) inner.push(at)
          return inner.reverse()
        }
        next.push(other)
      }
    }
    level = next
  }
  return null
}
