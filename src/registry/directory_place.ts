/** Corpora in a folder of Node, one folder each; those of hubmesh for Python are only read. */
import { realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { openEngine } from '../compat/open_engine.ts'
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { isCorpusName } from '../store/corpus_name.ts'
import { deleteCorpus, listCorpora } from '../store/create_storage.ts'
import { bytesOf, namesIn, readBytes, removeFile, replaceDurably } from '../store/folder/files.ts'
import type { ModelChange } from '../store/records/model_change.ts'
import { checkedJson } from './checked_json.ts'
import type { CorpusEntry, CorpusPlace, KeptGraph } from './corpus_place.ts'
import { pythonGeneration, type FolderReader } from './python_corpus.ts'

const GRAPH_FILE = 'imported-graph.json'

/** Reads files of a folder, never beyond `mostBytes`; a path never leaves it. */
export function folderReader(folder: string): FolderReader {
  return async (path, mostBytes) => {
    const file = join(folder, path),
      real = await realpath(file).catch(() => null)
    if (real === null) return null
    const root = await realpath(folder)
    if (!real.startsWith(`${root}/`) && !real.startsWith(`${root}\\`))
      throw new HubmeshError(
        'archive/invalid',
        `${path} leads out of its folder. Copy the folder again with its own files.`,
      )
    const { size } = await stat(real)
    if (size > mostBytes)
      throw new HubmeshError(
        'archive/too-large',
        `${path} has ${size} bytes; at most ${mostBytes} are read.`,
        { details: { size, limit: mostBytes } },
      )
    return readBytes(real)
  }
}

/** Corpora in `root`, which is made when something is first written. */
export function directoryPlace(root: string, onModelChange: ModelChange = 'refuse'): CorpusPlace {
  const directory = resolve(root)
  const python = async (name: string): Promise<FolderReader | null> => {
    const folder = join(directory, name),
      real = await realpath(folder).catch(() => null)
    if (real === null || dirname(real) !== (await realpath(directory))) return null
    const read = folderReader(real)
    // CURRENT of our own corpora is longer, and never the name of a generation
    if ((await bytesOf(join(real, 'CURRENT'))) > 64) return null
    return (await pythonGeneration(read)) === null ? null : read
  }
  return {
    python,
    async list() {
      const found: CorpusEntry[] = []
      for (const name of (await namesIn(directory)).filter(isCorpusName)) {
        const read = await python(name)
        if (read !== null)
          found.push({ name, format: 'python', ...(await sizes(read, join(directory, name))) })
      }
      const others = new Set(found.map(({ name }) => name))
      for (const { name, documents, bytes } of await listCorpora({ directory }))
        if (!others.has(name)) found.push({ name, format: 'hubmesh', documents, bytes })
      return found.sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    open: (name, { embedder, chunk }) =>
      openEngine({
        corpus: name,
        storage: { directory },
        embedder: embedder === 'default' ? null : embedder,
        onModelChange,
        ...(chunk === undefined ? {} : { chunk }),
      }),
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

async function sizes(
  read: FolderReader,
  folder: string,
): Promise<Pick<CorpusEntry, 'documents' | 'bytes' | 'python'>> {
  const generation = (await pythonGeneration(read)) ?? '',
    live = join(folder, generation)
  let bytes = 0
  for (const file of await namesIn(live)) bytes += await bytesOf(join(live, file))
  let meta: unknown = null
  try {
    meta = checkedJson(
      (await read(`${generation}meta.json`, LIMITS.importMetaBytes)) ?? new Uint8Array(),
      'meta.json',
    )
  } catch {
    // listed all the same: opening it says what is wrong
  }
  const embedding = field(meta, 'embedding'),
    identity = field(embedding, 'identity')
  const python = {
    format_version: count(field(meta, 'format_version')),
    n_docs: count(field(meta, 'n_docs')),
    kg_nodes: count(field(meta, 'kg_nodes')),
    kg_edges: count(field(meta, 'kg_edges')),
    embedding:
      typeof embedding === 'object' && embedding !== null
        ? {
            identity: typeof identity === 'string' ? identity : null,
            dim: count(field(embedding, 'dim')),
          }
        : null,
  }
  return { documents: python.n_docs, bytes, python }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}

function keptGraph(bytes: Uint8Array): KeptGraph {
  const value = checkedJson(bytes, GRAPH_FILE) as Partial<KeptGraph> | null
  if (typeof value?.generation !== 'number' || typeof value.json !== 'string')
    throw new HubmeshError(
      'store/corrupt',
      `${GRAPH_FILE} is damaged. Delete it to go on with a graph built from the corpus.`,
    )
  return {
    generation: value.generation,
    foreignVectors: value.foreignVectors === true,
    json: value.json,
  }
}
