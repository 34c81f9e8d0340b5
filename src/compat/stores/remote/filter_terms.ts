/**
 * Filters as servers can apply them: each scalar of a document's metadata becomes a short tag, and
 * a filter becomes a condition over tags and numbers that every matching document meets.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { isPlainObject } from '../../../document/metadata.ts'
import type { Filter, FilterCondition, FilterScalar, Json, Metadata } from '../../../types.ts'

/**
 * Tags of which a document has at least one, or none; a number of a field in a range; all or any of
 * several.
 */
export type FilterTerm =
  | { readonly kind: 'any' | 'none'; readonly tags: readonly string[] }
  | { readonly kind: 'range'; readonly field: string; readonly gte?: number; readonly lte?: number }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly FilterTerm[] }

export interface ServerFilter {
  /** Null where the server can exclude nothing. */
  readonly term: FilterTerm | null
  /** False where documents may meet the term and not the filter. */
  readonly exact: boolean
}

/**
 * Hex digits of a tag: 80 bits, so that a billion tags hold no two alike, but for one chance in a
 * million.
 */
const TAG_DIGITS = 20

function digest(parts: readonly Json[]): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(parts)))).slice(0, TAG_DIGITS)
}

/**
 * Name under which numbers of a field are kept: free of dots and brackets, which are path syntax to
 * some servers.
 */
export function fieldKey(field: string): string {
  return `f${digest([field])}`
}

type TagValue = Exclude<FilterScalar, Date>
const tagOf = (field: string, value: TagValue): string => digest([field, value])
/** Says that the document has the field at all. */
const presenceOf = (field: string): string => digest([field, 'is', 'present'])

/**
 * Every tag of a document's metadata, each once: one for each field, one for each scalar that is
 * its value or in its list.
 */
export function tagsOf(metadata: Metadata): string[] {
  const tags = new Set<string>()
  for (const [field, value] of Object.entries(metadata)) {
    tags.add(presenceOf(field))
    for (const item of membersOf(value))
      if (typeof item !== 'object' || item === null) tags.add(tagOf(field, item as TagValue))
  }
  return [...tags]
}

/** The numbers of each field, under its key. */
export function numbersOf(metadata: Metadata): Record<string, number[]> {
  const numbers: Record<string, number[]> = {}
  for (const [field, value] of Object.entries(metadata)) {
    const found = membersOf(value).filter((item) => typeof item === 'number')
    if (found.length > 0) numbers[fieldKey(field)] = found
  }
  return numbers
}

function membersOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [value]
}

/**
 * The filter as a term, given that `compileFilter` took it. `ranges` says whether the server
 * compares numbers.
 */
export function serverFilter(filter: Filter, ranges: boolean): ServerFilter {
  const parts: ServerFilter[] = []
  for (const [field, condition] of Object.entries(filter) as [string, unknown][]) {
    if ((field === 'and' || field === 'or') && Array.isArray(condition)) {
      const nested = (condition as Filter[]).map((part) => serverFilter(part, ranges))
      parts.push(field === 'and' ? all(nested) : any(nested))
    } else if (field === 'not' && isPlainObject(condition)) parts.push(UNKNOWN)
    else parts.push(conditionTerm(field, condition as FilterScalar | FilterCondition, ranges))
  }
  return all(parts)
}

function conditionTerm(
  field: string,
  condition: FilterScalar | FilterCondition,
  ranges: boolean,
): ServerFilter {
  // a path below a field has no tags, a date is compared as its text: the client filters
  if (field.includes('.') || condition instanceof Date) return UNKNOWN
  if (typeof condition !== 'object' || condition === null) return equals(field, [condition])
  const present: FilterTerm = { kind: 'any', tags: [presenceOf(field)] }
  return all(
    Object.entries(condition).map(([operator, operand]: [string, unknown]): ServerFilter => {
      if (holdsDate(operand) || operator === 'nin') return UNKNOWN
      if (operator === 'in') return equals(field, operand as readonly TagValue[])
      if (operator === 'eq') return equals(field, [operand as TagValue])
      if (operator === 'not' || operator === 'ne') return differs(field, operand as TagValue)
      if (operator === 'exists')
        return { term: operand === true ? present : { ...present, kind: 'none' }, exact: true }
      if (typeof operand === 'number' && ranges && (operator === 'gte' || operator === 'lte'))
        return { term: { kind: 'range', field, [operator]: operand }, exact: true }
      // Whatever the value, the field must be there.
      return { term: present, exact: false }
    }),
  )
}

/** Excludes nothing on the server. */
const UNKNOWN: ServerFilter = { term: null, exact: false }

function holdsDate(operand: unknown): boolean {
  return operand instanceof Date || (Array.isArray(operand) && operand.some(holdsDate))
}

function equals(field: string, values: readonly TagValue[]): ServerFilter {
  const held: FilterTerm = { kind: 'any', tags: values.map((value) => tagOf(field, value)) }
  if (!values.includes(null)) return { term: held, exact: true }
  return {
    term: { kind: 'or', terms: [held, { kind: 'none', tags: [presenceOf(field)] }] },
    exact: true,
  }
}

function differs(field: string, value: TagValue): ServerFilter {
  const free: FilterTerm = { kind: 'none', tags: [tagOf(field, value)] }
  if (value !== null) return { term: free, exact: true }
  return {
    term: { kind: 'and', terms: [free, { kind: 'any', tags: [presenceOf(field)] }] },
    exact: true,
  }
}

function all(parts: readonly ServerFilter[]): ServerFilter {
  const terms = parts.flatMap((part) => (part.term === null ? [] : [part.term]))
  return {
    term: terms.length === 0 ? null : terms.length === 1 ? terms[0]! : { kind: 'and', terms },
    exact: parts.every((part) => part.exact),
  }
}

/** One part that excludes nothing makes the whole exclude nothing. */
function any(parts: readonly ServerFilter[]): ServerFilter {
  const terms = parts.flatMap((part) => (part.term === null ? [] : [part.term]))
  const exact = parts.every((part) => part.exact)
  return terms.length < parts.length
    ? { term: null, exact }
    : { term: { kind: 'or', terms }, exact }
}

/** True where nothing can meet the term: servers differ in what they make of an empty list. */
export function isNever(term: FilterTerm): boolean {
  if (term.kind === 'any') return term.tags.length === 0
  if (term.kind === 'and') return term.terms.some(isNever)
  return term.kind === 'or' && term.terms.every(isNever)
}
