/**
 * Owns the file CURRENT of a corpus folder: which files make up the corpus now. Node only. Refuses:
 * a damaged one, and to take a folder without it for empty when it holds documents.
 */
import { HubmeshError } from '../../base/errors.ts'
import { crc32Text } from '../../base/checksum.ts'
import { decodeHeader, type EncryptionHeader } from '../encryption/encryption.ts'
import { join, namesIn, readBytes, replaceDurably } from './files.ts'
import { FORMAT_VERSION, decodeSettings } from '../records/settings_codec.ts'
import type { CorpusSettings } from '../storage.ts'

export interface Manifest {
  readonly generation: number
  readonly documents: number
  /** Raised by everyone who becomes the writer; a commit of an older one is refused. */
  readonly writerEpoch: number
  /** Number of the next file. */
  readonly next: number
  readonly settings: CorpusSettings
  /** Left out where nothing is encrypted. */
  readonly encryption?: EncryptionHeader
  /** Numbers of `documents-N.seg`, each a batch of whole documents. */
  readonly segments: readonly number[]
  /** Numbers of `vectors-N.blk`. */
  readonly blocks: readonly number[]
  /** Kept records: name, and number of `kept-N.bin`. Left out by versions that knew none. */
  readonly kept?: readonly (readonly [name: string, number: number])[]
}

export const segmentFile = (number: number): string => `documents-${number}.seg`
export const blockFile = (number: number): string => `vectors-${number}.blk`
export const keptFile = (number: number): string => `kept-${number}.bin`
const DERIVED = 'derived-'
export const derivedFile = (name: string): string => `${DERIVED}${encodeURIComponent(name)}.bin`

/** True for files that only a manifest gives a meaning. */
export function isDataFile(name: string): boolean {
  return (
    (name.startsWith('documents-') && name.endsWith('.seg')) ||
    (name.startsWith('vectors-') && name.endsWith('.blk')) ||
    (name.startsWith('kept-') && name.endsWith('.bin'))
  )
}

export function isDerivedFile(name: string): boolean {
  return name.startsWith(DERIVED)
}

export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const json = JSON.stringify(manifest)
  await replaceDurably(directory, 'CURRENT', JSON.stringify({ check: crc32Text(json), json }))
}

/** The manifest, or null for a corpus that was never written. */
export async function readManifest(directory: string): Promise<Manifest | null> {
  const bytes = await readBytes(join(directory, 'CURRENT'))
  if (bytes === null) {
    if ((await namesIn(directory)).some(isDataFile))
      throw damaged(directory, 'is missing beside files of documents')
    return null
  }
  const manifest = decode(new TextDecoder().decode(bytes))
  if (manifest === undefined) throw damaged(directory, 'is damaged')
  if (manifest.settings.formatVersion > FORMAT_VERSION)
    throw new HubmeshError(
      'store/newer-schema',
      `${directory} was written in format ${manifest.settings.formatVersion}; this version ` +
        `reads up to ${FORMAT_VERSION}. Use the newer version; nothing was changed.`,
      { details: { directory } },
    )
  return manifest
}

function damaged(directory: string, how: string): HubmeshError {
  return new HubmeshError(
    'store/corrupt',
    `The file CURRENT of ${directory} ${how}, so it is not known what the corpus holds. ` +
      'Nothing was changed. Restore the folder, or delete the corpus and add its documents again.',
    { details: { directory } },
  )
}

function decode(text: string): Manifest | undefined {
  try {
    const outer = JSON.parse(text) as { check?: unknown; json?: unknown }
    if (typeof outer.json !== 'string' || crc32Text(outer.json) !== outer.check) return undefined
    const fields = JSON.parse(outer.json) as Record<string, unknown>
    const settings = decodeSettings(fields.settings)
    const { generation, documents, writerEpoch, next, segments, blocks, kept = [] } = fields
    const whole = (value: unknown): value is number =>
      Number.isSafeInteger(value) && (value as number) >= 0
    const numbers = (value: unknown): value is number[] =>
      Array.isArray(value) && value.every(whole)
    if (
      settings === undefined ||
      !whole(generation) ||
      !whole(documents) ||
      !whole(writerEpoch) ||
      !whole(next) ||
      !numbers(segments) ||
      !numbers(blocks)
    )
      return undefined
    if (
      !Array.isArray(kept) ||
      !kept.every(
        (entry): entry is [string, number] =>
          Array.isArray(entry) && typeof entry[0] === 'string' && whole(entry[1]),
      )
    )
      return undefined
    const manifest = { generation, documents, writerEpoch, next, settings, segments, blocks, kept }
    if (fields.encryption === undefined) return manifest
    const encryption = decodeHeader(fields.encryption)
    return encryption === undefined ? undefined : { ...manifest, encryption }
  } catch {
    return undefined
  }
}
