/** A corpus in IndexedDB: one database `hubmesh:<corpus>`, one writer among the tabs. */
import type { StorageUsage } from '../storage.ts'
import type { Backend, LegacyCorpus, Switch } from '../segments/backend.ts'
import type { Manifest } from '../segments/manifest.ts'
import type { Parts, Segment, SegmentEntry } from '../segments/segment.ts'
import { Mutex } from '../../base/mutex.ts'
import {
  openCommitChannel,
  type ChannelFactory,
  type CommitChannel,
} from '../tabs/commit_channel.ts'
import { WriterLock, type Locks } from '../tabs/writer_lock.ts'
import { createWriterWatch, type WriterWatch } from '../tabs/writer_watch.ts'
import { write, type Writer } from './commit.ts'
import type { Connection } from './connection.ts'
import { deleteDatabase } from './databases.ts'
import type { FaultHook } from './fault_hook.ts'
import { readLegacy } from './legacy.ts'
import { partsOf, putSegment, rangeOf } from './parts.ts'
import { MANIFEST_COPY_KEY, MANIFEST_KEY, read, readManifests, type Reader } from './read.ts'
import { LEGACY_RECORD_KEYS, LEGACY_STORES, type StoreName } from './schema.ts'
import type { WitnessStore } from './witness.ts'

const RESERVE_KEY = 'reserve'

export interface IndexedDbBackendOptions {
  readonly corpus: string
  readonly connection: Connection
  readonly locks: Locks | null
  readonly channels: ChannelFactory
  readonly witness: WitnessStore
  /** The lead was lost, or may have been. */
  readonly onLost: () => void
  readonly writerWaitMs?: number
  readonly writerPingMs?: number
  readonly blockedMs?: number
  readonly faults?: FaultHook
}

export class IndexedDbBackend implements Backend {
  readonly kind = 'indexeddb'
  readonly place: string
  readonly warnings: readonly string[]
  private readonly connection: Connection
  private readonly writerLock: WriterLock
  private readonly watch: WriterWatch
  private readonly channel: CommitChannel
  private readonly witnessing = new Mutex()
  private onChange: (what: 'documents' | 'vectors') => void = () => undefined
  private generation = 0

  constructor(private readonly options: IndexedDbBackendOptions) {
    const { corpus, connection, locks, onLost, writerWaitMs, writerPingMs } = options
    this.connection = connection
    this.place = connection.name
    this.writerLock = new WriterLock({
      corpus,
      locks,
      onLost,
      onRefused: () => {
        this.watch.start(false)
      },
      ...(writerWaitMs === undefined ? {} : { waitMs: writerWaitMs }),
    })
    this.warnings = this.writerLock.singleTab
      ? [
          'This page has no Web Locks (they need a secure context), so nothing keeps two tabs ' +
            'from writing in turns: use the corpus in one tab only. A write by a tab that was ' +
            'overtaken is refused with writer/lost.',
        ]
      : []
    this.channel = openCommitChannel(corpus, options.channels, (kind) => {
      if (kind === 'ping') {
        if (this.writerLock.held) this.channel.send('pong', this.generation)
      } else if (kind === 'pong') this.watch.answered()
      else this.onChange(kind === 'commit' ? 'documents' : 'vectors')
    })
    this.watch = createWriterWatch({
      ask: () => {
        this.channel.send('ping', 0)
      },
      onSilence: () => {
        this.writerLock.steal().catch(() => undefined)
      },
      ...(writerPingMs === undefined ? {} : { intervalMs: writerPingMs }),
    })
  }

  private readonly reader: Reader = (stores, work) =>
    read(this.connection, stores, work, { faults: this.options.faults })

  manifests(): Promise<readonly string[]> {
    return this.reader(['meta'], readManifests)
  }

  async hasSegments(): Promise<boolean> {
    const stores = await this.storesOf(['segments', 'documents'])
    return await this.reader(stores, async (transaction) => {
      for (const name of stores) if ((await transaction.objectStore(name).count()) > 0) return true
      return false
    })
  }

  async legacy(): Promise<LegacyCorpus | null> {
    const stores = await this.storesOf(LEGACY_STORES)
    return stores.length === 0 ? null : await readLegacy(this.reader, this.place)
  }

  head({ name }: SegmentEntry): Promise<Uint8Array | null> {
    return this.reader(['segments'], async (transaction) => {
      const value: unknown = await transaction.objectStore('segments').get([name, 0])
      return value instanceof ArrayBuffer ? new Uint8Array(value) : null
    })
  }

  async segments(entries: readonly SegmentEntry[]): Promise<readonly (Parts | null)[]> {
    const one = async ({ name }: SegmentEntry): Promise<Parts | null> =>
      await this.reader(['segments'], async (transaction) =>
        partsOf(
          (await transaction.objectStore('segments').getAll(rangeOf(name))) as readonly unknown[],
        ),
      )
    // A value that the browser cannot read back costs its own segment alone.
    const all = await Promise.allSettled(entries.map(one))
    return all.map((result) => {
      if (result.status === 'fulfilled') return result.value
      const { reason } = result as { readonly reason: { readonly code?: unknown } }
      if (reason.code !== 'store/corrupt') throw result.reason as Error
      return { head: new Uint8Array(), body: new Uint8Array() }
    })
  }

  get locked(): boolean {
    return this.writerLock.held
  }

  lock(): Promise<void> {
    return this.writerLock.acquire()
  }

  async lockPatiently(onWait: () => void): Promise<void> {
    try {
      await this.writerLock.standInLine(() => {
        this.watch.start(true)
        onWait()
      })
    } finally {
      this.watch.stop()
    }
  }

  unlock(): Promise<void> {
    return this.writerLock.release()
  }

  async write(segments: readonly Segment[], before: string | null, needed: number): Promise<void> {
    await this.transact(['segments'], needed, before, (writer) => {
      for (const segment of segments) putSegment(writer, segment)
    })
  }

  async switch({ before, next, text, add, remove, needed, dropLegacy }: Switch): Promise<void> {
    const legacy = dropLegacy ? await this.storesOf(LEGACY_STORES) : []
    await this.transact(['segments', ...legacy], needed, before, (writer) => {
      for (const segment of add) putSegment(writer, segment)
      for (const name of remove) writer.delete('segments', rangeOf(name))
      if (dropLegacy) {
        for (const name of legacy) writer.clear(name)
        for (const key of [...LEGACY_RECORD_KEYS, 'staged']) writer.delete('meta', key)
        writer.delete('meta', IDBKeyRange.bound(['kept'], ['kept', []]))
      }
      writer.put('meta', MANIFEST_KEY, text)
      writer.put('meta', MANIFEST_COPY_KEY, text)
    })
    this.generation = next.generation
  }

  async remove(names: readonly string[]): Promise<void> {
    await this.transact(['segments'], 0, undefined, (writer) => {
      for (const name of names) writer.delete('segments', rangeOf(name))
    })
  }

  async sweep(keep: ReadonlySet<string>): Promise<void> {
    const keys = await this.reader(
      ['segments'],
      async (transaction) => await transaction.objectStore('segments').getAllKeys(),
    )
    const names = new Set(keys.map((key) => (Array.isArray(key) ? String(key[0]) : '')))
    const stale = [...names].filter((name) => !keep.has(name))
    if (stale.length > 0) await this.remove(stale)
  }

  reserved(): Promise<number> {
    return this.reader(['meta'], async (transaction) => {
      const value: unknown = await transaction.objectStore('meta').get(RESERVE_KEY)
      return value instanceof ArrayBuffer ? value.byteLength : 0
    })
  }

  async reserve(bytes: Uint8Array | null, needed: number): Promise<void> {
    await this.transact([], needed, undefined, (writer) => {
      if (bytes === null) writer.delete('meta', RESERVE_KEY)
      else writer.put('meta', RESERVE_KEY, bytes.buffer)
    })
  }

  follow(onChange: (what: 'documents' | 'vectors') => void): void {
    this.onChange = onChange
  }

  announce(what: 'documents' | 'vectors', manifest: Manifest): void {
    const { corpus, witness } = this.options,
      { instance, documents, generation } = manifest
    this.channel.send(what === 'vectors' ? 'vectors' : 'commit', generation)
    if (what === 'vectors') return
    void this.witnessing.run(() => witness.write(corpus, { instance, documents, generation }))
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

  async destroy(): Promise<void> {
    const { corpus, witness, blockedMs } = this.options
    await this.witnessing.run(() => witness.remove(corpus))
    this.connection.close()
    await deleteDatabase(this.connection.name, blockedMs === undefined ? {} : { blockedMs })
  }

  async close(): Promise<void> {
    this.watch.stop()
    this.connection.close()
    this.channel.close()
    await this.witnessing.run(() => Promise.resolve())
    await this.writerLock.release()
  }

  private async transact(
    stores: readonly StoreName[],
    bytes: number,
    before: string | null | undefined,
    plan: (writer: Writer) => void,
  ): Promise<void> {
    const { faults } = this.options
    await write(this.connection, {
      ...{ stores, bytes, plan, faults },
      ...(before === undefined ? {} : { before }),
    })
  }

  private async storesOf(names: readonly StoreName[]): Promise<readonly StoreName[]> {
    const { objectStoreNames } = await this.connection.database()
    return names.filter((name) => objectStoreNames.contains(name))
  }
}
