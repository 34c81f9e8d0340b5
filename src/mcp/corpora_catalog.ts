/** The corpora of a manager as the tools see them. */
import { isHubmeshError } from '../base/errors.ts'
import type { Corpora } from '../registry/corpora.ts'
import { FORMAT_VERSION } from '../store/records/settings_codec.ts'
import type { DocumentInput, Engine } from '../types.ts'
import type { CorpusReader } from './corpus_reader.ts'
import { engineReader } from './engine_reader.ts'
import { plannerReader } from './planner_reader.ts'
import type { Catalog } from './tools.ts'

export function corporaCatalog(corpora: Corpora, options: { readonly writes: boolean }): Catalog {
  return {
    async list() {
      const out: (readonly [string, Readonly<Record<string, unknown>>])[] = []
      for (const { name, format, python, documents } of await corpora.list()) {
        try {
          out.push([
            name,
            format === 'python' ? { ...python } : await sizesOf(await corpora.load(name)),
          ])
        } catch (error) {
          // One corpus that cannot be opened does not hide the others.
          out.push([
            name,
            { n_docs: documents, error: isHubmeshError(error) ? error.code : 'bug/invariant' },
          ])
        }
      }
      return out
    },
    async open(name): Promise<CorpusReader> {
      // A folder of hubmesh for Python answers by its own graph and ranking.
      return (await corpora.isPython(name))
        ? plannerReader(await corpora.planner(name))
        : engineReader(await corpora.load(name))
    },
    ...(options.writes ? { index: indexInto(corpora) } : {}),
  }
}

function indexInto(corpora: Corpora): NonNullable<Catalog['index']> {
  return async (name, documents, signal, onProgress) => {
    // admit() checks each entry; what it is given is only called a document here
    const result = await corpora.build(name, documents as readonly DocumentInput[], {
      ...(signal ? { signal } : {}),
      onProgress: ({ phase, done, total }) => {
        if (phase === 'text') onProgress?.(done, total)
      },
    })
    return {
      ...(await sizesOf(await corpora.load(name))),
      added: result.added.length,
      replaced: result.replaced.length,
      unchanged: result.unchanged.length,
      removed: result.removed.length,
    }
  }
}

/** In hubmesh's words; `nodes` are entities and passages, as in our graph. */
export async function sizesOf(engine: Engine): Promise<Readonly<Record<string, unknown>>> {
  const stats = await engine.graphStats(),
    { passages, passagesWithVectors, embedding } = await engine.status()
  return {
    format_version: FORMAT_VERSION,
    n_docs: stats.documents,
    kg_nodes: stats.passages + stats.entities,
    kg_edges: stats.edges,
    embedding:
      embedding.identity === null
        ? null
        : { identity: embedding.identity.model, dim: embedding.identity.dims },
    passages,
    passages_with_vectors: passagesWithVectors,
  }
}
