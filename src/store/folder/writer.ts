/**
 * Owns the writing of a corpus folder by the one process that holds its lock. Node only. Refuses:
 * to make a file current before it is on the disk.
 */
import { HubmeshError, isHubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { EmbedderIdentity } from '../../types.ts'
import { batchesOf, keepsVectors, type CommitBatch } from '../records/commit_batch.ts'
import {
  bytesOf,
  join,
  lockDirectory,
  makeDirectory,
  namesIn,
  removeFile,
  syncDirectory,
  writeDurably,
} from './files.ts'
import {
  blockFile,
  isDataFile,
  keptFile,
  isDerivedFile,
  readManifest,
  segmentFile,
  writeManifest,
  type Manifest,
} from './manifest.ts'
import type { EncryptionHeader } from '../encryption/encryption.ts'
import { openFile, sealFile } from './seals.ts'
import { encodeKept, planSegments, readSegment, type Known, type SegmentPlan } from './segments.ts'
import { documentBytes } from '../indexeddb/documents.ts'
import type { Sealer } from '../encryption/sealer.ts'
import type { Sealing } from '../encryption/sealing.ts'
import { identityKey } from '../records/settings_codec.ts'
import type { CorpusSettings, KeptRecord, QuarantinedRecord, VectorRow } from '../storage.ts'
import { decodeBlock, rowBytes } from '../records/vector_block.ts'
import { VectorBlocks, type BlockPlan } from '../records/vector_blocks.ts'

const NOTHING: SegmentPlan & BlockPlan = { remove: [], add: [] }

export class DirectoryWriter {
  readonly #directory: string
  readonly #known = new Map<string, Known>()
  readonly #sizes = new Map<number, number>()
  readonly #quarantine: (record: QuarantinedRecord) => void
  readonly release: () => Promise<void>
  /** Null for a plain corpus. */
  readonly sealer: Sealer | null
  #blocks: VectorBlocks
  #manifest: Manifest

  private constructor(
    directory: string,
    manifest: Manifest,
    quarantine: (record: QuarantinedRecord) => void,
    sealer: Sealer | null,
    release: () => Promise<void>,
  ) {
    this.sealer = sealer
    this.#directory = directory
    this.#manifest = manifest
    this.#quarantine = quarantine
    this.release = release
    this.#blocks = this.#newBlocks()
  }

  get manifest(): Manifest {
    return this.#manifest
  }

  /**
   * Takes the lock, raises the epoch and reads what is there. `existed` is whether the storage had
   * seen the corpus.
   */
  static async begin(
    directory: string,
    defaults: CorpusSettings,
    sealing: Sealing,
    existed: boolean,
    quarantine: (record: QuarantinedRecord) => void,
  ): Promise<DirectoryWriter> {
    await makeDirectory(directory)
    const release = await lockDirectory(directory)
    try {
      const found = await readManifest(directory)
      if (found === null && existed)
        throw new HubmeshError(
          'store/evicted',
          `${directory} was deleted while it was open. Add the documents again.`,
          { details: { directory } },
        )
      const encryption = await sealing.header()
      const manifest: Manifest =
        found === null
          ? {
              generation: 0,
              documents: 0,
              writerEpoch: 1,
              next: 1,
              settings: defaults,
              segments: [],
              blocks: [],
              ...(encryption === undefined ? {} : { encryption }),
            }
          : { ...found, writerEpoch: found.writerEpoch + 1 }
      const sealer = await sealing.of(manifest)
      await writeManifest(directory, manifest)
      const writer = new DirectoryWriter(directory, manifest, quarantine, sealer, release)
      await writer.#load()
      return writer
    } catch (error) {
      await release()
      throw error
    }
  }

  async commit(commit: CommitBatch): Promise<void> {
    for (const batch of batchesOf(commit, documentBytes)) {
      const segments = await planSegments(
        this.#sizes,
        this.#known,
        batch,
        this.#manifest.next,
        (number) => readSegment(this.#directory, number, this.#quarantine, this.sealer),
      )
      const drop = new Set(
        [
          ...batch.remove,
          ...batch.put
            .filter((document) => !keepsVectors(this.#known.get(document.id) ?? null, document))
            .map(({ id }) => id),
        ].filter((id) => this.#blocks.holds(id)),
      )
      const blocks = await this.#blocks.plan({ drop })
      const ids = new Set(this.#known.keys())
      for (const id of batch.remove) ids.delete(id)
      for (const { id } of batch.put) ids.add(id)
      await this.#makeCurrent(
        segments,
        blocks,
        { generation: this.#manifest.generation + 1, documents: ids.size },
        batch.keep,
      )
      for (const id of batch.remove) this.#known.delete(id)
      for (const number of segments.remove) this.#sizes.delete(number)
      for (const { number, documents, bytes } of segments.add)
        this.#enter(number, bytes.length, documents)
    }
  }

  async putVectors(rows: readonly VectorRow[], identity: EmbedderIdentity): Promise<void> {
    const valid = rows.filter(({ documentId, hash, passage }) => {
      const known = this.#known.get(documentId)
      return known !== undefined && known.hash === hash && passage * 2 < known.passages.length
    })
    const step = Math.max(1, Math.floor(LIMITS.commitBytes / rowBytes(identity.dims)))
    for (let from = 0; from < valid.length; from += step) {
      const plan = await this.#blocks.plan(
        { append: valid.slice(from, from + step) },
        { identity: identityKey(identity), dims: identity.dims },
      )
      await this.#makeCurrent(NOTHING, plan, {})
    }
  }

  async setEmbedder(identity: EmbedderIdentity): Promise<void> {
    await this.#makeCurrent(
      NOTHING,
      { remove: this.#manifest.blocks, add: [] },
      { settings: { ...this.#manifest.settings, embedder: identity } },
    )
    this.#blocks = this.#newBlocks()
    this.#blocks.startAfter(this.#manifest.next)
  }

  async rekey(encryption: EncryptionHeader): Promise<void> {
    await this.#makeCurrent(NOTHING, NOTHING, { encryption })
  }

  /** New files first, flushed; then the one step that makes them count; then the old ones go. */
  async #makeCurrent(
    segments: SegmentPlan,
    blocks: BlockPlan,
    change: Partial<Manifest>,
    keep: readonly KeptRecord[] = [],
  ): Promise<void> {
    const before = this.#manifest.kept ?? [],
      first = Math.max(
        this.#manifest.next,
        ...segments.add.map(({ number }) => number + 1),
        ...blocks.add.map(({ block }) => block + 1),
      )
    const fresh = keep
      .filter(({ bytes }) => bytes.length > 0)
      .map(({ name, bytes }, i) => ({ name, bytes, number: first + i }))
    const stale = before.filter(([name]) => keep.some((record) => record.name === name))
    const next: Manifest = {
      ...this.#manifest,
      segments: [
        ...this.#manifest.segments.filter((number) => !segments.remove.includes(number)),
        ...segments.add.map(({ number }) => number),
      ],
      blocks: [
        ...this.#manifest.blocks.filter((number) => !blocks.remove.includes(number)),
        ...blocks.add.map(({ block }) => block),
      ],
      next: first + fresh.length,
      ...(before.length + fresh.length === 0
        ? {}
        : {
            kept: [
              ...before.filter((entry) => !stale.includes(entry)),
              ...fresh.map(({ name, number }) => [name, number] as const),
            ],
          }),
      ...change,
    }
    await this.#fence()
    for (const { number, bytes } of segments.add)
      await writeDurably(
        join(this.#directory, segmentFile(number)),
        await sealFile(segmentFile(number), bytes, this.sealer),
      )
    for (const { block, bytes } of blocks.add)
      await writeDurably(
        join(this.#directory, blockFile(block)),
        await sealFile(blockFile(block), bytes, this.sealer),
      )
    for (const { number, bytes } of fresh)
      await writeDurably(
        join(this.#directory, keptFile(number)),
        await sealFile(keptFile(number), encodeKept(bytes), this.sealer),
      )
    await syncDirectory(this.#directory)
    await this.#fence()
    await writeManifest(this.#directory, next)
    const documentsChanged = next.generation !== this.#manifest.generation
    this.#manifest = next
    this.#blocks.apply(blocks)
    // A snapshot of an older generation is never read again, and may name what was removed.
    if (documentsChanged) await this.#removeDerived()
    for (const number of segments.remove)
      await removeFile(join(this.#directory, segmentFile(number)))
    for (const block of blocks.remove) await removeFile(join(this.#directory, blockFile(block)))
    for (const [, number] of stale) await removeFile(join(this.#directory, keptFile(number)))
  }

  /**
   * Nobody else has become the writer: the lock is an optimisation, the epoch in CURRENT is what
   * counts.
   */
  async #fence(): Promise<void> {
    const found = await readManifest(this.#directory)
    if (found?.writerEpoch === this.#manifest.writerEpoch) return
    throw new HubmeshError(
      'writer/lost',
      `Another program has become the writer of ${this.#directory}. Nothing was written; the ` +
        'next write asks for the lock again.',
      { details: { directory: this.#directory }, retryable: true },
    )
  }

  /** Reads who lies where, and clears away what a crash left. */
  async #load(): Promise<void> {
    for (const number of this.#manifest.segments) {
      this.#enter(
        number,
        await bytesOf(join(this.#directory, segmentFile(number))),
        await readSegment(this.#directory, number, this.#quarantine, this.sealer),
      )
    }
    this.#blocks.startAfter(this.#manifest.next)
    const unreadable: number[] = []
    for (const number of this.#manifest.blocks) {
      try {
        const bytes = await openFile(this.#directory, blockFile(number), this.sealer)
        this.#blocks.enter(number, bytes?.length ?? 0, decodeBlock(bytes).keys)
      } catch (error) {
        if (!isHubmeshError(error) || error.code !== 'store/corrupt') throw error
        this.#quarantine({ id: blockFile(number), reason: error.message })
        unreadable.push(number)
      }
    }
    if (unreadable.length > 0) await this.#makeCurrent(NOTHING, { remove: unreadable, add: [] }, {})
    const wanted = new Set([
      ...this.#manifest.segments.map(segmentFile),
      ...this.#manifest.blocks.map(blockFile),
      ...(this.#manifest.kept ?? []).map(([, number]) => keptFile(number)),
    ])
    for (const name of await namesIn(this.#directory))
      if (isDataFile(name) && !wanted.has(name)) await removeFile(join(this.#directory, name))
  }

  async #removeDerived(): Promise<void> {
    for (const name of await namesIn(this.#directory))
      if (isDerivedFile(name)) await removeFile(join(this.#directory, name))
  }

  #enter(
    number: number,
    bytes: number,
    documents: readonly {
      readonly id: string
      readonly hash: string
      readonly passages: Int32Array
    }[],
  ): void {
    this.#sizes.set(number, bytes)
    for (const { id, hash, passages } of documents)
      this.#known.set(id, { segment: number, hash, passages })
  }

  #newBlocks(): VectorBlocks {
    return new VectorBlocks((block) => openFile(this.#directory, blockFile(block), this.sealer))
  }
}
