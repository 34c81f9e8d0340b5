/**
 * Owns a corpus in a folder of Node: files that are never changed, and one file CURRENT that names
 * those that count and is replaced in one step. Node only, loaded when asked for. Refuses: two
 * writers, and half a commit.
 */
import type { FSWatcher } from 'node:fs'
import { HubmeshError, isHubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { EmbedderIdentity } from '../../types.ts'
import { ByteReader, ByteWriter } from '../../base/bytes.ts'
import { crc32 } from '../../base/checksum.ts'
import { settleCommit } from '../records/commit_batch.ts'
import { checkCorpusName, isCorpusName } from '../corpus_name.ts'
import {
  bytesOf,
  fileError,
  join,
  lockDirectory,
  namesIn,
  removeFile,
  replaceDurably,
  resolve,
} from './files.ts'
import { blockFile, derivedFile, readManifest, type Manifest } from './manifest.ts'
import { openFile, sealFile } from './seals.ts'
import { FileGone, lostFile, readKept, readSegment } from './segments.ts'
import { DirectoryWriter } from './writer.ts'
import { compareIds } from '../../base/compare_ids.ts'
import type { Encryption } from '../encryption/encryption.ts'
import { nodeBuiltin } from '../../base/node_builtin.ts'
import { Sealing } from '../encryption/sealing.ts'
import { Mutex } from '../../base/mutex.ts'
import { identityKey } from '../records/settings_codec.ts'
import type {
  Commit,
  CorpusListing,
  CorpusSettings,
  CorpusStorage,
  QuarantinedRecord,
  StorageUsage,
  StoredDocument,
  VectorRow,
} from '../storage.ts'
import { checkRow, decodeBlock } from '../records/vector_block.ts'

export interface DirectoryOptions {
  /** The folder that holds one folder for each corpus; made when something is first written. */
  readonly directory: string
  readonly corpus: string
  /** Settings of a corpus that does not exist yet. */
  readonly settings: CorpusSettings
  /** By what the files are encrypted; left out for a plain corpus. */
  readonly encryption?: Encryption
}

/** Opens a corpus without writing. Rejects with `store/*`. */
export async function openDirectoryStorage(options: DirectoryOptions): Promise<CorpusStorage> {
  const directory = join(resolve(options.directory), checkCorpusName(options.corpus))
  const manifest = await readManifest(directory),
    sealing = new Sealing(options.encryption)
  await sealing.of(manifest)
  return new DirectoryStorage(directory, options.settings, manifest, sealing)
}

/** Corpora of a folder, with the bytes of their files. */
export async function listDirectoryCorpora(directory: string): Promise<readonly CorpusListing[]> {
  const found: CorpusListing[] = []
  for (const name of [...(await namesIn(directory))].filter(isCorpusName).sort(compareIds)) {
    const folder = join(directory, name)
    const files = await namesIn(folder)
    if (!files.includes('CURRENT')) continue
    let documents: number | null
    try {
      documents = (await readManifest(folder))?.documents ?? null
    } catch {
      documents = null // listed all the same: opening it says what is wrong
    }
    let bytes = 0
    for (const file of files) bytes += await bytesOf(join(folder, file))
    found.push({ name, documents, bytes })
  }
  return found
}

/**
 * Deletes a corpus folder. Rejects with `corpus/not-found`, or `writer/not-leader` while a program
 * writes to it.
 */
export async function deleteDirectoryCorpus(directory: string, corpus: string): Promise<void> {
  const folder = join(resolve(directory), checkCorpusName(corpus))
  if ((await namesIn(folder)).length === 0)
    throw new HubmeshError('corpus/not-found', `There is no corpus "${corpus}" in ${directory}.`, {
      details: { corpus, directory },
    })
  const release = await lockDirectory(folder)
  try {
    await removeFile(join(folder, 'CURRENT'))
    await removeFile(folder)
  } finally {
    await release()
  }
}

class DirectoryStorage implements CorpusStorage {
  readonly kind = 'directory'
  readonly warnings: readonly string[] = []
  readonly #directory: string
  readonly #defaults: CorpusSettings
  readonly #sealing: Sealing
  readonly #serial = new Mutex()
  readonly #quarantined = new Map<string, QuarantinedRecord>()
  readonly #listeners = new Set<(generation: number, what: 'documents' | 'vectors') => void>()
  #manifest: Manifest | null
  #writer: DirectoryWriter | null = null
  #watcher: FSWatcher | null = null
  #closed = false

  constructor(
    directory: string,
    defaults: CorpusSettings,
    manifest: Manifest | null,
    sealing: Sealing,
  ) {
    this.#sealing = sealing
    this.#directory = directory
    this.#defaults = defaults
    this.#manifest = manifest
  }

  get generation(): number {
    return this.#manifest?.generation ?? 0
  }
  get settings(): CorpusSettings {
    return this.#manifest?.settings ?? this.#defaults
  }
  get quarantined(): readonly QuarantinedRecord[] {
    return [...this.#quarantined.values()]
  }

  async *documents(): AsyncGenerator<readonly StoredDocument[]> {
    const all = await this.#current(async (manifest) => {
      const documents: StoredDocument[] = []
      for (const number of manifest.segments)
        documents.push(
          ...(await readSegment(
            this.#directory,
            number,
            this.#quarantine,
            await this.#sealing.of(manifest),
          )),
        )
      return documents
    })
    all?.sort((a, b) => compareIds(a.id, b.id))
    for (let from = 0; from < (all?.length ?? 0); from += LIMITS.readPageRecords)
      yield all!.slice(from, from + LIMITS.readPageRecords)
  }

  async *vectors(): AsyncGenerator<readonly VectorRow[]> {
    const seen = new Set<number>()
    // Blocks are merged into later ones while we read, so look again until there is nothing new; a
    // row may come twice.
    for (
      let numbers = await this.#blocks(seen);
      numbers.length > 0;
      numbers = await this.#blocks(seen)
    ) {
      for (const number of numbers) {
        seen.add(number)
        try {
          const bytes = await openFile(
            this.#directory,
            blockFile(number),
            await this.#sealing.of(this.#manifest),
          )
          if (bytes === null && !(await this.#blocks(new Set())).includes(number)) continue
          const { keys, rows } = decodeBlock(bytes)
          if (
            this.settings.embedder !== null &&
            keys.identity === identityKey(this.settings.embedder)
          )
            yield rows
        } catch (error) {
          if (!isHubmeshError(error) || error.code !== 'store/corrupt') throw error
          this.#quarantine({ id: blockFile(number), reason: error.message })
        }
      }
    }
  }

  async #blocks(seen: ReadonlySet<number>): Promise<readonly number[]> {
    return (
      (await this.#current((manifest) =>
        Promise.resolve(manifest.blocks.filter((number) => !seen.has(number))),
      )) ?? []
    )
  }

  commit(commit: Commit): Promise<number> {
    return this.#write(async (writer) => {
      await writer.commit(settleCommit(commit))
      return writer.manifest.generation
    })
  }

  putVectors(rows: readonly VectorRow[]): Promise<void> {
    return this.#write(async (writer) => {
      const { embedder } = writer.manifest.settings
      if (rows.length === 0) return
      if (embedder === null)
        throw new HubmeshError(
          'bug/invariant',
          'Vectors came before the corpus knew its embedder. Call setEmbedder first.',
        )
      for (const row of rows) checkRow(row, embedder.dims)
      await writer.putVectors(rows, embedder)
    })
  }

  setEmbedder(identity: EmbedderIdentity): Promise<void> {
    return this.#write(async (writer) => {
      const { embedder } = writer.manifest.settings
      if (embedder === null || identityKey(embedder) !== identityKey(identity))
        await writer.setEmbedder(identity)
    })
  }

  async kept(name: string): Promise<Uint8Array | null> {
    return await this.#current(async (manifest) => {
      const entry = manifest.kept?.find(([known]) => known === name)
      return entry === undefined
        ? null
        : await readKept(
            this.#directory,
            entry[1],
            name,
            this.#quarantine,
            await this.#sealing.of(manifest),
          )
    })
  }

  rekey(to: Encryption): Promise<void> {
    return this.#write(async (writer) => {
      await writer.rekey(await this.#sealing.rewrapped(writer.manifest, to))
    })
  }

  async readDerived(name: string): Promise<Uint8Array | null> {
    this.#open()
    const bytes = await openFile(
      this.#directory,
      derivedFile(name),
      await this.#sealing.of(this.#manifest),
    ).catch((error: unknown) => {
      if (!isHubmeshError(error) || error.code !== 'store/corrupt') throw error
      return null
    })
    if (bytes === null || bytes.length < 12) return null
    const head = new ByteReader(bytes, 'index/corrupt')
    const [generation, check] = [head.u32() + head.u32() * 2 ** 32, head.u32()]
    const body = head.raw(head.left)
    return generation === this.generation && crc32(body) === check ? body.slice() : null
  }

  writeDerived(name: string, bytes: Uint8Array): Promise<void> {
    const { generation } = this
    return this.#write(async (writer) => {
      const out = new ByteWriter(bytes.length + 12)
      out.u32(generation % 2 ** 32)
      out.u32(Math.floor(generation / 2 ** 32))
      out.u32(crc32(bytes))
      out.raw(bytes)
      await replaceDurably(
        this.#directory,
        derivedFile(name),
        await sealFile(derivedFile(name), out.finish(), writer.sealer),
      )
    })
  }

  async usage(): Promise<StorageUsage> {
    let usageBytes = 0
    for (const file of await namesIn(this.#directory))
      usageBytes += await bytesOf(join(this.#directory, file))
    return { persisted: true, usageBytes, quotaBytes: null }
  }

  onForeignCommit(
    listener: (generation: number, what: 'documents' | 'vectors') => void,
  ): () => void {
    this.#listeners.add(listener)
    this.#watch()
    return () => {
      this.#listeners.delete(listener)
    }
  }

  async destroy(): Promise<void> {
    await this.#write(async () => {
      await removeFile(join(this.#directory, 'CURRENT'))
      for (const name of await namesIn(this.#directory))
        if (name !== 'LOCK') await removeFile(join(this.#directory, name))
    })
    await this.close()
    await removeFile(this.#directory)
  }

  async close(): Promise<void> {
    await this.#serial.run(async () => {
      this.#closed = true
      this.#watcher?.close()
      this.#watcher = null
      await this.#writer?.release()
      this.#writer = null
    })
  }

  readonly #quarantine = (record: QuarantinedRecord): void => {
    this.#quarantined.set(record.id, record)
  }

  /** Runs a write as the one writer of the folder. */
  async #write<T>(work: (writer: DirectoryWriter) => Promise<T>): Promise<T> {
    return await this.#serial.run(async () => {
      this.#open()
      try {
        this.#writer ??= await DirectoryWriter.begin(
          this.#directory,
          this.#defaults,
          this.#sealing,
          this.#manifest !== null,
          this.#quarantine,
        )
        const done = await work(this.#writer)
        this.#manifest = this.#writer.manifest
        return done
      } catch (error) {
        if (isHubmeshError(error) && error.code.startsWith('input/')) throw error
        await this.#writer?.release()
        this.#writer = null
        throw error instanceof FileGone
          ? lostFile(this.#directory, error)
          : fileError(error, this.#directory)
      }
    })
  }

  /**
   * Reads by the manifest as it is now; a file that is gone by then means that it has changed, so
   * once more.
   */
  async #current<T>(work: (manifest: Manifest) => Promise<T>): Promise<T | null> {
    this.#open()
    for (let attempt = 0; ; attempt++) {
      const manifest = await readManifest(this.#directory)
      if (manifest === null) {
        if (this.#manifest !== null)
          throw new HubmeshError(
            'store/evicted',
            `${this.#directory} was deleted while it was open. Add the documents again.`,
            { details: { directory: this.#directory } },
          )
        return null
      }
      this.#manifest = manifest
      try {
        return await work(manifest)
      } catch (error) {
        if (!(error instanceof FileGone)) throw error
        if (attempt === 3) throw lostFile(this.#directory, error)
      }
    }
  }

  #watch(): void {
    if (this.#watcher !== null || this.#closed) return
    try {
      this.#watcher = nodeBuiltin('node:fs').watch(
        this.#directory,
        { persistent: false },
        (_event, name) => {
          if (name === 'CURRENT') void this.#onChange()
        },
      )
    } catch {
      this.#watcher = null // no folder yet: nobody can have committed to it
    }
  }

  async #onChange(): Promise<void> {
    // a read that follows says what is wrong
    const manifest = await readManifest(this.#directory).catch(() => null)
    if (manifest === null || manifest.generation <= this.generation || this.#writer !== null) return
    this.#manifest = manifest
    for (const listener of this.#listeners) listener(manifest.generation, 'documents')
  }

  #open(): void {
    if (this.#closed)
      throw new HubmeshError(
        'store/closed',
        'The storage was closed by this program. Create a new one.',
      )
  }
}
