/** A read answer as it lies in a cache. */
import type { Reply, SaidEntity, SaidTriple } from './read_reply.ts'

const FORMAT = 1

export function encodeCached(reply: Reply): string {
  return JSON.stringify([
    FORMAT,
    reply.entities.map(({ name, type }) => [name, type]),
    reply.triples,
    reply.malformed,
  ])
}

export function decodeCached(value: string | undefined): Reply | null {
  if (value === undefined) return null
  let held: unknown
  try {
    held = JSON.parse(value)
  } catch {
    return null
  }
  if (!Array.isArray(held) || held.length !== 4 || held[0] !== FORMAT) return null
  const [, entities, triples, malformed] = held as readonly unknown[]
  if (!Array.isArray(entities) || !Array.isArray(triples) || typeof malformed !== 'number')
    return null
  if (!entities.every(isEntity) || !triples.every(isTriple)) return null
  return {
    entities: entities.map(([name, type]): SaidEntity => ({ name, type })),
    triples,
    malformed,
    complete: true,
  }
}

function isEntity(value: unknown): value is [string, string | null] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[0] === 'string' &&
    (typeof value[1] === 'string' || value[1] === null)
  )
}

function isTriple(value: unknown): value is SaidTriple {
  return (
    Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === 'string')
  )
}
