/** What the tools are called, take and promise: the names and input schemas of hubmesh 0.4.2. */
import { LIMITS } from '../base/limits.ts'

export type ParameterSchema =
  | { readonly type: 'string'; readonly title: string; readonly default?: string }
  | { readonly type: 'integer'; readonly title: string; readonly default: number }
  | {
      readonly type: 'array'
      readonly title: string
      readonly items:
        | { readonly type: 'string' }
        | { readonly type: 'object'; readonly additionalProperties: true }
      readonly default?: readonly never[]
    }

export interface ToolSchema {
  readonly name: ToolName
  readonly title: string
  readonly description: string
  /** Changes a corpus: offered only where writing is allowed. */
  readonly writes: boolean
  /** Its results hold text of documents. */
  readonly quotes: boolean
  readonly inputSchema: {
    readonly type: 'object'
    readonly title: string
    readonly properties: { readonly [name: string]: ParameterSchema }
    readonly required?: readonly string[]
  }
}

export type ToolName =
  | 'list_corpora'
  | 'index_corpus'
  | 'retrieve'
  | 'resolve_entities'
  | 'entity_neighbors'
  | 'path_between'
  | 'get_document'
  | 'graph_stats'
  | 'subgraph'
  | 'communities'
  | 'passages_of'

const text = (title: string): ParameterSchema => ({ title, type: 'string' })
const whole = (title: string, preset: number): ParameterSchema => ({
  default: preset,
  title,
  type: 'integer',
})
const texts = (title: string): ParameterSchema => ({
  items: { type: 'string' },
  title,
  type: 'array',
})
const optionalTexts = (title: string): ParameterSchema => ({
  default: [],
  items: { type: 'string' },
  title,
  type: 'array',
})

const input = (
  name: ToolName,
  properties: ToolSchema['inputSchema']['properties'],
  required: readonly string[] = [],
): ToolSchema['inputSchema'] => ({
  properties,
  ...(required.length > 0 ? { required } : {}),
  title: `${name}Arguments`,
  type: 'object',
})

/** In the order of hubmesh 0.4.2, then what it does not have. */
export const TOOL_SCHEMAS: readonly ToolSchema[] = [
  {
    name: 'list_corpora',
    title: 'List corpora',
    writes: false,
    quotes: false,
    description:
      'Names of the corpora that can be asked, with the sizes of each: documents, nodes and ' +
      'edges of its graph. Begin here.',
    inputSchema: input('list_corpora', {}),
  },
  {
    name: 'index_corpus',
    title: 'Index documents',
    writes: true,
    quotes: false,
    description:
      'Makes a corpus hold these documents and no others: [{"id", "text", "title"?, ' +
      '"metadata"?}]. A corpus of the name is replaced. Words and names answer at once; ' +
      'vectors follow.',
    inputSchema: input(
      'index_corpus',
      {
        name: text('Name'),
        documents: {
          items: { additionalProperties: true, type: 'object' },
          title: 'Documents',
          type: 'array',
        },
      },
      ['name', 'documents'],
    ),
  },
  {
    name: 'retrieve',
    title: 'Retrieve passages',
    writes: false,
    quotes: true,
    description:
      'The passages that answer a question, by words, meaning and the graph of ' +
      'names. For a question of several hops, call again with the names you read as ' +
      'seed_entities and the documents you are done with as exclude_docs. Gives ' +
      `snippets of ${LIMITS.mcpSnippetChars} characters; get_document has the whole ` +
      'text. `answer` holds the sentences that answer, or says that probably none does. ' +
      'With budget_tokens above 0 it also packs a context of at most that many tokens. A ' +
      'question that leans on earlier ones ("and where was he born?") needs them as history.',
    inputSchema: input(
      'retrieve',
      {
        corpus: text('Corpus'),
        query: text('Query'),
        top_k: whole('Top K', 8),
        seed_entities: optionalTexts('Seed Entities'),
        exclude_docs: optionalTexts('Exclude Docs'),
        budget_tokens: whole('Budget Tokens', 0),
        history: optionalTexts('History'),
      },
      ['corpus', 'query'],
    ),
  },
  {
    name: 'resolve_entities',
    title: 'Resolve names',
    writes: false,
    quotes: true,
    description:
      'The node of the graph for each name, or null where the corpus does not have it, with ' +
      'alternatives where several share it. Ask before passing names as seed_entities.',
    inputSchema: input(
      'resolve_entities',
      { corpus: text('Corpus'), mentions: texts('Mentions') },
      ['corpus', 'mentions'],
    ),
  },
  {
    name: 'entity_neighbors',
    title: 'Neighbours of a name',
    writes: false,
    quotes: true,
    description:
      'What a name is joined to: other names, heaviest first, and the documents that mention ' +
      'it. Helps to choose the next hop.',
    inputSchema: input(
      'entity_neighbors',
      { corpus: text('Corpus'), entity: text('Entity'), limit: whole('Limit', 20) },
      ['corpus', 'entity'],
    ),
  },
  {
    name: 'path_between',
    title: 'Paths between names',
    writes: false,
    quotes: true,
    description:
      'Up to k_paths (1 to 10) distinct routes between two names, shortest first. A short ' +
      'route may be a passing mention of both; longer ones over more documents are often the ' +
      'meaningful chain.',
    inputSchema: input(
      'path_between',
      {
        corpus: text('Corpus'),
        entity_a: text('Entity A'),
        entity_b: text('Entity B'),
        k_paths: whole('K Paths', 3),
      },
      ['corpus', 'entity_a', 'entity_b'],
    ),
  },
  {
    name: 'get_document',
    title: 'Get a document',
    writes: false,
    quotes: true,
    description: 'The whole text of one document, and its metadata.',
    inputSchema: input('get_document', { corpus: text('Corpus'), doc_id: text('Doc Id') }, [
      'corpus',
      'doc_id',
    ]),
  },
  {
    name: 'graph_stats',
    title: 'Sizes of the graph',
    writes: false,
    quotes: true,
    description:
      'Documents, entities and edges of a corpus, and the ten names with most neighbours.',
    inputSchema: input('graph_stats', { corpus: text('Corpus') }, ['corpus']),
  },
  {
    name: 'subgraph',
    title: 'Part of the graph',
    writes: false,
    quotes: true,
    description:
      'Names and what joins them: around one name (depth 1 or 2), or, where around is empty, the ' +
      'most telling names of the corpus. Edges are heaviest first; names with the same community ' +
      'belong together.',
    inputSchema: input(
      'subgraph',
      {
        corpus: text('Corpus'),
        around: { default: '', title: 'Around', type: 'string' },
        depth: whole('Depth', 1),
        limit: whole('Limit', 40),
      },
      ['corpus'],
    ),
  },
  {
    name: 'communities',
    title: 'Communities of names',
    writes: false,
    quotes: true,
    description:
      'What the corpus is about: circles of names that share passages, the largest first, each by ' +
      'its five most telling names.',
    inputSchema: input('communities', { corpus: text('Corpus'), limit: whole('Limit', 20) }, [
      'corpus',
    ]),
  },
  {
    name: 'passages_of',
    title: 'Passages of a name',
    writes: false,
    quotes: true,
    description: 'Passages that mention a name, in the order of their documents.',
    inputSchema: input(
      'passages_of',
      { corpus: text('Corpus'), entity: text('Entity'), limit: whole('Limit', 20) },
      ['corpus', 'entity'],
    ),
  },
]
