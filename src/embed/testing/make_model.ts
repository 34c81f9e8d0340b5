/** Folders of tiny models that run: an ONNX graph that looks a token's row up, and its tokenizer. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface TinyModel {
  readonly config: Readonly<Record<string, unknown>>
  /** `bert`: word pieces, token_type_ids; `xlm`: a unigram tokenizer, none. */
  readonly kind: 'bert' | 'xlm'
  /** Whole words it knows; others are unknown. */
  readonly words: readonly string[]
  readonly output?: string
  readonly inputs?: readonly string[]
  readonly external?: boolean
  readonly onnx?: string
  /** More files, as JSON. */
  readonly beside?: Readonly<Record<string, unknown>>
}

const SPECIAL = {
  bert: { pad: '[PAD]', unk: '[UNK]', cls: '[CLS]', sep: '[SEP]' },
  xlm: { pad: '<pad>', unk: '<unk>', cls: '<s>', sep: '</s>' },
} as const

export async function makeModel(folder: string, model: TinyModel): Promise<string> {
  const { kind, words, config } = model,
    special = SPECIAL[kind],
    pieces = [...Object.values(special), ...words.map((w) => (kind === 'xlm' ? `▁${w}` : w))],
    put = async (path: string, content: unknown): Promise<void> => {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(
        join(folder, path),
        content instanceof Uint8Array ? content : JSON.stringify(content),
      )
    }
  await put('config.json', config)
  await put('tokenizer.json', tokenizer(kind, pieces))
  await put('tokenizer_config.json', {
    tokenizer_class: kind === 'xlm' ? 'XLMRobertaTokenizer' : 'BertTokenizer',
    model_max_length: 512,
    // as newer versions of the library write a special token
    cls_token: kind === 'xlm' ? { __type: 'AddedToken', content: special.cls } : special.cls,
    ...{ sep_token: special.sep, unk_token: special.unk, pad_token: special.pad },
  })
  await put(
    model.onnx ?? 'onnx/model_quantized.onnx',
    onnx(pieces.length, Number(config['hidden_size']), model),
  )
  for (const [path, content] of Object.entries(model.beside ?? {})) await put(path, content)
  return folder
}

function tokenizer(kind: TinyModel['kind'], pieces: readonly string[]): unknown {
  const special = SPECIAL[kind]
  const added_tokens = Object.values(special).map((content, id) => ({
    ...{ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false },
    special: true,
  }))
  const shared = { version: '1.0', truncation: null, padding: null, added_tokens }
  if (kind === 'bert')
    return {
      ...shared,
      normalizer: { type: 'BertNormalizer', clean_text: true, lowercase: true },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: null,
      decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
      model: {
        ...{ type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##' },
        max_input_chars_per_word: 100,
        vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
      },
    }
  return {
    ...shared,
    normalizer: { type: 'NFKC' },
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
    post_processor: null,
    decoder: { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
    model: { type: 'Unigram', unk_id: 1, vocab: pieces.map((piece) => [piece, -1]) },
  }
}

/** Gather(table, input_ids): row `id` of the table, which is one-hot but for a common part. */
function onnx(
  rows: number,
  dims: number,
  { kind, inputs, output = 'last_hidden_state', external }: TinyModel,
): Uint8Array {
  const table = new Float32Array(rows * dims)
  for (let row = 0; row < rows; row++) table[row * dims + (row % dims)] = 1
  const names = inputs ?? [
      ...['input_ids', 'attention_mask'],
      ...(kind === 'bert' ? ['token_type_ids'] : []),
    ],
    tensor = [
      ...[num(1, rows), num(1, dims), num(2, 1), text(8, 'table')],
      field(9, new Uint8Array(table.buffer)),
      ...(external === true ? [num(14, 1)] : []),
    ],
    node = [text(1, 'table'), text(1, 'input_ids'), text(2, output), text(4, 'Gather')]
  const graph = [
    message(1, node),
    text(2, 'tiny'),
    message(5, tensor),
    ...names.map((name) => message(11, value(name, 7, ['batch', 'tokens']))),
    message(12, value(output, 1, ['batch', 'tokens', dims])),
  ]
  return joined([num(1, 8), message(7, graph), message(8, [num(2, 13)])])
}

function value(name: string, type: number, shape: readonly (string | number)[]): Uint8Array[] {
  const dims = shape.map((d) => message(1, [typeof d === 'string' ? text(2, d) : num(1, d)]))
  return [text(1, name), message(2, [message(1, [num(1, type), message(2, dims)])])]
}

function varint(value: number): Uint8Array {
  const bytes: number[] = []
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128)
  return Uint8Array.from([...bytes, value])
}

const num = (number: number, value: number) => joined([varint(number * 8), varint(value)])
const field = (number: number, bytes: Uint8Array) =>
  joined([varint(number * 8 + 2), varint(bytes.length), bytes])
const text = (number: number, value: string) => field(number, new TextEncoder().encode(value))
const message = (number: number, parts: readonly Uint8Array[]) => field(number, joined(parts))

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}
