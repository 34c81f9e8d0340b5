/**
 * Owns the records of one commit: each document's record and its parts, and how large they are.
 * Refuses: writing them.
 */
import { yieldToEvents } from '../../base/platform.ts'
import { toRecords, type DocumentPart } from './documents.ts'
import type { SealedRecord } from './sealed.ts'
import type { StoredDocument } from '../storage.ts'

/** The record of a document, sealed or not, and the parts that are written ahead of it. */
export interface Records {
  readonly record: SealedRecord | ReturnType<typeof toRecords>['record']
  readonly parts: readonly DocumentPart[]
}

/** About how many bytes a part takes: its value, and its key beside it. */
export function partBytes({ key: [id], value }: DocumentPart): number {
  return (typeof value === 'string' ? 2 * value.length : value.byteLength) + 2 * id.length + 128
}

/** Records of documents, made some milliseconds' worth at a time: each has its checksum. */
export async function plainRecords(
  documents: readonly StoredDocument[],
  version: number,
  apart: boolean,
): Promise<readonly Records[]> {
  const records: Records[] = []
  for (const document of documents) {
    if (records.length % 512 === 511) await yieldToEvents()
    records.push(toRecords(document, version, apart))
  }
  return records
}
