/** Filters over metadata: data in, a test out; nothing in a filter is code. */
import { HubmeshError } from '../base/errors.ts'
import type { Filter, FilterCondition, FilterScalar, Json, Metadata } from '../types.ts'

const MAX_DEPTH = 16

/**
 * The test a filter stands for. A list in the metadata matches when one of its members does; a
 * missing field matches only `null` and `not`. Throws `input/invalid` on another shape.
 */
export function compileFilter(filter: Filter, depth = 0): (metadata: Metadata) => boolean {
  if (depth > MAX_DEPTH) throw invalid(`is nested deeper than ${MAX_DEPTH} levels`)
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter))
    throw invalid(`must be an object, not ${filter === null ? 'null' : typeof filter}`)
  const tests: ((metadata: Metadata) => boolean)[] = []
  for (const [field, condition] of Object.entries(filter) as [string, unknown][]) {
    if ((field === 'and' || field === 'or') && Array.isArray(condition)) {
      const parts = (condition as Filter[]).map((part) => compileFilter(part, depth + 1))
      tests.push(
        field === 'and'
          ? (m) => parts.every((part) => part(m))
          : (m) => parts.some((part) => part(m)),
      )
    } else {
      const test = compileCondition(field, condition)
      tests.push((metadata) => test(Object.hasOwn(metadata, field) ? metadata[field] : undefined))
    }
  }
  return (metadata) => tests.every((test) => test(metadata))
}

type ValueTest = (value: Json | undefined) => boolean

function compileCondition(field: string, condition: unknown): ValueTest {
  if (isScalar(condition))
    return anyOf((value) => value === condition || (condition === null && value === undefined))
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition))
    throw invalid(`has no usable condition for field "${field}"`)
  const tests: ValueTest[] = []
  for (const [operator, operand] of Object.entries(condition as FilterCondition) as [
    string,
    unknown,
  ][]) {
    if (operator === 'in' && Array.isArray(operand) && operand.every(isScalar)) {
      const wanted = new Set<unknown>(operand)
      tests.push(anyOf((value) => wanted.has(value === undefined ? null : value)))
    } else if (operator === 'not' && isScalar(operand)) {
      const equal = anyOf((value) => (value === undefined ? null : value) === operand)
      tests.push((value) => !equal(value))
    } else if (
      (operator === 'gte' || operator === 'lte') &&
      (typeof operand === 'string' || (typeof operand === 'number' && !Number.isNaN(operand)))
    ) {
      tests.push(
        anyOf(
          (value) =>
            typeof value === typeof operand &&
            (operator === 'gte'
              ? (value as number) >= (operand as number)
              : (value as number) <= (operand as number)),
        ),
      )
    } else
      throw invalid(
        `has operator "${operator}" with a value it does not take in field "${field}"; use in ` +
          '(a list), gte, lte (number or string) or not',
      )
  }
  return (value) => tests.every((test) => test(value))
}

function anyOf(test: ValueTest): ValueTest {
  return (value) => (Array.isArray(value) ? (value as Json[]).some(test) : test(value))
}

function isScalar(value: unknown): value is FilterScalar {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && !Number.isNaN(value))
  )
}

function invalid(what: string): HubmeshError {
  return new HubmeshError(
    'input/invalid',
    `The filter ${what}. A filter is { field: value | { in, gte, lte, not } }, { and: [...] } or { or: [...] }.`,
  )
}
