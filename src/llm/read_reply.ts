/** What a model's answer says: names and triples. */
import { LIMITS } from '../base/limits.ts'
import { lenientJson } from './lenient_json.ts'

export interface SaidEntity {
  readonly name: string
  /** As the model wrote it, in capitals; null where it said none. */
  readonly type: string | null
}

/** Subject, predicate, object. */
export type SaidTriple = readonly [string, string, string]

export interface Reply {
  readonly entities: readonly SaidEntity[]
  readonly triples: readonly SaidTriple[]
  /** Entries that are no triple or no name. */
  readonly malformed: number
  /** False where the answer broke off; what came before counts. */
  readonly complete: boolean
}

/** Readings to the very end of the answer before it is given up. */
const MAX_CUTS = 16
const TRIPLE_KEYS = ['triples', 'relations', 'facts']
const SUBJECT_KEYS = ['subject', 's', 'source', 'head'],
  PREDICATE_KEYS = ['predicate', 'p', 'relation', 'type'],
  OBJECT_KEYS = ['object', 'o', 'target', 'tail']

/**
 * Finds the first JSON in the answer that holds triples or entities, whatever prose, fences or
 * thoughts stand around it. Null where there is none: a refusal, a chat, rubbish. An object without
 * any of the keys is none.
 */
export function readReply(raw: string): Reply | null {
  const text = raw.slice(0, LIMITS.llmReplyChars)
  let cuts = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '{' && text[at] !== '[') continue
    const found = lenientJson(text, at)
    if (found === null) continue
    const reply = replyOf(found.value, found.complete)
    if (reply) return reply
    // What was whole is passed over. A brace in prose may have swallowed the rest by an open quote:
    // then what is behind it gets its turn, a few times.
    if (found.complete) at = Math.max(at, found.end - 1)
    else if (++cuts === MAX_CUTS) return null
  }
  return null
}

function replyOf(value: unknown, complete: boolean): Reply | null {
  if (Array.isArray(value))
    return value.length === 0 || value.some((item) => tripleOf(item) !== null)
      ? collect([], value, complete)
      : null
  if (!(value instanceof Map)) return null
  const triples = TRIPLE_KEYS.map((key) => value.get(key) as unknown).find(Array.isArray) as
    unknown[] | undefined
  const entities = value.get('entities') as unknown
  if (triples || Array.isArray(entities))
    return collect(Array.isArray(entities) ? entities : [], triples ?? [], complete)
  // Some models wrap the answer: {"result": {...}}.
  for (const inner of value.values()) {
    const reply = inner instanceof Map ? replyOf(inner, complete) : null
    if (reply) return reply
  }
  return null
}

function collect(
  entities: readonly unknown[],
  triples: readonly unknown[],
  complete: boolean,
): Reply {
  const names = entities.map(entityOf),
    facts = triples.map(tripleOf)
  return {
    entities: names.filter((name) => name !== null),
    triples: facts.filter((fact) => fact !== null),
    // The last one of an answer that broke off is no fault of its form.
    malformed: Math.max(
      0,
      [...names, ...facts].filter((read) => read === null).length - (complete ? 0 : 1),
    ),
    complete,
  }
}

function entityOf(item: unknown): SaidEntity | null {
  if (Array.isArray(item))
    return typeof item[0] === 'string'
      ? entityOf(
          new Map([
            ['name', item[0]],
            ['type', item[1] as unknown],
          ]),
        )
      : null
  const name = nameOf(item instanceof Map ? first(item, ['name', 'entity', 'text']) : item)
  const type: unknown = item instanceof Map ? first(item, ['type', 'label', 'category']) : null
  return name === null
    ? null
    : {
        name,
        type:
          typeof type === 'string' && type.trim() !== ''
            ? type.trim().toUpperCase().slice(0, LIMITS.predicateChars)
            : null,
      }
}

function tripleOf(item: unknown): SaidTriple | null {
  const parts: readonly unknown[] = Array.isArray(item)
    ? item
    : item instanceof Map
      ? [first(item, SUBJECT_KEYS), first(item, PREDICATE_KEYS), first(item, OBJECT_KEYS)]
      : []
  if (parts.length !== 3) return null
  const subject = nameOf(parts[0]),
    object = nameOf(parts[2]),
    predicate: unknown = parts[1]
  if (
    subject === null ||
    object === null ||
    typeof predicate !== 'string' ||
    predicate.trim() === ''
  )
    return null
  return [subject, predicate.trim().replaceAll('_', ' ').slice(0, LIMITS.predicateChars), object]
}

function nameOf(value: unknown): string | null {
  const name: unknown = value instanceof Map ? value.get('name') : value
  if (typeof name !== 'string') return null
  const trimmed = name.trim()
  return trimmed === '' || trimmed.length > LIMITS.titleChars ? null : trimmed
}

function first(map: ReadonlyMap<unknown, unknown>, keys: readonly string[]): unknown {
  for (const key of keys) if (map.has(key)) return map.get(key)
  return undefined
}
