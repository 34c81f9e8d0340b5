/** What a page writes against the types; compiled, never run. */
import {
  BGE_SMALL_INT8,
  chunkBySentences,
  CorpusManager,
  createEngine,
  deleteCorpus,
  EntityKG,
  HubmeshError,
  isHubmeshError,
  listCorpora,
  Planner,
  InMemoryStore,
} from 'hubmesh'
import type {
  AddResult,
  Chunk,
  CreateEngineOptions,
  DocumentInput,
  Embedder,
  Engine,
  EngineStatus,
  ErrorCode,
  RetrieveResult,
  Source,
  WorkerFactory,
} from 'hubmesh'
import { createEngine as createAlone } from 'hubmesh/engine'
import { createEngine as createInline, inlineWorkers } from 'hubmesh/inline'
import { createEngine as createByScript } from 'hubmesh/browser'
import { ChromaStore, QdrantStore } from 'hubmesh/stores'

const engineWorker: WorkerFactory = () => new Worker('/engine.worker.js', { type: 'module' })
const embedder: Embedder = {
  identity: { model: 'mine', revision: '1', dtype: 'f32', dims: 3, pooling: 'none' },
  embed: (texts) => Promise.resolve(texts.map(() => new Float32Array([1, 0, 0]))),
  close: () => Promise.resolve(),
}
const options: CreateEngineOptions = {
  corpus: 'films',
  storage: 'indexeddb',
  model: embedder,
  workers: { engine: engineWorker },
  countTokens: (text) => text.length,
}
const documents: readonly DocumentInput[] = [
  { id: 'a', title: 'A', text: 'A is a letter.', metadata: { year: 1994 } },
]

export async function use(signal: AbortSignal): Promise<string> {
  const engines: readonly Engine[] = [
    await createEngine(options),
    await createAlone(options),
    await createInline({ corpus: 'inline', model: null }),
    await createByScript({ corpus: 'script' }),
  ]
  const [engine] = engines
  if (engine === undefined) throw new HubmeshError('bug/invariant', 'none')
  const added: AddResult = await engine.add(documents, {
    signal,
    onProgress: ({ done }) => {
      console.log(done)
    },
  })
  const result: RetrieveResult = await engine.retrieve('What is A?', {
    topK: 3,
    budgetTokens: 1000,
    filter: { year: { gte: 1990 } },
  })
  const sources: readonly Source[] = result.sources
  const status: EngineStatus = await engine.status()
  const chunks: readonly Chunk[] = chunkBySentences(result.context)
  const manager = new CorpusManager({
    model: '/models/bge-small-en-v1.5/',
    manifest: BGE_SMALL_INT8,
    workers: await inlineWorkers(),
  })
  await manager.close()
  for (const { name } of await listCorpora()) await deleteCorpus(name)
  // @ts-expect-error A misspelt option is an error.
  await createEngine({ corpus: 'x', modle: null })
  // @ts-expect-error Folders are Node's.
  await createEngine({ corpus: 'x', storage: { directory: '/tmp' } })
  return [
    added.generation,
    sources[0]?.text.slice(0, 1),
    status.passages,
    chunks.length,
    EntityKG.name,
    Planner.name,
    InMemoryStore.name,
    ChromaStore.name,
    QdrantStore.name,
  ].join()
}

export function codeOf(error: unknown): ErrorCode | null {
  return isHubmeshError(error) ? error.code : null
}
