/** Contract of where corpora lie: a folder of Node, or the database of a page. */
import type { Embedder } from '../embed/embedder.ts'
import type { CorpusSettings } from '../store/storage.ts'
import type { Engine } from '../types.ts'
import type { FolderReader } from './python_corpus.ts'

export interface CorpusEntry {
  readonly name: string
  /** `python`: a folder that hubmesh for Python wrote, read where it lies and never changed. */
  readonly format: 'hubmesh' | 'python'
  /** Null where the record that says so is damaged. */
  readonly documents: number | null
  readonly bytes: number | null
  /** What meta.json of a `python` corpus says; fields it lacks are null. */
  readonly python?: PythonMeta
}

/** In the words of meta.json. */
export interface PythonMeta {
  readonly format_version: number | null
  readonly n_docs: number | null
  readonly kg_nodes: number | null
  readonly kg_edges: number | null
  readonly embedding: { readonly identity: string | null; readonly dim: number | null } | null
}

export interface OpenCorpusOptions {
  /** `default`: what the place itself embeds with, if anything. */
  readonly embedder: Embedder | 'default' | null
  readonly chunk?: Partial<CorpusSettings['chunk']>
}

/**
 * A graph that came with a corpus, as kg.json, and the generation it is of: a later one has other
 * documents.
 */
export interface KeptGraph {
  readonly generation: number
  /**
   * The vectors came with it, by an embedder that is not at hand; another one would drop them for
   * its own.
   */
  readonly foreignVectors: boolean
  readonly json: string
}

/** Where corpora lie. Names are checked before a place sees them. */
export interface CorpusPlace {
  list(): Promise<readonly CorpusEntry[]>
  /** Opens a corpus, or begins it. */
  open(name: string, options: OpenCorpusOptions): Promise<Engine>
  delete(name: string): Promise<void>
  /** The folder of a corpus that hubmesh for Python wrote, null for others. */
  python(name: string): Promise<FolderReader | null>
  readGraph(name: string): Promise<KeptGraph | null>
  writeGraph(name: string, graph: KeptGraph | null): Promise<void>
}
