/** The choice of a storage by name, and the list of corpora. Never another kind than asked for. */
import { HubmeshError } from '../base/errors.ts'
import { compareIds } from '../base/compare_ids.ts'
import { databaseNames, deleteDatabase } from './indexeddb/databases.ts'
import { DATABASE_PREFIX, checkCorpusName, isCorpusName } from './corpus_name.ts'
import { checkEncryption, type Encryption } from './encryption/encryption.ts'
import type { IndexedDbOptions } from './indexeddb/indexeddb_storage.ts'
import { FORMAT_VERSION, decodeSettings } from './records/settings_codec.ts'
import type { CorpusListing, CorpusSettings, CorpusStorage } from './storage.ts'
import { createWitnessStore, platformCaches } from './indexeddb/witness.ts'

/** `directory` is for Node: the folder that holds one folder for each corpus. */
export type StorageChoice = 'indexeddb' | 'memory' | { readonly directory: string }

export interface CreateStorageOptions {
  /** 1 to 64 ASCII letters, digits, `.`, `_`, `-`. */
  readonly corpus: string
  readonly storage: StorageChoice
  /** Settings of a corpus that does not exist yet; an existing one keeps its own. */
  readonly settings: CorpusSettings
  /**
   * By what everything stored is encrypted; needed at each opening of a corpus that was begun with
   * it.
   */
  readonly encryption?: Encryption
  /** Start over where the browser dropped the data, instead of the error `store/evicted`. */
  readonly acceptLoss?: boolean
  /**
   * Called while another tab keeps the database from being upgraded; the wait goes on until
   * `store/blocked` or the signal.
   */
  readonly onBlocked?: () => void
  readonly signal?: AbortSignal
}

/**
 * Opens a corpus where it was asked to be. Rejects with `store/unavailable` where that is
 * impossible: what to do then is the app's decision, never ours.
 */
export async function createStorage(options: CreateStorageOptions): Promise<CorpusStorage> {
  const { storage, settings } = options
  const corpus = checkCorpusName(options.corpus)
  if (decodeSettings(settings) === undefined)
    throw new HubmeshError(
      'input/invalid',
      'The settings of a new corpus are not valid: a format version, a chunk strategy with ' +
        'tokens and overlap, and an embedder identity or null are needed.',
      { details: { field: 'settings' } },
    )
  const encryption =
    options.encryption === undefined ? {} : { encryption: checkEncryption(options.encryption) }
  if (storage === 'memory' && options.encryption !== undefined)
    throw new HubmeshError(
      'input/invalid',
      'A corpus in memory is stored nowhere, so there is nothing to encrypt. Leave out the ' +
        'option encryption, or choose storage that lasts.',
      { details: { option: 'encryption' } },
    )
  // Each kind is loaded when it is asked for, so that a page that only lists corpora carries none.
  if (storage === 'memory') return (await import('./memory_storage.ts')).openMemoryStorage(settings)
  if (storage === 'indexeddb')
    return await (
      await import('./indexeddb/indexeddb_storage.ts')
    ).openIndexedDbStorage({ ...pick(options), ...encryption })
  const { openDirectoryStorage } = await import('./folder/storage.ts')
  return await openDirectoryStorage({
    directory: directoryOf(storage),
    corpus,
    settings,
    ...encryption,
  })
}

function pick({
  corpus,
  settings,
  acceptLoss,
  onBlocked,
  signal,
}: CreateStorageOptions): IndexedDbOptions {
  return {
    corpus,
    settings,
    ...(acceptLoss === undefined ? {} : { acceptLoss }),
    ...(onBlocked === undefined ? {} : { onBlocked }),
    ...(signal === undefined ? {} : { signal }),
  }
}

function directoryOf(storage: unknown): string {
  if (
    typeof storage === 'object' &&
    storage !== null &&
    'directory' in storage &&
    typeof storage.directory === 'string' &&
    storage.directory !== ''
  )
    return storage.directory
  throw new HubmeshError(
    'input/invalid',
    'The storage must be "indexeddb", "memory" or { directory: a path } in Node.',
    { details: { field: 'storage' } },
  )
}

/**
 * Makes another key open an encrypted corpus; its records stay as they are, so it takes no longer
 * for a large one. Who has copied the files before can still open the copy with the old key.
 * Rejects with `store/locked`, `corpus/not-found`, `writer/not-leader` while it is open elsewhere.
 */
export async function changeCorpusKey(
  name: string,
  keys: { readonly from: Encryption; readonly to: Encryption },
  storage: Exclude<StorageChoice, 'memory'> = 'indexeddb',
): Promise<void> {
  const to = checkEncryption(keys.to)
  if (!(await listCorpora(storage)).some((corpus) => corpus.name === name))
    throw new HubmeshError(
      'corpus/not-found',
      `There is no corpus "${checkCorpusName(name)}" here.`,
      { details: { corpus: name } },
    )
  const opened = await createStorage({
    corpus: name,
    storage,
    encryption: keys.from,
    settings: {
      formatVersion: FORMAT_VERSION,
      chunk: { strategy: 'none', tokens: 0, overlap: 0 },
      embedder: null,
    },
  })
  try {
    await opened.rekey?.(to)
  } finally {
    await opened.close()
  }
}

/** Every corpus that has something written, by name. Memory corpora are nowhere listed. */
export async function listCorpora(
  storage: Exclude<StorageChoice, 'memory'> = 'indexeddb',
): Promise<readonly CorpusListing[]> {
  if (storage !== 'indexeddb')
    return await (await import('./folder/storage.ts')).listDirectoryCorpora(directoryOf(storage))
  const listed = await databaseNames()
  // A browser that does not list its databases still lists our notes of them.
  const names =
    listed === null
      ? await createWitnessStore(platformCaches()).corpora()
      : listed
          .filter((name) => name.startsWith(DATABASE_PREFIX))
          .map((name) => name.slice(DATABASE_PREFIX.length))
  const found: CorpusListing[] = []
  for (const name of [...new Set(names)].filter(isCorpusName).sort(compareIds)) {
    const sizes = await sizesOf(name)
    if (sizes !== undefined) found.push({ name, ...sizes })
  }
  return found
}

/** The numbers in the corpus record; undefined where nothing was ever written. */
async function sizesOf(
  name: string,
): Promise<Pick<CorpusListing, 'documents' | 'bytes'> | undefined> {
  try {
    return await (await import('./indexeddb/indexeddb_storage.ts')).databaseSizes(name)
  } catch (error) {
    if (
      error instanceof HubmeshError &&
      (error.code === 'store/newer-schema' || error.code === 'store/corrupt')
    )
      return { documents: null, bytes: null }
    throw error
  }
}

/**
 * Deletes a corpus and everything derived from it. Other tabs that have it open must let go first;
 * they get `store/evicted` afterwards. Rejects with `corpus/not-found`, `store/blocked` and, in a
 * folder, `writer/not-leader`.
 */
export async function deleteCorpus(
  name: string,
  storage: Exclude<StorageChoice, 'memory'> = 'indexeddb',
  options: { readonly onBlocked?: () => void; readonly blockedMs?: number } = {},
): Promise<void> {
  const corpus = checkCorpusName(name)
  if (storage !== 'indexeddb') {
    await (await import('./folder/storage.ts')).deleteDirectoryCorpus(directoryOf(storage), corpus)
    return
  }
  const witness = createWitnessStore(platformCaches())
  const [listed, noted] = [await databaseNames(), await witness.read(corpus)]
  if (noted === null && listed !== null && !listed.includes(DATABASE_PREFIX + corpus))
    throw new HubmeshError('corpus/not-found', `There is no corpus "${corpus}" in this browser.`, {
      details: { corpus },
    })
  // The note goes first: without it, what a crash leaves is an ordinary corpus, not one that looks
  // lost.
  await witness.remove(corpus)
  await deleteDatabase(DATABASE_PREFIX + corpus, options)
}
