/** What the JSON files of a model's folder say about its use. */
import { HubmeshError } from '../../base/errors.ts'

type Json = Readonly<Record<string, unknown>>

/** Components of a vector. Throws `model/incompatible` where the config does not say. */
export function dimensions(config: Json): number {
  const size = config['hidden_size']
  if (typeof size === 'number' && Number.isInteger(size) && size > 0) return size
  throw new HubmeshError(
    'model/incompatible',
    `config.json of model_type ${JSON.stringify(config['model_type'] ?? 'none')} has no ` +
      'hidden_size. The engine runs encoders like BERT and XLM-RoBERTa.',
  )
}

/** Positions of RoBERTa's kind start behind the padding's. */
const POSITIONS_BEFORE: Readonly<Record<string, number>> = { 'xlm-roberta': 2, roberta: 2 }

/** Tokens that config and tokenizer allow, special ones included; Infinity where neither says. */
export function mostTokens(config: Json, tokenizerConfig: Json): number {
  const positions = Number(config['max_position_embeddings'] ?? Infinity),
    before = POSITIONS_BEFORE[String(config['model_type'])] ?? 0,
    length = Number(tokenizerConfig['model_max_length'] ?? Infinity)
  return Math.min(
    Number.isFinite(positions) ? positions - before : Infinity,
    Number.isFinite(length) && length > 0 ? length : Infinity,
  )
}

/** Share of a vocabulary's pieces in other scripts up to which they are strays. */
const STRAY_PIECES = 0.2

/** Whether the tokenizer's pieces are of the Latin script but for strays. */
export function readsLatinAlone(tokenizer: Json): boolean {
  const { vocab } = (tokenizer['model'] ?? {}) as { readonly vocab?: unknown },
    pieces: string[] = Array.isArray(vocab)
      ? vocab.map((entry) => String((entry as readonly unknown[])[0]))
      : Object.keys((vocab ?? {}) as object)
  let other = 0
  for (const piece of pieces) if (/[^\P{L}\p{Script=Latin}]/u.test(piece)) other++
  return pieces.length > 0 && other <= pieces.length * STRAY_PIECES
}

export interface DeclaredUse {
  readonly pooling?: 'mean' | 'cls'
  readonly queryPrefix?: string
  readonly passagePrefix?: string
  readonly maxTokens?: number
}

/**
 * What sentence-transformers wrote beside the model: modules.json, 1_Pooling, prompts. Rejects with
 * `model/incompatible` for a way of making vectors that the engine does not have.
 */
export async function declaredUse(
  read: (path: string) => Promise<Json | null>,
): Promise<DeclaredUse> {
  const modules = Object.values((await read('modules.json')) ?? {}) as { readonly type?: string }[],
    dense = modules.find(({ type }) => type?.endsWith('.Dense') === true)
  if (dense !== undefined)
    throw new HubmeshError(
      'model/incompatible',
      'modules.json names a Dense layer behind the pooling, which is not in the ONNX file. Take a ' +
        'model without one.',
    )
  const pooling = poolingOf(await read('1_Pooling/config.json')),
    length = (await read('sentence_bert_config.json'))?.['max_seq_length'],
    prompts = (await read('config_sentence_transformers.json'))?.['prompts'] as Json | undefined,
    query = prompts?.['query'],
    passage = prompts?.['passage'] ?? prompts?.['document']
  return {
    ...(pooling === undefined ? {} : { pooling }),
    ...(typeof length === 'number' ? { maxTokens: length } : {}),
    ...(typeof query === 'string' ? { queryPrefix: query } : {}),
    ...(typeof passage === 'string' ? { passagePrefix: passage } : {}),
  }
}

function poolingOf(config: Json | null): 'mean' | 'cls' | undefined {
  if (config === null) return undefined
  const modes = Object.keys(config).filter(
    (key) => key.startsWith('pooling_mode_') && config[key] === true,
  )
  if (modes.length === 1 && modes[0] === 'pooling_mode_mean_tokens') return 'mean'
  if (modes.length === 1 && modes[0] === 'pooling_mode_cls_token') return 'cls'
  throw new HubmeshError(
    'model/incompatible',
    `1_Pooling/config.json asks for ${modes.join(' and ') || 'no pooling'}; the engine has mean and cls.`,
    { details: { modes } },
  )
}
