/** Public API in Node: the same engine in this process, with the model run in it. */
import type { Embedder } from './embed/embedder.ts'
import { checkManifest, type ModelManifest } from './embed/manifests.ts'
import { NodeEmbedder } from './embed/node_embedder.ts'
import { openEngine } from './compat/open_engine.ts'
import { openFolder } from './registry/walk_folder.ts'
import type { PlannerSettings } from './compat/parity.ts'
import type { EngineOptions } from './engine/engine_options.ts'
import { HubmeshError } from './base/errors.ts'
import {
  among,
  checkOptions,
  functionOption,
  signalOption,
  type KnownOptions,
} from './base/options.ts'
import { traced } from './rpc/traced.ts'
import type { Engine, EngineEvent, Metadata, ModelRuntime } from './types.ts'

/** Options of `createEngine` in Node. */
export interface CreateEngineOptions extends Omit<
  EngineOptions,
  'embedder' | 'storage' | 'planner' | 'openFolder'
> {
  /** Fields of PlannerConfig and the mode, beside `ranking: 'python'`. */
  readonly planner?: PlannerSettings
  /** A folder that lasts, or `memory` (default), which ends with the process. */
  readonly storage?: 'memory' | { readonly directory: string }
  /**
   * Where meaning comes from: the folder of a model's files (a path or an address), an Embedder, or
   * null (default) for the text tier alone.
   */
  readonly model?: string | URL | Embedder | null
  /**
   * `wasm` (default), whose vectors equal a page's to the bit, or `native` for speed, which needs
   * the package onnxruntime-node; one of the two a process.
   */
  readonly runtime?: ModelRuntime
  /** Sizes and hashes of the model's files; needed only for a model that hubmesh does not know. */
  readonly manifest?: ModelManifest
  /** Hears of every call that has ended, with its times: for logs and traces. */
  readonly onEvent?: (event: EngineEvent) => void
}

const KNOWN_OPTIONS: KnownOptions<CreateEngineOptions> = {
  corpus: true,
  storage: (_name, value) => {
    if (value === 'indexeddb')
      throw new HubmeshError(
        'input/invalid',
        'The storage "indexeddb" is that of a page. In Node give { directory: a path } for a corpus ' +
          'that lasts, or "memory".',
        { details: { option: 'storage' } },
      )
  },
  encryption: true,
  onModelChange: true,
  model: true,
  runtime: among('wasm', 'native'),
  manifest: checkManifest,
  countTokens: true,
  languages: true,
  signal: signalOption,
  onEvent: functionOption,
  chunk: true,
  index: true,
  ranking: true,
  planner: true,
}

/**
 * Opens a corpus, or begins it. Rejects with `input/invalid`, `store/*`, `model/*` or `aborted`.
 */
export async function createEngine<M extends object = Metadata>(
  options: CreateEngineOptions,
): Promise<Engine<M>> {
  checkOptions<CreateEngineOptions>('createEngine()', options, KNOWN_OPTIONS)
  const { storage = 'memory', model = null, manifest, runtime = 'wasm', onEvent, ...rest } = options
  const place = typeof model === 'string' || model instanceof URL
  if (
    !place &&
    model !== null &&
    (typeof model !== 'object' ||
      typeof model.embed !== 'function' ||
      typeof model.identity !== 'object')
  ) {
    throw new HubmeshError(
      'input/invalid',
      "The option model must be the folder of a model's files, an Embedder { identity, embed, close }, or null.",
      { details: { option: 'model' } },
    )
  }
  const embedder = place
    ? await NodeEmbedder.open({
        model,
        runtime,
        ...(manifest === undefined ? {} : { manifest }),
        ...(rest.signal === undefined ? {} : { signal: rest.signal }),
      })
    : model
  try {
    // the fields of the metadata are the caller's word; at run time every engine takes any
    const engine: Engine = await openEngine({ ...rest, storage, embedder, openFolder })
    return (onEvent ? traced(engine, onEvent) : engine) as Engine<M>
  } catch (error) {
    if (place) await embedder?.close()
    throw error
  }
}

export { NodeEmbedder } from './embed/node_embedder.ts'
export type { NodeEmbedderOptions } from './embed/node_embedder.ts'
export { CorpusManager, defaultCorporaRoot } from './registry/corpus_manager.ts'
export type { CorpusManagerOptions } from './registry/corpus_manager.ts'
export type { BuildOptions, BuildResult, Corpora } from './registry/corpora.ts'
export type { ImportPythonOptions, ImportPythonResult } from './registry/python_import.ts'
export type { CorpusEntry } from './registry/corpus_place.ts'
export type { FolderReader } from './registry/python_corpus.ts'
export { HashingEmbedder } from './embed/hashing.ts'
export { changeCorpusKey } from './store/create_storage.ts'
export type { Encryption } from './store/encryption/encryption.ts'
export { READABLE_EXTENSIONS } from './document/extensions.ts'
export { ERROR_CODES, HubmeshError, isHubmeshError } from './base/errors.ts'
export type { ErrorCode, ErrorDetails } from './base/errors.ts'
export type { EmbedKind, EmbedOptions, Embedder } from './embed/embedder.ts'
export { BGE_SMALL_INT8, MINILM_INT8 } from './embed/manifests.ts'
export type { FileEntry, ModelManifest } from './embed/manifests.ts'
export * from './entries/pieces.ts'
export type * from './types.ts'
