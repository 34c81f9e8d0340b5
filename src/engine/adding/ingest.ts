/** The way of documents into a corpus and out of it: read, admit, cut, save, index. */
import { admitInSlices } from '../../document/admit.ts'
import { copyMetadata, patchedMetadata, sameMetadata } from '../../document/metadata.ts'
import { takesVectors, type Embedder } from '../../embed/embedder.ts'
import { HubmeshError, isHubmeshError, throwIfAborted } from '../../base/errors.ts'
import { invalid } from '../../base/options.ts'
import { yieldToEvents } from '../../base/platform.ts'
import { outlineOf } from '../../chunk/outline.ts'
import type { ArchiveInput } from '../../archive/byte_source.ts'
import type { CorpusStorage } from '../../store/storage.ts'
import type {
  AddInput,
  AddOptions,
  AddResult,
  Metadata,
  Rejection,
  SyncOptions,
  SyncResult,
} from '../../types.ts'
import { readContents } from '../archive_contents.ts'
import type { Corpus } from '../../corpus/corpus.ts'
import { GivenVectors, type Prepared } from './given_vectors.ts'
import { Meter } from './meter.ts'
import type { FolderListing } from './list_folder.ts'
import { syncFolder } from './sync.ts'
import { ALONE, planAddition, withMetadata, type Accompanying, type Plan } from './plan.ts'
import { readInput } from './read_input.ts'
import { forget, indexDocuments } from './text_tier.ts'
import { curatedAfter } from '../curated.ts'
import type { Curation } from '../curation.ts'
import type { Snapshots } from '../snapshots.ts'
import type { Settler } from '../settler.ts'
import type { Vectorizer } from '../vectorizer.ts'
import type { WriteQueue } from '../write_queue.ts'

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

export class Ingest {
  private readonly given: GivenVectors

  constructor(private readonly parts: IngestParts) {
    this.given = new GivenVectors(parts)
  }

  async add(input: AddInput, options: AddOptions): Promise<AddResult> {
    const { inputs, rejected, warnings } = await readInput(input, options)
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
      const { corpus, storage } = this.parts
      const unique = [...new Set(ids)],
        removed = unique.filter((id) => corpus.table.get(id)),
        missing = unique.filter((id) => !corpus.table.get(id))
      if (removed.length === 0) return { removed, missing, generation: storage.generation }
      const curated = curatedAfter(corpus, removed, [], () => undefined)
      const generation = await storage.commit({
        put: [],
        remove: removed,
        keep: curated.keep,
        signal,
      })
      await forget(this.parts, removed)
      // those of documents that went have gone with them
      corpus.relations = curated.relations
      this.settle(removed.length)
      return { removed, missing, generation }
    })
  }

  /** Brings the corpus in step with a folder; each batch is written by itself. */
  sync(folder: FolderListing, options: SyncOptions): Promise<SyncResult> {
    const { corpus, storage } = this.parts,
      { signal } = options
    return syncFolder(
      folder,
      {
        table: corpus.table,
        generation: () => storage.generation,
        update: (documents) =>
          this.add(documents, {
            onConflict: 'replace',
            onInvalid: 'skip',
            ...(signal ? { signal } : {}),
          }),
        remove: (ids) => this.remove(ids, signal),
      },
      options,
    )
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

  /** Everything is checked, then written as one; then memory takes it. */
  private async take(
    documents: readonly Prepared[],
    rejected: readonly Rejection[],
    options: AddOptions,
    archive: Accompanying = ALONE,
  ): Promise<AddResult> {
    const { corpus, storage, curation, vectorizer, changed } = this.parts
    const plan = await planAddition(
        this.parts,
        this.given,
        { documents, rejected, kept: archive.kept },
        options,
      ),
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
      if (indexed)
        await forget(
          this.parts,
          cut.map(({ id }) => id),
        )
      throw error
    }
    progress.report('saving', cut.length, cut.length)
    if (!indexed) {
      await forget(this.parts, gone)
      const slots = await indexDocuments(this.parts, cut, (count) => {
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
}
