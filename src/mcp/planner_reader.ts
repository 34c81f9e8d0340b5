/** The tools' answers from hubmesh's planner and its graph, as hubmesh 0.4.2 gives them. */
import { HubmeshError } from '../base/errors.ts'
import { distinctRoutes, type Barred } from '../graph/distinct_routes.ts'
import { LIMITS } from '../base/limits.ts'
import { FENCE_CHARS, fenced } from '../pack/fence.ts'
import { edgeWeight, type PlannerGraph } from '../compat/planner/graph.ts'
import type { EntityKG } from '../compat/planner/entity_kg.ts'
import type { Planner } from '../compat/planner/planner.ts'
import { compareIds } from '../base/compare_ids.ts'
import { cut, rounded, type CorpusReader, type NodeRef } from './corpus_reader.ts'

export function plannerReader(planner: Planner): CorpusReader {
  const { kg } = planner
  if (kg === null)
    throw new HubmeshError(
      'input/invalid',
      'The planner has no graph, which the tools walk. Give it one.',
    )
  const nodeOf = (name: string): string | null => kg.queryEntityNodes([name])[0] ?? null
  const refOf = (node: string): NodeRef => ({ node, label: labelOf(node, kg) })
  return {
    async retrieve({ query, topK, seedEntities, excludeDocs, budgetTokens, signal }) {
      // The planner's context is bare quotes: the fence around them is paid from the budget.
      const fence = planner.config.tokenCounter('x'.repeat(FENCE_CHARS)) + 1,
        inner = budgetTokens - fence
      const { sources, reasoning, context, debug } = await planner.retrieve(query, {
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
        ...(budgetTokens > 0
          ? { context: inner > 0 && context !== '' ? fenced(context) : '' }
          : {}),
        ...(debug.warnings.length > 0 ? { warnings: debug.warnings } : {}),
      }
    },
    resolve: (mentions) =>
      Promise.resolve(
        mentions.map((mention) => {
          const node = nodeOf(mention)
          return node === null ? null : refOf(node)
        }),
      ),
    async neighbors(entity, limit) {
      const node = nodeOf(entity)
      if (node === null) return null
      const near = kg.graph.neighbors(node).sort(compareIds)
      const names = near
        .filter((other) => !isDocument(other))
        .map((other) => {
          const edge = kg.graph.edge(node, other)!,
            predicates = edge.attributes['predicates']
          return {
            ...refOf(other),
            weight: edgeWeight(edge),
            ...(Array.isArray(predicates)
              ? { predicates: predicates.filter((one) => typeof one === 'string') }
              : {}),
          }
        })
        .sort((a, b) => b.weight - a.weight)
      return {
        ...{ entity: node, label: labelOf(node, kg) },
        connected_entities: names.slice(0, limit),
        documents: near
          .filter(isDocument)
          .map((other) => labelOf(other, kg))
          .slice(0, limit),
      }
    },
    async paths(a, b, k) {
      const from = nodeOf(a),
        to = nodeOf(b)
      if (from === null || to === null || from === to) return []
      const routes = distinctRoutes<string>(
        (barred) => shortest(kg.graph, from, to, barred),
        k,
        (x, y) => compareIds(x.join('\u0000'), y.join('\u0000')),
      )
      return routes.map((inner) => {
        const nodes = [from, ...inner, to]
        return {
          nodes: nodes.map(refOf),
          hops: nodes.length - 1,
          via_documents: nodes.filter(isDocument).length,
        }
      })
    },
    async document(id) {
      const [found] = await planner.store.getMany([id])
      return found ? { id, text: found.text, metadata: found.metadata } : null
    },
    async stats() {
      const entities = kg.graph.nodeIds().filter((node) => !isDocument(node))
      const hubs = entities
        .map((node) => ({ node, degree: kg.graph.degree(node) }))
        .sort((a, b) => b.degree - a.degree || compareIds(a.node, b.node))
        .slice(0, 10)
      return {
        documents: kg.graph.order - entities.length,
        entities: entities.length,
        edges: kg.graph.size,
        top_hub_entities: hubs.map(({ node, degree }) => ({ label: labelOf(node, kg), degree })),
      }
    },
  }
}

const isDocument = (node: string): boolean => node.startsWith('doc:')
const labelOf = (node: string, kg: EntityKG): string =>
  isDocument(node) ? node.slice(4) : (kg.nodeToLabel.get(node) ?? node)

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
