/**
 * Owns named corpora: building, opening once, changing, listing, warming up, bringing them from and
 * to hubmesh for Python. Refuses: knowing where they lie, which a CorpusPlace does, in a folder or
 * in a page's database.
 */
import type { Embedder } from '../embed/embedder.ts'
import { HubmeshError, isHubmeshError } from '../base/errors.ts'
import type { EntityKG } from '../compat/planner/entity_kg.ts'
import type { PlannerConfig, PlannerOptions } from '../compat/planner/config.ts'
import type { Planner } from '../compat/planner/planner.ts'
import { checkCorpusName } from '../store/corpus_name.ts'
import { Mutex } from '../base/mutex.ts'
import type {
  AddInput,
  AddOptions,
  AddResult,
  EmbedderIdentity,
  Engine,
  Rejection,
} from '../types.ts'
import { borrowed, precomputed } from './embedders.ts'
import { configKey } from './config_key.ts'
import type { CorpusEntry, CorpusPlace } from './corpus_place.ts'
import type { EngineSnapshot } from './engine_snapshot.ts'
import type { FolderReader, PythonDocument } from './python_corpus.ts'

export interface CorporaOptions {
  /**
   * Shared by all corpora; made when first needed, closed by `close()`. Null: the text tier alone.
   * Left out: what the place embeds with, if anything.
   */
  readonly embedder?: Embedder | (() => Promise<Embedder>) | null
}

export interface BuildResult extends AddResult {
  /** Documents of before that the new ones do not have. */
  readonly removed: readonly string[]
}

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
  readonly embedding: EmbedderIdentity | null
}

export class Corpora {
  readonly #place: CorpusPlace
  readonly #options: CorporaOptions
  readonly #engines = new Map<string, Promise<Engine>>()
  readonly #planners = new Map<
    string,
    { readonly state: string; readonly planner: Promise<Planner> }
  >()
  readonly #lanes = new Map<string, Mutex>()
  #embedder: Promise<Embedder | null> | null = null
  #closed = false

  constructor(place: CorpusPlace, options: CorporaOptions = {}) {
    this.#place = place
    this.#options = options
  }

  /** Every corpus of the place, by name. */
  async list(): Promise<readonly CorpusEntry[]> {
    this.#open()
    return this.#place.list()
  }

  /**
   * The corpus' entry. Rejects with `corpus/not-found`, and `input/invalid` for a name that cannot
   * be one.
   */
  async entry(name: string): Promise<CorpusEntry> {
    this.#open()
    checkCorpusName(name)
    const entry = (await this.#place.list()).find((one) => one.name === name)
    if (entry === undefined)
      throw new HubmeshError(
        'corpus/not-found',
        `There is no corpus named "${name}" here: no corpus of that name was built or ` +
          'imported. list() tells which there are.',
        { details: { corpus: name } },
      )
    return entry
  }

  /**
   * Whether the name is that of a folder of hubmesh for Python, which only a planner reads. Rejects
   * with `input/invalid` for a name that cannot be one.
   */
  async isPython(name: string): Promise<boolean> {
    this.#open()
    return (await this.#place.python(checkCorpusName(name))) !== null
  }

  /**
   * The embedder that all corpora share; null for the text tier alone. A failure is tried again.
   */
  async embedder(): Promise<Embedder | null> {
    this.#open()
    const { embedder = null } = this.#options
    this.#embedder ??= typeof embedder === 'function' ? embedder() : Promise.resolve(embedder)
    this.#embedder.catch(() => {
      this.#embedder = null
    })
    return this.#embedder
  }

  /**
   * Makes the corpus hold these documents and no others, in one switch: whoever looks, and whatever
   * is left after a crash, it is the corpus of before or the new one. Unchanged documents keep
   * their vectors.
   */
  build(
    name: string,
    documents: AddInput,
    options: Omit<AddOptions, 'onConflict' | 'others'> = {},
  ): Promise<BuildResult> {
    return this.#write(name, true, async (engine) => {
      const result = await engine.update(documents, { ...options, others: 'remove' })
      return { ...result, removed: result.removed ?? [] }
    })
  }

  /**
   * The corpus as an engine, opened once and shared: do not close it. Rejects with
   * `corpus/not-found`; `input/invalid` for a corpus that only a planner can read.
   */
  async load(name: string): Promise<Engine> {
    const known = this.#engines.get(checkCorpusName(name))
    if (known) return known
    const entry = await this.entry(name)
    if (entry.format === 'python')
      throw new HubmeshError(
        'input/invalid',
        `"${name}" is a folder of hubmesh for Python: planner() reads it as it is, ` +
          'importPython() makes a corpus of this package of it.',
        { details: { corpus: name } },
      )
    return this.#engine(name)
  }

  /** Adds to a corpus that exists; see `Engine.add`. */
  add(name: string, input: AddInput, options: AddOptions = {}): Promise<AddResult> {
    return this.#write(name, false, (engine) => engine.add(input, options))
  }

  update(name: string, input: AddInput, options: AddOptions = {}): Promise<AddResult> {
    return this.#write(name, false, (engine) => engine.update(input, options))
  }

  remove(
    name: string,
    ids: string | readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): ReturnType<Engine['remove']> {
    return this.#write(name, false, (engine) => engine.remove(ids, options))
  }

  /** Deletes the corpus with everything kept of it. */
  async delete(name: string): Promise<void> {
    const entry = await this.entry(name)
    if (entry.format === 'python')
      throw new HubmeshError(
        'input/invalid',
        `"${name}" is a folder of hubmesh for Python, which is only read here. Delete it with what wrote it.`,
        { details: { corpus: name } },
      )
    await (await this.#engines.get(name)?.catch(() => null))?.close()
    this.#engines.delete(name)
    await this.#place.writeGraph(name, null)
    await this.#place.delete(name)
  }

  /**
   * hubmesh's own Planner over the corpus, one for each config: over the graph that came with the
   * corpus while its documents are the same, else one built from its names. Passages of a cut
   * document are documents `id#chunkN` there. Questions are embedded where the shared model has the
   * name of that of the vectors, which is all a corpus of hubmesh for Python records; else they
   * need `queryVector`. Rejects with `corpus/not-found`; with `input/invalid` where passages have
   * no vectors.
   */
  async planner(name: string, config: PlannerConfig | PlannerOptions = {}): Promise<Planner> {
    this.#open()
    const read = await this.#place.python(checkCorpusName(name)),
      engine = read === null ? await this.load(name) : null
    const state =
      engine !== null ? String((await engine.status()).generation) : await stateOf(read!)
    const key = `${name} ${configKey(config)}`,
      known = this.#planners.get(key)
    if (known?.state === state) return known.planner
    const planner =
      engine !== null ? this.#planEngine(name, engine, config) : this.#planPython(read!, config)
    const entry = { state, planner }
    this.#planners.set(key, entry)
    planner.catch(() => {
      if (this.#planners.get(key) === entry) this.#planners.delete(key)
    })
    return planner
  }

  /**
   * Opens everything beforehand, so that the first question does not wait. Tells of each part `ok`,
   * or `failed: ` and why; rejects never.
   */
  async warmup(): Promise<Readonly<Record<string, string>>> {
    const report = new Map<string, string>()
    const attempt = async (part: string, work: () => Promise<unknown>): Promise<void> => {
      report.set(
        part,
        await work().then(
          () => 'ok',
          (error: unknown) =>
            'failed: ' +
            `${isHubmeshError(error) ? `${error.code}: ${error.message}` : error instanceof Error ? error.name : typeof error}`,
        ),
      )
    }
    await attempt('embedder', async () => {
      await (await this.embedder())?.ready?.()
    })
    let entries: readonly CorpusEntry[] = []
    await attempt('corpora', async () => {
      entries = await this.list()
    })
    for (const { name, format } of entries)
      await attempt(`corpus:${name}`, () =>
        format === 'python'
          ? this.planner(name)
          : this.#engine(name).then((engine) => engine.ready('text')),
      )
    return Object.fromEntries(report)
  }

  /**
   * Makes a corpus of this package from a folder of hubmesh for Python: documents as they are, one
   * passage each, their vectors, and the graph, which `planner` and `exportPython` use until
   * documents change. Replaces a corpus of the name. Rejects as `readPythonCorpus` does.
   */
  async importPython(
    read: FolderReader,
    name: string,
    options: ImportPythonOptions = {},
  ): Promise<ImportPythonResult> {
    checkCorpusName(name)
    const { readPythonCorpus } = await import('./python_corpus.ts')
    const { signal, onProgress, vectors = 'keep' } = options,
      source = await readPythonCorpus(read, signal ? { signal } : {})
    await graphOf(source.graph) // refused before anything is written
    if ((await this.#place.list()).some((entry) => entry.name === name)) await this.delete(name)
    const embedder =
      vectors === 'own'
        ? await this.#shared()
        : source.dims > 0
          ? precomputed(source.embedding ?? 'unknown', source.dims)
          : null
    const engine = await this.#place.open(name, { embedder, chunk: { strategy: 'none' } })
    try {
      const given = source.documents.map(({ id, title, text, metadata, vector }) => ({
        id,
        title,
        text,
        metadata,
        ...(vectors === 'keep' ? { vector } : {}),
      }))
      const { generation } = await engine.add(given, {
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onProgress } : {}),
      })
      await this.#place.writeGraph(name, {
        generation,
        foreignVectors: vectors === 'keep' && source.dims > 0,
        json: JSON.stringify(source.graph),
      })
      if (vectors === 'own' && embedder !== null)
        await engine.ready('vectors', signal ? { signal } : {})
      return {
        documents: given.length,
        rejected: source.rejected,
        embedding: (await engine.status()).embedding.identity,
      }
    } finally {
      await engine.close()
    }
  }

  /**
   * The corpus as the files of a folder that hubmesh for Python 0.4 loads, by path, CURRENT last.
   * The graph is the one `planner` uses. Rejects with `input/invalid` where passages have no
   * vectors yet.
   */
  async exportPython(name: string): Promise<Map<string, Uint8Array>> {
    const { pythonCorpusFiles } = await import('./python_corpus.ts')
    const engine = await this.load(name),
      { documents, dims, embedding, graph } = await this.#pythonParts(name, engine)
    return pythonCorpusFiles({
      documents,
      dims,
      embedding: embedding?.model ?? null,
      graph: graph.toJSON(),
    })
  }

  /** Saves what is waiting and closes every engine and the embedder. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    for (const engine of this.#engines.values()) await (await engine.catch(() => null))?.close()
    await (await this.#embedder?.catch(() => null))?.close()
  }

  async #planEngine(
    name: string,
    engine: Engine,
    config: PlannerConfig | PlannerOptions,
  ): Promise<Planner> {
    const { documents, graph, embedding } = await this.#pythonParts(name, engine)
    return this.#plan(documents, embedding?.model ?? null, graph, config)
  }

  async #planPython(read: FolderReader, config: PlannerConfig | PlannerOptions): Promise<Planner> {
    const { readPythonCorpus } = await import('./python_corpus.ts'),
      { documents, embedding, graph } = await readPythonCorpus(read)
    return this.#plan(documents, embedding, await graphOf(graph), config)
  }

  async #plan(
    documents: readonly PythonDocument[],
    model: string | null,
    graph: EntityKG,
    config: PlannerConfig | PlannerOptions,
  ): Promise<Planner> {
    const [{ Planner }, { InMemoryStore }] = await Promise.all([
      import('../compat/planner/planner.ts'),
      import('../compat/stores/in_memory_store.ts'),
    ])
    return new Planner(new InMemoryStore(documents), await this.#embedderFor(model), config, graph)
  }

  async #pythonParts(
    name: string,
    engine: Engine,
  ): Promise<EngineSnapshot & { readonly graph: EntityKG }> {
    const { engineSnapshot } = await import('./engine_snapshot.ts')
    const snapshot = await engineSnapshot(engine),
      kept = await this.#place.readGraph(name),
      { generation } = await engine.status()
    if (kept !== null && kept.generation === generation)
      return { ...snapshot, graph: await graphOf(JSON.parse(kept.json)) }
    const { buildEntityKG } = await import('../compat/planner/build_entity_kg.ts')
    return {
      ...snapshot,
      graph: await buildEntityKG(
        snapshot.documents.map(({ id, title, text }) => ({ id, title, text })),
      ),
    }
  }

  /**
   * The shared embedder where it is the model the vectors were made by; else questions bring their
   * vectors.
   */
  async #embedderFor(model: string | null): Promise<Embedder | null> {
    const embedder = await this.embedder()
    return embedder !== null && (model === null || embedder.identity.model === model)
      ? borrowed(embedder)
      : null
  }

  async #engine(name: string): Promise<Engine> {
    this.#open()
    const known = this.#engines.get(name)
    if (known) return known
    const opening = this.#openEngine(name)
    this.#engines.set(name, opening)
    opening.catch(() => {
      if (this.#engines.get(name) === opening) this.#engines.delete(name)
    })
    return opening
  }

  async #openEngine(name: string): Promise<Engine> {
    const kept = await this.#place.readGraph(name)
    return this.#place.open(name, {
      embedder: kept?.foreignVectors === true ? null : await this.#shared(),
    })
  }

  /** The embedder for an engine, which must not close it. */
  async #shared(): Promise<Embedder | 'default' | null> {
    if (this.#options.embedder === undefined) return 'default'
    const embedder = await this.embedder()
    return embedder === null ? null : borrowed(embedder)
  }

  /** One write of a corpus at a time, so that `build` is one step for others of this program. */
  async #write<T>(
    name: string,
    mayBegin: boolean,
    work: (engine: Engine) => Promise<T>,
  ): Promise<T> {
    this.#open()
    checkCorpusName(name)
    const lane = this.#lanes.get(name) ?? new Mutex()
    this.#lanes.set(name, lane)
    return lane.run(async () => {
      const begins =
        mayBegin &&
        !this.#engines.has(name) &&
        !(await this.#place.list()).some((one) => one.name === name)
      return work(await (begins ? this.#engine(name) : this.load(name)))
    })
  }

  #open(): void {
    if (this.#closed)
      throw new HubmeshError('store/closed', 'The corpus manager is closed. Make a new one.')
  }
}

/** Throws `archive/invalid` for another shape than kg.json has. */
async function graphOf(json: unknown): Promise<EntityKG> {
  const { EntityKG } = await import('../compat/planner/entity_kg.ts')
  return EntityKG.fromJSON(json)
}

/** What CURRENT says: another generation is another corpus. */
async function stateOf(read: FolderReader): Promise<string> {
  return new TextDecoder().decode((await read('CURRENT', 4096)) ?? new Uint8Array())
}
