/** Corpora in a page: IndexedDB, with imported graphs in a database of their own. */
import { openDB, type IDBPDatabase } from 'idb'
import type { Embedder } from '../embed/embedder.ts'
import { HubmeshError } from '../base/errors.ts'
import { deleteCorpus, listCorpora } from '../store/create_storage.ts'
import type { FileLike } from '../document/readers/reader.ts'
import { filePath } from '../document/readers/read_files.ts'
import type { Engine } from '../types.ts'
import type { CorpusPlace, KeptGraph, OpenCorpusOptions } from './corpus_place.ts'
import type { FolderReader } from './python_corpus.ts'

/** Not `hubmesh:`, which begins the name of every corpus' database. */
const GRAPHS = 'hubmesh-graphs'
const STORE = 'graphs'

/** How a page opens an engine; `embedder` undefined stands for what the page embeds with. */
export type OpenInPage = (
  name: string,
  options: {
    readonly embedder: Embedder | null | undefined
    readonly chunk: OpenCorpusOptions['chunk']
  },
) => Promise<Engine>

export function pagePlace(open: OpenInPage): CorpusPlace {
  return {
    list: async () =>
      (await listCorpora('indexeddb')).map(({ name, documents, bytes }) => ({
        name,
        format: 'hubmesh',
        documents,
        bytes,
      })),
    open: (name, { embedder, chunk }) =>
      open(name, { embedder: embedder === 'default' ? undefined : embedder, chunk }),
    delete: (name) => deleteCorpus(name, 'indexeddb'),
    python: () => Promise.resolve(null),
    readGraph: (name) => withGraphs(async (db) => keptGraph(await db.get(STORE, name))),
    writeGraph: (name, graph) =>
      withGraphs(async (db) => {
        if (graph === null) await db.delete(STORE, name)
        else await db.put(STORE, graph, name)
      }),
  }
}

/**
 * The files of a dropped or chosen folder; their paths are taken below the folder that holds
 * CURRENT or meta.json.
 */
export function filesReader(files: readonly FileLike[]): FolderReader {
  const byPath = new Map(files.map((file) => [filePath(file), file]))
  const mark =
    [...byPath.keys()]
      .filter((path) => /(^|\/)(CURRENT|meta\.json)$/.test(path))
      .sort((a, b) => a.split('/').length - b.split('/').length)[0] ?? ''
  const prefix = mark.slice(0, mark.lastIndexOf('/') + 1)
  return async (path, mostBytes) => {
    const file = byPath.get(prefix + path)
    if (file === undefined) return null
    if (file.size > mostBytes)
      throw new HubmeshError(
        'archive/too-large',
        `${path} has ${file.size} bytes; at most ${mostBytes} are read.`,
        { details: { size: file.size, limit: mostBytes } },
      )
    const bytes =
      file.arrayBuffer !== undefined
        ? new Uint8Array(await file.arrayBuffer())
        : await file.bytes?.()
    if (bytes === undefined)
      throw new HubmeshError('input/invalid', `${path} gives no bytes; pass a File.`)
    return bytes
  }
}

async function withGraphs<T>(work: (db: IDBPDatabase) => Promise<T>): Promise<T> {
  let db: IDBPDatabase
  try {
    db = await openDB(GRAPHS, 1, {
      upgrade: (fresh) => {
        fresh.createObjectStore(STORE)
      },
    })
  } catch (cause) {
    throw new HubmeshError(
      'store/unavailable',
      'The database of imported graphs cannot be opened in this page.',
      { cause },
    )
  }
  try {
    return await work(db)
  } catch (cause) {
    const quota = cause instanceof DOMException && cause.name === 'QuotaExceededError'
    throw new HubmeshError(
      quota ? 'store/quota' : 'store/unavailable',
      quota
        ? 'The browser has no room for the graph of this corpus. Delete other corpora first.'
        : 'The database of imported graphs failed. Try again.',
      { cause },
    )
  } finally {
    db.close()
  }
}

function keptGraph(value: unknown): KeptGraph | null {
  if (typeof value !== 'object' || value === null) return null
  const { generation, foreignVectors, json } = value as Partial<KeptGraph>
  return typeof generation === 'number' && typeof json === 'string'
    ? { generation, foreignVectors: foreignVectors === true, json }
    : null
}
