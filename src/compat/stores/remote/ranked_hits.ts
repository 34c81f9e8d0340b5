/** The k best of a server's hits in our order, however the server orders equals. */
import { HubmeshError } from '../../../base/errors.ts'
import type { VectorStoreHit } from '../vector_store.ts'

export interface RankedHitsOptions {
  readonly k: number
  /** The best `limit` hits, best first; fewer only where there are no more. */
  readonly fetch: (limit: number) => Promise<readonly VectorStoreHit[]>
  /** False for a hit that must not be given. */
  readonly passes: (id: string) => boolean
}

/**
 * Asks for one hit more than needed, and for twice as many while fewer than k pass or the last one
 * equals the k-th: the server may have cut its equals anywhere. Ordered by score, ties by id
 * (UTF-16 code units).
 */
export async function rankedHits(options: RankedHitsOptions): Promise<VectorStoreHit[]> {
  const { k, fetch, passes } = options
  if (k === 0) return []
  for (let limit = k + 1; ; limit *= 2) {
    const hits = await fetch(limit)
    const taken = hits.filter((hit) => passes(hit.id))
    const last = hits[hits.length - 1]
    const ended = hits.length < limit
    if (ended || (taken.length >= k && last!.score < taken[k - 1]!.score)) {
      return taken
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
        .slice(0, k)
    }
  }
}

/** A similarity as a server gave it, in [-1, 1]. */
export function cosineFrom(value: unknown, server: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw unreadable(server, 'a score that is no number')
  return Math.max(-1, Math.min(1, Math.fround(value)))
}

/** An answer that arrived whole and is not of the form that the server's description promises. */
export function unreadable(server: string, what: string): HubmeshError {
  return new HubmeshError(
    'remote/invalid',
    `${server} answered with ${what}; check that the address is that of a ${server} server and ` +
      'the collection was filled by hubmesh.',
  )
}
