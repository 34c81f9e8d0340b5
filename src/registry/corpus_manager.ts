/** CorpusManager in Node: corpora under a root folder, with the model they share. */
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Embedder } from '../embed/embedder.ts'
import { NodeEmbedder } from '../embed/node_embedder.ts'
import { HubmeshError } from '../base/errors.ts'
import { among, checkOptions, textOf, type KnownOptions } from '../base/options.ts'
import type { ModelChange } from '../store/records/model_change.ts'
import { makeDirectory, namesIn, replaceDurably } from '../store/folder/files.ts'
import { Corpora } from './corpora.ts'
import type { ImportPythonOptions, ImportPythonResult } from './python_import.ts'
import { directoryPlace, folderReader } from './directory_place.ts'
import { modelFolder } from './package_files.ts'
import type { ModelRuntime } from '../types.ts'
import type { FolderReader } from './python_corpus.ts'

export interface CorpusManagerOptions {
  /** Default: the model of `model`. Null for the text tier alone. */
  readonly embedder?: Embedder | (() => Promise<Embedder>) | null
  /**
   * A model that comes with the package, or the folder of one; default $HUBMESH_EMBED_MODEL, else
   * all-MiniLM-L6-v2.
   */
  readonly model?: string
  /** What runs the model: `wasm` (default) or `native`, which needs onnxruntime-node. */
  readonly runtime?: ModelRuntime
  /** What becomes of a corpus whose vectors are by another model; see `createEngine`. */
  readonly onModelChange?: ModelChange
}

const KNOWN: KnownOptions<CorpusManagerOptions> = {
  embedder: true,
  model: textOf,
  runtime: among('wasm', 'native'),
  onModelChange: among('refuse', 'reembed'),
}

/**
 * $HUBMESH_CORPORA_ROOT, else .hubmesh/corpora of the home folder, where hubmesh for Python keeps
 * its corpora too.
 */
export function defaultCorporaRoot(): string {
  return process.env['HUBMESH_CORPORA_ROOT'] || join(homedir(), '.hubmesh', 'corpora')
}

/** Opens the model as the options say. Rejects with `input/invalid` or `model/*`. */
export function openModel(
  model: string | undefined,
  runtime: ModelRuntime = 'wasm',
): Promise<Embedder> {
  return Promise.resolve().then(() =>
    NodeEmbedder.open({
      model: modelFolder(model ?? (process.env['HUBMESH_EMBED_MODEL'] || 'all-MiniLM-L6-v2')),
      runtime,
    }),
  )
}

export class CorpusManager extends Corpora {
  readonly root: string

  constructor(root: string = defaultCorporaRoot(), options: CorpusManagerOptions = {}) {
    checkOptions<CorpusManagerOptions>('CorpusManager', options, KNOWN)
    const { embedder = () => openModel(options.model, options.runtime), onModelChange } = options
    super(directoryPlace(textOf('root', root), onModelChange), { embedder })
    this.root = root
  }

  /** As in Corpora, also from the path of a folder. */
  override importPython(
    from: string | FolderReader,
    name: string,
    options: ImportPythonOptions = {},
  ): Promise<ImportPythonResult> {
    return super.importPython(typeof from === 'string' ? folderReader(from) : from, name, options)
  }

  /**
   * Writes the corpus as a folder that hubmesh for Python 0.4 loads: the generation first, then
   * CURRENT in one step, so that its readers see the old corpus or the new. Rejects with
   * `input/conflict` where something else lies there, and as `exportPython` does.
   */
  async exportPythonTo(name: string, folder: string): Promise<void> {
    const names = await namesIn(folder)
    if (names.length > 0 && !names.includes('CURRENT') && !names.includes('meta.json'))
      throw new HubmeshError(
        'input/conflict',
        `${folder} holds other files than a corpus of hubmesh for Python. Name a new folder.`,
        { details: { folder } },
      )
    for (const [path, bytes] of await this.exportPython(name)) {
      const file = join(folder, path)
      await makeDirectory(dirname(file))
      await replaceDurably(dirname(file), basename(file), bytes)
    }
  }
}
