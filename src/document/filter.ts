/** Filters over metadata: data in, a test out; nothing in a filter is code. */
import { HubmeshError } from '../base/errors.ts'
import type { Filter, FilterCondition, Json, Metadata } from '../types.ts'
import { isPlainObject } from './metadata.ts'

const MAX_DEPTH = 16

type Scalar = string | number | boolean | null
type ValueTest = (value: Json | undefined) => boolean

/** The test a filter stands for; see Filter. Throws `input/invalid` on another shape. */
export function compileFilter(filter: Filter, depth = 0): (metadata: Metadata) => boolean {
  if (depth > MAX_DEPTH) throw invalid(`is nested deeper than ${MAX_DEPTH} levels`)
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter))
    throw invalid(`must be an object, not ${filter === null ? 'null' : typeof filter}`)
  const tests = Object.entries(filter).map(([field, condition]: [string, unknown]) => {
    if ((field === 'and' || field === 'or') && Array.isArray(condition)) {
      const parts = (condition as Filter[]).map((part) => compileFilter(part, depth + 1))
      return (metadata: Metadata): boolean =>
        field === 'and'
          ? parts.every((part) => part(metadata))
          : parts.some((part) => part(metadata))
    }
    if (field === 'not' && isPlainObject(condition)) {
      const inner = compileFilter(condition as Filter, depth + 1)
      return (metadata: Metadata): boolean => !inner(metadata)
    }
    const test = compileCondition(field, condition),
      path = field.split('.')
    return (metadata: Metadata): boolean => test(valueAt(metadata, field, path))
  })
  return (metadata) => tests.every((test) => test(metadata))
}

/** A field by its own name, else by the path of its parts. */
export function valueAt(
  metadata: Metadata,
  field: string,
  path: readonly string[],
): Json | undefined {
  if (Object.hasOwn(metadata, field)) return metadata[field]
  if (path.length === 1) return undefined
  let value: Json | undefined = metadata
  for (const part of path) {
    if (!isPlainObject(value) || !Object.hasOwn(value, part)) return undefined
    value = (value as Metadata)[part]
  }
  return value
}

function compileCondition(field: string, condition: unknown): ValueTest {
  if (isScalar(condition)) return equals(scalar(condition))
  if (!isPlainObject(condition)) throw invalid(`has no usable condition for field "${field}"`)
  const tests = Object.entries(condition).map(([operator, operand]: [string, unknown]) => {
    const make = Object.hasOwn(OPERATORS, operator)
        ? OPERATORS[operator as keyof FilterCondition]
        : undefined,
      test = make?.(operand)
    if (!test)
      throw invalid(
        `has operator "${operator}" with a value it does not take in field "${field}"; use ` +
          'eq, ne, not, in, nin, gt, gte, lt, lte, between, contains, startsWith or exists',
      )
    return test
  })
  return (value) => tests.every((test) => test(value))
}

/** Each operator: its test, or null for an operand it does not take. */
const OPERATORS: Readonly<Record<keyof FilterCondition, (operand: unknown) => ValueTest | null>> = {
  eq: (operand) => (isScalar(operand) ? equals(scalar(operand)) : null),
  ne: (operand) => (isScalar(operand) ? not(equals(scalar(operand))) : null),
  not: (operand) => (isScalar(operand) ? not(equals(scalar(operand))) : null),
  in: (operand) => (isList(operand) ? oneOf(operand) : null),
  nin: (operand) => (isList(operand) ? not(oneOf(operand)) : null),
  gt: (operand) => ordered(operand, (a, b) => a > b),
  gte: (operand) => ordered(operand, (a, b) => a >= b),
  lt: (operand) => ordered(operand, (a, b) => a < b),
  lte: (operand) => ordered(operand, (a, b) => a <= b),
  between: (operand) => {
    if (!isList(operand) || operand.length !== 2) return null
    const from = ordered(operand[0], (a, b) => a >= b),
      to = ordered(operand[1], (a, b) => a <= b)
    // one member of a list must lie between both ends
    return from && to && anyOf((value) => from(value) && to(value))
  },
  contains: (operand) => {
    if (!isScalar(operand)) return null
    const wanted = scalar(operand)
    return (value) =>
      Array.isArray(value)
        ? (value as Json[]).includes(wanted)
        : typeof value === 'string' && typeof wanted === 'string' && value.includes(wanted)
  },
  startsWith: (operand) =>
    typeof operand === 'string'
      ? anyOf((value) => typeof value === 'string' && value.startsWith(operand))
      : null,
  exists: (operand) =>
    typeof operand === 'boolean' ? (value) => (value !== undefined) === operand : null,
}

/** Null stands for a missing field, too. */
function equals(wanted: Scalar): ValueTest {
  return anyOf((value) => (value === undefined ? null : value) === wanted)
}

function oneOf(operands: readonly unknown[]): ValueTest {
  const wanted = new Set<unknown>(operands.map(scalar))
  return anyOf((value) => wanted.has(value === undefined ? null : value))
}

function ordered(
  operand: unknown,
  compare: (a: string | number, b: string | number) => boolean,
): ValueTest | null {
  const bound = isScalar(operand) ? scalar(operand) : null
  if (typeof bound !== 'string' && typeof bound !== 'number') return null
  return anyOf((value) => typeof value === typeof bound && compare(value as string | number, bound))
}

function not(test: ValueTest): ValueTest {
  return (value) => !test(value)
}

function anyOf(test: ValueTest): ValueTest {
  return (value) => (Array.isArray(value) ? (value as Json[]).some(test) : test(value))
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every(isScalar)
}

function isScalar(value: unknown): boolean {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && !Number.isNaN(value)) ||
    (value instanceof Date && !Number.isNaN(value.getTime()))
  )
}

function scalar(value: unknown): Scalar {
  return value instanceof Date ? value.toISOString() : (value as Scalar)
}

function invalid(what: string): HubmeshError {
  return new HubmeshError(
    'input/invalid',
    `The filter ${what}. A filter is { field: value | { operator: value } }, { and: [...] }, ` +
      '{ or: [...] } or { not: {...} }.',
  )
}
