/** Planners of hubmesh for Python over corpora, cached by corpus, config and state. */
import type { Embedder } from '../embed/embedder.ts'
import type { PlannerConfig, PlannerOptions } from '../compat/planner/config.ts'
import type { EntityKG } from '../compat/planner/entity_kg.ts'
import type { Planner } from '../compat/planner/planner.ts'
import type { Engine } from '../types.ts'
import type { CorpusPlace } from './corpus_place.ts'
import { borrowed } from './embedders.ts'
import type { EngineSnapshot } from './engine_snapshot.ts'
import type { FolderReader, PythonDocument } from './python_corpus.ts'

type Config = PlannerConfig | PlannerOptions
/** A folder of hubmesh for Python, or a corpus of ours. */
type Source = FolderReader | { readonly name: string; readonly engine: Engine }

interface Parts {
  readonly documents: readonly PythonDocument[]
  readonly model: string | null
  readonly graph: EntityKG
}

export class Planners {
  private readonly known = new Map<
    string,
    { readonly state: string; readonly planner: Promise<Planner> }
  >()

  constructor(
    private readonly place: CorpusPlace,
    private readonly embedder: () => Promise<Embedder | null>,
  ) {}

  async get(name: string, source: Source, config: Config): Promise<Planner> {
    const state = await stateOf(source),
      key = `${name} ${configKey(config)}`,
      known = this.known.get(key)
    if (known?.state === state) return known.planner
    const planner = this.build(source, config)
    const entry = { state, planner }
    this.known.set(key, entry)
    planner.catch(() => {
      if (this.known.get(key) === entry) this.known.delete(key)
    })
    return planner
  }

  private async build(source: Source, config: Config): Promise<Planner> {
    const { documents, model, graph } = await this.partsOf(source)
    const [{ Planner }, { InMemoryStore }] = await Promise.all([
      import('../compat/planner/planner.ts'),
      import('../compat/stores/in_memory_store.ts'),
    ])
    return new Planner(new InMemoryStore(documents), await this.embedderFor(model), config, graph)
  }

  private async partsOf(source: Source): Promise<Parts> {
    if (typeof source === 'function') {
      const { readPythonCorpus } = await import('./python_corpus.ts'),
        { documents, embedding, graph } = await readPythonCorpus(source)
      return { documents, model: embedding, graph: await graphOf(graph) }
    }
    const parts = await engineParts(this.place, source.name, source.engine)
    return { ...parts, model: parts.embedding?.model ?? null }
  }

  /** Null where the vectors are of another model: questions then bring their vectors. */
  private async embedderFor(model: string | null): Promise<Embedder | null> {
    const embedder = await this.embedder()
    return embedder !== null && (model === null || embedder.identity.model === model)
      ? borrowed(embedder)
      : null
  }
}

/**
 * A corpus as documents with vectors, and its graph: the imported one while it is current, else one
 * of its names and of the relations that were given.
 */
export async function engineParts(
  place: CorpusPlace,
  name: string,
  engine: Engine,
): Promise<EngineSnapshot & { readonly graph: EntityKG }> {
  const { engineSnapshot, passageRelations } = await import('./engine_snapshot.ts')
  const snapshot = await engineSnapshot(engine),
    kept = await place.readGraph(name),
    { generation } = await engine.status()
  if (kept !== null && kept.generation === generation)
    return { ...snapshot, graph: await graphOf(JSON.parse(kept.json)) }
  const { buildEntityKG } = await import('../compat/planner/build_entity_kg.ts')
  const relations = await passageRelations(engine, snapshot.documents)
  return { ...snapshot, graph: await buildEntityKG(snapshot.documents, { relations }) }
}

/** Throws `archive/invalid` for another shape than kg.json has. */
export async function graphOf(json: unknown): Promise<EntityKG> {
  const { EntityKG } = await import('../compat/planner/entity_kg.ts')
  return EntityKG.fromJSON(json)
}

/** Changes when the corpus does: the generation, or what CURRENT says. */
async function stateOf(source: Source): Promise<string> {
  return typeof source === 'function'
    ? new TextDecoder().decode((await source('CURRENT', 4096)) ?? new Uint8Array())
    : String((await source.engine.status()).generation)
}

const numbers = new WeakMap<object, number>()
let given = 0

/** Equal for equal fields; a function is the same only as itself. */
function configKey(config: PlannerConfig | PlannerOptions): string {
  return JSON.stringify(
    Object.entries(config as Readonly<Record<string, unknown>>)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => {
        if (typeof value !== 'function') return [name, value]
        if (!numbers.has(value)) numbers.set(value, ++given)
        return [name, `function ${numbers.get(value)}`]
      }),
  )
}
