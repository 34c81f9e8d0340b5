/** CorpusManager in a page. */
import type { FileLike } from '../document/readers/reader.ts'
import { createEngine, type CreateEngineOptions } from '../rpc/create_engine.ts'
import { Corpora } from './corpora.ts'
import type { ImportPythonOptions, ImportPythonResult } from './python_import.ts'
import { filesReader, pagePlace } from './page_place.ts'
import type { FolderReader } from './python_corpus.ts'

/** What every engine of the manager is opened with. */
export type CorpusManagerOptions = Omit<
  CreateEngineOptions,
  'corpus' | 'storage' | 'chunk' | 'signal'
>

export class CorpusManager extends Corpora {
  constructor(options: CorpusManagerOptions = {}) {
    const { model, ...rest } = options
    const own =
      model === undefined || typeof model === 'string' || model instanceof URL ? undefined : model
    super(
      pagePlace((name, { embedder, chunk }) =>
        createEngine({
          ...rest,
          corpus: name,
          ...(chunk === undefined ? {} : { chunk }),
          ...(embedder !== undefined ? { model: embedder } : model === undefined ? {} : { model }),
        }),
      ),
      own === undefined ? {} : { embedder: own },
    )
  }

  /** As in Corpora, also from the files of a dropped or chosen folder. */
  override importPython(
    from: FolderReader | readonly FileLike[],
    name: string,
    options: ImportPythonOptions = {},
  ): Promise<ImportPythonResult> {
    return super.importPython(typeof from === 'function' ? from : filesReader(from), name, options)
  }
}
