import { expect, it } from 'vitest'
import { fnv1a, fnv1aStep, FNV_OFFSET, mix32 } from './hash.ts'

it('equals the published FNV-1a values of ASCII strings', () => {
  expect(fnv1a('') >>> 0).toBe(0x811c9dc5)
  expect(fnv1a('a') >>> 0).toBe(0xe40c292c)
  expect(fnv1a('foobar') >>> 0).toBe(0xbf9cf968)
})

it('can be computed unit by unit', () => {
  let hash = FNV_OFFSET
  for (const unit of [0x66, 0x6f, 0x6f]) hash = fnv1aStep(hash, unit)
  expect(hash).toBe(fnv1a('foo'))
})

it('mixes as MurmurHash3 finalises', () => {
  expect(mix32(0)).toBe(0)
  expect(mix32(1)).toBe(0x514e28b7)
})
