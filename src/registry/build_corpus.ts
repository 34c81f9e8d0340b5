/** A corpus made to hold some documents, and the relations of a language model over them. */
import { readRelations } from '../document/relations.ts'
import type {
  AddInput,
  AddOptions,
  AddRelationsResult,
  AddResult,
  Engine,
  RelationsInput,
} from '../types.ts'

export interface BuildOptions extends Omit<AddOptions, 'onConflict' | 'others'> {
  /**
   * Relations of a language model over the same documents: a list, or what `buildEntityKGLLM` gives.
   * They replace those of before, are held against the texts, and reach paths, `planner` and
   * `exportPython`. Left out, the corpus keeps the relations of documents that stay.
   */
  readonly kg?: RelationsInput
}

export interface BuildResult extends AddResult {
  /** Documents of before that the new ones do not have. */
  readonly removed: readonly string[]
  /** What became of the relations of `kg`. */
  readonly relations?: AddRelationsResult
}

/** See `Corpora.build`. */
export async function buildCorpus(
  engine: Engine,
  documents: AddInput,
  { kg, ...options }: BuildOptions,
): Promise<BuildResult> {
  if (kg !== undefined) readRelations(kg)
  const result = await engine.update(documents, { ...options, others: 'remove' }),
    built = { ...result, removed: result.removed ?? [] }
  if (kg === undefined) return built
  await engine.removeRelations()
  const { signal } = options
  return { ...built, relations: await engine.addRelations(kg, signal ? { signal } : {}) }
}
