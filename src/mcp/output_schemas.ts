/** What each tool gives, as JSON Schema; a list is given as `{ result: [...] }`. */
import type { ToolName } from './tool_schemas.ts'

export type OutputSchema = {
  readonly type: 'object'
  readonly properties?: Record<string, object>
  readonly required?: string[]
  readonly additionalProperties?: boolean | object
}

const TEXT = { type: 'string' }
const NUMBER = { type: 'number' }
const COUNT = { type: 'integer', minimum: 0 }
const listOf = (items: object): object => ({ type: 'array', items })
const nullable = (type: string): object => ({ type: [type, 'null'] })

/** Fields that are always there are required; more may come. */
const record = (
  properties: Record<string, object>,
  optional: Record<string, object> = {},
): OutputSchema => ({
  type: 'object',
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
  additionalProperties: true,
})

/**
 * The result of a tool. Nothing is required: a call that fails gives `error` (and `code`) instead,
 * and clients hold that against the schema too.
 */
const result = (properties: Record<string, object>): OutputSchema => ({
  type: 'object',
  properties: { ...properties, error: TEXT, code: TEXT },
  additionalProperties: true,
})

const NODE = { node: TEXT, label: TEXT }

export const OUTPUT_SCHEMAS: Readonly<Record<ToolName, OutputSchema>> = {
  list_corpora: { type: 'object', additionalProperties: { type: 'object' } },
  index_corpus: result({ n_docs: COUNT, added: COUNT, replaced: COUNT, removed: COUNT }),
  retrieve: result({
    sources: listOf(
      record(
        {
          id: TEXT,
          snippet: TEXT,
          score: NUMBER,
          cosine: nullable('number'),
          graph_score: NUMBER,
          title: TEXT,
        },
        { passage: COUNT, start: COUNT, end: COUNT, section: TEXT, page: COUNT, row: COUNT },
      ),
    ),
    seeds_used: listOf(TEXT),
    reasoning_paths: listOf(record({ nodes: listOf(TEXT), score: NUMBER }, { sentence: TEXT })),
    no_reasoning: TEXT,
    context: TEXT,
    unknown_seeds: listOf(TEXT),
    warnings: listOf(TEXT),
    notice: TEXT,
  }),
  resolve_entities: result({
    result: listOf(
      record(
        { mention: TEXT, node: nullable('string'), label: nullable('string') },
        { alternatives: listOf(record(NODE)) },
      ),
    ),
  }),
  entity_neighbors: result({
    entity: TEXT,
    label: TEXT,
    connected_entities: listOf(record({ ...NODE, weight: NUMBER }, { predicates: listOf(TEXT) })),
    documents: listOf(TEXT),
  }),
  subgraph: result({
    nodes: listOf(record({ ...NODE, kind: nullable('string'), passages: COUNT, community: COUNT })),
    edges: listOf(record({ source: TEXT, target: TEXT, weight: NUMBER })),
    total: COUNT,
  }),
  communities: result({
    communities: listOf(record({ size: COUNT, names: listOf(record(NODE)) })),
  }),
  passages_of: result({
    passages: listOf(record({ id: TEXT, title: TEXT, start: COUNT, end: COUNT, snippet: TEXT })),
    notice: TEXT,
  }),
  path_between: result({
    connected: { type: 'boolean' },
    paths: listOf(record({ nodes: listOf(record(NODE)), hops: COUNT, via_documents: COUNT })),
  }),
  get_document: result({
    id: TEXT,
    text: TEXT,
    metadata: { type: 'object' },
    title: TEXT,
    truncated: { type: 'boolean' },
    chars: COUNT,
  }),
  graph_stats: result({
    documents: COUNT,
    entities: COUNT,
    edges: COUNT,
    top_hub_entities: listOf(record({ label: TEXT, degree: COUNT })),
  }),
}
