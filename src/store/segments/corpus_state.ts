/** What an open corpus knows of its storage: the manifest in force, who lies where, what is damaged. */
import { HubmeshError, isHubmeshError } from '../../base/errors.ts'
import type { Sealer } from '../encryption/sealer.ts'
import type { Sealing } from '../encryption/sealing.ts'
import { FORMAT_VERSION } from '../records/settings_codec.ts'
import type { CorpusSettings, QuarantinedRecord, StoredDocument, VectorRow } from '../storage.ts'
import type { Backend, LegacyCorpus } from './backend.ts'
import { DocumentDirectory } from './document_directory.ts'
import { decodeDocumentHead, decodeItem, itemAt, type DocumentHead } from './document_segment.ts'
import type { Current } from './draft.ts'
import { decodeManifest, type Manifest } from './manifest.ts'
import { openBody, openHead, type Parts, type SegmentEntry } from './segment.ts'
import { VectorDirectory } from './vector_directory.ts'
import { decodeVectorHead, rowsOf, type VectorHead } from './vector_segment.ts'

/** Heads read at a time. */
const HEADS_AT_ONCE = 16

export class CorpusState {
  /** The manifest in force as last seen; null while none was written. */
  current: Current | null = null
  /** A corpus of the layout before, until the first write. */
  legacy: LegacyCorpus | null = null
  readonly documents = new DocumentDirectory()
  readonly vectors = new VectorDirectory()
  readonly warnings = new Set<string>()
  private readonly damagedRecords = new Map<string, QuarantinedRecord>()

  constructor(
    readonly backend: Backend,
    /** Settings of a corpus that does not exist yet. */
    readonly defaults: CorpusSettings,
    readonly sealing: Sealing,
  ) {}

  get manifest(): Manifest | null {
    return this.current?.manifest ?? this.legacy?.manifest ?? null
  }

  get generation(): number {
    return this.manifest?.generation ?? 0
  }

  get settings(): CorpusSettings {
    return this.manifest?.settings ?? this.defaults
  }

  get quarantined(): readonly QuarantinedRecord[] {
    return [...this.damagedRecords.values()]
  }

  readonly quarantine = (record: QuarantinedRecord): void => {
    this.damagedRecords.set(record.id, record)
  }

  /** A record that was written anew, or removed, is no longer damaged. */
  release(id: string): void {
    this.damagedRecords.delete(id)
  }

  /** What opens the segments; null for a plain corpus. Rejects with `store/locked`. */
  async sealer(): Promise<Sealer | null> {
    return await this.sealing.of(this.manifest)
  }

  /** Reads the manifest in force. Rejects with `store/corrupt`, `store/evicted`, `store/locked`. */
  async reload(): Promise<Manifest | null> {
    const { backend } = this,
      texts = await backend.manifests()
    if (texts.length === 0) return await this.withoutManifest()
    if (this.current !== null && texts.includes(this.current.text)) return this.current.manifest
    for (const text of texts) {
      const read = decodeManifest(text)
      if (read === undefined) continue
      const { manifest } = read
      this.checkVersion(manifest)
      if (this.manifest !== null && manifest.instance !== this.manifest.instance)
        throw this.evicted()
      read.authenticate(await this.sealing.of(manifest), backend.place)
      this.current = { manifest, text }
      this.legacy = null
      return manifest
    }
    throw this.corrupt('is damaged')
  }

  private async withoutManifest(): Promise<Manifest | null> {
    if (this.current !== null) throw this.evicted()
    const legacy = await this.backend.legacy()
    if (legacy === null) {
      if (this.legacy !== null) throw this.evicted()
      if (await this.backend.hasSegments()) throw this.corrupt('is missing beside its segments')
      return null
    }
    this.checkVersion(legacy.manifest)
    await this.sealing.of(legacy.manifest)
    this.legacy = legacy
    return legacy.manifest
  }

  private checkVersion({ settings }: Manifest): void {
    if (settings.formatVersion <= FORMAT_VERSION) return
    throw new HubmeshError(
      'store/newer-schema',
      `${this.backend.place} was written in format ${settings.formatVersion}; this version ` +
        `reads up to ${FORMAT_VERSION}. Use the newer version; nothing was changed.`,
      { details: { place: this.backend.place } },
    )
  }

  evicted(): HubmeshError {
    return new HubmeshError(
      'store/evicted',
      `The data of ${this.backend.place} were deleted while they were open. Create a new engine ` +
        'and add the documents again.',
      { details: { place: this.backend.place } },
    )
  }

  private corrupt(how: string): HubmeshError {
    return new HubmeshError(
      'store/corrupt',
      `The manifest of ${this.backend.place} ${how}, so it is not known what the corpus holds. ` +
        'Nothing was changed. Restore a copy of it, or delete the corpus and add its documents again.',
      { details: { place: this.backend.place } },
    )
  }

  /** Reads the heads of documents that are not known yet. */
  async learnDocuments(): Promise<void> {
    await this.learn(this.documents.sync(this.manifest?.segments ?? []), (entry, bytes) => {
      this.documents.learn(entry.name, bytes && decodeDocumentHead(bytes))
    })
  }

  async learnVectors(): Promise<void> {
    await this.learn(this.vectors.sync(this.manifest?.vectors ?? []), (entry, bytes) => {
      this.vectors.learn(entry.name, bytes && decodeVectorHead(bytes))
    })
  }

  private async learn(
    entries: readonly SegmentEntry[],
    enter: (entry: SegmentEntry, head: Uint8Array | null) => void,
  ): Promise<void> {
    const sealer = await this.sealer()
    for (let from = 0; from < entries.length; from += HEADS_AT_ONCE)
      await Promise.all(
        entries.slice(from, from + HEADS_AT_ONCE).map(async (entry) => {
          const found = await this.orDamaged(entry, async () => {
            const bytes = await this.backend.head(entry)
            if (bytes !== null) enter(entry, await openHead(entry, bytes, sealer))
            return bytes
          })
          if (found === null) enter(entry, null)
        }),
      )
  }

  /** Runs a read of a segment; null, and in quarantine, where it is damaged. */
  async orDamaged<T>(entry: SegmentEntry, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      if (!isHubmeshError(error) || error.code !== 'store/corrupt') throw error
      this.quarantine({ id: entry.name, reason: error.message })
      return null
    }
  }

  /** Head and body of documents; null, and in quarantine, where they do not read. */
  async openDocuments(
    entry: SegmentEntry,
    parts: Parts | null,
  ): Promise<{ readonly head: DocumentHead; readonly body: Uint8Array } | null> {
    const sealer = await this.sealer()
    let head = this.documents.head(entry.name)
    head ??= await this.orDamaged(entry, async () =>
      parts === null ? null : decodeDocumentHead(await openHead(entry, parts.head, sealer)),
    )
    this.documents.learn(entry.name, head)
    if (head === null) return null
    const body = await this.orDamaged(entry, async () =>
      parts === null ? null : await openBody(entry, parts.body, sealer),
    )
    return body && { head, body }
  }

  /** The documents of a segment, but those that are skipped; damaged ones are put in quarantine. */
  async documentsOf(
    entry: SegmentEntry,
    parts: Parts | null,
    skip: (id: string, hash: string) => boolean,
  ): Promise<StoredDocument[]> {
    const opened = await this.openDocuments(entry, parts)
    if (opened === null) return []
    const documents: StoredDocument[] = []
    for (let i = 0; i < opened.head.ids.length; i++) {
      const item = itemAt(opened.head, opened.body, i)
      if (skip(item.id, item.hash)) continue
      try {
        documents.push(decodeItem(item))
      } catch (error) {
        if (!isHubmeshError(error)) throw error
        this.quarantine({ id: item.id, reason: error.message })
      }
    }
    return documents
  }

  /** One segment's documents, with their places in it; null where it is damaged. */
  async readDocuments(entry: SegmentEntry): ReturnType<CorpusState['openDocuments']> {
    const [parts] = await this.backend.segments([entry])
    return await this.openDocuments(entry, parts ?? null)
  }

  /** One segment's vectors; none where it is damaged. */
  async readRows(entry: SegmentEntry): Promise<readonly VectorRow[]> {
    const [parts] = await this.backend.segments([entry])
    return (await this.rowsOf(entry, parts ?? null))?.rows ?? []
  }

  /** Rows of a segment; null, and in quarantine, where it does not read. */
  async rowsOf(
    entry: SegmentEntry,
    parts: Parts | null,
  ): Promise<{ readonly head: VectorHead; readonly rows: VectorRow[] } | null> {
    const sealer = await this.sealer()
    const found = await this.orDamaged(entry, async () => {
      if (parts === null) return null
      const head = decodeVectorHead(await openHead(entry, parts.head, sealer))
      return { head, rows: rowsOf(head, await openBody(entry, parts.body, sealer)) }
    })
    this.vectors.learn(entry.name, found?.head ?? null)
    return found
  }
}
