/** A whole corpus as plain documents with vectors. */
import { append } from '../base/grown.ts'
import { HubmeshError } from '../base/errors.ts'
import { readArchive } from '../archive/read_archive.ts'
import type { StoredDocument } from '../store/storage.ts'
import type { EmbedderIdentity, Engine, Metadata } from '../types.ts'
import type { EntityRelation } from '../compat/planner/assemble_entity_kg.ts'
import type { PythonDocument } from './python_corpus.ts'

export interface EngineSnapshot {
  readonly documents: readonly PythonDocument[]
  readonly dims: number
  readonly embedding: EmbedderIdentity | null
}

/**
 * Every passage as a document of its own: one that is its whole document keeps its id, others are
 * `id#chunkN` with `source_id`, `chunk_idx`, `char_start` and `char_end` in their metadata, as
 * hubmesh's chunkers name them. Rejects with `input/invalid` where a vector is missing.
 */
export async function engineSnapshot(engine: Engine): Promise<EngineSnapshot> {
  const stored: StoredDocument[] = [],
    vectors = new Map<string, Float32Array[]>()
  let embedding: EmbedderIdentity | null = null
  for await (const part of readArchive(await engine.export())) {
    if (part.kind === 'settings') embedding = part.settings.embedder
    else if (part.kind === 'documents') append(stored, part.documents)
    else if (part.kind === 'vectors') {
      for (const { documentId, passage, vector } of part.rows) {
        const list = vectors.get(documentId) ?? []
        list[passage] = vector.slice()
        vectors.set(documentId, list)
      }
    }
  }
  let missing = 0
  const documents = stored.flatMap((document) => {
    const passages = document.passages.length / 2
    return Array.from({ length: passages }, (_, passage): PythonDocument | null => {
      const vector = vectors.get(document.id)?.[passage]
      if (vector === undefined) {
        missing++
        return null
      }
      return passageOf(document, passage, passages, vector)
    }).filter((one) => one !== null)
  })
  if (missing > 0)
    throw new HubmeshError(
      'input/invalid',
      `${missing} passages of "${engine.corpus}" have no vector, and hubmesh's planner needs ` +
        `one for each. Open the corpora with a model and wait for ready('vectors').`,
      { details: { corpus: engine.corpus, missing } },
    )
  return { documents, dims: embedding?.dims ?? 0, embedding }
}

function passageOf(
  { id, title, text, metadata, passages }: StoredDocument,
  passage: number,
  count: number,
  vector: Float32Array,
): PythonDocument {
  const start = passages[2 * passage]!,
    end = passages[2 * passage + 1]!
  const titled: Metadata =
    title === '' || Object.hasOwn(metadata, 'title') ? metadata : { ...metadata, title }
  if (count === 1) return { id, title, text, metadata: titled, vector }
  return {
    id: `${id}#chunk${passage}`,
    title,
    text: text.slice(start, end),
    metadata: { ...titled, source_id: id, chunk_idx: passage, char_start: start, char_end: end },
    vector,
  }
}

const RELATIONS_A_CALL = 10_000

/** The relations that the corpus was given, each as one of the passage in which it stands. */
export async function passageRelations(
  engine: Engine,
  documents: readonly PythonDocument[],
): Promise<readonly EntityRelation[]> {
  const passagesOf = new Map<string, PythonDocument[]>()
  for (const passage of documents) {
    const { source_id: source = passage.id } = passage.metadata
    passagesOf.set(source as string, [...(passagesOf.get(source as string) ?? []), passage])
  }
  const out: EntityRelation[] = []
  for (let offset = 0, total = 1; offset < total; offset += RELATIONS_A_CALL) {
    const listing = await engine.relations({ offset, limit: RELATIONS_A_CALL })
    total = listing.total
    for (const { documentId, subject, predicate, object } of listing.relations) {
      const passage = passagesOf
        .get(documentId)
        ?.find(
          ({ metadata: { char_end: end } }) => end === undefined || (end as number) > subject.start,
        )
      if (passage)
        out.push({ documentId: passage.id, subject: subject.text, predicate, object: object.text })
    }
  }
  return out
}
