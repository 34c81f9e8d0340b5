/** How the models of the common families are used, as their makers say. */

export interface ModelUse {
  readonly family: string
  readonly pooling: 'mean' | 'cls'
  readonly queryPrefix: string
  readonly passagePrefix: string
  /** Tokens its makers let it read, special ones included. */
  readonly maxTokens: number
  readonly license: string
  /** Fit on training questions; left out: nobody measured it, it counts 1. */
  readonly meaningTrust?: number
}

/** `hidden_size` and `num_hidden_layers` of a model's config. */
type Shape = readonly [hidden: number, layers: number]

interface Row extends ModelUse {
  readonly models: Readonly<Record<string, Shape>>
}

const SMALL: Shape = [384, 12],
  BASE: Shape = [768, 12],
  LARGE: Shape = [1024, 24]
const PLAIN = { queryPrefix: '', passagePrefix: '' } as const
const ENGLISH_BGE = 'Represent this sentence for searching relevant passages: '

const ROWS: readonly Row[] = [
  {
    ...{ family: 'E5', pooling: 'mean', maxTokens: 512, license: 'MIT' },
    ...{ queryPrefix: 'query: ', passagePrefix: 'passage: ' },
    models: {
      ...{ 'e5-small': SMALL, 'e5-base': BASE, 'e5-large': LARGE },
      ...{ 'e5-small-v2': SMALL, 'e5-base-v2': BASE, 'e5-large-v2': LARGE },
      'multilingual-e5-small': SMALL,
      'multilingual-e5-base': BASE,
      'multilingual-e5-large': LARGE,
    },
  },
  {
    ...{ family: 'E5', pooling: 'mean', maxTokens: 512, license: 'MIT', passagePrefix: '' },
    queryPrefix:
      'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ',
    models: { 'multilingual-e5-large-instruct': LARGE },
  },
  {
    ...{ family: 'BGE', pooling: 'cls', maxTokens: 512, license: 'MIT' },
    ...{ queryPrefix: ENGLISH_BGE, passagePrefix: '', meaningTrust: 1.4 },
    models: { 'bge-small-en-v1.5': SMALL },
  },
  {
    ...{ family: 'BGE', pooling: 'cls', maxTokens: 512, license: 'MIT' },
    ...{ queryPrefix: ENGLISH_BGE, passagePrefix: '' },
    models: {
      ...{ 'bge-small-en': SMALL, 'bge-base-en': BASE, 'bge-large-en': LARGE },
      ...{ 'bge-base-en-v1.5': BASE, 'bge-large-en-v1.5': LARGE },
    },
  },
  {
    ...{ family: 'BGE', pooling: 'cls', maxTokens: 512, license: 'MIT' },
    ...{ queryPrefix: '为这个句子生成表示以用于检索相关文章：', passagePrefix: '' },
    models: {
      ...{ 'bge-small-zh': [512, 4], 'bge-base-zh': BASE, 'bge-large-zh': LARGE },
      ...{ 'bge-small-zh-v1.5': [512, 4], 'bge-base-zh-v1.5': BASE, 'bge-large-zh-v1.5': LARGE },
    },
  },
  {
    ...{ family: 'BGE', pooling: 'cls', maxTokens: 8192, license: 'MIT', ...PLAIN },
    models: { 'bge-m3': LARGE },
  },
  {
    ...{ family: 'GTE', pooling: 'mean', maxTokens: 512, license: 'MIT', ...PLAIN },
    models: { 'gte-small': SMALL, 'gte-base': BASE, 'gte-large': LARGE },
  },
  {
    ...{ family: 'GTE', pooling: 'cls', maxTokens: 8192, license: 'Apache-2.0', ...PLAIN },
    models: {
      ...{ 'gte-base-en-v1.5': BASE, 'gte-large-en-v1.5': LARGE },
      ...{ 'gte-multilingual-base': BASE, 'gte-modernbert-base': [768, 22] },
    },
  },
  {
    ...{ family: 'Arctic', pooling: 'cls', maxTokens: 512, license: 'Apache-2.0' },
    ...{ queryPrefix: ENGLISH_BGE, passagePrefix: '' },
    models: {
      'snowflake-arctic-embed-xs': [384, 6],
      'snowflake-arctic-embed-s': SMALL,
      'snowflake-arctic-embed-m': BASE,
      'snowflake-arctic-embed-m-v1.5': BASE,
      'snowflake-arctic-embed-l': LARGE,
    },
  },
  {
    ...{ family: 'Arctic', pooling: 'cls', maxTokens: 8192, license: 'Apache-2.0' },
    ...{ queryPrefix: 'query: ', passagePrefix: '' },
    models: { 'snowflake-arctic-embed-m-v2.0': BASE, 'snowflake-arctic-embed-l-v2.0': LARGE },
  },
  {
    ...{ family: 'MiniLM', pooling: 'mean', maxTokens: 256, license: 'Apache-2.0', ...PLAIN },
    models: { 'all-minilm-l6-v2': [384, 6] },
  },
  {
    ...{ family: 'MiniLM', pooling: 'mean', maxTokens: 128, license: 'Apache-2.0', ...PLAIN },
    models: {
      ...{ 'all-minilm-l12-v2': SMALL, 'paraphrase-multilingual-minilm-l12-v2': SMALL },
      ...{ 'paraphrase-minilm-l3-v2': [384, 3], 'paraphrase-minilm-l6-v2': [384, 6] },
    },
  },
  {
    ...{ family: 'MiniLM', pooling: 'mean', maxTokens: 512, license: 'Apache-2.0', ...PLAIN },
    models: { 'multi-qa-minilm-l6-cos-v1': [384, 6], 'msmarco-minilm-l6-cos-v5': [384, 6] },
  },
]

export interface KnownUse extends ModelUse {
  readonly shape: Shape
}

/**
 * The use of the model of that name, in any case of letters, also as the last part of a path or of
 * a cache's name (`BAAI_bge-small-en`); null for others.
 */
export function knownUse(name: string): KnownUse | null {
  const last = name.toLowerCase().split(/[\\/]/).findLast(Boolean) ?? ''
  for (const { models, ...use } of ROWS)
    for (const [model, shape] of Object.entries(models))
      if (last === model || last.endsWith(`_${model}`)) return { ...use, shape }
  return null
}

/** For the words of a refusal. */
export const FAMILIES: readonly string[] = [...new Set(ROWS.map(({ family }) => family))]
