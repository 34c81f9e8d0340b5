/**
 * Writes the manifest of a transformers.js folder that hubmesh does not know: from its config, its
 * ONNX graph, what sentence-transformers put beside them, and the options. Nothing is guessed.
 */
import { HubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { among, checkOptions, textOf, whole, type KnownOptions } from '../../base/options.ts'
import { sha256 } from '../file_checks.ts'
import type { FileEntry, ModelManifest } from '../manifests.ts'
import { declaredUse, dimensions, mostTokens, readsLatinAlone } from './model_config.ts'
import { FAMILIES, knownUse, type KnownUse, type ModelUse } from './model_families.ts'
import { readOnnxGraph, type OnnxGraph } from './onnx_graph.ts'

/** A folder of model files; `read` gives null where a file is missing. */
export interface ModelFiles {
  /** What it is called: the name of a known model tells its family. */
  readonly name: string
  read(path: string): Promise<Uint8Array<ArrayBuffer> | null>
}

/** What the folder does not say itself. */
export interface DescribeModelOptions {
  /** A known model's name (`multilingual-e5-small`), or your own for it; default the folder's. */
  readonly name?: string
  readonly pooling?: 'mean' | 'cls'
  /** Put before a question and before a passage; '' for none. */
  readonly queryPrefix?: string
  readonly passagePrefix?: string
  /** Tokens of one run, 8 to 256: the engine's passages have no more. */
  readonly maxTokens?: number
  /** Weight of its cosine beside all-MiniLM-L6-v2's, 0.1 to 4; default 1 where none was measured. */
  readonly meaningTrust?: number
  /** Which scripts it reads; default by the pieces of its tokenizer. */
  readonly reads?: 'latin' | 'all'
  /** Path of the ONNX file; default the first quantized one. */
  readonly onnx?: string
  readonly license?: string
}

const KNOWN: KnownOptions<DescribeModelOptions> = {
  name: textOf,
  pooling: among('mean', 'cls'),
  queryPrefix: textOf,
  passagePrefix: textOf,
  maxTokens: (name, value) => whole(name, value, 8, LIMITS.modelTokens + 2),
  meaningTrust: (name, value) => {
    if (typeof value !== 'number' || !(value >= 0.1 && value <= 4))
      throw new HubmeshError('input/invalid', `${name} must be a number from 0.1 to 4.`)
  },
  reads: among('latin', 'all'),
  onnx: textOf,
  license: textOf,
}

/** transformers.js names of an ONNX file by the type of its weights, those tried first first. */
const WEIGHTS: readonly (readonly [file: string, dtype: string])[] = [
  ['model_quantized.onnx', 'int8'],
  ['model_int8.onnx', 'int8'],
  ['model_uint8.onnx', 'uint8'],
  ['model.onnx', 'fp32'],
]

/**
 * Rejects with `input/invalid` (an option is missing or makes no sense), `model/fetch` (a file is
 * missing) or `model/incompatible` (the engine cannot use such a model).
 */
export async function describeModel(
  files: ModelFiles,
  options: DescribeModelOptions = {},
): Promise<ModelManifest> {
  checkOptions<DescribeModelOptions>('describeModel()', options, KNOWN)
  const weights = await weightsOf(files, options.onnx),
    graph = checkedGraph(weights),
    tokenizerBytes = await required(files, 'tokenizer.json'),
    tokenizerConfig = await required(files, 'tokenizer_config.json'),
    configBytes = await required(files, 'config.json'),
    config = json(configBytes, 'config.json'),
    pieces = json(tokenizerBytes, 'tokenizer.json')
  const entries: FileEntry[] = []
  for (const [path, bytes] of [
    [weights.path, weights.bytes],
    ['tokenizer.json', tokenizerBytes],
    ['tokenizer_config.json', tokenizerConfig],
    ['config.json', configBytes],
  ] as const)
    entries.push({ path, bytes: bytes.length, sha256: await sha256(bytes) })
  const known = recognised(files.name, config, options.name),
    use = await useOf(files, options, known, config),
    maxTokens =
      options.maxTokens ??
      Math.min(
        LIMITS.modelTokens + 2,
        use.maxTokens,
        mostTokens(config, json(tokenizerConfig, 'tokenizer_config.json')),
      ),
    name = options.name ?? files.name
  const { queryPrefix, passagePrefix, pooling, license, meaningTrust } = use,
    latin = options.reads === undefined ? readsLatinAlone(pieces) : options.reads === 'latin'
  return {
    name,
    identity: {
      ...{ model: name, dtype: weights.dtype, dims: dimensions(config), pooling },
      revision: await revisionOf(entries[0]!.sha256, known, passagePrefix, options.maxTokens),
    },
    ...{ license, maxTokens, queryPrefix, passagePrefix },
    ...(latin ? { reads: 'latin' } : {}),
    ...(meaningTrust === undefined ? {} : { meaningTrust }),
    ...(graph.inputs.includes('token_type_ids') ? {} : { tokenTypeIds: false }),
    onnx: weights.path,
    tokenizer: 'tokenizer.json',
    tokenizerConfig: 'tokenizer_config.json',
    config: 'config.json',
    files: entries,
  }
}

/** The use of a known model, by the name given, by the folder's, or by the one in its config. */
function recognised(
  folder: string,
  config: Readonly<Record<string, unknown>>,
  given: string | undefined,
): KnownUse | null {
  const shape = [dimensions(config), Number(config['num_hidden_layers'])],
    fits = (use: KnownUse): boolean => shape[0] === use.shape[0] && shape[1] === use.shape[1],
    name = given ?? folder,
    use = knownUse(name)
  if (use !== null) {
    if (!fits(use))
      throw new HubmeshError(
        'model/incompatible',
        `${JSON.stringify(name.slice(0, 100))} names a model of ${use.shape[0]} dimensions and ` +
          `${use.shape[1]} layers, but config.json says ${shape[0]} and ${shape[1]}. Name what the ` +
          'folder holds by the option name.',
        { details: { name: name.slice(0, 100), shape, expected: use.shape } },
      )
    return use
  }
  // of a fine-tuned model it is the one that it began with
  const base = given === undefined ? knownUse(String(config['_name_or_path'] ?? '')) : null
  return base !== null && fits(base) ? base : null
}

async function useOf(
  files: ModelFiles,
  options: DescribeModelOptions,
  known: KnownUse | null,
  config: Readonly<Record<string, unknown>>,
): Promise<ModelUse> {
  const declared = await declaredUse(async (path) => {
    const bytes = await files.read(path)
    return bytes === null ? null : json(bytes, path)
  })
  const use = {
    pooling: options.pooling ?? known?.pooling ?? declared.pooling,
    queryPrefix: options.queryPrefix ?? known?.queryPrefix ?? declared.queryPrefix,
    passagePrefix: options.passagePrefix ?? known?.passagePrefix ?? declared.passagePrefix,
  }
  const missing = Object.entries(use).flatMap(([field, value]) =>
    value === undefined ? [field] : [],
  )
  if (missing.length > 0)
    throw new HubmeshError(
      'input/invalid',
      `The model ${JSON.stringify(files.name.slice(0, 100))} (model_type ` +
        `${JSON.stringify(config['model_type'] ?? 'none')}) is none of the families ` +
        `${FAMILIES.join(', ')} by its name or config, and its folder does not say its ` +
        `${missing.join(', ')}. Its maker's page does: give ${missing.join(', ')} ('' is no prefix), ` +
        'or the name of the known model that it is.',
      { details: { missing } },
    )
  const trust = options.meaningTrust ?? known?.meaningTrust
  return {
    family: known?.family ?? '',
    pooling: use.pooling!,
    queryPrefix: use.queryPrefix!,
    passagePrefix: use.passagePrefix!,
    maxTokens: known?.maxTokens ?? declared.maxTokens ?? Infinity,
    license: options.license ?? known?.license ?? 'unknown',
    ...(trust === undefined ? {} : { meaningTrust: trust }),
  }
}

interface Weights {
  readonly path: string
  readonly dtype: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

async function weightsOf(files: ModelFiles, given: string | undefined): Promise<Weights> {
  if (given !== undefined) {
    const dtype = WEIGHTS.find(([file]) => given.endsWith(file))?.[1],
      bytes = await required(files, given)
    return { path: given, bytes, dtype: dtype ?? given.replace(/^.*model_?|\.onnx$/g, '') }
  }
  for (const folder of ['onnx/', ''])
    for (const [file, dtype] of WEIGHTS) {
      const bytes = await files.read(folder + file)
      if (bytes !== null) return { path: folder + file, dtype, bytes }
    }
  throw missingFile(files.name, `onnx/${WEIGHTS[0]![0]}`)
}

function checkedGraph({ path, bytes }: Weights): OnnxGraph {
  const graph = readOnnxGraph(bytes, path),
    refuse = (why: string): HubmeshError =>
      new HubmeshError('model/incompatible', `${path} ${why}`, {
        details: { inputs: graph.inputs, outputs: graph.outputs },
      })
  if (graph.external)
    throw refuse('keeps its weights in a second file. Take a quantized one: they are whole.')
  const strange = graph.inputs.filter(
    (name) => !['input_ids', 'attention_mask', 'token_type_ids'].includes(name),
  )
  if (!graph.inputs.includes('input_ids') || strange.length > 0)
    throw refuse(
      `is no encoder of texts: it asks for ${graph.inputs.join(', ').slice(0, 200) || 'nothing'}, ` +
        'not for input_ids, attention_mask and at most token_type_ids.',
    )
  if (!graph.outputs.includes('last_hidden_state'))
    throw refuse(
      `gives ${graph.outputs.join(', ').slice(0, 200) || 'nothing'}, not last_hidden_state. Export ` +
        'it for feature extraction.',
    )
  if (bytes.length > LIMITS.modelFileBytes)
    throw refuse(
      `has ${bytes.length} bytes; a page can hold ${LIMITS.modelFileBytes}. Take a quantized one.`,
    )
  return graph
}

/**
 * As that of a shipped manifest: a piece of the weights' hash. A prefix or a length of one's own
 * makes other vectors, so it stands in it too.
 */
async function revisionOf(
  weights: string,
  known: KnownUse | null,
  passagePrefix: string,
  maxTokens: number | undefined,
): Promise<string> {
  const own = JSON.stringify([passagePrefix, maxTokens ?? null]),
    usual = JSON.stringify([known?.passagePrefix ?? '', null])
  if (own === usual) return weights.slice(0, 12)
  return `${weights.slice(0, 12)}-${(await sha256(new TextEncoder().encode(own))).slice(0, 6)}`
}

async function required(files: ModelFiles, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await files.read(path)
  if (bytes === null) throw missingFile(files.name, path)
  return bytes
}

function missingFile(folder: string, path: string): HubmeshError {
  return new HubmeshError(
    'model/fetch',
    `The folder ${JSON.stringify(folder.slice(0, 100))} has no ${path}. It needs config.json, ` +
      'tokenizer.json, tokenizer_config.json and an ONNX file, as transformers.js reads them.',
    { details: { file: path } },
  )
}

function json(bytes: Uint8Array, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    /* told below, as for a number or a string */
  }
  throw new HubmeshError('model/incompatible', `${path} is not JSON. Fetch it again.`, {
    details: { file: path },
  })
}
