/** Turns a corpus of the layout before into segments. */
import { LIMITS } from '../../base/limits.ts'
import type { Sealer } from '../encryption/sealer.ts'
import { FORMAT_VERSION, identityKey } from '../records/settings_codec.ts'
import { KEPT_NAMES, type KeptRecord, type VectorRow } from '../storage.ts'
import type { LegacyCorpus } from './backend.ts'
import type { CorpusState } from './corpus_state.ts'
import { encodeItem, packDocuments, type Item } from './document_segment.ts'
import { namedRecords, type Draft } from './draft.ts'
import type { Manifest } from './manifest.ts'
import type { SegmentEntry } from './segment.ts'
import { packVectors, rowBytes } from './vector_segment.ts'

type Report = CorpusState['quarantine']

/** What the next manifest says; the segments are in the draft. */
export async function convertLegacy(
  { quarantine, settings, sealing }: Pick<CorpusState, 'quarantine' | 'settings' | 'sealing'>,
  legacy: LegacyCorpus,
  draft: Draft,
): Promise<Partial<Manifest>> {
  const sealer = await sealing.of(legacy.manifest),
    { embedder } = settings
  const { segments, documents } = await convertDocuments(legacy, sealer, quarantine, draft)
  const vectors =
    embedder === null
      ? []
      : await convertVectors(
          legacy.vectors(sealer, quarantine),
          { key: identityKey(embedder), dims: embedder.dims },
          draft,
        )
  const kept: KeptRecord[] = []
  for (const name of KEPT_NAMES) {
    const bytes = await legacy.kept(name, sealer)
    if (bytes) kept.push({ name, bytes })
  }
  return {
    ...{ segments, vectors, documents },
    kept: await namedRecords(draft, 'k', [], kept),
    settings: { ...settings, formatVersion: FORMAT_VERSION },
  }
}

async function convertDocuments(
  legacy: LegacyCorpus,
  sealer: Sealer | null,
  report: Report,
  draft: Draft,
): Promise<{ readonly segments: readonly SegmentEntry[]; readonly documents: number }> {
  const segments: SegmentEntry[] = []
  let items: Item[] = [],
    bytes = 0,
    documents = 0
  for await (const page of legacy.documents(sealer, report))
    for (const document of page) {
      const item = encodeItem(document)
      if (bytes > 0 && bytes + item.bytes.length > LIMITS.segmentBytes) {
        segments.push(await draft.add('d', packDocuments(items)))
        items = []
        bytes = 0
      }
      items.push(item)
      bytes += item.bytes.length
      documents++
    }
  if (items.length > 0) segments.push(await draft.add('d', packDocuments(items)))
  return { segments, documents }
}

async function convertVectors(
  batches: AsyncIterable<readonly VectorRow[]>,
  { key, dims }: { readonly key: string; readonly dims: number },
  draft: Draft,
): Promise<readonly SegmentEntry[]> {
  const step = Math.max(1, Math.floor(LIMITS.segmentBytes / rowBytes(dims))),
    vectors: SegmentEntry[] = []
  let rows: VectorRow[] = []
  for await (const batch of batches) {
    rows = rows.concat(batch)
    for (; rows.length >= step; rows = rows.slice(step))
      vectors.push(await draft.add('v', packVectors(key, dims, rows.slice(0, step))))
  }
  if (rows.length > 0) vectors.push(await draft.add('v', packVectors(key, dims, rows)))
  return vectors
}
