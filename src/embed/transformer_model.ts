/**
 * transformers.js: a BERT-like encoder made from verified bytes, one text a run, as an int8 model
 * quantizes activations per run. The library fetches, caches and looks up nothing itself.
 */
import { HubmeshError, isHubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { isNode } from '../base/platform.ts'
import { textFailure } from './embedder.ts'
import type { EmbedKind } from './embedder.ts'
import type { ModelManifest } from './manifests.ts'
import { pool } from './pooling.ts'
import { framePieces, prepareText } from './word_pieces.ts'

export type ModelBytes = Uint8Array<ArrayBuffer>

/** The wasm runtime of a page or of Node. */
export interface WasmRuntime {
  readonly wasm: ModelBytes
  /** Address of the glue, which threads load too; same origin. */
  readonly glueUrl: string
  readonly threads: number
}

/** The runtime that transformers.js was started with here; it cannot be changed. */
let runtimeKind: 'native' | 'wasm' | null = null

type Transformers = typeof import('@xenova/transformers')
interface States {
  readonly data: ArrayLike<number>
  readonly dims: readonly number[]
}
interface Parts {
  readonly encode: (text: string) => number[]
  readonly run: (ids: BigInt64Array) => Promise<States>
  readonly cls: number
  readonly sep: number
  readonly dispose: () => Promise<unknown>
}

export class TransformerModel {
  private constructor(
    private readonly manifest: ModelManifest,
    private readonly parts: Parts,
  ) {}

  /**
   * Builds the model; `read` gives the verified bytes of a file, `runtime` is null for Node's native one. Rejects
   * with `model/incompatible`, `model/memory`, or what `read` rejects with.
   */
  static async load(
    manifest: ModelManifest,
    read: (path: string) => Promise<ModelBytes>,
    runtime: WasmRuntime | null,
  ): Promise<TransformerModel> {
    const tokenizerJson = parseJson(await read(manifest.tokenizer), manifest.tokenizer)
    const tokenizerConfig = parseJson(
      await read(manifest.tokenizerConfig),
      manifest.tokenizerConfig,
    )
    const config = parseJson(await read(manifest.config), manifest.config)
    if (config['hidden_size'] !== manifest.identity.dims) {
      throw new HubmeshError(
        'model/incompatible',
        `The model's hidden size is ${String(config['hidden_size'])}, its manifest says ` +
          `${manifest.identity.dims} dimensions. Correct the manifest.`,
      )
    }
    const kind = runtime === null ? 'native' : 'wasm'
    if (runtimeKind !== null && runtimeKind !== kind) {
      throw new HubmeshError(
        'input/invalid',
        `A model already runs on the ${runtimeKind} runtime here, and one process can use only ` +
          'one. Use the same for all, or a worker thread.',
      )
    }
    runtimeKind = kind
    const onnx = await read(manifest.onnx)
    try {
      const { PreTrainedTokenizer, Tensor, ...library } = await configured(runtime)
      const tokenizer = new PreTrainedTokenizer(tokenizerJson, tokenizerConfig)
      const [cls, sep] = ['cls_token', 'sep_token'].map((name) =>
        tokenizer.convert_tokens_to_ids(String(tokenizerConfig[name])),
      )
      if (!Number.isInteger(cls) || !Number.isInteger(sep))
        throw new TypeError('The tokenizer has no [CLS] or no [SEP].')
      const model = await loadOnnx(library, manifest, config, onnx, kind)
      return new TransformerModel(manifest, {
        encode: (text) => tokenizer.encode(text, { add_special_tokens: false }),
        run: async (ids) => {
          const shape = [1, ids.length]
          const output = (await model({
            input_ids: new Tensor('int64', ids, shape),
            attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
            token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
          })) as { readonly last_hidden_state: States }
          return output.last_hidden_state
        },
        cls: cls!,
        sep: sep!,
        dispose: () => model.dispose(),
      })
    } catch (error) {
      throw modelError(error, 'loading the model')
    }
  }

  /**
   * Rejects with `model/memory`, after which the runtime must be replaced, or `model/incompatible`.
   */
  async embed(text: string, kind: EmbedKind): Promise<Float32Array> {
    const { identity, queryPrefix, passagePrefix, maxTokens } = this.manifest
    const pieces = Math.min(LIMITS.modelTokens, maxTokens - 2)
    try {
      const prefixed = (kind === 'query' ? queryPrefix : passagePrefix) + text
      const ids = framePieces(
        this.parts.encode(prepareText(prefixed, pieces)),
        this.parts.cls,
        this.parts.sep,
        pieces,
      )
      const states = await this.parts.run(ids)
      return pool(states.data, ids.length, identity.dims, identity.pooling)
    } catch (error) {
      throw textFailure(modelError(error, 'embedding a text'), 'The text keeps no vector.')
    }
  }

  async close(): Promise<void> {
    await this.parts.dispose()
  }
}

/** The runtime's message is kept as the cause alone, since it may quote its input. */
export function modelError(error: unknown, during: string): HubmeshError {
  if (isHubmeshError(error)) return error
  const wasmTrap = typeof WebAssembly === 'object' && error instanceof WebAssembly.RuntimeError
  const text = error instanceof Error ? error.message : String(error)
  // ONNX Runtime throws bare numbers (heap addresses) when C++ allocation fails.
  const memory =
    wasmTrap ||
    error instanceof RangeError ||
    typeof error === 'number' ||
    /out of memory|bad_alloc|Aborted\(|memory access|allocat/i.test(text)
  return memory
    ? new HubmeshError(
        'model/memory',
        `The embedding runtime ran out of memory or was damaged while ${during}. It is ` +
          'replaced; close other tabs if this repeats.',
        { cause: error, retryable: true },
      )
    : new HubmeshError(
        'model/incompatible',
        `The embedding runtime failed while ${during} ` +
          `(${error instanceof Error ? error.name : typeof error}). Check that the model, its ` +
          'manifest and the runtime belong together.',
        { cause: error },
      )
}

let library: Promise<Transformers> | null = null
/** The model file being handed over now, through the library's cache interface. */
let handOver: { readonly name: string; readonly onnx: ModelBytes } | null = null
let handOvers: Promise<unknown> = Promise.resolve()
let models = 0

async function configured(runtime: WasmRuntime | null): Promise<Transformers> {
  library ??= import('@xenova/transformers').then((module) => {
    const { env } = module
    env.logLevel = 50 // errors are thrown; its log would print token ids, which are the text
    env.allowRemoteModels = false
    env.allowLocalModels = true
    env.localModelPath = '/'
    env.useFS = false
    env.useFSCache = false
    env.useBrowserCache = false
    env.useWasmCache = false // it would make a blob: URL of the glue, which a CSP refuses
    env.fetch = () => Promise.resolve(new Response(null, { status: 404 }))
    env.useCustomCache = true
    env.customCache = {
      match: (key: string) =>
        Promise.resolve(
          handOver !== null && key.includes(handOver.name) && key.endsWith('.onnx')
            ? new Response(handOver.onnx)
            : undefined,
        ),
      put: () => Promise.resolve(),
    }
    return module
  })
  const module = await library
  if (runtime !== null) {
    const wasm = module.env.backends.onnx.wasm
    if (wasm === undefined) throw new TypeError('The runtime has no WebAssembly backend.')
    wasm.wasmBinary = runtime.wasm
    wasm.wasmPaths = { mjs: runtime.glueUrl }
    wasm.numThreads = runtime.threads
    wasm.proxy = false
  }
  return module
}

async function loadOnnx(
  { AutoModel }: Pick<Transformers, 'AutoModel'>,
  manifest: ModelManifest,
  config: Record<string, unknown>,
  onnx: ModelBytes,
  kind: 'native' | 'wasm',
) {
  const folder = manifest.onnx.split('/').slice(0, -1).join('/')
  const file = manifest.onnx
    .split('/')
    .at(-1)!
    .replace(/\.onnx$/, '')
  const name = `hubmesh-model-${++models}`
  const turn = handOvers.then(async () => {
    handOver = { name, onnx }
    try {
      return await AutoModel.from_pretrained(name, {
        config: config as never,
        dtype: 'fp32', // stands for "no suffix": the manifest names the file in full
        subfolder: folder,
        model_file_name: file,
        // Every text has another length: an arena and a memory plan a shape cost a tenth of the
        // run.
        session_options:
          kind === 'wasm'
            ? { executionProviders: ['wasm'], enableCpuMemArena: false, enableMemPattern: false }
            : { executionProviders: ['cpu'] },
        ...(isNode() ? { device: 'auto' as const } : {}),
      })
    } finally {
      handOver = null
    }
  })
  handOvers = turn.catch(() => undefined)
  return turn
}

function parseJson(bytes: ModelBytes, file: string): Record<string, unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>
  } catch (error) {
    throw new HubmeshError(
      'model/incompatible',
      `${file} is not JSON although its hash is the manifest's. Correct the manifest.`,
      { cause: error },
    )
  }
}
