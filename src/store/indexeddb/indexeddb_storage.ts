/** Opening of a corpus in IndexedDB; a database that lost its data is never taken for a new one. */
import { HubmeshError, throwIfAborted } from '../../base/errors.ts'
import { platformChannels, type ChannelFactory } from '../tabs/commit_channel.ts'
import { platformLocks, type Locks } from '../tabs/writer_lock.ts'
import { DATABASE_PREFIX, checkCorpusName } from '../corpus_name.ts'
import type { Encryption } from '../encryption/encryption.ts'
import { manifestBytes, decodeManifest } from '../segments/manifest.ts'
import { SegmentStorage } from '../segments/segment_storage.ts'
import type { CorpusListing, CorpusSettings, CorpusStorage } from '../storage.ts'
import { Connection } from './connection.ts'
import type { ConnectionOptions } from './connection_options.ts'
import type { FaultHook } from './fault_hook.ts'
import { IndexedDbBackend } from './indexeddb_backend.ts'
import { legacySizes } from './legacy.ts'
import { read, readManifests } from './read.ts'
import { createWitnessStore, platformCaches } from './witness.ts'

export interface IndexedDbOptions {
  readonly corpus: string
  /** Settings of a corpus that does not exist yet; an existing one keeps its own. */
  readonly settings: CorpusSettings
  /** By what the segments are encrypted; left out for a plain corpus. */
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
  const { onBlocked, faults, writerWaitMs, writerPingMs, signal } = options,
    corpus = checkCorpusName(options.corpus),
    witness = createWitnessStore(options.caches === undefined ? platformCaches() : options.caches)
  throwIfAborted(signal)
  const onLost = (): void => {
    storage.forgetLead()
  }
  const connection = new Connection({
    ...options.connection,
    name: DATABASE_PREFIX + corpus,
    onEvent: onLost,
    ...(onBlocked === undefined ? {} : { onBlocked }),
    ...(faults === undefined ? {} : { faults }),
  })
  const { blockedMs } = options.connection ?? {}
  const storage = new SegmentStorage(
    new IndexedDbBackend({
      ...{ corpus, connection, witness, onLost },
      locks: options.locks === undefined ? platformLocks() : options.locks,
      channels: options.channels === undefined ? platformChannels() : options.channels,
      ...(writerWaitMs === undefined ? {} : { writerWaitMs }),
      ...(writerPingMs === undefined ? {} : { writerPingMs }),
      ...(blockedMs === undefined ? {} : { blockedMs }),
      ...(faults === undefined ? {} : { faults }),
    }),
    options.settings,
    options.encryption,
  )
  try {
    await connection.database(signal)
    const manifest = await storage.open()
    const lost = manifest === null && options.acceptLoss !== true && (await witness.read(corpus))
    if (lost && lost.documents > 0)
      throw new HubmeshError(
        'store/evicted',
        `Corpus "${corpus}" held ${lost.documents} documents and the browser has dropped them ` +
          '(storage cleared, evicted or damaged). Add them again; to start over, create the ' +
          'engine with acceptLoss: true.',
        { details: { corpus, documents: lost.documents, generation: lost.generation } },
      )
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** What a database says of its size; undefined where nothing was ever written, nulls where it is damaged. */
export async function databaseSizes(
  corpus: string,
): Promise<Pick<CorpusListing, 'documents' | 'bytes'> | undefined> {
  const connection = new Connection({ name: DATABASE_PREFIX + corpus })
  try {
    const [text] = await read(connection, ['meta'], readManifests)
    if (text === undefined)
      return await legacySizes((stores, work) => read(connection, stores, work))
    const manifest = decodeManifest(text)?.manifest
    return manifest
      ? { documents: manifest.documents, bytes: manifestBytes(manifest) }
      : { documents: null, bytes: null }
  } finally {
    connection.close()
  }
}
