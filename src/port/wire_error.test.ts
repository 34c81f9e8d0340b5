import { expect, it } from 'vitest'
import { ERROR_CODES, HubmeshError, isHubmeshError } from '../base/errors.ts'
import { fromWireError, toWireError } from './wire_error.ts'

const cross = (thrown: unknown): HubmeshError => fromWireError(structuredClone(toWireError(thrown)))

it('every code crosses with message, details, retryable and stack', () => {
  for (const code of ERROR_CODES) {
    const sent = new HubmeshError(code, `About ${code}.`, {
      details: { bytes: 7, names: ['a', 'b'], none: null },
      retryable: true,
    })
    const got = cross(sent)
    expect(got).toBeInstanceOf(HubmeshError)
    expect(isHubmeshError(got)).toBe(true)
    expect({
      code: got.code,
      message: got.message,
      details: got.details,
      retryable: got.retryable,
      stack: got.stack,
    }).toEqual({
      code,
      message: sent.message,
      details: sent.details,
      retryable: true,
      stack: sent.stack,
    })
  }
})

it('the chain of causes crosses: codes of HubmeshErrors, names and messages of others', () => {
  const root = new TypeError('root')
  const middle = new HubmeshError('store/quota', 'middle', { cause: root, details: { needed: 1 } })
  const got = cross(new HubmeshError('store/indeterminate', 'top', { cause: middle }))
  const cause = got.cause as HubmeshError
  expect(cause.code).toBe('store/quota')
  expect(cause.details).toEqual({ needed: 1 })
  expect((cause.cause as Error).name).toBe('TypeError')
  expect((cause.cause as Error).message).toBe('root')
})

it('a ring of causes ends', () => {
  const a = new Error('a')
  const b = new Error('b', { cause: a })
  a.cause = b
  let depth = 0
  for (
    let error: unknown = cross(new HubmeshError('bug/invariant', 'x', { cause: a }));
    error instanceof Error;
    error = error.cause
  )
    depth++
  expect(depth).toBeGreaterThan(2)
  expect(depth).toBeLessThan(10)
})

it('what is not a HubmeshError becomes bug/invariant and keeps itself as cause', () => {
  const got = cross(new RangeError('out of range'))
  expect(got.code).toBe('bug/invariant')
  expect((got.cause as Error).name).toBe('RangeError')
  expect((got.cause as Error).message).toBe('out of range')
})

it('a thrown non-error tells its kind and never its content', () => {
  const wire = toWireError('the secret text of a document')
  expect(JSON.stringify(wire)).not.toContain('secret')
  expect(wire.code).toBe('bug/invariant')
})

it('a foreign AbortError is `aborted`', () => {
  expect(cross(new DOMException('stop', 'AbortError')).code).toBe('aborted')
})
