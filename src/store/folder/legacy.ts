/** Reading of corpus folders as 0.1 wrote them: numbered files, and CURRENT that names them. */
import { isHubmeshError } from '../../base/errors.ts'
import { ByteReader } from '../../base/bytes.ts'
import { compareIds } from '../../base/compare_ids.ts'
import { crc32, crc32Text } from '../../base/checksum.ts'
import { decodeHeader } from '../encryption/encryption.ts'
import type { Sealer } from '../encryption/sealer.ts'
import { decodeDocuments } from '../records/document_codec.ts'
import { decodeLegacyBlock } from '../records/legacy_block.ts'
import { FORMAT_VERSION, decodeSettings, identityKey } from '../records/settings_codec.ts'
import type { QuarantinedRecord, StoredDocument } from '../storage.ts'
import type { LegacyCorpus } from '../segments/backend.ts'
import { newManifest } from '../segments/manifest.ts'
import { damaged } from '../segments/segment.ts'
import { join, namesIn, readBytes, replaceDurably } from './files.ts'

type Damaged = (record: QuarantinedRecord) => void

interface Current {
  readonly segments: readonly number[]
  readonly blocks: readonly number[]
  readonly kept: readonly (readonly [name: string, number: number])[]
}

export function isLegacyFile(name: string): boolean {
  return /^(documents-\d+\.seg|vectors-\d+\.blk|kept-\d+\.bin|derived-.*\.bin|CURRENT\.next)$/.test(
    name,
  )
}

/**
 * A CURRENT that versions before refuse as too new, so that none takes the folder for an empty one.
 */
export async function writeStub(directory: string): Promise<void> {
  const json = JSON.stringify({
    ...{ generation: 0, documents: 0, writerEpoch: 0, next: 1, segments: [], blocks: [] },
    settings: {
      formatVersion: FORMAT_VERSION,
      chunk: { strategy: 'none', tokens: 0, overlap: 0 },
      embedder: null,
    },
  })
  await replaceDurably(directory, 'CURRENT', JSON.stringify({ check: crc32Text(json), json }))
}

/** A program of 0.1 holds its lock, and lives. */
export async function isLegacyLocked(directory: string): Promise<boolean> {
  const bytes = await readBytes(join(directory, 'LOCK')),
    pid = bytes === null ? 0 : Number(new TextDecoder().decode(bytes))
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export async function readLegacy(directory: string): Promise<LegacyCorpus | null> {
  const bytes = await readBytes(join(directory, 'CURRENT'))
  if (bytes === null) return null
  const read = decodeCurrent(new TextDecoder().decode(bytes))
  if (read === null) throw damaged(`CURRENT of ${directory} is damaged`)
  const { current, manifest } = read
  if (manifest.settings.formatVersion >= FORMAT_VERSION) return null
  const open = async (name: string, sealer: Sealer | null): Promise<Uint8Array> => {
    const found = await readBytes(join(directory, name))
    if (found === null) throw damaged(`${name} of ${directory} is gone`)
    return sealer === null ? found : await sealer.open(name, found)
  }
  return {
    manifest,
    async *documents(sealer, report) {
      const documents: StoredDocument[] = []
      for (const number of current.segments)
        await orReported(`documents-${number}.seg`, report, async (name) => {
          const bytes = await open(name, sealer)
          for (const document of decodeDocuments(bytes, 'store/corrupt', ({ id, reason }) => {
            report({ id: `${name}: ${id}`, reason })
          }))
            documents.push(document)
        })
      yield documents.sort((a, b) => compareIds(a.id, b.id))
    },
    async *vectors(sealer, report) {
      const { embedder } = manifest.settings,
        key = embedder === null ? null : identityKey(embedder)
      for (const number of current.blocks) {
        const block = await orReported(`vectors-${number}.blk`, report, async (name) =>
          decodeLegacyBlock(await open(name, sealer)),
        )
        if (block && block.head.identity === key) yield block.rows
      }
    },
    async kept(as, sealer) {
      const number = current.kept.find(([name]) => name === as)?.[1]
      if (number === undefined) return null
      const bytes = await orReported(
        `kept-${number}.bin`,
        () => undefined,
        (name) => open(name, sealer),
      )
      if (bytes === null || bytes.length < 4) return undefined
      const input = new ByteReader(bytes, 'store/corrupt'),
        check = input.u32(),
        body = input.raw(input.left)
      return crc32(body) === check ? body.slice() : undefined
    },
  }
}

async function orReported<T>(
  name: string,
  report: Damaged,
  work: (name: string) => Promise<T>,
): Promise<T | null> {
  try {
    return await work(name)
  } catch (error) {
    if (!isHubmeshError(error) || error.code !== 'store/corrupt') throw error
    report({ id: name, reason: error.message })
    return null
  }
}

function decodeCurrent(
  text: string,
): { readonly current: Current; readonly manifest: LegacyCorpus['manifest'] } | null {
  try {
    const outer = JSON.parse(text) as { check?: unknown; json?: unknown }
    if (typeof outer.json !== 'string' || crc32Text(outer.json) !== outer.check) return null
    const fields = JSON.parse(outer.json) as Record<string, unknown>
    const settings = decodeSettings(fields.settings),
      encryption = fields.encryption === undefined ? undefined : decodeHeader(fields.encryption)
    const { generation, documents, segments, blocks, kept = [] } = fields
    const isNumbers = (value: unknown): value is number[] =>
      Array.isArray(value) && value.every((one) => Number.isSafeInteger(one) && one >= 0)
    const isKept = (value: unknown): value is Current['kept'] =>
      Array.isArray(value) &&
      value.every(
        (one: unknown) => Array.isArray(one) && typeof one[0] === 'string' && isNumbers([one[1]]),
      )
    if (
      settings === undefined ||
      !isNumbers(segments) ||
      !isNumbers(blocks) ||
      !isNumbers([generation, documents]) ||
      !isKept(kept) ||
      (fields.encryption !== undefined && encryption === undefined)
    )
      return null
    return {
      current: { segments, blocks, kept },
      manifest: {
        ...newManifest('folder of 0.1', settings, encryption),
        generation: generation as number,
        documents: documents as number,
      },
    }
  } catch {
    return null
  }
}

/** True for a folder that has ever held a corpus. */
export async function holdsCorpus(directory: string): Promise<boolean> {
  return (await namesIn(directory)).some(
    (name) => name === 'CURRENT' || name.startsWith('manifest-'),
  )
}
