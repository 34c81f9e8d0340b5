/**
 * Owns the files of documents in a corpus folder: reading them, and planning which are rewritten.
 * Node only. Refuses: to make anything current; that is the manifest's.
 */
import { HubmeshError, isHubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { ByteReader, ByteWriter } from '../../base/bytes.ts'
import { crc32 } from '../../base/checksum.ts'
import { keptFile, segmentFile } from './manifest.ts'
import { openFile } from './seals.ts'
import { decodeDocuments, encodeDocuments } from '../records/document_codec.ts'
import { documentBytes } from '../indexeddb/documents.ts'
import { compareIds } from '../../base/compare_ids.ts'
import type { Sealer } from '../encryption/sealer.ts'
import type { QuarantinedRecord, StoredDocument } from '../storage.ts'
import { tierOf } from '../records/vector_blocks.ts'

/** What a writer knows of a stored document. */
export interface Known {
  readonly segment: number
  readonly hash: string
  readonly passages: Int32Array
}

/**
 * Thrown when a file of the manifest is gone: another process has committed meanwhile, or it was
 * deleted.
 */
export class FileGone extends Error {}

/** The documents of one file. A damaged one is reported, and its neighbours are given. */
export async function readSegment(
  directory: string,
  number: number,
  damaged: (record: QuarantinedRecord) => void,
  sealer: Sealer | null,
): Promise<StoredDocument[]> {
  const name = segmentFile(number)
  try {
    const bytes = await openFile(directory, name, sealer)
    if (bytes === null) throw new FileGone(name)
    return decodeDocuments(bytes, 'store/corrupt', ({ id, reason }) => {
      damaged({ id: `${name}: ${id}`, reason })
    })
  } catch (error) {
    if (!isHubmeshError(error) || error.code !== 'store/corrupt') throw error
    damaged({ id: name, reason: error.message })
    return []
  }
}

/** A kept record as a file: its checksum, then its bytes. */
export function encodeKept(bytes: Uint8Array): Uint8Array {
  const out = new ByteWriter(bytes.length + 4)
  out.u32(crc32(bytes))
  out.raw(bytes)
  return out.finish()
}

/** The bytes of a kept record; null, and reported, where they do not check. Throws FileGone. */
export async function readKept(
  directory: string,
  number: number,
  name: string,
  damaged: (record: QuarantinedRecord) => void,
  sealer: Sealer | null,
): Promise<Uint8Array | null> {
  const bytes = await openFile(directory, keptFile(number), sealer).catch((error: unknown) => {
    if (!isHubmeshError(error) || error.code !== 'store/corrupt') throw error
    return new Uint8Array()
  })
  if (bytes === null) throw new FileGone(keptFile(number))
  if (bytes.length >= 4) {
    const input = new ByteReader(bytes, 'store/corrupt'),
      check = input.u32(),
      body = input.raw(input.left)
    if (crc32(body) === check) return body.slice()
  }
  damaged({ id: `kept ${name}`, reason: 'its checksum does not match' })
  return null
}

export interface SegmentPlan {
  readonly remove: readonly number[]
  readonly add: readonly {
    readonly number: number
    readonly documents: readonly StoredDocument[]
    readonly bytes: Uint8Array
  }[]
}

/**
 * Plans a batch: the files that hold an older version or a removed document are written anew
 * without it, and as soon as eight files of one size would lie there they become one.
 */
export async function planSegments(
  sizes: ReadonlyMap<number, number>,
  known: ReadonlyMap<string, Known>,
  batch: { readonly put: readonly StoredDocument[]; readonly remove: readonly string[] },
  next: number,
  readOne: (number: number) => Promise<readonly StoredDocument[]>,
): Promise<SegmentPlan> {
  const gone = new Set([...batch.remove, ...batch.put.map(({ id }) => id)])
  const remove = new Set<number>()
  for (const id of gone) {
    const segment = known.get(id)?.segment
    if (segment !== undefined) remove.add(segment)
  }
  const documents = [...batch.put]
  for (const number of remove)
    documents.push(...(await readOne(number)).filter(({ id }) => !gone.has(id)))
  for (;;) {
    const tier = tierOf(documents.reduce((sum, document) => sum + documentBytes(document), 0))
    const peers =
      tier === Number.POSITIVE_INFINITY || documents.length === 0
        ? []
        : [...sizes]
            .filter(([number, bytes]) => !remove.has(number) && tierOf(bytes) <= tier)
            .map(([number]) => number)
    if (peers.length < 7) break
    for (const number of peers) {
      remove.add(number)
      documents.push(...(await readOne(number)))
    }
  }
  documents.sort((a, b) => compareIds(a.id, b.id))
  const add: { number: number; documents: StoredDocument[]; bytes: Uint8Array }[] = []
  for (const some of cut(documents))
    add.push({ number: next++, documents: some, bytes: encodeDocuments(some) })
  return { remove: [...remove], add }
}

/** Runs of whole documents of about a block's size. */
function cut(documents: readonly StoredDocument[]): StoredDocument[][] {
  const runs: StoredDocument[][] = []
  let room = 0
  for (const document of documents) {
    const bytes = documentBytes(document)
    if (runs.length === 0 || bytes > room) {
      runs.push([])
      room = LIMITS.vectorBlockBytes
    }
    runs[runs.length - 1]!.push(document)
    room -= bytes
  }
  return runs
}

export function lostFile(directory: string, error: FileGone): HubmeshError {
  return new HubmeshError(
    'store/corrupt',
    `${error.message} of ${directory} is gone although the corpus names it. Nothing was ` +
      'changed. Restore the folder, or delete the corpus and add its documents again.',
    { cause: error, details: { directory, file: error.message } },
  )
}
