/**
 * Owns every write of a corpus to IndexedDB: whole documents in bounded transactions, vectors in
 * blocks, snapshots. Refuses: to overlap two writes, and to go on with what it knew once another
 * may have written.
 */
import { HubmeshError, isHubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { EmbedderIdentity } from '../../types.ts'
import { batchesOf, keepsVectors, settleCommit, type CommitBatch } from '../records/commit_batch.ts'
import { write, type WritePlan, type Writer } from './commit.ts'
import type { CorpusRecord } from './corpus_record.ts'
import type { Encryption } from '../encryption/encryption.ts'
import { putDerived } from './derived.ts'
import { putKept } from './kept.ts'
import { decodeDocumentRecord, documentBytes, partRange } from './documents.ts'
import { partBytes, plainRecords, type Records } from './records.ts'
import { openDocuments, toSealed } from './sealed.ts'
import { counted, sized, storedBytes } from './sizes.ts'
import {
  STAGED_KEY,
  beginSession,
  blockWrites,
  sweepStaged,
  type BlockWrites,
  type WriterSession,
} from './session.ts'
import type { IdbState } from './state.ts'
import { derivedPlace, keptPlace } from '../encryption/places.ts'
import type { StoreName } from './schema.ts'
import { Mutex } from '../../base/mutex.ts'
import { identityKey } from '../records/settings_codec.ts'
import type { Commit, VectorRow } from '../storage.ts'
import { checkRow, rowBytes } from '../records/vector_block.ts'
import type { BlockPlan, VectorBlocks } from '../records/vector_blocks.ts'
import type { WriterLock } from '../tabs/writer_lock.ts'

export class IdbWriter {
  readonly #state: IdbState
  readonly #lock: WriterLock
  readonly #onCommitted: (what: 'documents' | 'vectors') => void
  readonly #serial = new Mutex()
  #session: WriterSession | null = null

  constructor(
    state: IdbState,
    lock: WriterLock,
    onCommitted: (what: 'documents' | 'vectors') => void,
  ) {
    this.#state = state
    this.#lock = lock
    this.#onCommitted = onCommitted
  }

  /** The next write becomes the writer anew. */
  forget(): void {
    this.#session = null
  }

  /** A block that does not read goes with the next change of vectors. */
  reportDamagedBlock(block: number): void {
    this.#session?.damagedBlocks.add(block)
  }

  /** Runs after all writes that were asked for. */
  afterAll<T>(work: () => Promise<T>): Promise<T> {
    return this.#serial.run(work)
  }

  commit(commit: Commit): Promise<number> {
    return this.#serial.run(() =>
      this.#asWriter(async (session) => {
        const settled = settleCommit(commit)
        const drop = await this.#losingVectors(session, settled)
        if (drop.size > 0)
          for await (const plan of (await session.blocks()).stripInSteps(drop))
            await this.#writeBlocks(session, plan)
        for (const batch of batchesOf(settled, documentBytes))
          await this.#writeBatch(session, batch, drop)
        return this.#state.generation
      }),
    )
  }

  putVectors(rows: readonly VectorRow[]): Promise<void> {
    return this.#serial.run(async () => {
      if (rows.length === 0) return
      const identity = this.#state.settings.embedder
      if (identity === null)
        throw new HubmeshError(
          'bug/invariant',
          'Vectors came before the corpus knew its embedder. Call setEmbedder first.',
        )
      for (const row of rows) checkRow(row, identity.dims)
      await this.#asWriter(async (session) => {
        const step = Math.max(1, Math.floor(LIMITS.commitBytes / 2 / rowBytes(identity.dims)))
        for (let from = 0; from < rows.length; from += step) {
          const append = await this.#current(session, rows.slice(from, from + step))
          if (append.length > 0)
            await this.#writeBlocks(
              session,
              await (
                await session.blocks()
              ).plan({ append }, { identity: identityKey(identity), dims: identity.dims }),
            )
        }
        this.#onCommitted('vectors')
      })
    })
  }

  setEmbedder(identity: EmbedderIdentity): Promise<void> {
    return this.#serial.run(async () => {
      const present = this.#state.settings.embedder
      if (present !== null && identityKey(present) === identityKey(identity)) return
      await this.#asWriter(async (session) => {
        const blocks = await session.blocks()
        await this.#write(session, ['vectors', 'block_keys'], 1024, (writer, record) => {
          writer.clear('vectors')
          writer.clear('block_keys')
          return {
            ...record!,
            settings: { ...record!.settings, embedder: identity },
            ...counted(record!, -blocks.bytesOf(blocks.blocks)),
          }
        })
        session.clearBlocks()
      })
    })
  }

  rekey(to: Encryption): Promise<void> {
    return this.#serial.run(() =>
      this.#asWriter(async (session) => {
        const encryption = await this.#state.sealing.rewrapped(this.#state.record ?? {}, to)
        await this.#write(session, [], 4096, (_writer, record) => ({ ...record!, encryption }))
      }),
    )
  }

  writeDerived(name: string, bytes: Uint8Array): Promise<void> {
    const { generation } = this.#state
    return this.#serial.run(() =>
      this.#asWriter(async (session) => {
        const stored =
          session.sealer === null
            ? bytes
            : await session.sealer.seal(derivedPlace(name, generation), bytes)
        await this.#putDerived(session, generation, stored.length, (writer) => {
          putDerived(writer, name, generation, stored)
        })
      }),
    )
  }

  /**
   * Other derived data of a plain corpus, of this generation; false where documents were committed
   * since: then nothing is written.
   */
  putDerived(generation: number, bytes: number, put: (writer: Writer) => void): Promise<boolean> {
    return this.#serial.run(() =>
      this.#asWriter((session) => this.#putDerived(session, generation, bytes, put)),
    )
  }

  /** Derived data of an older generation may hold what was removed: they are not written. */
  async #putDerived(
    session: WriterSession,
    generation: number,
    bytes: number,
    put: (writer: Writer) => void,
  ): Promise<boolean> {
    let present = false
    await this.#write(
      session,
      ['derived'],
      bytes,
      (writer, record) => {
        present = record!.generation === generation
        if (present) put(writer)
        return record!
      },
      false,
    )
    return present
  }

  /** Runs a write as the one writer; what it knows is forgotten when it may no longer be true. */
  async #asWriter<T>(work: (session: WriterSession) => Promise<T>): Promise<T> {
    try {
      await this.#lock.acquire()
      if (this.#session === null) {
        const begun = await beginSession(this.#state)
        this.#state.record = begun.record
        this.#session = begun.session
      }
      return await work(this.#session)
    } catch (error) {
      if (isHubmeshError(error) && FORGETTING.includes(error.code)) {
        this.#session = null
        await this.#lock.release()
      }
      throw error
    }
  }

  /** One fenced transaction. Without room, derived data go first and it is tried once more. */
  async #write(
    session: WriterSession,
    stores: readonly StoreName[],
    bytes: number,
    plan: WritePlan,
    mayShed = true,
  ): Promise<void> {
    const { faults, connection } = this.#state
    const attempt = async (): Promise<CorpusRecord> =>
      await write(connection, {
        stores,
        fence: session.fence,
        bytes,
        plan,
        ...(faults === undefined ? {} : { faults }),
      })
    try {
      this.#state.record = await attempt()
    } catch (error) {
      if (!mayShed || !isHubmeshError(error) || error.code !== 'store/quota') throw error
      await write(connection, {
        stores: ['derived'],
        fence: session.fence,
        bytes: 0,
        plan: (writer, record) => {
          writer.clear('derived')
          return record!
        },
      })
      this.#state.record = await attempt()
    }
  }

  async #writeBlocks(session: WriterSession, plan: BlockPlan): Promise<void> {
    const blocks = await blockWrites(plan, session.sealer),
      directory = await session.blocks(),
      growth = growthOf(directory, plan)
    await this.#write(session, ['vectors', 'block_keys'], blocks.bytes, (writer, record) => {
      putBlocks(writer, blocks, session.damagedBlocks)
      return { ...record!, ...counted(record!, growth) }
    })
    directory.apply(plan)
    session.damagedBlocks.clear()
  }

  /** One transaction of whole documents, after the parts of one too large for it. */
  async #writeBatch(
    session: WriterSession,
    batch: CommitBatch,
    drop: ReadonlySet<string>,
  ): Promise<void> {
    const version = this.#state.generation + 1
    const bytes = batch.put.reduce((sum, document) => sum + documentBytes(document), 0),
      keptBytes = batch.keep.reduce((sum, kept) => sum + kept.bytes.length, 0)
    const staged = bytes > (batch.whole ? LIMITS.wholeCommitBytes : LIMITS.commitBytes)
    const { sealer } = session,
      apart = staged && batch.whole
    const records: readonly Records[] =
      sealer === null
        ? await plainRecords(batch.put, version, apart)
        : await Promise.all(batch.put.map((document) => toSealed(document, version, sealer, apart)))
    const keep =
      sealer === null
        ? batch.keep
        : await Promise.all(
            batch.keep.map(async ({ name, bytes }) => ({
              name,
              bytes: bytes.length === 0 ? bytes : await sealer.seal(keptPlace(name), bytes),
            })),
          )
    const removed = sealer === null ? batch.remove : batch.remove.map((id) => sealer.nameOf(id))
    if (staged) await this.#stage(session, records, version)
    const ids = [...batch.put.map(({ id }) => id), ...batch.remove],
      losing = ids.filter((id) => drop.has(id))
    const directory = losing.length > 0 ? await session.blocks() : null
    const plan = (await directory?.plan({ drop: new Set(losing) })) ?? NO_BLOCKS
    const blocks = await blockWrites(plan, sealer)
    const documents = records.map(({ record, parts }) => ({ record: sized(record, parts), parts })),
      keys = documents.map(({ record }) => record.id)
    const present = await session.stored.among([...removed, ...keys]),
      before = await storedBytes(this.#state.reader, [...present])
    const growth =
      documents.reduce((sum, { record }) => sum + record.bytes, 0) -
      before +
      (directory === null ? 0 : growthOf(directory, plan))
    const more =
      keys.filter((key) => !present.has(key)).length -
      removed.filter((key) => present.has(key)).length
    await this.#write(
      session,
      ['documents', 'parts', 'vectors', 'block_keys', 'derived'],
      bytes + blocks.bytes + keptBytes,
      (writer, record) => {
        for (const key of removed) {
          writer.delete('documents', key)
          writer.delete('parts', partRange(key))
        }
        for (const { record: document, parts } of documents) {
          if (present.has(document.id)) writer.delete('parts', partRange(document.id, version))
          if (!staged) for (const part of parts) writer.put('parts', part.key, part.value)
          writer.put('documents', document.id, document)
        }
        if (staged) writer.delete('meta', STAGED_KEY)
        for (const kept of keep) putKept(writer, kept)
        writer.clear('derived') // of another generation now, and it may name what was removed
        putBlocks(writer, blocks, session.damagedBlocks)
        return {
          ...record!,
          generation: record!.generation + 1,
          documents: record!.documents + more,
          ...counted(record!, growth),
        }
      },
    )
    session.stored.apply(removed, keys)
    directory?.apply(plan)
    session.damagedBlocks.clear()
    for (const id of [...ids, ...batch.keep.map(({ name }) => `kept ${name}`)])
      this.#state.release(id)
    this.#onCommitted('documents')
  }

  /**
   * Writes the parts ahead in bounded transactions; a crash before the record leaves a note by
   * which they are swept.
   */
  async #stage(
    session: WriterSession,
    records: readonly Records[],
    version: number,
  ): Promise<void> {
    await sweepStaged(this.#state, session)
    const parts = records.flatMap((record) => record.parts)
    const note = records.map(({ record }) => [record.id, version])
    for (let from = 0, to = 0; from < parts.length; from = to) {
      let bytes = 0
      while (
        to < parts.length &&
        (to === from || bytes + partBytes(parts[to]!) <= LIMITS.commitBytes)
      )
        bytes += partBytes(parts[to++]!)
      const some = parts.slice(from, to),
        first = from === 0
      await this.#write(session, ['parts'], bytes, (writer, record) => {
        if (first) writer.put('meta', STAGED_KEY, note)
        for (const { key, value } of some) writer.put('parts', key, value)
        return record!
      })
    }
  }

  /**
   * Ids of the commit whose vectors must go: removed, or replaced by another text or other
   * passages.
   */
  async #losingVectors(session: WriterSession, commit: CommitBatch): Promise<ReadonlySet<string>> {
    const { sealer } = session,
      keyOf = (id: string): string => (sealer === null ? id : sealer.nameOf(id))
    const present = await session.stored.among(
      [...commit.remove, ...commit.put.map(({ id }) => id)].map(keyOf),
    )
    if (present.size === 0) return new Set()
    const blocks = await session.blocks(),
      drop = new Set(commit.remove.filter((id) => blocks.holds(id)))
    const replaced = commit.put.filter(({ id }) => blocks.holds(id))
    const older = await this.#records(
      session,
      replaced.map(({ id }) => id),
    )
    for (const document of replaced)
      if (!keepsVectors(older.get(document.id) ?? null, document)) drop.add(document.id)
    return drop
  }

  /** The rows whose document is still there, with the text they were made of. */
  async #current(session: WriterSession, rows: readonly VectorRow[]): Promise<VectorRow[]> {
    const records = await this.#records(session, [...new Set(rows.map((row) => row.documentId))])
    return rows.filter((row) => {
      const record = records.get(row.documentId)
      return record !== undefined && record.hash === row.hash && row.passage < record.passageCount
    })
  }

  async #records(
    { sealer }: WriterSession,
    ids: readonly string[],
  ): Promise<Map<string, StoredVersion>> {
    const found = new Map<string, StoredVersion>()
    if (sealer !== null) {
      for (const { id, hash, passages } of await openDocuments(this.#state.reader, sealer, ids))
        found.set(id, { hash, passages, passageCount: passages.length / 2 })
      return found
    }
    for (let from = 0; from < ids.length; from += LIMITS.readPageRecords) {
      const some = ids.slice(from, from + LIMITS.readPageRecords)
      await this.#state.reader(['documents'], async (transaction) => {
        const values = await Promise.all(
          some.map((id) => transaction.objectStore('documents').get(id) as Promise<unknown>),
        )
        values.forEach((value, i) => {
          const record = decodeDocumentRecord(some[i], value)
          if (typeof record !== 'string') found.set(record.id, record)
        })
      })
    }
    return found
  }
}

const NO_BLOCKS: BlockPlan = { remove: [], add: [] }

/** Bytes of vectors by which a plan makes the corpus larger. */
function growthOf(blocks: VectorBlocks, plan: BlockPlan): number {
  return plan.add.reduce((sum, { bytes }) => sum + bytes.length, 0) - blocks.bytesOf(plan.remove)
}

/** What must be known of a stored document to tell whether its vectors still fit. */
interface StoredVersion {
  readonly hash: string
  readonly passages: ArrayLike<number> | null
  readonly passageCount: number
}

/** After these, what the session knows may be untrue. */
const FORGETTING: readonly string[] = [
  'writer/lost',
  'store/evicted',
  'store/indeterminate',
  'store/corrupt',
]

function putBlocks(writer: Writer, blocks: BlockWrites, damaged: ReadonlySet<number>): void {
  for (const block of [...blocks.remove, ...damaged]) {
    writer.delete('vectors', block)
    writer.delete('block_keys', block)
  }
  for (const { block, value, entry } of blocks.add) {
    writer.put('vectors', block, value)
    writer.put('block_keys', block, entry)
  }
}
