/** The manifest: which segments make up a corpus now. Checked by CRC-32, and by a MAC if encrypted. */
import { HubmeshError } from '../../base/errors.ts'
import { crc32Text } from '../../base/checksum.ts'
import { decodeHeader, type EncryptionHeader } from '../encryption/encryption.ts'
import type { Sealer } from '../encryption/sealer.ts'
import { decodeSettings } from '../records/settings_codec.ts'
import type { CorpusSettings } from '../storage.ts'
import { segmentBytes, type SegmentEntry } from './segment.ts'

export interface Manifest {
  /** Random name of this corpus' lifetime. */
  readonly instance: string
  /** Raised by every switch, also by becoming the writer: what fences an older one. */
  readonly revision: number
  /** Counts commits of documents and kept records. */
  readonly generation: number
  readonly documents: number
  readonly settings: CorpusSettings
  readonly encryption?: EncryptionHeader
  readonly segments: readonly SegmentEntry[]
  readonly vectors: readonly SegmentEntry[]
  readonly kept: readonly NamedEntry[]
  readonly derived: readonly NamedEntry[]
}

/** A record by name; `derived` ones are dropped by the next commit. */
export interface NamedEntry {
  readonly as: string
  readonly entry: SegmentEntry
}

export function newManifest(
  instance: string,
  settings: CorpusSettings,
  encryption: EncryptionHeader | undefined,
): Manifest {
  return {
    instance,
    revision: 0,
    generation: 0,
    documents: 0,
    settings,
    ...(encryption === undefined ? {} : { encryption }),
    segments: [],
    vectors: [],
    kept: [],
    derived: [],
  }
}

export function entriesOf(manifest: Manifest): readonly SegmentEntry[] {
  return [
    ...manifest.segments,
    ...manifest.vectors,
    ...[...manifest.kept, ...manifest.derived].map(({ entry }) => entry),
  ]
}

/** Bytes of documents and vectors. */
export function manifestBytes({ segments, vectors }: Manifest): number {
  let sum = 0
  for (const entry of [...segments, ...vectors]) sum += segmentBytes(entry)
  return sum
}

export function encodeManifest(manifest: Manifest, sealer: Sealer | null): string {
  const json = JSON.stringify({
    ...manifest,
    segments: manifest.segments.map(packEntry),
    vectors: manifest.vectors.map(packEntry),
    kept: manifest.kept.map(({ as, entry }) => [as, ...packEntry(entry)]),
    derived: manifest.derived.map(({ as, entry }) => [as, ...packEntry(entry)]),
  })
  const mac = sealer?.mac(json)
  return JSON.stringify({ check: crc32Text(json), ...(mac === undefined ? {} : { mac }), json })
}

/** What was read, with what must still be held against the key; undefined where it is damaged. */
export interface ReadManifest {
  readonly manifest: Manifest
  /** Throws `store/corrupt` where it was changed without the key. */
  authenticate(sealer: Sealer | null, place: string): void
}

export function decodeManifest(text: string): ReadManifest | undefined {
  try {
    const outer = JSON.parse(text) as { check?: unknown; mac?: unknown; json?: unknown }
    const { json, mac } = outer
    if (typeof json !== 'string' || crc32Text(json) !== outer.check) return undefined
    const manifest = decodeFields(JSON.parse(json) as Record<string, unknown>)
    if (manifest === undefined) return undefined
    return {
      manifest,
      authenticate(sealer, place) {
        if (sealer === null || sealer.mac(json) === mac) return
        throw new HubmeshError(
          'store/corrupt',
          `The manifest of ${place} was changed by somebody without the key of the corpus: which ` +
            'documents belong to it is not known. Nothing was changed. Restore a copy of it, or ' +
            'delete the corpus and add its documents again.',
          { details: { place, reason: 'mac' } },
        )
      },
    }
  } catch {
    return undefined
  }
}

function decodeFields(fields: Record<string, unknown>): Manifest | undefined {
  const { instance, revision, generation, documents } = fields
  const settings = decodeSettings(fields.settings)
  const segments = list(fields.segments, unpackEntry),
    vectors = list(fields.vectors, unpackEntry),
    kept = list(fields.kept, unpackNamed),
    derived = list(fields.derived, unpackNamed)
  if (
    typeof instance !== 'string' ||
    !isCount(revision) ||
    !isCount(generation) ||
    !isCount(documents) ||
    settings === undefined ||
    segments === undefined ||
    vectors === undefined ||
    kept === undefined ||
    derived === undefined
  )
    return undefined
  const manifest: Manifest = {
    ...{ instance, revision, generation, documents, settings },
    ...{ segments, vectors, kept, derived },
  }
  const names = entriesOf(manifest).map(({ name }) => name)
  if (new Set(names).size !== names.length) return undefined
  if (fields.encryption === undefined) return manifest
  const encryption = decodeHeader(fields.encryption)
  return encryption === undefined ? undefined : { ...manifest, encryption }
}

function packEntry({ name, head, body, check }: SegmentEntry): readonly unknown[] {
  return [name, head, body, check]
}

function unpackEntry(value: unknown): SegmentEntry | undefined {
  if (!Array.isArray(value)) return undefined
  const [name, head, body, check] = value as unknown[]
  return typeof name === 'string' &&
    /^[dvkx]-[0-9a-f]{24}$/.test(name) &&
    isCount(head) &&
    isCount(body) &&
    typeof check === 'string'
    ? { name, head, body, check }
    : undefined
}

function unpackNamed(value: unknown): NamedEntry | undefined {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return undefined
  const entry = unpackEntry(value.slice(1))
  return entry && { as: value[0], entry }
}

function list<T>(value: unknown, unpack: (one: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined
  const all = value.map(unpack)
  return all.includes(undefined) ? undefined : (all as T[])
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
