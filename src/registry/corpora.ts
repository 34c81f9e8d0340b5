/** Named corpora: building, opening once, changing, listing, exchange with hubmesh for Python. */
import type { Embedder } from '../embed/embedder.ts'
import { HubmeshError, isHubmeshError } from '../base/errors.ts'
import type { PlannerConfig, PlannerOptions } from '../compat/planner/config.ts'
import type { Planner } from '../compat/planner/planner.ts'
import { checkCorpusName } from '../store/corpus_name.ts'
import { Mutex } from '../base/mutex.ts'
import type { AddInput, AddOptions, AddResult, Engine } from '../types.ts'
import { buildCorpus, type BuildOptions, type BuildResult } from './build_corpus.ts'
import { borrowed } from './embedders.ts'
import type { CorpusEntry, CorpusPlace } from './corpus_place.ts'
import { engineParts, Planners } from './planners.ts'
import type { ImportPythonOptions, ImportPythonResult } from './python_import.ts'
import type { FolderReader } from './python_corpus.ts'

export type { BuildOptions, BuildResult } from './build_corpus.ts'

export interface CorporaOptions {
  /**
   * Shared by all corpora; made when first needed, closed by `close()`. Null: the text tier alone.
   * Left out: what the place embeds with, if anything.
   */
  readonly embedder?: Embedder | (() => Promise<Embedder>) | null
}

export class Corpora {
  private readonly place: CorpusPlace
  private readonly options: CorporaOptions
  private readonly engines = new Map<string, Promise<Engine>>()
  private readonly planners: Planners
  private readonly writeQueues = new Map<string, Mutex>()
  private sharedEmbedder: Promise<Embedder | null> | null = null
  private closed = false

  constructor(place: CorpusPlace, options: CorporaOptions = {}) {
    this.place = place
    this.options = options
    this.planners = new Planners(place, () => this.embedder())
  }

  /** Every corpus of the place, by name. */
  async list(): Promise<readonly CorpusEntry[]> {
    this.checkOpen()
    return this.place.list()
  }

  /**
   * The corpus' entry. Rejects with `corpus/not-found`, and `input/invalid` for a name that cannot
   * be one.
   */
  async entry(name: string): Promise<CorpusEntry> {
    this.checkOpen()
    checkCorpusName(name)
    const entry = (await this.place.list()).find((one) => one.name === name)
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
    this.checkOpen()
    return (await this.place.python(checkCorpusName(name))) !== null
  }

  /**
   * The embedder that all corpora share; null for the text tier alone. A failure is tried again.
   */
  async embedder(): Promise<Embedder | null> {
    this.checkOpen()
    const { embedder = null } = this.options
    this.sharedEmbedder ??= typeof embedder === 'function' ? embedder() : Promise.resolve(embedder)
    this.sharedEmbedder.catch(() => {
      this.sharedEmbedder = null
    })
    return this.sharedEmbedder
  }

  /**
   * Makes the corpus hold these documents and no others, in one switch: every reader, and whatever
   * is left after a crash, it is the corpus of before or the new one. Unchanged documents keep
   * their vectors. Relations follow in a switch of their own; of another shape they are refused
   * with `input/invalid` before anything is written.
   */
  build(name: string, documents: AddInput, options: BuildOptions = {}): Promise<BuildResult> {
    return this.write(name, true, (engine) => buildCorpus(engine, documents, options))
  }

  /**
   * The corpus as an engine, opened once and shared: do not close it. Rejects with
   * `corpus/not-found`; `input/invalid` for a corpus that only a planner can read.
   */
  async load(name: string): Promise<Engine> {
    const known = this.engines.get(checkCorpusName(name))
    if (known) return known
    const entry = await this.entry(name)
    if (entry.format === 'python')
      throw new HubmeshError(
        'input/invalid',
        `"${name}" is a folder of hubmesh for Python: planner() reads it as it is, ` +
          'importPython() makes a corpus of this package of it.',
        { details: { corpus: name } },
      )
    return this.engine(name)
  }

  /** Adds to a corpus that exists; see `Engine.add`. */
  add(name: string, input: AddInput, options: AddOptions = {}): Promise<AddResult> {
    return this.write(name, false, (engine) => engine.add(input, options))
  }

  update(name: string, input: AddInput, options: AddOptions = {}): Promise<AddResult> {
    return this.write(name, false, (engine) => engine.update(input, options))
  }

  remove(
    name: string,
    ids: string | readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): ReturnType<Engine['remove']> {
    return this.write(name, false, (engine) => engine.remove(ids, options))
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
    await (await this.engines.get(name)?.catch(() => null))?.close()
    this.engines.delete(name)
    await this.place.writeGraph(name, null)
    await this.place.delete(name)
  }

  /**
   * hubmesh's own Planner over the corpus, one for each config and state of the corpus: over the
   * imported graph while the documents are the same, else one built from its names. Passages of a
   * cut document are documents `id#chunkN`. Questions are embedded where the shared model has the
   * name of that of the vectors, all that a corpus of hubmesh for Python records; else they need
   * `queryVector`. Rejects with `corpus/not-found`; with `input/invalid` where passages have no
   * vectors.
   */
  async planner(name: string, config: PlannerConfig | PlannerOptions = {}): Promise<Planner> {
    this.checkOpen()
    const read = await this.place.python(checkCorpusName(name))
    const source = read ?? { name, engine: await this.load(name) }
    return this.planners.get(name, source, config)
  }

  /**
   * Opens everything beforehand, so that the first question does not wait. Tells of each part `ok`,
   * or `failed: ` and why; rejects never.
   */
  async warmup(): Promise<Readonly<Record<string, string>>> {
    const report = new Map<string, string>()
    const attempt = async (part: string, work: () => Promise<unknown>): Promise<void> => {
      report.set(part, await work().then(() => 'ok', failure))
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
          : this.engine(name).then((engine) => engine.ready('text')),
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
    const { importPythonCorpus } = await import('./python_import.ts')
    return importPythonCorpus(read, options, {
      prepare: async () => {
        if ((await this.place.list()).some((entry) => entry.name === name)) await this.delete(name)
      },
      shared: () => this.shared(),
      open: (embedder) => this.place.open(name, { embedder, chunk: { strategy: 'none' } }),
      keepGraph: (graph) => this.place.writeGraph(name, graph),
    })
  }

  /**
   * The corpus as the files of a folder that hubmesh for Python 0.4 loads, by path, CURRENT last.
   * The graph is the one `planner` uses. Rejects with `input/invalid` where passages have no
   * vectors yet.
   */
  async exportPython(name: string): Promise<Map<string, Uint8Array>> {
    const { pythonCorpusFiles } = await import('./python_corpus.ts')
    const engine = await this.load(name)
    const { documents, dims, embedding, graph } = await engineParts(this.place, name, engine)
    return pythonCorpusFiles({
      documents,
      dims,
      embedding: embedding?.model ?? null,
      graph: graph.toJSON(),
    })
  }

  /** Saves what is waiting and closes every engine and the embedder. */
  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    for (const engine of this.engines.values()) await (await engine.catch(() => null))?.close()
    await (await this.sharedEmbedder?.catch(() => null))?.close()
  }

  private async engine(name: string): Promise<Engine> {
    this.checkOpen()
    const known = this.engines.get(name)
    if (known) return known
    const opening = this.openEngine(name)
    this.engines.set(name, opening)
    opening.catch(() => {
      if (this.engines.get(name) === opening) this.engines.delete(name)
    })
    return opening
  }

  private async openEngine(name: string): Promise<Engine> {
    const kept = await this.place.readGraph(name)
    return this.place.open(name, {
      embedder: kept?.foreignVectors === true ? null : await this.shared(),
    })
  }

  /** The embedder for an engine, which must not close it. */
  private async shared(): Promise<Embedder | 'default' | null> {
    if (this.options.embedder === undefined) return 'default'
    const embedder = await this.embedder()
    return embedder === null ? null : borrowed(embedder)
  }

  /** One write of a corpus at a time, so that `build` is one step for others of this program. */
  private async write<T>(
    name: string,
    mayBegin: boolean,
    work: (engine: Engine) => Promise<T>,
  ): Promise<T> {
    this.checkOpen()
    checkCorpusName(name)
    const queue = this.writeQueues.get(name) ?? new Mutex()
    this.writeQueues.set(name, queue)
    return queue.run(async () => {
      const begins =
        mayBegin &&
        !this.engines.has(name) &&
        !(await this.place.list()).some((one) => one.name === name)
      return work(await (begins ? this.engine(name) : this.load(name)))
    })
  }

  private checkOpen(): void {
    if (this.closed)
      throw new HubmeshError('store/closed', 'The corpus manager is closed. Make a new one.')
  }
}

function failure(error: unknown): string {
  if (isHubmeshError(error)) return `failed: ${error.code}: ${error.message}`
  return `failed: ${error instanceof Error ? error.name : typeof error}`
}
