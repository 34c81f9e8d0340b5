import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256 } from './sha256.ts'

test('gives the published digests of FIPS 180-4', () => {
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('agrees with node:crypto on texts of every length around the block size', () => {
  for (let n = 0; n < 200; n++) expect(sha256('é'.repeat(n))).toBe(createHash('sha256').update('é'.repeat(n)).digest('hex'))
})

test('agrees with node:crypto on generated text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => sha256(text) === createHash('sha256').update(text).digest('hex')))
})
