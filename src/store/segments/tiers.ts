/** Tiered compaction: which small segments a new one is merged with. */
import { LIMITS } from '../../base/limits.ts'
import type { SegmentEntry } from './segment.ts'

/** Segments of one tier that become one of the next. */
export const TIER_WIDTH = 8

/**
 * Size class of a segment: eight of one class become one of the next, so a document is rewritten a
 * bounded number of times however small the commits are. A full one is left alone.
 */
export function tierOf(bytes: number): number {
  if (bytes >= LIMITS.segmentBytes / 2) return Number.POSITIVE_INFINITY
  return bytes < LIMITS.segmentBytes / 64 ? 0 : bytes < LIMITS.segmentBytes / 8 ? 1 : 2
}

/** Segments that a new one of so many bytes completes the tier of. */
export function peersOf(bytes: number, entries: readonly SegmentEntry[]): readonly SegmentEntry[] {
  const tier = tierOf(bytes)
  if (tier === Number.POSITIVE_INFINITY) return []
  const peers = entries.filter(({ body }) => tierOf(body) <= tier)
  return peers.length >= TIER_WIDTH - 1 ? peers : []
}
