/** Owns corpora in a folder of Node: one folder each, those of hubmesh for Python among them, which are only read. Refuses: paths that leave the folder. */
import { realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { HubmeshError } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import { createEngine } from '../node.ts'
import { isCorpusName } from '../store/corpus_name.ts'
import { deleteCorpus, listCorpora } from '../store/create_storage.ts'
import { bytesOf, namesIn, readBytes, removeFile, replaceDurably } from '../store/directory_files.ts'
import { checkedJson } from './checked_json.ts'
import type { CorpusEntry, CorpusPlace, KeptGraph } from './corpora.ts'
import { pythonGeneration, type FolderReader } from './python_corpus.ts'

const GRAPH_FILE = 'imported-graph.json'

/** Reads files of a folder, never beyond `mostBytes`; a path never leaves it. */
export function folderReader(folder: string): FolderReader {
  return async (path, mostBytes) => {
    const file = join(folder, path), real = await realpath(file).catch(() => null)
    if (real === null) return null
    const root = await realpath(folder)
    if (!real.startsWith(`${root}/`) && !real.startsWith(`${root}\\`)) throw new HubmeshError('archive/invalid', `${path} leads out of its folder. Copy the folder again with its own files.`)
    const { size } = await stat(real)
    if (size > mostBytes) throw new HubmeshError('archive/too-large', `${path} has ${size} bytes; at most ${mostBytes} are read.`, { details: { size, limit: mostBytes } })
    return readBytes(real)
  }
}

/** Corpora in `root`, which is made when something is first written. */
export function directoryPlace(root: string): CorpusPlace {
  const directory = resolve(root)
  const python = async (name: string): Promise<FolderReader | null> => {
    const folder = join(directory, name), real = await realpath(folder).catch(() => null)
    if (real === null || dirname(real) !== await realpath(directory)) return null
    const read = folderReader(real)
    // CURRENT of our own corpora is longer, and never the name of a generation
    if (await bytesOf(join(real, 'CURRENT')) > 64) return null
    return (await pythonGeneration(read)) === null ? null : read
  }
  return {
    python,
    async list() {
      const found: CorpusEntry[] = []
      for (const name of (await namesIn(directory)).filter(isCorpusName)) {
        const read = await python(name)
        if (read !== null) found.push({ name, format: 'python', ...(await sizes(read, join(directory, name))) })
      }
      const others = new Set(found.map(({ name }) => name))
      for (const { name, documents, bytes } of await listCorpora({ directory })) if (!others.has(name)) found.push({ name, format: 'hubmesh', documents, bytes })
      return found.sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    open: (name, { embedder, chunk }) => createEngine({ corpus: name, storage: { directory }, model: embedder === 'default' ? null : embedder, ...(chunk === undefined ? {} : { chunk }) }),
    delete: (name) => deleteCorpus(name, { directory }),
    async readGraph(name) {
      const bytes = await readBytes(join(directory, name, GRAPH_FILE))
      return bytes === null ? null : keptGraph(bytes)
    },
    async writeGraph(name, graph) {
      if (graph === null) await removeFile(join(directory, name, GRAPH_FILE))
      else await replaceDurably(join(directory, name), GRAPH_FILE, JSON.stringify(graph))
    },
  }
}

async function sizes(read: FolderReader, folder: string): Promise<{ readonly documents: number | null; readonly bytes: number }> {
  const generation = await pythonGeneration(read)
  const live = join(folder, generation ?? '')
  let bytes = 0
  for (const file of await namesIn(live)) bytes += await bytesOf(join(live, file))
  try {
    const meta = checkedJson(await read(`${generation ?? ''}meta.json`, LIMITS.importMetaBytes) ?? new Uint8Array(), 'meta.json') as { readonly n_docs?: unknown } | null
    return { documents: typeof meta?.n_docs === 'number' ? meta.n_docs : null, bytes }
  } catch {
    return { documents: null, bytes }         // listed all the same: opening it says what is wrong
  }
}

function keptGraph(bytes: Uint8Array): KeptGraph {
  const value = checkedJson(bytes, GRAPH_FILE) as Partial<KeptGraph> | null
  if (typeof value?.generation !== 'number' || typeof value.json !== 'string') throw new HubmeshError('store/corrupt', `${GRAPH_FILE} is damaged. Delete it to go on with a graph built from the corpus.`)
  return { generation: value.generation, foreignVectors: value.foreignVectors === true, json: value.json }
}
