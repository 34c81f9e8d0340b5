/** The way of documents into a corpus and out of it: read, admit, cut, save, index. */
import { append } from '../base/grown.ts'
import { admitInSlices } from '../document/admit.ts'
import { copyMetadata, patchedMetadata, sameMetadata } from '../document/metadata.ts'
import { readFiles } from '../document/readers/read_files.ts'
import { takesVectors, type Embedder } from '../embed/embedder.ts'
import { HubmeshError, isHubmeshError, throwIfAborted } from '../base/errors.ts'
import { invalid } from '../base/options.ts'
import { yieldToEvents } from '../base/platform.ts'
import { Slices } from '../base/slices.ts'
import { outlineOf } from '../chunk/outline.ts'
import type { ArchiveInput } from '../archive/byte_source.ts'
import type { CorpusStorage, KeptRecord, StoredDocument, VectorRow } from '../store/storage.ts'
import type {
  AddInput,
  AddOptions,
  AddResult,
  DocumentInput,
  Metadata,
  ReadWarning,
  Rejection,
} from '../types.ts'
import { readContents } from './archive_contents.ts'
import type { Corpus } from '../corpus/corpus.ts'
import { cutDocument } from './cut_document.ts'
import { GivenVectors, type Prepared } from './given_vectors.ts'
import { conflict, refused } from './ingest_errors.ts'
import { Meter } from './meter.ts'
import type { Curated, Curation } from './curation.ts'
import type { Snapshots } from './snapshots.ts'
import type { Settler } from './settler.ts'
import type { Vectorizer } from './vectorizer.ts'
import type { WriteQueue } from './write_queue.ts'

export interface IngestParts {
  readonly corpus: Corpus
  readonly storage: CorpusStorage
  readonly writeQueue: WriteQueue
  readonly vectorizer: Vectorizer | null
  readonly settler: Settler
  readonly embedder: Embedder | null
  readonly snapshots: Snapshots
  readonly curation: Curation
  readonly changed: () => void
}

/** A call with more passages than this reads names after all are in, not one by one. */
const BULK = 64

/** What an addition comes to, before anything is written. */
interface Plan {
  readonly result: Omit<AddResult, 'generation'>
  /** Documents to write, as they were given and as they were cut. */
  readonly wanted: readonly Prepared[]
  readonly cut: readonly StoredDocument[]
  /** Ids that go because the addition is all there shall be. */
  readonly gone: readonly string[]
  readonly rows: readonly VectorRow[]
  readonly curated: Curated
}

/** What comes with the documents of an archive. */
interface Accompanying {
  readonly kept: readonly KeptRecord[]
  /** The text tier of exactly these documents. */
  readonly index: Uint8Array | null
}

const ALONE: Accompanying = { kept: [], index: null }

export class Ingest {
  private readonly given: GivenVectors

  constructor(private readonly parts: IngestParts) {
    this.given = new GivenVectors(parts)
  }

  async add(input: AddInput, options: AddOptions): Promise<AddResult> {
    const { inputs, rejected, warnings } = await this.read(input, options)
    const { writeQueue } = this.parts
    const came = await writeQueue.run(async () => {
      const admitted = await admitInSlices(
        inputs,
        {
          onInvalid: options.onInvalid ?? 'error',
          ...(options.signal ? { signal: options.signal } : {}),
        },
        yieldToEvents,
      )
      const refusals = [...rejected, ...admitted.rejected]
      try {
        await writeQueue.lead()
      } catch (error) {
        const unchanged = this.unchanged(admitted.documents, refusals, options)
        if (unchanged === null || !isHubmeshError(error) || error.code !== 'writer/not-leader')
          throw error
        return unchanged
      }
      return await writeQueue.stepping(() => this.take(admitted.documents, refusals, options))
    })
    return warnings.length > 0 ? { ...came, warnings } : came
  }

  /** The result of an addition for which nothing has to be written; null for another. */
  private unchanged(
    documents: readonly Prepared[],
    rejected: readonly Rejection[],
    options: AddOptions,
  ): AddResult | null {
    const { corpus, storage } = this.parts,
      ids = documents.map(({ id }) => id)
    if (
      options.others === 'remove' ||
      !documents.every(({ id, hash, metadata, vector }) => {
        const held = corpus.table.get(id)
        return !vector && held?.hash === hash && sameMetadata(held.metadata, metadata)
      })
    )
      return null
    const { generation } = storage
    return { added: [], unchanged: ids, replaced: [], rejected, generation }
  }

  async remove(
    ids: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ removed: string[]; missing: string[]; generation: number }> {
    return this.parts.writeQueue.write(async () => {
      throwIfAborted(signal)
      const { corpus, storage, curation } = this.parts
      const unique = [...new Set(ids)],
        removed = unique.filter((id) => corpus.table.get(id)),
        missing = unique.filter((id) => !corpus.table.get(id))
      if (removed.length === 0) return { removed, missing, generation: storage.generation }
      const curated = curation.after(removed, [], () => undefined)
      const generation = await storage.commit({
        put: [],
        remove: removed,
        keep: curated.keep,
        signal,
      })
      await this.forget(removed)
      // those of documents that went have gone with them
      corpus.relations = curated.relations
      this.settle(removed.length)
      return { removed, missing, generation }
    })
  }

  /** Documents as the archive cut them, and its vectors where they are by the same embedder. */
  async importArchive(archive: ArchiveInput, options: AddOptions): Promise<AddResult> {
    const progress = new Meter(options)
    const { embedder, embeddedText, documents, vectors, kept, index } = await readContents(
      archive,
      options.signal,
      (count) => {
        progress.report('reading', count, count)
      },
    )
    return this.parts.writeQueue.write(async () => {
      const own = this.parts.embedder?.identity,
        usable = own && embedder && takesVectors(own, embedder),
        alike = (this.parts.storage.settings.chunk.embeddedText ?? 1) === embeddedText,
        // without an outline the text is the same in all versions
        isSame = ({ text }: Prepared): boolean => alike || outlineOf(text) === null
      return await this.take(
        documents.map((document) => ({
          ...document,
          rows: usable && isSame(document) ? (vectors.get(document.id) ?? []) : [],
        })),
        [],
        options,
        { kept, index: documents.every(isSame) ? index : null },
      )
    })
  }

  private async read(
    input: AddInput,
    options: AddOptions,
  ): Promise<{ inputs: readonly unknown[]; rejected: Rejection[]; warnings: ReadWarning[] }> {
    throwIfAborted(options.signal)
    const items: readonly unknown[] = Array.isArray(input) ? input : [input]
    const files = items.filter(
      (item): item is File => typeof File !== 'undefined' && item instanceof File,
    )
    const others = items.filter((item) => !(typeof File !== 'undefined' && item instanceof File))
    const progress = new Meter(options),
      rejected: Rejection[] = [],
      warnings: ReadWarning[] = [],
      inputs: unknown[] = [...others]
    if (files.length > 0) {
      const read = await readFiles(files, {
        ...(options.signal ? { signal: options.signal } : {}),
        onProgress: ({ done, total, ...bytes }) => {
          progress.report('reading', done, total, done === total, bytes)
        },
      })
      if (read.rejected.length > 0 && options.onInvalid !== 'skip')
        throw refused(read.rejected[0] as Rejection, read.rejected.length)
      append(rejected, read.rejected)
      append(warnings, read.warnings)
      append(inputs, read.documents as readonly DocumentInput[])
    }
    return { inputs, rejected, warnings }
  }

  /** Everything is checked, then written as one; then memory takes it. */
  private async take(
    documents: readonly Prepared[],
    rejected: readonly Rejection[],
    options: AddOptions,
    archive: Accompanying = ALONE,
  ): Promise<AddResult> {
    const { corpus, storage, curation, vectorizer, changed } = this.parts
    const plan = await this.plan(documents, rejected, options, archive.kept),
      { cut, gone, rows, curated } = plan,
      progress = new Meter(options)
    throwIfAborted(options.signal)
    progress.report('saving', 0, cut.length)
    const indexed =
      archive.index !== null && cut.length > 0 && cut.length === documents.length && corpus.fresh
    try {
      if (indexed) this.answerAhead(plan, archive.index)
      await this.save(plan, options.signal)
    } catch (error) {
      if (indexed) await this.forget(cut.map(({ id }) => id))
      throw error
    }
    progress.report('saving', cut.length, cut.length)
    if (!indexed) {
      await this.forget(gone)
      const slots = await this.index(cut, (count) => {
        progress.report('text', count, cut.length)
      })
      corpus.relations = curated.left
      this.given.hold(rows)
      vectorizer?.enqueue(slots.filter((slot) => !corpus.vectors?.has(slot)))
    } else vectorizer?.enqueue(corpus.missingVectors())
    curation.hold(curated)
    progress.report('text', cut.length, cut.length, true)
    this.settle(documents.length, cut.length + gone.length + curated.keep.length > 0)
    changed()
    return { ...plan.result, generation: storage.generation }
  }

  private async plan(
    documents: readonly Prepared[],
    rejected: readonly Rejection[],
    options: AddOptions,
    kept: readonly KeptRecord[],
  ): Promise<Plan> {
    const { corpus, curation } = this.parts
    const added: string[] = [],
      unchanged: string[] = [],
      replaced: string[] = [],
      wanted: Prepared[] = [],
      left = [...rejected],
      changedText: string[] = [],
      cut = new Map<string, StoredDocument>()
    const slices = new Slices()
    for (const document of documents) {
      const before = corpus.table.get(document.id),
        stored = await this.stored(document, before, options, slices)
      if (stored === null) {
        unchanged.push(document.id)
        continue
      }
      if (before && before.hash !== document.hash) changedText.push(document.id)
      try {
        this.given.check(document, stored)
      } catch (error) {
        if (options.onInvalid !== 'skip' || !isHubmeshError(error)) throw error
        left.push({ name: document.id.slice(0, 80), code: error.code, reason: error.message })
        continue
      }
      ;(before ? replaced : added).push(document.id)
      wanted.push(document)
      cut.set(document.id, stored)
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
      ...{ wanted, gone },
      cut: [...cut.values()],
      rows: this.given.rows(
        documents.filter(({ id, rows }) => cut.has(id) || rows?.length),
        cut,
      ),
      // merges and relations of a text go with it
      curated: curation.after([...gone, ...changedText], kept, (id) =>
        going.has(id) ? undefined : (cut.get(id) ?? corpus.table.get(id)),
      ),
    }
  }

  /** The form to store; null where nothing of the document is new. */
  private async stored(
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
      : slices.run(cutDocument(document, this.parts.storage.settings.chunk), () => {
          throwIfAborted(options.signal)
        })
  }

  /** One switch of the storage: documents, vectors, merges and relations, or nothing. */
  private async save(
    { cut, gone, rows, curated }: Plan,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { storage, embedder } = this.parts,
      by = embedder?.identity
    if (cut.length + gone.length + curated.keep.length > 0)
      await storage.commit({ put: cut, remove: gone, keep: curated.keep, rows, by, signal })
    else if (rows.length > 0) await storage.putVectors(rows, by)
  }

  /**
   * Documents of an empty corpus whose words and names were read before answer at once, while they
   * are saved. What could not be saved answers no longer.
   */
  private answerAhead({ cut, rows }: Plan, index: Uint8Array | null): void {
    const { corpus, snapshots, changed } = this.parts
    corpus.load(cut)
    try {
      corpus.takeText(corpus.readText(index!))
    } catch (error) {
      if (!isHubmeshError(error) || error.code !== 'index/corrupt') throw error
      corpus.buildText()
      snapshots.warning =
        'The index in the archive does not fit its documents; it was left out, and they were read instead.'
    }
    this.given.hold(rows)
    changed()
  }

  private settle(documents: number, isChanged = true): void {
    const { corpus, settler, snapshots, changed } = this.parts
    if (!corpus.settleIfQuick(documents)) void settler.settle()
    if (isChanged) snapshots.changed()
    changed()
  }

  /**
   * Changes the metadata of a document by a JSON merge patch (RFC 7396); text, passages and vectors
   * stay. Rejects with `input/invalid` for an unknown id and for what JSON cannot hold.
   */
  async updateMetadata(
    id: string,
    patch: unknown,
    signal?: AbortSignal,
  ): Promise<{ metadata: Metadata; generation: number }> {
    if (patch === undefined || patch === null)
      throw invalid('patch', String(patch), 'Give an object of the fields that change.')
    return this.parts.writeQueue.write(async () => {
      throwIfAborted(signal)
      const { corpus, storage, snapshots, changed } = this.parts,
        entry = corpus.table.get(id),
        where = `document "${String(id).slice(0, 80)}"`
      if (!entry)
        throw new HubmeshError(
          'input/invalid',
          `The corpus has no ${where}. listDocuments() tells which it has.`,
          { details: { field: 'id' } },
        )
      const metadata = copyMetadata(
        patchedMetadata(entry.metadata, copyMetadata(patch, where)),
        where,
      )
      if (!sameMetadata(metadata, entry.metadata)) {
        await storage.commit({ put: [withMetadata(entry, metadata)], remove: [], signal })
        entry.metadata = metadata
        snapshots.changed()
        changed()
      }
      return { metadata: entry.metadata, generation: storage.generation }
    })
  }

  /** Reads saved documents into the text tier; gives their slots. */
  private async index(
    group: readonly StoredDocument[],
    onRead: (documents: number) => void,
  ): Promise<number[]> {
    const { corpus, vectorizer } = this.parts,
      slots: number[] = []
    const bulk = group.reduce((sum, document) => sum + document.passages.length / 2, 0) > BULK
    const slices = new Slices()
    for (const [i, document] of group.entries()) {
      const held = corpus.table.get(document.id)
      if (held?.hash === document.hash) {
        held.metadata = document.metadata
        continue
      }
      vectorizer?.remove(held?.slots ?? [])
      const { entry } = await slices.run(corpus.put(document, !bulk), () => {
        onRead(i)
      })
      for (const slot of entry.slots) slots.push(slot)
    }
    return slots
  }

  /** Takes documents that are no longer stored out of the memory too. */
  private async forget(ids: readonly string[]): Promise<void> {
    const { corpus, vectorizer } = this.parts
    for (const id of ids) vectorizer?.remove(corpus.table.get(id)?.slots ?? [])
    await new Slices().run(corpus.remove(ids))
  }
}

/** The document as it is stored, with other metadata. */
function withMetadata(document: StoredDocument, metadata: Metadata): StoredDocument {
  const { id, title, text, hash, passages } = document
  return { id, title, text, hash, passages, metadata }
}
