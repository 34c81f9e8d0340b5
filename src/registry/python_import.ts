/** A corpus of this package from a folder of hubmesh for Python. */
import type { Embedder } from '../embed/embedder.ts'
import type { AddOptions, EmbedderIdentity, Engine, Rejection } from '../types.ts'
import type { KeptGraph, OpenCorpusOptions } from './corpus_place.ts'
import { precomputed } from './embedders.ts'
import { graphOf } from './planners.ts'
import { readPythonCorpus, type FolderReader } from './python_corpus.ts'

export interface ImportPythonOptions extends Pick<AddOptions, 'signal' | 'onProgress'> {
  /**
   * `keep` (default) keeps the folder's vectors under the name of their model: questions need
   * `queryVector`, or an embedder of that identity. `own` embeds afresh with the embedder of these
   * corpora.
   */
  readonly vectors?: 'keep' | 'own'
}

export interface ImportPythonResult {
  readonly documents: number
  readonly rejected: readonly Rejection[]
  /** What of the metadata was read as something else: NaN as null, long integers as text. */
  readonly warnings: readonly string[]
  readonly embedding: EmbedderIdentity | null
}

/** What an import needs of the corpora it goes into. */
interface Target {
  /** Called once the folder has been read and checked, before anything is written. */
  prepare(): Promise<void>
  shared(): Promise<Embedder | 'default' | null>
  open(embedder: OpenCorpusOptions['embedder']): Promise<Engine>
  keepGraph(graph: KeptGraph): Promise<void>
}

export async function importPythonCorpus(
  read: FolderReader,
  options: ImportPythonOptions,
  target: Target,
): Promise<ImportPythonResult> {
  const { signal, onProgress, vectors = 'keep' } = options,
    signalOnly = signal ? { signal } : {},
    source = await readPythonCorpus(read, signalOnly),
    keeps = vectors === 'keep' && source.dims > 0
  await graphOf(source.graph) // refused before anything is written
  await target.prepare()
  const embedder =
    vectors === 'own'
      ? await target.shared()
      : keeps
        ? precomputed(source.embedding ?? 'unknown', source.dims)
        : null
  const engine = await target.open(embedder)
  try {
    const given = source.documents.map(({ vector, ...document }) =>
      vectors === 'keep' ? { ...document, vector } : document,
    )
    const { generation } = await engine.add(given, {
      ...signalOnly,
      ...(onProgress ? { onProgress } : {}),
    })
    const json = JSON.stringify(source.graph)
    await target.keepGraph({ generation, foreignVectors: keeps, json })
    if (vectors === 'own' && embedder !== null) await engine.ready('vectors', signalOnly)
    return {
      documents: given.length,
      rejected: source.rejected,
      warnings: source.warnings,
      embedding: (await engine.status()).embedding.identity,
    }
  } finally {
    await engine.close()
  }
}
