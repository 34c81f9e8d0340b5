/** What two answers' paths have in common. */
import type { PathNode, ReasoningPath, RetrieveResult } from '../../src/index.ts'

export interface Comparison {
  /** Nodes on paths of both, by kind and label; the first answer's order. */
  readonly names: readonly PathNode[]
  readonly documents: readonly PathNode[]
  /** Documents among the sources of both, of one alone: titles in rank order. */
  readonly sourcesBoth: number
  readonly sourcesFirst: number
  readonly sourcesSecond: number
  /** Keys of the shared nodes, as `nodeKey` gives them. */
  readonly shared: ReadonlySet<string>
}

export function nodeKey({ kind, id }: Pick<PathNode, 'kind' | 'id'>): string {
  return `${kind}\n${id}`
}

type Compared = Pick<RetrieveResult, 'reasoning' | 'sources'>

export function comparePaths(first: Compared, second: Compared): Comparison {
  const own = nodesOf(first.reasoning),
    other = nodesOf(second.reasoning)
  const both = [...own].filter(([key]) => other.has(key))
  const documents = (answer: Compared): Set<string> =>
    new Set(answer.sources.map((source) => source.documentId))
  const a = documents(first),
    b = documents(second),
    common = [...a].filter((id) => b.has(id)).length
  return {
    names: both.flatMap(([, node]) => (node.kind === 'entity' ? [node] : [])),
    documents: both.flatMap(([, node]) => (node.kind === 'document' ? [node] : [])),
    sourcesBoth: common,
    sourcesFirst: a.size - common,
    sourcesSecond: b.size - common,
    shared: new Set(both.map(([key]) => key)),
  }
}

function nodesOf(paths: readonly ReasoningPath[]): ReadonlyMap<string, PathNode> {
  return new Map(paths.flatMap((path) => path.nodes.map((node) => [nodeKey(node), node] as const)))
}
