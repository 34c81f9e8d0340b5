/** Trusted names, sizes and SHA-256 of model and runtime files, and how each model is used. */
import { HubmeshError } from '../base/errors.ts'
import type { EmbedderIdentity } from '../types.ts'

export interface FileEntry {
  /** Relative to the manifest's folder, with forward slashes. */
  readonly path: string
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
}

export interface FileManifest {
  readonly name: string
  readonly files: readonly FileEntry[]
}

/** How a text becomes a vector with this model, and its files. */
export interface ModelManifest extends FileManifest {
  readonly identity: EmbedderIdentity & { readonly pooling: 'mean' | 'cls' }
  readonly license: string
  /** Tokens of one run, [CLS] and [SEP] included. */
  readonly maxTokens: number
  readonly queryPrefix: string
  readonly passagePrefix: string
  /**
   * Weight of its cosine in the ranking, as a multiple of all-MiniLM-L6-v2's, fit on training
   * questions; default 1.
   */
  readonly meaningTrust?: number
  /** The script that it reads, where it reads one alone; left out: it reads all. */
  readonly reads?: 'latin'
  /** Which of `files` is which. */
  readonly onnx: string
  readonly tokenizer: string
  readonly tokenizerConfig: string
  readonly config: string
}

const BERT_FILES = {
  onnx: 'onnx/model_quantized.onnx',
  tokenizer: 'tokenizer.json',
  tokenizerConfig: 'tokenizer_config.json',
  config: 'config.json',
} as const

/** sentence-transformers/all-MiniLM-L6-v2, dynamic int8; the default. */
export const MINILM_INT8: ModelManifest = {
  name: 'all-MiniLM-L6-v2',
  identity: {
    model: 'all-MiniLM-L6-v2',
    revision: 'afdb6f1a0e45',
    dtype: 'int8',
    dims: 384,
    pooling: 'mean',
  },
  license: 'Apache-2.0',
  maxTokens: 256,
  queryPrefix: '',
  passagePrefix: '',
  reads: 'latin',
  ...BERT_FILES,
  files: [
    {
      path: 'onnx/model_quantized.onnx',
      bytes: 22_972_370,
      sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
    },
    {
      path: 'tokenizer.json',
      bytes: 711_661,
      sha256: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
    },
    {
      path: 'tokenizer_config.json',
      bytes: 303,
      sha256: '6d841a22ca2dfa2ba9a4530a58ae73ce25ffdbb3eba65bd733ce0b7ea2e302ed',
    },
    {
      path: 'config.json',
      bytes: 361,
      sha256: '7f7e2aed50d50b9be4e195c383f97f4e3b7ed7c9cd363f553e705832fd96cd3b',
    },
  ],
}

/**
 * BAAI/bge-small-en-v1.5, dynamic int8: stronger on single facts, half the speed; not in the
 * package.
 */
export const BGE_SMALL_INT8: ModelManifest = {
  name: 'bge-small-en-v1.5',
  identity: {
    model: 'bge-small-en-v1.5',
    revision: '6c9c6101a956',
    dtype: 'int8',
    dims: 384,
    pooling: 'cls',
  },
  license: 'MIT',
  maxTokens: 256,
  queryPrefix: 'Represent this sentence for searching relevant passages: ',
  passagePrefix: '',
  reads: 'latin',
  meaningTrust: 1.4,
  ...BERT_FILES,
  files: [
    {
      path: 'onnx/model_quantized.onnx',
      bytes: 34_014_426,
      sha256: '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4',
    },
    {
      path: 'tokenizer.json',
      bytes: 711_396,
      sha256: 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
    },
    {
      path: 'tokenizer_config.json',
      bytes: 303,
      sha256: '785177c551f4967aa8e0cee582645229fc6132adbac15b1a2068c39e535f5624',
    },
    {
      path: 'config.json',
      bytes: 362,
      sha256: '5d137d21cd579515f33e879dbb21254913c234cee7a386e80e2f488da084a9c0',
    },
  ],
}

/**
 * The wasm and glue of the onnxruntime-web that @huggingface/transformers 4.3.2 pins; both of one
 * build.
 */
export const ONNX_RUNTIME: FileManifest = {
  name: 'onnxruntime-web 1.31.0-dev.20260914-8d85527a0',
  files: [
    {
      path: 'ort-wasm-simd-threaded.wasm',
      bytes: 14_264_838,
      sha256: '06ba057753da3847e4c24f02d91ab133455b0817c69a44993a9a53a2146df9e3',
    },
    {
      path: 'ort-wasm-simd-threaded.mjs',
      bytes: 24_381,
      sha256: 'c57ca56328877353a575e51bbca6f18450027d6c9bf2307a2cb2c41363b4de9f',
    },
  ],
}

const KNOWN: readonly ModelManifest[] = [MINILM_INT8, BGE_SMALL_INT8]

/** The manifest of a known model, by its folder's name. Throws `input/invalid` for others. */
export function manifestFor(location: string | URL): ModelManifest {
  const path = String(location).split(/[?#]/, 1)[0]!.replaceAll('\\', '/')
  const name =
    path
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? ''
  const found = KNOWN.find((manifest) => manifest.name === name)
  if (found === undefined) {
    throw new HubmeshError(
      'input/invalid',
      `No manifest is known for a model folder called ${JSON.stringify(name.slice(0, 100))}; ` +
        `known are ${KNOWN.map((m) => m.name).join(', ')}. Pass \`manifest\` with the files' ` +
        'sizes and SHA-256.',
      { details: { name: name.slice(0, 100) } },
    )
  }
  return found
}

const MANIFEST_TEXTS = [
  'name',
  'queryPrefix',
  'passagePrefix',
  'onnx',
  'tokenizer',
  'tokenizerConfig',
  'config',
] as const

/** Throws `input/invalid` for a manifest that lacks what loading needs. */
export function checkManifest(option: string, value: unknown): void {
  const manifest = (value ?? {}) as Partial<Record<keyof ModelManifest, unknown>>,
    wrong = MANIFEST_TEXTS.filter((field) => typeof manifest[field] !== 'string') as string[]
  if (!Array.isArray(manifest.files)) wrong.push('files')
  if (!Number.isInteger(manifest.maxTokens)) wrong.push('maxTokens')
  if (typeof manifest.identity !== 'object' || manifest.identity === null) wrong.push('identity')
  if (wrong.length > 0)
    throw new HubmeshError(
      'input/invalid',
      `The ${option} has no usable ${wrong.join(', ')}. Give a ModelManifest such as MINILM_INT8.`,
      { details: { option, fields: wrong } },
    )
}
