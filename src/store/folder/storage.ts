/** Corpora in a folder of Node: opening, listing, deleting. Loaded when asked for. */
import { HubmeshError } from '../../base/errors.ts'
import { compareIds } from '../../base/compare_ids.ts'
import { checkCorpusName, isCorpusName } from '../corpus_name.ts'
import type { Encryption } from '../encryption/encryption.ts'
import { decodeManifest } from '../segments/manifest.ts'
import { SegmentStorage } from '../segments/segment_storage.ts'
import type { CorpusListing, CorpusSettings, CorpusStorage } from '../storage.ts'
import { bytesOf, join, namesIn, resolve } from './files.ts'
import { FolderBackend, removeFolder } from './folder_backend.ts'
import { holdsCorpus } from './legacy.ts'

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
  const directory = resolve(options.directory),
    corpus = checkCorpusName(options.corpus)
  await refuseLookalike(directory, corpus)
  const storage = new SegmentStorage(
    new FolderBackend(join(directory, corpus)),
    options.settings,
    options.encryption,
  )
  await storage.open()
  return storage
}

/** Two names that differ in case alone are one folder on many file systems. */
async function refuseLookalike(directory: string, corpus: string): Promise<void> {
  const names = await namesIn(directory)
  const other = names.find((name) => name !== corpus && name.toLowerCase() === corpus.toLowerCase())
  if (other === undefined || names.includes(corpus)) return
  throw new HubmeshError(
    'input/conflict',
    `There is a corpus "${other}" in ${directory}, and "${corpus}" differs from it in case ` +
      'alone: on many file systems they are one folder. Use that name, or another.',
    { details: { corpus, other } },
  )
}

/** Corpora of a folder, with the bytes of their files. */
export async function listDirectoryCorpora(directory: string): Promise<readonly CorpusListing[]> {
  const found: CorpusListing[] = []
  for (const name of [...(await namesIn(directory))].filter(isCorpusName).sort(compareIds)) {
    const folder = join(directory, name)
    // a file beside the folders is no corpus, nor is a folder that we may not read
    const files = await namesIn(folder).catch(() => [])
    if (!(await holdsCorpus(folder).catch(() => false))) continue
    const documents = await documentsIn(folder)
    if (documents === undefined) continue
    let bytes = 0
    for (const file of files) bytes += await bytesOf(join(folder, file))
    found.push({ name, documents, bytes })
  }
  return found
}

/** Null where the manifest does not read, undefined where nothing was ever written. */
async function documentsIn(folder: string): Promise<number | null | undefined> {
  const backend = new FolderBackend(folder)
  try {
    const [text] = await backend.manifests()
    if (text !== undefined) return decodeManifest(text)?.manifest.documents ?? null
    return (await backend.legacy())?.manifest.documents
  } catch {
    return null // listed all the same: opening it says what is wrong
  }
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
  const backend = new FolderBackend(folder)
  await backend.lock()
  try {
    await removeFolder(folder)
  } finally {
    await backend.close()
  }
}
