/** The one record that schema 1 had about its corpus, written twice. Read only. */
import { crc32Text } from '../../base/checksum.ts'
import { decodeHeader, type EncryptionHeader } from '../encryption/encryption.ts'
import { decodeSettings } from '../records/settings_codec.ts'
import type { CorpusSettings } from '../storage.ts'

export interface CorpusRecord {
  readonly instance: string
  readonly generation: number
  readonly documents: number
  readonly settings: CorpusSettings
  readonly bytes?: number
  readonly encryption?: EncryptionHeader
}

/** Undefined for anything that is not exactly what was written. */
export function decodeRecord(value: unknown): CorpusRecord | undefined {
  if (typeof value !== 'object' || value === null || !('json' in value) || !('check' in value))
    return undefined
  const { json, check } = value
  if (typeof json !== 'string' || json.length > 65536 || crc32Text(json) !== check) return undefined
  try {
    const fields = JSON.parse(json) as Record<string, unknown>
    const { instance, generation, documents, bytes } = fields
    const settings = decodeSettings(fields.settings),
      encryption = fields.encryption === undefined ? undefined : decodeHeader(fields.encryption)
    if (
      typeof instance !== 'string' ||
      !isCount(generation) ||
      !isCount(documents) ||
      settings === undefined ||
      (fields.encryption !== undefined && encryption === undefined)
    )
      return undefined
    return {
      ...{ instance, generation, documents, settings },
      ...(isCount(bytes) ? { bytes } : {}),
      ...(encryption === undefined ? {} : { encryption }),
    }
  } catch {
    return undefined
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
