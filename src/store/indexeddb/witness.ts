/**
 * A note in Cache Storage that a corpus existed. Best effort: it only turns an empty database into
 * a reported loss.
 */
import { isCorpusName } from '../corpus_name.ts'

export interface Witness {
  readonly instance: string
  readonly documents: number
  readonly generation: number
}

export interface WitnessStore {
  read(corpus: string): Promise<Witness | null>
  write(corpus: string, witness: Witness): Promise<void>
  remove(corpus: string): Promise<void>
  /** Names of the corpora that have one. */
  corpora(): Promise<readonly string[]>
}

const CACHE = 'hubmesh-witness'
/**
 * Never requested: a cache wants the address of a request, and `.invalid` is reserved (RFC
 * 2606).
 */
const BASE = 'https://witness.hubmesh.invalid/'

export function platformCaches(): CacheStorage | null {
  try {
    return (globalThis.caches as CacheStorage | undefined) ?? null
  } catch {
    return null
  }
}

/** Every failure of the cache counts as "no witness". */
export function createWitnessStore(caches: CacheStorage | null): WitnessStore {
  const attempt = async <T>(act: (cache: Cache) => Promise<T>, otherwise: T): Promise<T> => {
    if (caches === null) return otherwise
    try {
      return await act(await caches.open(CACHE))
    } catch {
      return otherwise
    }
  }
  return {
    read: (corpus) =>
      attempt(async (cache) => {
        const answer = await cache.match(BASE + corpus)
        return answer === undefined ? null : decode(await answer.json())
      }, null),
    write: (corpus, witness) =>
      attempt(async (cache) => {
        await cache.put(
          BASE + corpus,
          new Response(JSON.stringify(witness), {
            headers: { 'content-type': 'application/json' },
          }),
        )
      }, undefined),
    remove: (corpus) =>
      attempt(async (cache) => {
        await cache.delete(BASE + corpus)
      }, undefined),
    corpora: () =>
      attempt(
        async (cache) =>
          (await cache.keys())
            .map((request) => request.url.slice(BASE.length))
            .filter(isCorpusName),
        [],
      ),
  }
}

function decode(value: unknown): Witness | null {
  if (
    typeof value !== 'object' ||
    value === null ||
    !('instance' in value) ||
    !('documents' in value) ||
    !('generation' in value)
  )
    return null
  const { instance, documents, generation } = value
  if (
    typeof instance !== 'string' ||
    typeof documents !== 'number' ||
    typeof generation !== 'number'
  )
    return null
  return { instance, documents, generation }
}
