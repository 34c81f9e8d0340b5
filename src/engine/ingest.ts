/**
 * Owns the way of documents into a corpus and out of it: read, admit, cut, save, index. Refuses:
 * answering, and embedding by itself.
 */
import { admitInSlices } from '../document/admit.ts'
import { copyMetadata, patchedMetadata, sameMetadata } from '../document/metadata.ts'
import { readFiles } from '../document/readers/read_files.ts'
import { sameIdentity, type Embedder } from '../embed/embedder.ts'
import { HubmeshError, isHubmeshError, throwIfAborted } from '../base/errors.ts'
import { yieldToEvents } from '../base/platform.ts'
import type { ArchiveInput } from '../archive/byte_source.ts'
import type { Mutex } from '../base/mutex.ts'
import type { CorpusStorage, StoredDocument } from '../store/storage.ts'
import type {
  AddInput,
  AddOptions,
  AddResult,
  DocumentInput,
  Metadata,
  Rejection,
} from '../types.ts'
import { readContents } from './archive_contents.ts'
import type { Corpus } from '../corpus/corpus.ts'
import { commitPieces } from './commit_pieces.ts'
import { cutDocument } from './cut_document.ts'
import { GivenVectors, type Prepared } from './given_vectors.ts'
import { conflict, refused, throwIfStopped } from './ingest_errors.ts'
import { Meter } from './meter.ts'
import { keptWithout, type Curation } from './curation.ts'
import type { Snapshots } from './snapshots.ts'
import type { Settler } from './settler.ts'
import type { Vectorizer } from './vectorizer.ts'

export interface IngestParts {
  readonly corpus: Corpus
  readonly storage: CorpusStorage
  readonly writeQueue: Mutex
  readonly vectorizer: Vectorizer | null
  readonly settler: Settler
  readonly embedder: Embedder | null
  readonly snapshots: Snapshots
  readonly curation: Curation
  readonly changed: () => void
}

/**
 * Documents cut into passages between two looks at the queue, and their characters: some
 * milliseconds of work.
 */
const CUT_SLICE = 256,
  CUT_CHARS = 256 * 1024

/**
 * Passages indexed between two looks at the queue, and their characters, so that questions asked
 * meanwhile are answered.
 */
const SLICE = 64,
  SLICE_CHARS = 64 * 1024

/**
 * Pieces of an addition that are written or wait for it: the one that is read next, and two behind
 * it, so that the disk never waits.
 */
const AHEAD = 3

/** Documents removed between two looks: each is looked for in the lists of all its words. */
const REMOVE_SLICE = 16

/** A call with more passages than this reads names after all are in, not one by one. */
const BULK = 64

/** A piece that is being written, and what is said of texts once it is. */
interface Saving {
  readonly group: readonly StoredDocument[]
  readonly relations: Corpus['relations']
  readonly saved: Promise<unknown>
}

export class Ingest {
  private readonly given: GivenVectors

  constructor(private readonly parts: IngestParts) {
    this.given = new GivenVectors(parts)
  }

  async add(input: AddInput, options: AddOptions): Promise<AddResult> {
    const { inputs, rejected } = await this.read(input, options)
    return this.parts.writeQueue.run(async () => {
      const admitted = await admitInSlices(
        inputs,
        {
          onInvalid: options.onInvalid ?? 'error',
          ...(options.signal ? { signal: options.signal } : {}),
        },
        yieldToEvents,
      )
      return this.take(admitted.documents, [...rejected, ...admitted.rejected], options)
    })
  }

  async remove(
    ids: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ removed: string[]; missing: string[]; generation: number }> {
    return this.parts.writeQueue.run(async () => {
      throwIfAborted(signal)
      const { corpus, storage, settler, changed } = this.parts
      const unique = [...new Set(ids)],
        removed = unique.filter((id) => corpus.table.get(id)),
        missing = unique.filter((id) => !corpus.table.get(id))
      if (removed.length === 0) return { removed, missing, generation: storage.generation }
      const { left, keep } = keptWithout(corpus.relations, removed)
      const generation = await storage.commit({ put: [], remove: removed, keep })
      await this.forget(removed)
      corpus.relations = left
      if (!corpus.settleIfQuick()) void settler.settle()
      this.parts.snapshots.changed()
      changed()
      return { removed, missing, generation }
    })
  }

  /** Documents as the archive cut them, and its vectors where they are by the same embedder. */
  async importArchive(archive: ArchiveInput, options: AddOptions): Promise<AddResult> {
    const progress = new Meter(options)
    const { embedder, documents, vectors, kept, index } = await readContents(
      archive,
      options.signal,
      (count) => {
        progress.report('reading', count, count)
      },
    )
    const result = await this.parts.writeQueue.run(async () => {
      const own = this.parts.embedder?.identity,
        usable = own && embedder && sameIdentity(own, embedder)
      return this.take(
        documents.map((document) => ({
          ...document,
          rows: usable ? (vectors.get(document.id) ?? []) : [],
        })),
        [],
        options,
        index,
      )
    })
    if (kept.length === 0) return result
    await this.parts.curation.absorb(kept)
    return { ...result, generation: this.parts.storage.generation }
  }

  private async read(
    input: AddInput,
    options: AddOptions,
  ): Promise<{ inputs: readonly unknown[]; rejected: Rejection[] }> {
    throwIfAborted(options.signal)
    const items: readonly unknown[] = Array.isArray(input) ? input : [input]
    const files = items.filter(
      (item): item is File => typeof File !== 'undefined' && item instanceof File,
    )
    const others = items.filter((item) => !(typeof File !== 'undefined' && item instanceof File))
    const progress = new Meter(options),
      rejected: Rejection[] = [],
      inputs: unknown[] = [...others]
    if (files.length > 0) {
      const read = await readFiles(files, {
        ...(options.signal ? { signal: options.signal } : {}),
        onProgress: ({ done, total }) => {
          progress.report('reading', done, total)
        },
      })
      if (read.rejected.length > 0 && options.onInvalid !== 'skip')
        throw refused(read.rejected[0] as Rejection, read.rejected.length)
      rejected.push(...read.rejected)
      inputs.push(...(read.documents as readonly DocumentInput[]))
    }
    return { inputs, rejected }
  }

  /**
   * Everything is checked before anything is written. `index` is the text tier of exactly these
   * documents.
   */
  private async take(
    documents: readonly Prepared[],
    rejected: readonly Rejection[],
    options: AddOptions,
    index: Uint8Array | null = null,
  ): Promise<AddResult> {
    const { storage, settler, snapshots, changed } = this.parts,
      before = storage.generation
    try {
      return await this.takeAll(documents, rejected, options, index)
    } catch (error) {
      // what was saved before it failed is there, and is settled and kept like any other
      void settler.settle()
      if (storage.generation !== before) snapshots.changed()
      changed()
      throw error
    }
  }

  private async takeAll(
    documents: readonly Prepared[],
    rejected: readonly Rejection[],
    options: AddOptions,
    index: Uint8Array | null,
  ): Promise<AddResult> {
    const { corpus, storage, settler, vectorizer, changed } = this.parts
    const added: string[] = [],
      unchanged: string[] = [],
      replaced: string[] = [],
      wanted: Prepared[] = [],
      stored: StoredDocument[] = [],
      left = [...rejected]
    let sinceLook = 0,
      charsSinceLook = 0
    for (const document of documents) {
      charsSinceLook += document.text.length
      if (++sinceLook > CUT_SLICE || charsSinceLook > CUT_CHARS) {
        sinceLook = 0
        charsSinceLook = document.text.length
        await yieldToEvents()
        throwIfStopped(options.signal, 0, documents.length)
      }
      const before = corpus.table.get(document.id)
      const sameText = before?.hash === document.hash
      if (sameText && sameMetadata(before.metadata, document.metadata)) {
        unchanged.push(document.id)
        continue
      }
      if (before && options.onConflict !== 'replace') throw conflict(document.id, sameText)
      // new metadata alone: passages stay as they are, and so do vectors
      const cut = sameText
        ? withMetadata(before, document.metadata)
        : cutDocument(document, storage.settings.chunk)
      try {
        this.given.check(document, cut)
      } catch (error) {
        if (options.onInvalid !== 'skip' || !isHubmeshError(error)) throw error
        left.push({ name: document.id.slice(0, 80), code: error.code, reason: error.message })
        continue
      }
      ;(before ? replaced : added).push(document.id)
      wanted.push(document)
      stored.push(cut)
    }

    const progress = new Meter(options),
      taken = new Set(wanted.map(({ id }) => id)),
      whole = options.others === 'remove'
    const staying = new Set([...added, ...unchanged, ...replaced]),
      gone = whole ? corpus.table.ids().filter((id) => !staying.has(id)) : []
    let done = 0
    if (
      index !== null &&
      !whole &&
      stored.length === documents.length &&
      stored.length > 0 &&
      corpus.fresh
    ) {
      throwIfStopped(options.signal, 0, stored.length)
      await this.takeIndexed(wanted, stored, index, options.signal, (saved) => {
        progress.report('saving', saved, stored.length)
      })
      done = stored.length
      vectorizer?.enqueue(corpus.missingVectors())
      changed()
    } else {
      const pieces = whole ? [stored as readonly StoredDocument[]] : [...commitPieces(stored)]
      const saving: Saving[] = []
      let given = corpus.relations,
        begun = 0
      // what was said of a text goes with it
      const save = (group: readonly StoredDocument[]): void => {
        const { left: relations, keep } = keptWithout(given, [
            ...gone,
            ...group.filter((one) => !this.isSameText(one)).map(({ id }) => id),
          ]),
          before = saving[saving.length - 1]?.saved
        const write = (): Promise<unknown> =>
          group.length + gone.length > 0
            ? storage.commit({ put: group, remove: gone, keep })
            : Promise.resolve()
        const saved = before ? before.then(write) : write()
        saved.catch(() => undefined) // heard of when its turn comes
        given = relations
        saving.push({ group, relations, saved })
      }
      const takeIn = async ({ group, relations }: Saving): Promise<void> => {
        await this.forget(gone)
        const slots = await this.index(group, (count) => {
          progress.report('text', done + count, stored.length)
        })
        corpus.relations = relations
        done += group.length
        await this.given.save(wanted.slice(done - group.length, done))
        vectorizer?.enqueue(slots.filter((slot) => !corpus.vectors?.has(slot)))
        changed()
      }
      try {
        while (done < stored.length || begun < pieces.length) {
          if (saving.length === 0) throwIfStopped(options.signal, done, stored.length)
          progress.report('saving', done, stored.length)
          while (saving.length < AHEAD && begun < pieces.length && !options.signal?.aborted)
            save(pieces[begun++] as readonly StoredDocument[])
          await saving[0]?.saved
          await takeIn(saving.shift() as Saving)
        }
      } catch (error) {
        // what is stored is in memory, whatever failed
        for (
          let next = saving.shift();
          next &&
          (await next.saved.then(
            () => true,
            () => false,
          ));
          next = saving.shift()
        )
          await takeIn(next)
        throw error
      }
    }
    await this.given.save(
      documents.filter((document) => document.rows?.length && !taken.has(document.id)),
    )
    if (!corpus.settleIfQuick(documents.length)) void settler.settle()
    progress.report('text', done, stored.length, true)
    if (stored.length + gone.length > 0) this.parts.snapshots.changed()
    changed()
    return {
      added,
      unchanged,
      replaced,
      rejected: left,
      ...(whole ? { removed: gone } : {}),
      generation: storage.generation,
    }
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
    return this.parts.writeQueue.run(async () => {
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
        await storage.commit({ put: [withMetadata(entry, metadata)], remove: [] })
        entry.metadata = metadata
        snapshots.changed()
        changed()
      }
      return { metadata: entry.metadata, generation: storage.generation }
    })
  }

  private isSameText({ id, hash }: StoredDocument): boolean {
    return this.parts.corpus.table.get(id)?.hash === hash
  }

  /** Reads saved documents into the text tier; gives their slots. */
  private async index(
    group: readonly StoredDocument[],
    onRead: (documents: number) => void,
  ): Promise<number[]> {
    const { corpus, vectorizer } = this.parts,
      slots: number[] = []
    const bulk = group.reduce((sum, document) => sum + document.passages.length / 2, 0) > BULK
    let sinceYield = 0,
      charsSinceYield = 0
    for (const [i, document] of group.entries()) {
      if (this.isSameText(document)) {
        corpus.table.get(document.id)!.metadata = document.metadata
        continue
      }
      const { entry, replaced } = corpus.put(document, !bulk)
      if (replaced) vectorizer?.remove(replaced.slots)
      slots.push(...entry.slots)
      sinceYield += entry.slots.length
      charsSinceYield += document.text.length
      if (sinceYield < SLICE && charsSinceYield < SLICE_CHARS) continue
      sinceYield = charsSinceYield = 0
      onRead(i + 1)
      await yieldToEvents()
    }
    return slots
  }

  /**
   * Documents of an empty corpus whose words and names were read before: they answer at once, while
   * they are saved. What could not be saved answers no longer.
   */
  private async takeIndexed(
    documents: readonly Prepared[],
    stored: readonly StoredDocument[],
    index: Uint8Array,
    signal: AbortSignal | undefined,
    onSaved: (documents: number) => void,
  ): Promise<void> {
    const { corpus, storage, snapshots, changed } = this.parts
    corpus.load(stored)
    try {
      corpus.takeText(corpus.readText(index))
    } catch (error) {
      if (!isHubmeshError(error) || error.code !== 'index/corrupt') throw error
      corpus.buildText()
      snapshots.warning =
        'The index in the archive does not fit its documents; it was left out, and they were read instead.'
    }
    const rows = this.given.rows(documents)
    this.given.hold(rows)
    changed()
    let saved = 0
    try {
      for (const group of commitPieces(stored)) {
        onSaved(saved)
        throwIfStopped(signal, saved, stored.length)
        await storage.commit({ put: group, remove: [] })
        saved += group.length
      }
    } catch (error) {
      await this.forget(stored.slice(saved).map(({ id }) => id))
      throw error
    }
    if (rows.length > 0) await storage.putVectors(rows)
  }

  /** Takes documents that are no longer stored out of the memory too. */
  private async forget(ids: readonly string[]): Promise<void> {
    const { corpus, vectorizer } = this.parts
    for (const [i, id] of ids.entries()) {
      const gone = corpus.remove(id) // also where there is no vectorizer to tell
      vectorizer?.remove(gone?.slots ?? [])
      if (i % REMOVE_SLICE === REMOVE_SLICE - 1) await yieldToEvents()
    }
  }
}

/** The document as it is stored, with other metadata. */
function withMetadata(document: StoredDocument, metadata: Metadata): StoredDocument {
  const { id, title, text, hash, passages } = document
  return { id, title, text, hash, passages, metadata }
}
