/** A corpus of segments as the rest of the package sees it, over any backend. */
import { HubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { compareIds } from '../../base/compare_ids.ts'
import { Mutex } from '../../base/mutex.ts'
import type { EmbedderIdentity, StorageKind } from '../../types.ts'
import type { Encryption } from '../encryption/encryption.ts'
import { Sealing } from '../encryption/sealing.ts'
import type { ModelChange } from '../records/model_change.ts'
import { identityKey } from '../records/settings_codec.ts'
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
import type { Backend } from './backend.ts'
import { CorpusState } from './corpus_state.ts'
import type { Manifest } from './manifest.ts'
import type { SegmentEntry } from './segment.ts'
import { SegmentReader } from './segment_reader.ts'
import { SegmentWriter } from './writer.ts'

type Listener = (generation: number, what: 'documents' | 'vectors') => void

export class SegmentStorage implements CorpusStorage {
  readonly kind: StorageKind
  private readonly state: CorpusState
  private readonly reader: SegmentReader
  private readonly writer: SegmentWriter
  private readonly serial = new Mutex()
  private readonly listeners = new Set<Listener>()
  private following = false
  /** Segments whose documents were given by the last reading. */
  private taken: ReadonlySet<string> = new Set()
  private closed = false
  /** Vector segments that were read to their end, under the embedder of then. */
  private given: { readonly embedder: string; readonly names: Set<string> } = {
    embedder: '',
    names: new Set(),
  }

  constructor(
    private readonly backend: Backend,
    settings: CorpusSettings,
    encryption: Encryption | undefined,
  ) {
    this.kind = backend.kind
    this.state = new CorpusState(backend, settings, new Sealing(encryption))
    this.reader = new SegmentReader(this.state)
    this.writer = new SegmentWriter(this.state, (what) => {
      backend.announce(what, this.state.manifest!)
    })
  }

  /** Reads the manifest. Rejects with `store/*`. */
  async open(): Promise<Manifest | null> {
    return await this.state.reload()
  }

  /** The next write becomes the writer anew. */
  forgetLead(): void {
    this.writer.forget()
  }

  get generation(): number {
    return this.state.generation
  }
  get settings(): CorpusSettings {
    return this.state.settings
  }
  get quarantined(): readonly QuarantinedRecord[] {
    return this.state.quarantined
  }
  get warnings(): readonly string[] {
    return [...this.backend.warnings, ...this.state.warnings]
  }

  async *documents(
    skip: (id: string, hash: string, isNew: boolean) => boolean = () => false,
  ): AsyncGenerator<readonly StoredDocument[]> {
    this.assertOpen()
    const manifest = await this.state.reload()
    if (this.state.legacy !== null) {
      const sealer = await this.state.sealer()
      for await (const page of this.state.legacy.documents(sealer, this.state.quarantine)) {
        const wanted = page.filter(({ id, hash }) => !skip(id, hash, true))
        if (wanted.length > 0) yield wanted
      }
      return
    }
    if (manifest === null) return
    const bySegment = new Map<string, readonly StoredDocument[]>()
    const skipped = new Map<string, number>(),
      before = this.state.quarantined.length
    const isSkipped = ({ name }: SegmentEntry): boolean => {
      const head = this.state.documents.head(name)
      if (!this.taken.has(name)) return false
      if (!head?.ids.every((id, i) => skip(id, head.hashes[i]!, false))) return false
      skipped.set(name, head.ids.length)
      return true
    }
    const last = await this.reader.readAll(
      ({ segments }) => segments.filter((entry) => !isSkipped(entry)),
      async (entry, parts) => {
        let count = 0
        const found = await this.state.documentsOf(entry, parts, (id, hash) => {
          const skips = skip(id, hash, !this.taken.has(entry.name))
          if (skips) count++
          return skips
        })
        bySegment.set(entry.name, found)
        skipped.set(entry.name, count)
      },
    )
    this.taken = new Set(last.segments.map(({ name }) => name))
    const passed = last.segments.reduce((sum, { name }) => sum + (skipped.get(name) ?? 0), 0)
    const documents = last.segments.flatMap(({ name }) => bySegment.get(name) ?? [])
    bySegment.clear()
    this.tellGone(last, documents.length + passed, before)
    documents.sort((a, b) => compareIds(a.id, b.id))
    for (let from = 0, to = 0; from < documents.length; from = to) {
      let chars = 0
      while (to < documents.length && to - from < LIMITS.readPageRecords) {
        chars += documents[to++]!.text.length
        if (chars > LIMITS.readPageBytes) break
      }
      yield documents.slice(from, to)
    }
  }

  async *vectors(options: VectorsOptions = {}): AsyncGenerator<readonly VectorRow[]> {
    this.assertOpen()
    await this.state.reload()
    const { legacy } = this.state
    if (legacy !== null) {
      yield* legacy.vectors(await this.state.sealer(), this.state.quarantine)
      return
    }
    const { embedder } = this.settings,
      key = embedder === null ? '' : identityKey(embedder)
    if (options.unseen !== true || this.given.embedder !== key)
      this.given = { embedder: key, names: new Set() }
    const { names } = this.given
    // Segments are merged into later ones while we read, so look again until there is nothing new;
    // a row may come twice.
    for (;;) {
      const manifest = await this.state.reload(),
        entry = manifest?.vectors.find(({ name }) => !names.has(name))
      if (manifest === null || entry === undefined) return
      const rest = manifest.vectors.filter(({ name }) => !names.has(name))
      for await (const [one, parts] of this.reader.batches(rest)) {
        if (parts === null && (await this.reader.isGone(one))) continue
        const found = await this.state.rowsOf(one, parts)
        if (found !== null && found.head.identity === key) yield found.rows
        names.add(one.name)
      }
    }
  }

  commit(commit: Commit): Promise<number> {
    return this.write(async () => {
      await this.writer.commit(commit)
      return this.generation
    })
  }

  putVectors(rows: readonly VectorRow[], by?: EmbedderIdentity): Promise<void> {
    return this.write(() => this.writer.putVectors(rows, by))
  }

  setEmbedder(identity: EmbedderIdentity, change: ModelChange = 'reembed'): Promise<void> {
    return this.write(() => this.writer.setEmbedder(identity, change))
  }

  rekey(to: Encryption): Promise<void> {
    return this.write(() => this.writer.rekey(to))
  }

  acquire(): Promise<number> {
    return this.write(async () => {
      await this.writer.lead()
      return this.generation
    })
  }

  async lead(onWait: () => void): Promise<void> {
    await this.backend.lockPatiently(onWait)
  }

  async kept(name: string): Promise<Uint8Array | null> {
    this.assertOpen()
    await this.state.reload()
    const { legacy } = this.state
    if (legacy === null) return await this.reader.record(({ kept }) => kept, name)
    const bytes = await legacy.kept(name, await this.state.sealer())
    if (bytes === undefined)
      this.state.quarantine({ id: `kept ${name}`, reason: 'its checksum does not match' })
    return bytes ?? null
  }

  async readDerived(name: string): Promise<Uint8Array | null> {
    this.assertOpen()
    await this.state.reload()
    return await this.reader.record(({ derived }) => derived, name)
  }

  writeDerived(name: string, bytes: Uint8Array): Promise<void> {
    const { generation } = this
    return this.write(() => this.writer.writeDerived(name, bytes, generation))
  }

  usage(): Promise<StorageUsage> {
    return this.backend.usage()
  }

  onForeignCommit(listener: Listener): () => void {
    this.listeners.add(listener)
    if (!this.following && !this.closed) {
      this.following = true
      this.backend.follow((what) => {
        void this.onForeign(what)
      })
    }
    return () => {
      this.listeners.delete(listener)
    }
  }

  async destroy(): Promise<void> {
    await this.serial.run(async () => {
      await this.backend.lock()
      await this.backend.destroy()
    })
    await this.close()
  }

  async close(): Promise<void> {
    await this.serial.run(async () => {
      if (this.closed) return
      this.closed = true
      this.listeners.clear()
      this.writer.forget()
      await this.backend.close()
    })
  }

  private write<T>(work: () => Promise<T>): Promise<T> {
    return this.serial.run(() => {
      this.assertOpen()
      return work()
    })
  }

  private tellGone({ documents }: Manifest, seen: number, before: number): void {
    const gone = documents - seen
    if (gone > 0 && this.state.quarantined.length === before)
      this.state.warnings.add(
        `${gone} documents that were committed are gone from the storage. Add them again.`,
      )
  }

  private async onForeign(what: 'documents' | 'vectors'): Promise<void> {
    if (this.closed) return
    const { generation, state } = this,
      manifest = state.current?.text
    try {
      await this.state.reload()
    } catch (error) {
      this.state.warnings.add(
        error instanceof HubmeshError ? error.message : 'The storage could not be read again.',
      )
      return
    }
    const isSame = what === 'documents' && this.generation === generation
    if (isSame && state.current?.text === manifest) return
    // vectors, and the model they are by, change within a generation; a folder cannot say so
    for (const listener of this.listeners) listener(this.generation, isSame ? 'vectors' : what)
  }

  private assertOpen(): void {
    if (!this.closed) return
    throw new HubmeshError(
      'store/closed',
      'The storage was closed by this program. Create a new one.',
    )
  }
}
