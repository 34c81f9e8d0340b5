/** Relations that users gave about documents: checked against the text, and their stored form. */
import { isHubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { TextEvidence } from './text_evidence.ts'
import { ByteReader, ByteWriter } from '../base/bytes.ts'
import type { RelationInput, Span } from '../types.ts'

/** Offsets into the document's text: `text.slice(subject.start, subject.end)` is the subject. */
export interface PlacedRelation {
  readonly subject: Span
  readonly predicate: string
  readonly object: Span
}

export interface DocumentRelations {
  /** Content hash of the document they were read of. */
  readonly hash: string
  /** In order of their places, each once. */
  readonly relations: readonly PlacedRelation[]
}

/** By document id. */
export type GivenRelations = ReadonlyMap<string, DocumentRelations>

const VERSION = 1

/**
 * Where a relation stands: in the range given, else at the two names' nearest mentions in the text;
 * null where one of them does not stand there as whole words, or both are one mention. `whole` is
 * the document's text as it was looked at for other relations.
 */
export function placeRelation(
  text: string,
  { subject, predicate, object, start, end }: RelationInput,
  whole: TextEvidence,
): PlacedRelation | null {
  const from = start ?? 0,
    to = end ?? text.length
  if (from < 0 || to > text.length || from >= to) return null
  const within = to - from === text.length ? text : text.slice(from, to),
    pair = (within === text ? whole : new TextEvidence(within)).pair(subject, object)
  if (pair === null) return null
  const spanOf = (name: string, first: boolean): Span =>
    first
      ? { start: from + pair.start, end: from + pair.start + name.length }
      : { start: from + pair.end - name.length, end: from + pair.end }
  const first =
    within.startsWith(subject, pair.start) &&
    within.slice(pair.end - object.length, pair.end) === object
  return { subject: spanOf(subject, first), predicate, object: spanOf(object, !first) }
}

/**
 * Adds relations of a document; one that is there already changes nothing, and those of another
 * text go.
 */
export function addTo(
  given: Map<string, DocumentRelations>,
  id: string,
  hash: string,
  more: readonly PlacedRelation[],
): void {
  const before = given.get(id),
    all = new Map<string, PlacedRelation>()
  for (const relation of [...(before?.hash === hash ? before.relations : []), ...more])
    all.set(keyOf(relation), relation)
  if (all.size > 0 && all.size !== before?.relations.length)
    given.set(id, { hash, relations: [...all.values()].sort(inReadingOrder) })
}

/** The range from the first name to the end of the last. */
export function rangeOf({ subject, object }: PlacedRelation): Span {
  return { start: Math.min(subject.start, object.start), end: Math.max(subject.end, object.end) }
}

function keyOf({ subject, predicate, object }: PlacedRelation): string {
  return `${subject.start} ${subject.end} ${object.start} ${object.end} ${predicate}`
}

function inReadingOrder(a: PlacedRelation, b: PlacedRelation): number {
  const x = rangeOf(a),
    y = rangeOf(b)
  return (
    x.start - y.start ||
    x.end - y.end ||
    a.subject.start - b.subject.start ||
    (a.predicate < b.predicate ? -1 : a.predicate > b.predicate ? 1 : keyOf(a) < keyOf(b) ? -1 : 1)
  )
}

/** Empty where there is none. */
export function encodeRelations(given: GivenRelations): Uint8Array {
  if (given.size === 0) return new Uint8Array()
  const out = new ByteWriter(4096)
  out.varint(VERSION)
  out.varint(given.size)
  for (const [id, { hash, relations }] of [...given].sort(([a], [b]) => (a < b ? -1 : 1))) {
    out.text(id)
    out.text(hash)
    out.varint(relations.length)
    for (const { subject, predicate, object } of relations) {
      for (const { start, end } of [subject, object]) {
        out.varint(start)
        out.varint(end - start)
      }
      out.text(predicate)
    }
  }
  return out.finish()
}

/** What `encodeRelations` wrote; null where the bytes are something else. */
export function decodeRelations(bytes: Uint8Array): Map<string, DocumentRelations> | null {
  try {
    const input = new ByteReader(bytes, 'store/corrupt'),
      out = new Map<string, DocumentRelations>()
    if (input.varint() !== VERSION) return null
    for (let documents = input.count(4); documents > 0; documents--) {
      const id = input.text(LIMITS.idChars),
        hash = input.text(128),
        relations: PlacedRelation[] = []
      const span = (): Span => {
        const start = input.varint()
        return { start, end: start + input.varint() }
      }
      for (let count = input.count(5); count > 0; count--)
        relations.push({
          subject: span(),
          object: span(),
          predicate: input.text(LIMITS.predicateChars),
        })
      if (
        relations.some(
          ({ subject, object }) => Math.max(subject.end, object.end) > LIMITS.documentChars,
        )
      )
        return null
      out.set(id, { hash, relations })
    }
    input.end()
    return out
  } catch (error) {
    if (!isHubmeshError(error)) throw error
    return null
  }
}
