/** Sample settings, documents and rows of storage tests, and how they are read back. */
import { append } from '../../base/grown.ts'
import type { EmbedderIdentity } from '../../types.ts'
import type { CorpusSettings, CorpusStorage, StoredDocument, VectorRow } from '../storage.ts'

export const IDENTITY: EmbedderIdentity = {
  model: 'test',
  revision: '1',
  dtype: 'f32',
  dims: 4,
  pooling: 'mean',
}
export const SETTINGS: CorpusSettings = {
  formatVersion: 1,
  chunk: { strategy: 'sentences', tokens: 200, overlap: 0 },
  embedder: IDENTITY,
}

export function sampleDocument(
  id: string,
  text = `Text of ${id}. Second sentence.`,
  metadata: StoredDocument['metadata'] = {},
): StoredDocument {
  const half = Math.floor(text.length / 2)
  return {
    id,
    title: `Title ${id}`,
    text,
    metadata,
    hash: `h${text.length}${text.slice(0, 20)}`,
    passages: Int32Array.of(0, half, half, text.length),
  }
}

export function sampleRow(document: StoredDocument, passage: number, value = 1): VectorRow {
  return {
    documentId: document.id,
    hash: document.hash,
    passage,
    vector: Float32Array.of(value, passage, 0.25, -1),
  }
}

export async function allDocuments(storage: CorpusStorage): Promise<StoredDocument[]> {
  const all: StoredDocument[] = []
  for await (const page of storage.documents()) append(all, page)
  return all
}

/** Rows as `id#passage=first component`, sorted. */
export async function allVectors(storage: CorpusStorage): Promise<string[]> {
  const all: string[] = []
  for await (const rows of storage.vectors())
    for (const row of rows) all.push(`${row.documentId}#${row.passage}=${row.vector[0]}`)
  return all.sort()
}
