/** What an addition comes to, worked out and checked before anything is written. */
import { isHubmeshError, throwIfAborted } from '../../base/errors.ts'
import { Slices } from '../../base/slices.ts'
import type { Corpus } from '../../corpus/corpus.ts'
import { sameMetadata } from '../../document/metadata.ts'
import type { CorpusStorage, KeptRecord, StoredDocument, VectorRow } from '../../store/storage.ts'
import type { AddOptions, AddResult, Metadata, Rejection } from '../../types.ts'
import { curatedAfter, type Curated } from '../curated.ts'
import { cutDocument } from './cut_document.ts'
import type { GivenVectors, Prepared } from './given_vectors.ts'
import { conflict } from './ingest_errors.ts'

interface PlanParts {
  readonly corpus: Corpus
  readonly storage: CorpusStorage
}

/** What comes with the documents of an archive. */
export interface Accompanying {
  readonly kept: readonly KeptRecord[]
  /** The text tier of exactly these documents. */
  readonly index: Uint8Array | null
}

export const ALONE: Accompanying = { kept: [], index: null }

interface Addition {
  readonly documents: readonly Prepared[]
  readonly rejected: readonly Rejection[]
  /** Merges and relations of an archive. */
  readonly kept: readonly KeptRecord[]
}

/** What an addition comes to, before anything is written. */
export interface Plan {
  readonly result: Omit<AddResult, 'generation'>
  /** Documents to write. */
  readonly cut: readonly StoredDocument[]
  /** Ids that go because the addition is all there shall be. */
  readonly gone: readonly string[]
  readonly rows: readonly VectorRow[]
  readonly curated: Curated
}

export async function planAddition(
  parts: PlanParts,
  given: GivenVectors,
  { documents, rejected, kept }: Addition,
  options: AddOptions,
): Promise<Plan> {
  const { corpus } = parts
  const added: string[] = [],
    unchanged: string[] = [],
    replaced: string[] = [],
    left = [...rejected],
    changedText: string[] = [],
    cut = new Map<string, StoredDocument>()
  const slices = new Slices()
  for (const document of documents) {
    const before = corpus.table.get(document.id),
      form = await stored(parts, document, before, options, slices)
    if (form === null) {
      unchanged.push(document.id)
      continue
    }
    if (before && before.hash !== document.hash) changedText.push(document.id)
    try {
      given.check(document, form)
    } catch (error) {
      if (options.onInvalid !== 'skip' || !isHubmeshError(error)) throw error
      left.push({ name: document.id.slice(0, 80), code: error.code, reason: error.message })
      continue
    }
    ;(before ? replaced : added).push(document.id)
    cut.set(document.id, form)
  }
  const whole = options.others === 'remove',
    staying = new Set([...added, ...unchanged, ...replaced]),
    gone = whole ? corpus.table.ids().filter((id) => !staying.has(id)) : [],
    going = new Set(gone)
  return {
    result: {
      ...{ added, unchanged, replaced, rejected: left },
      ...(whole ? { removed: gone } : {}),
    },
    gone,
    cut: [...cut.values()],
    rows: given.rows(
      documents.filter(({ id, rows }) => cut.has(id) || rows?.length),
      cut,
    ),
    // merges and relations of a text go with it
    curated: curatedAfter(corpus, [...gone, ...changedText], kept, (id) =>
      going.has(id) ? undefined : (cut.get(id) ?? corpus.table.get(id)),
    ),
  }
}

/** The form to store; null where nothing of the document is new. */
async function stored(
  parts: PlanParts,
  document: Prepared,
  before: StoredDocument | undefined,
  options: AddOptions,
  slices: Slices,
): Promise<StoredDocument | null> {
  const sameText = before?.hash === document.hash
  if (sameText && sameMetadata(before.metadata, document.metadata)) return null
  if (before && options.onConflict !== 'replace') throw conflict(document.id, sameText)
  // new metadata alone: passages stay as they are, and so do vectors
  return sameText
    ? withMetadata(before, document.metadata)
    : slices.run(cutDocument(document, parts.storage.settings.chunk), () => {
        throwIfAborted(options.signal)
      })
}

/** The document as it is stored, with other metadata. */
export function withMetadata(document: StoredDocument, metadata: Metadata): StoredDocument {
  const { id, title, text, hash, passages } = document
  return { id, title, text, hash, passages, metadata }
}
