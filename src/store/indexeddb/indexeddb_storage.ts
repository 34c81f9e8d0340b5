/**
 * Owns a corpus in IndexedDB: one database `hubmesh:<corpus>`, one writer among the tabs,
 * everything checked when read. Refuses: to write before it is the writer, and to take a database
 * that lost its data for a new one.
 */
import { HubmeshError, isHubmeshError, throwIfAborted } from '../../base/errors.ts'
import type { EmbedderIdentity } from '../../types.ts'
import {
  openCommitChannel,
  platformChannels,
  type ChannelFactory,
  type CommitChannel,
} from '../tabs/commit_channel.ts'
import { Connection, deleteDatabase, type ConnectionOptions } from './connection.ts'
import { DATABASE_PREFIX, checkCorpusName } from '../corpus_name.ts'
import type { Encryption } from '../encryption/encryption.ts'
import type { FaultHook } from './fault_hook.ts'
import { getDerived } from './derived.ts'
import { IdbDocuments } from './reading.ts'
import { getKept } from './kept.ts'
import { read } from './read.ts'
import { openBlock } from './session.ts'
import { IdbState } from './state.ts'
import { IdbWriter } from './writer.ts'
import { derivedPlace, keptPlace } from '../encryption/places.ts'
import { Sealing } from '../encryption/sealing.ts'
import { Mutex } from '../../base/mutex.ts'
import { FORMAT_VERSION, identityKey } from '../records/settings_codec.ts'
import type {
  Commit,
  CorpusSettings,
  CorpusStorage,
  QuarantinedRecord,
  StorageUsage,
  StoredDocument,
  VectorRow,
  VectorsOptions,
} from '../storage.ts'
import { decodeBlock } from '../records/vector_block.ts'
import { createWitnessStore, platformCaches, type WitnessStore } from './witness.ts'
import {
  createWriterLock,
  platformLocks,
  type Locks,
  type WriterLock,
} from '../tabs/writer_lock.ts'
import { createWriterWatch, type WriterWatch } from '../tabs/writer_watch.ts'

export interface IndexedDbOptions {
  readonly corpus: string
  /** Settings of a corpus that does not exist yet; an existing one keeps its own. */
  readonly settings: CorpusSettings
  /** By what the records are encrypted; left out for a plain corpus. */
  readonly encryption?: Encryption
  /** Start over where the data were lost, instead of `store/evicted`. */
  readonly acceptLoss?: boolean
  readonly signal?: AbortSignal
  /** Called while another tab keeps the database from being upgraded. */
  readonly onBlocked?: () => void
  /** The outside world; left out, the browser's own. Null where it has none. */
  readonly locks?: Locks | null
  readonly channels?: ChannelFactory
  readonly caches?: CacheStorage | null
  readonly writerWaitMs?: number
  readonly writerPingMs?: number
  readonly connection?: Pick<
    ConnectionOptions,
    'openMs' | 'blockedMs' | 'retryDelaysMs' | 'migrations'
  >
  readonly faults?: FaultHook
}

/**
 * Opens the corpus, without writing anything. Rejects with `store/*`, `input/invalid` or `aborted`.
 */
export async function openIndexedDbStorage(options: IndexedDbOptions): Promise<CorpusStorage> {
  checkCorpusName(options.corpus)
  throwIfAborted(options.signal)
  const storage = new IndexedDbStorage(options)
  try {
    await storage.open()
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

class IndexedDbStorage implements CorpusStorage {
  readonly kind = 'indexeddb'
  readonly #options: IndexedDbOptions
  readonly #state: IdbState
  readonly #lock: WriterLock
  readonly #writer: IdbWriter
  readonly #documents: IdbDocuments
  readonly #channel: CommitChannel
  readonly #witness: WitnessStore
  readonly #witnessing = new Mutex()
  readonly #watch: WriterWatch
  readonly #listeners = new Set<(generation: number, what: 'documents' | 'vectors') => void>()
  /**
   * Blocks that were read to their end, under the writer and embedder of then: only those two make
   * a number mean another block.
   */
  #given: { readonly era: string; readonly numbers: ReadonlySet<IDBValidKey> } = {
    era: '',
    numbers: new Set(),
  }

  constructor(options: IndexedDbOptions) {
    this.#options = options
    const { corpus, settings, onBlocked, faults, writerWaitMs, writerPingMs } = options
    const connection = new Connection({
      ...options.connection,
      name: DATABASE_PREFIX + corpus,
      onEvent: () => {
        this.#writer.forget()
      },
      ...(onBlocked === undefined ? {} : { onBlocked }),
      ...(faults === undefined ? {} : { faults }),
    })
    this.#state = new IdbState(
      corpus,
      connection,
      settings,
      faults,
      new Sealing(options.encryption),
    )
    const locks = options.locks === undefined ? platformLocks() : options.locks
    this.#lock = createWriterLock({
      corpus,
      locks,
      onLost: () => {
        this.#writer.forget()
      },
      onRefused: () => {
        this.#watch.start(false)
      },
      ...(writerWaitMs === undefined ? {} : { waitMs: writerWaitMs }),
    })
    if (this.#lock.singleTab)
      this.#state.warnings.add(
        'This page has no Web Locks (they need a secure context), so nothing keeps two tabs ' +
          'from writing in turns: use the corpus in one tab only. A write by a tab that was ' +
          'overtaken is refused with writer/lost.',
      )
    this.#writer = new IdbWriter(this.#state, this.#lock, (what) => {
      this.#announce(what)
    })
    this.#documents = new IdbDocuments(this.#state, this.#writer)
    this.#channel = openCommitChannel(
      corpus,
      options.channels === undefined ? platformChannels() : options.channels,
      (kind) => {
        this.#onMessage(kind)
      },
    )
    this.#watch = createWriterWatch({
      ask: () => {
        this.#channel.send('ping', 0)
      },
      onSilence: () => {
        this.#lock.steal().catch(() => undefined)
      },
      ...(writerPingMs === undefined ? {} : { intervalMs: writerPingMs }),
    })
    this.#witness = createWitnessStore(
      options.caches === undefined ? platformCaches() : options.caches,
    )
  }

  get generation(): number {
    return this.#state.generation
  }
  get settings(): CorpusSettings {
    return this.#state.settings
  }
  get quarantined(): readonly QuarantinedRecord[] {
    return this.#state.quarantined
  }
  get warnings(): readonly string[] {
    return [...this.#state.warnings]
  }

  async open(): Promise<void> {
    const { corpus, acceptLoss, signal } = this.#options
    const { record, documents } = await read(
      this.#state.connection,
      ['documents'],
      async (transaction, found) => ({
        record: found,
        documents: await transaction.objectStore('documents').count(),
      }),
      signal === undefined ? {} : { signal },
    )
    if (record === undefined || (record === null && documents > 0))
      throw this.#state.damaged(documents)
    if (record !== null && record.settings.formatVersion > FORMAT_VERSION) {
      throw new HubmeshError(
        'store/newer-schema',
        `Corpus "${corpus}" was written in format ${record.settings.formatVersion}; this ` +
          `version reads up to ${FORMAT_VERSION}. Reload the page to get the newer app; nothing ` +
          'was changed.',
        { details: { corpus } },
      )
    }
    await this.#state.sealing.of(record)
    this.#state.record = record
    if (record !== null || acceptLoss === true) return
    const witness = await this.#witness.read(corpus)
    if (witness === null || witness.documents === 0) return
    throw new HubmeshError(
      'store/evicted',
      `Corpus "${corpus}" held ${witness.documents} documents and the browser has dropped them ` +
        '(storage cleared, evicted or damaged). Add them again; to start over, create the engine ' +
        'with acceptLoss: true.',
      { details: { corpus, documents: witness.documents, generation: witness.generation } },
    )
  }

  documents(): AsyncGenerator<readonly StoredDocument[]> {
    return this.#documents.all()
  }

  async pack(): Promise<boolean> {
    return this.#lock.held && (await this.#documents.pack())
  }

  async *vectors(options: VectorsOptions = {}): AsyncGenerator<readonly VectorRow[]> {
    const sealer = await this.#state.sealer()
    const { numbers: present, era } = await this.#blocksOf(new Set())
    const wanted = this.settings.embedder
    const known =
      options.unseen === true && this.#given.era === era ? this.#given.numbers : new Set()
    const seen = new Set<IDBValidKey>(present.filter((number) => known.has(number))),
      given = new Set(seen)
    this.#given = { era, numbers: given }
    // Blocks are merged into later ones while we read, so look again until there is nothing new; a
    // row may come twice.
    for (
      let { numbers } = await this.#blocksOf(seen);
      numbers.length > 0;
      { numbers } = await this.#blocksOf(seen)
    ) {
      for (const number of numbers) {
        seen.add(number)
        try {
          const value = await this.#state.reader(
            ['vectors'],
            async (transaction) =>
              (await transaction.objectStore('vectors').get(number)) as unknown,
          )
          if (value === undefined) continue
          const { keys, rows } = decodeBlock(await openBlock(sealer, number, value))
          if (wanted !== null && keys.identity === identityKey(wanted)) yield rows
          given.add(number)
        } catch (error) {
          if (!isHubmeshError(error) || error.code !== 'store/corrupt') throw error
          this.#state.quarantine({ id: `vectors ${String(number)}`, reason: error.message })
          if (typeof number === 'number') this.#writer.reportDamagedBlock(number)
        }
      }
    }
  }

  async #blocksOf(
    seen: ReadonlySet<IDBValidKey>,
  ): Promise<{ readonly numbers: readonly IDBValidKey[]; readonly era: string }> {
    return await this.#state.reader(['vectors'], async (transaction, record) => ({
      numbers: (await transaction.objectStore('vectors').getAllKeys()).filter(
        (number) => !seen.has(number),
      ),
      era:
        record === null || record === undefined
          ? ''
          : `${String(record.writerEpoch)} ` +
            `${record.settings.embedder === null ? '' : identityKey(record.settings.embedder)}`,
    }))
  }

  commit(commit: Commit): Promise<number> {
    return this.#writer.commit(commit)
  }

  putVectors(rows: readonly VectorRow[]): Promise<void> {
    return this.#writer.putVectors(rows)
  }

  setEmbedder(identity: EmbedderIdentity): Promise<void> {
    return this.#writer.setEmbedder(identity)
  }

  async kept(name: string): Promise<Uint8Array | null> {
    const sealer = await this.#state.sealer()
    let bytes = await this.#state.reader([], (transaction) => getKept(transaction, name))
    if (sealer !== null && bytes)
      bytes = await sealer.open(keptPlace(name), bytes).catch(() => undefined)
    if (bytes === undefined)
      this.#state.quarantine({ id: `kept ${name}`, reason: 'its checksum does not match' })
    return bytes ?? null
  }

  rekey(to: Encryption): Promise<void> {
    return this.#writer.rekey(to)
  }

  async readDerived(name: string): Promise<Uint8Array | null> {
    const sealer = await this.#state.sealer()
    const found = await this.#state
      .reader(['derived'], async (transaction, record) => {
        if (record === null || record === undefined) return null
        const bytes = await getDerived(transaction, name, record.generation)
        return bytes === null ? null : { bytes, generation: record.generation }
      })
      .catch((error: unknown) => {
        // a value that the browser cannot read back is missing, no more; other trouble the
        // documents tell
        if (!isHubmeshError(error) || error.code !== 'store/corrupt') throw error
        return null
      })
    if (found === null || sealer === null) return found?.bytes ?? null
    return await sealer.open(derivedPlace(name, found.generation), found.bytes).catch(() => null)
  }

  writeDerived(name: string, bytes: Uint8Array): Promise<void> {
    return this.#writer.writeDerived(name, bytes)
  }

  async usage(): Promise<StorageUsage> {
    const storage = (globalThis.navigator as Navigator | undefined)?.storage as
      Partial<StorageManager> | undefined
    const [persisted, estimate] = await Promise.all([
      storage?.persisted?.().catch(() => null),
      storage?.estimate?.().catch(() => null),
    ])
    return {
      persisted: persisted ?? null,
      usageBytes: estimate?.usage ?? null,
      quotaBytes: estimate?.quota ?? null,
    }
  }

  onForeignCommit(
    listener: (generation: number, what: 'documents' | 'vectors') => void,
  ): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  async lead(onWait: () => void): Promise<void> {
    try {
      await this.#lock.standInLine(() => {
        this.#watch.start(true)
        onWait()
      })
    } finally {
      this.#watch.stop()
    }
  }

  async destroy(): Promise<void> {
    await this.#writer.afterAll(async () => {
      await this.#lock.acquire()
      await this.#witnessing.run(() => this.#witness.remove(this.#options.corpus))
      this.#state.connection.close()
      const { blockedMs } = this.#options.connection ?? {}
      await deleteDatabase(
        this.#state.connection.name,
        blockedMs === undefined ? {} : { blockedMs },
      )
      this.#state.record = null
    })
    await this.close()
  }

  async close(): Promise<void> {
    this.#watch.stop()
    await this.#writer.afterAll(async () => {
      this.#writer.forget()
      this.#state.connection.close()
      this.#channel.close()
      this.#listeners.clear()
      await this.#witnessing.run(() => Promise.resolve())
      await this.#lock.release()
    })
  }

  #announce(what: 'documents' | 'vectors'): void {
    this.#channel.send(what === 'vectors' ? 'vectors' : 'commit', this.generation)
    if (what === 'vectors') return
    const { corpus } = this.#options
    void this.#witnessing.run(async () => {
      const { record } = this.#state
      if (record !== null)
        await this.#witness.write(corpus, {
          instance: record.instance,
          documents: record.documents,
          generation: record.generation,
        })
    })
  }

  #onMessage(kind: 'commit' | 'vectors' | 'ping' | 'pong'): void {
    if (kind === 'ping') {
      if (this.#lock.held) this.#channel.send('pong', this.generation)
    } else if (kind === 'pong') this.#watch.answered()
    else void this.#onForeign(kind === 'commit' ? 'documents' : 'vectors')
  }

  async #onForeign(what: 'documents' | 'vectors'): Promise<void> {
    try {
      await this.#state.reader([], () => Promise.resolve())
    } catch (error) {
      if (!isHubmeshError(error)) throw error
      this.#state.warnings.add(error.message)
      return
    }
    for (const listener of this.#listeners) listener(this.generation, what)
  }
}
