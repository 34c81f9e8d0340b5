/** Copies a foreign value as metadata: JSON within limits. */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { Json, Metadata } from '../types.ts'

/**
 * Copies `value` as metadata, equal to a copy through JSON: undefined fields are left out, a date
 * becomes its ISO text and -0 becomes 0. A key such as `__proto__` becomes an own property. `where`
 * names the document in messages. Throws `input/invalid` for what JSON cannot hold,
 * `input/too-large` beyond the limits.
 */
export function copyMetadata(value: unknown, where: string): Metadata {
  if (value === undefined || value === null) return {}
  if (!isPlainObject(value))
    throw invalidField(
      where,
      'metadata',
      `is ${describeValue(value)}, not a plain object`,
      'pass an object of JSON values',
    )
  const budget = { left: LIMITS.metadataChars }
  return copyObject(value, where, 'metadata', 1, budget)
}

/** Equal as JSON, whatever the order of fields. */
export function sameMetadata(a: Json, b: Json): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const left = a as Readonly<Record<string, Json>>,
    right = b as Readonly<Record<string, Json>>,
    keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameMetadata(left[key]!, right[key]!))
  )
}

/**
 * Metadata after a JSON merge patch (RFC 7396): fields of the patch replace those of the same name,
 * objects are merged, null takes a field out.
 */
export function patchedMetadata(metadata: Metadata, patch: Metadata): Metadata {
  const out = new Map(Object.entries(metadata))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) out.delete(key)
    else if (isPlainObject(value)) {
      const before = out.get(key)
      out.set(
        key,
        patchedMetadata(isPlainObject(before) ? (before as Metadata) : {}, value as Metadata),
      )
    } else out.set(key, value)
  }
  return Object.fromEntries(out)
}

interface Budget {
  left: number
}

function spend(budget: Budget, chars: number, where: string): void {
  budget.left -= chars
  if (budget.left < 0) {
    throw new HubmeshError(
      'input/too-large',
      `${where}: metadata is longer than ${LIMITS.metadataChars} characters as JSON; keep ` +
        'labels there and put prose into text.',
      {
        details: { field: 'metadata', limit: LIMITS.metadataChars },
      },
    )
  }
}

function copyObject(
  value: object,
  where: string,
  path: string,
  depth: number,
  budget: Budget,
): { readonly [key: string]: Json } {
  checkDepth(depth, where)
  const out: { [key: string]: Json } = {}
  spend(budget, 2, where)
  for (const key of Object.keys(value)) {
    const field: unknown = (value as Record<string, unknown>)[key]
    if (field === undefined) continue
    spend(budget, key.length + 4, where)
    const copy = copyJson(field, where, path, depth + 1, budget)
    Object.defineProperty(out, key, {
      value: copy,
      enumerable: true,
      writable: true,
      configurable: true,
    })
  }
  return out
}

function copyArray(
  value: readonly unknown[],
  where: string,
  path: string,
  depth: number,
  budget: Budget,
): readonly Json[] {
  checkDepth(depth, where)
  spend(budget, 2 + value.length, where)
  return Array.from(value, (item) => copyJson(item, where, path, depth + 1, budget))
}

function copyJson(
  value: unknown,
  where: string,
  path: string,
  depth: number,
  budget: Budget,
): Json {
  if (value === null || typeof value === 'boolean') {
    spend(budget, 5, where)
    return value
  }
  if (typeof value === 'string') {
    spend(budget, value.length, where)
    spend(budget, JSON.stringify(value).length - value.length, where)
    return value
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value))
      throw invalidField(
        where,
        path,
        `holds the number ${value}`,
        'leave the field out or pass null',
      )
    spend(budget, String(value).length, where)
    return value === 0 ? 0 : value
  }
  if (Array.isArray(value)) return copyArray(value, where, path, depth, budget)
  if (value instanceof Date && !Number.isNaN(value.getTime()))
    return copyJson(value.toISOString(), where, path, depth, budget)
  if (isPlainObject(value)) return copyObject(value, where, path, depth, budget)
  throw invalidField(
    where,
    path,
    `holds ${describeValue(value)}`,
    'pass JSON values only: string, number, boolean, null, arrays and plain objects of them',
  )
}

function checkDepth(depth: number, where: string): void {
  if (depth > LIMITS.metadataDepth) {
    throw new HubmeshError(
      'input/too-large',
      `${where}: metadata is nested deeper than ${LIMITS.metadataDepth} levels, or holds itself; flatten it.`,
      {
        details: { field: 'metadata', limit: LIMITS.metadataDepth },
      },
    )
  }
}

/** The error of one field of an entry: what is wrong with it, and what to do. */
export function invalidField(
  where: string,
  field: string,
  what: string,
  remedy: string,
): HubmeshError {
  return new HubmeshError('input/invalid', `${where}: ${field} ${what}; ${remedy}.`, {
    details: { field },
  })
}

/**
 * True for `{}` and `Object.create(null)` of any realm, not for arrays, dates, maps, buffers or
 * instances of classes.
 */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return true
  // A plain object of another realm: its prototype is that realm's root.
  return (
    Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf')
  )
}

/** What a value is, without its content: `a string of 12 characters`, `undefined`. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return `a string of ${value.length} characters`
  if (typeof value === 'number' || typeof value === 'bigint') return `a ${typeof value}`
  if (typeof value !== 'object') return `a ${typeof value}`
  if (Array.isArray(value)) return `an array of ${value.length}`
  return `an object (${Object.prototype.toString.call(value).slice(8, -1)})`
}
