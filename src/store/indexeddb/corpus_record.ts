/**
 * Owns the one record a database has about its corpus. Refuses: to guess a damaged one. It is
 * written twice in the same transaction: a page of the disk that goes bad takes one document, not
 * the way to all.
 */
import { decodeSettings } from '../records/settings_codec.ts'
import { crc32Text } from '../../base/checksum.ts'
import { decodeHeader, type EncryptionHeader } from '../encryption/encryption.ts'
import type { CorpusSettings } from '../storage.ts'

export interface CorpusRecord {
  /**
   * Random name of this corpus' lifetime: another one under the same corpus name means the data are
   * not ours.
   */
  readonly instance: string
  readonly generation: number
  readonly documents: number
  /** Raised by everyone who becomes the writer; a write of an older one is refused. */
  readonly writerEpoch: number
  readonly settings: CorpusSettings
  /** Of documents and vectors, as their values count; left out by versions that did not count. */
  readonly bytes?: number
  /** Left out where nothing is encrypted. */
  readonly encryption?: EncryptionHeader
}

export const RECORD_KEY = 'corpus'
export const RECORD_COPY_KEY = 'corpus-copy'

/** As stored: JSON text and its CRC-32. */
export function encodeRecord(record: CorpusRecord): {
  readonly json: string
  readonly check: number
} {
  const { instance, generation, documents, writerEpoch, settings, bytes, encryption } = record
  const json = JSON.stringify({
    instance,
    generation,
    documents,
    writerEpoch,
    settings,
    bytes,
    encryption,
  })
  return { json, check: crc32Text(json) }
}

function count(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Undefined for anything that is not exactly what was written. */
export function decodeRecord(value: unknown): CorpusRecord | undefined {
  if (typeof value !== 'object' || value === null || !('json' in value) || !('check' in value))
    return undefined
  const { json, check } = value
  if (typeof json !== 'string' || json.length > 65536 || crc32Text(json) !== check) return undefined
  try {
    const fields = JSON.parse(json) as Record<string, unknown>
    const { instance, generation, documents, writerEpoch } = fields
    const settings = decodeSettings(fields.settings)
    if (
      typeof instance !== 'string' ||
      !count(generation) ||
      !count(documents) ||
      !count(writerEpoch) ||
      settings === undefined
    )
      return undefined
    const plain: CorpusRecord = {
      instance,
      generation,
      documents,
      writerEpoch,
      settings,
      ...(count(fields.bytes) ? { bytes: fields.bytes } : {}),
    }
    if (fields.encryption === undefined) return plain
    const encryption = decodeHeader(fields.encryption)
    return encryption === undefined ? undefined : { ...plain, encryption }
  } catch {
    return undefined
  }
}

/**
 * The good one of the two; null when neither was ever written, undefined when they were and none is
 * good.
 */
export function pickRecord(first: unknown, second: unknown): CorpusRecord | null | undefined {
  const record = decodeRecord(first) ?? decodeRecord(second)
  if (record !== undefined) return record
  return first === undefined && second === undefined ? null : undefined
}
