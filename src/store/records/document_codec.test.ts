import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LIMITS } from '../../base/limits.ts'
import { ByteReader, ByteWriter } from '../../base/bytes.ts'
import {
  checkStorable,
  decodeDocuments,
  documentCheck,
  documentFault,
  encodeDocuments,
  metadataText,
  parseMetadata,
} from './document_codec.ts'
import type { QuarantinedRecord, StoredDocument } from '../storage.ts'

const anyText = fc
  .string({ unit: 'binary', maxLength: 60 })
  .chain((s) => fc.constantFrom(s, `${s}\ud800`, `\udfff${s}`, `\ufeff${s}\r\n\0`))
const anyDocument: fc.Arbitrary<StoredDocument> = fc
  .record({
    id: anyText.map((s) => `k${s}`),
    title: anyText,
    text: anyText,
    hash: fc.stringMatching(/^[0-9a-f]{64}$/),
    metadata: fc.dictionary(
      fc.constantFrom('a', '__proto__', 'constructor', 'läng'),
      fc.oneof(
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
        fc.boolean(),
        fc.constant(null),
      ),
    ),
  })
  .map((d) => ({
    ...d,
    passages: Int32Array.from([
      0,
      Math.floor(d.text.length / 2),
      Math.floor(d.text.length / 3),
      d.text.length,
    ]),
  }))

it('decode of encode is the document, lone surrogates, byte order marks and __proto__ fields included', () => {
  fc.assert(
    fc.property(fc.array(anyDocument, { maxLength: 4 }), (documents) => {
      const back = decodeDocuments(encodeDocuments(documents), 'store/corrupt')
      expect(
        back.map((d) => [d.id, d.title, d.text, d.hash, metadataText(d.metadata), [...d.passages]]),
      ).toEqual(
        documents.map((d) => [
          d.id,
          d.title,
          d.text,
          d.hash,
          metadataText(d.metadata),
          [...d.passages],
        ]),
      )
    }),
  )
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

it('every flipped bit and every cut is refused, or costs only the document it lies in', () => {
  const documents = ['one', 'two', 'three'].map((id) => ({
    id,
    title: 't',
    text: `text of ${id}`,
    metadata: {},
    hash: 'ab',
    passages: Int32Array.of(0, 4),
  }))
  const bytes = encodeDocuments(documents)
  for (let at = 0; at < bytes.length; at++) {
    for (const bit of [1, 128]) {
      const damaged = bytes.slice()
      damaged[at] = damaged[at]! ^ bit
      expect(() => decodeDocuments(damaged, 'archive/invalid')).toThrow(
        expect.objectContaining({ code: 'archive/invalid' }),
      )
      const bad: QuarantinedRecord[] = []
      if (at >= 4 + 3 * 8 + 4)
        expect(
          decodeDocuments(damaged, 'store/corrupt', (record) => bad.push(record)).length +
            bad.length,
        ).toBe(3)
    }
    expect(() => decodeDocuments(bytes.subarray(0, at), 'archive/invalid')).toThrow(
      expect.objectContaining({ code: 'archive/invalid' }),
    )
  }
})

it('a count of two thousand million is refused before anything is allocated', () => {
  const out = new ByteWriter()
  out.u32(0x7fffffff)
  expect(() => decodeDocuments(out.finish(), 'archive/invalid')).toThrow(/count exceeds/)
  const varint = new ByteWriter()
  varint.varint(2 ** 31)
  expect(() => new ByteReader(varint.finish(), 'archive/invalid').count(1)).toThrow(/count exceeds/)
})

it('numbers come back from their variable-length form up to 2^53 - 1', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer(), (natural, integer) => {
      const out = new ByteWriter(1)
      out.varint(natural)
      out.signed(integer)
      out.u32(natural % 2 ** 32)
      const input = new ByteReader(out.finish(), 'store/corrupt')
      expect([input.varint(), input.signed(), input.u32(), input.left]).toEqual([
        natural,
        integer,
        natural % 2 ** 32,
        0,
      ])
    }),
  )
})

it('a document that could not be read back is refused before it is written', () => {
  const good: StoredDocument = {
    id: 'a',
    title: '',
    text: 'abc',
    metadata: {},
    hash: 'ff',
    passages: Int32Array.of(0, 3),
  }
  expect(documentFault(good)).toBeNull()
  let deep: Record<string, unknown> = {}
  for (let i = 0; i < 20; i++) deep = { deep }
  const wrong: Record<string, unknown>[] = [
    { id: '' },
    { id: 7 },
    { id: 'x'.repeat(LIMITS.idChars + 1) },
    { title: null },
    { text: undefined },
    { hash: '' },
    { passages: [0, 3] },
    { passages: Int32Array.of(0) },
    { passages: Int32Array.of(0, 4) },
    { passages: Int32Array.of(2, 1) },
    { passages: Int32Array.of(-1, 1) },
    { metadata: null },
    { metadata: [] },
    { metadata: { a: NaN } },
    { metadata: { a: undefined } },
    { metadata: { a: () => 1 } },
    { metadata: deep },
    { metadata: { a: 'x'.repeat(LIMITS.metadataChars) } },
  ]
  for (const change of wrong)
    expect(
      () => checkStorable({ ...good, ...change } as StoredDocument),
      JSON.stringify(change).slice(0, 60),
    ).toThrow(expect.objectContaining({ code: 'input/invalid' }))
})

it('metadata that is no JSON object, too long or too deep is not read', () => {
  for (const text of [
    '',
    '[]',
    '3',
    'null',
    '{',
    '{"a":1',
    `{"a":${'['.repeat(9000)}${']'.repeat(9000)}}`,
    `{"a":${'['.repeat(12)}${']'.repeat(12)}}`,
    5,
    null,
  ])
    expect(parseMetadata(text)).toBeUndefined()
  expect(parseMetadata('{"a":{"b":[1,"x",null]}}')).toEqual({ a: { b: [1, 'x', null] } })
})

it('the check differs when any field differs', () => {
  const good: StoredDocument = {
    id: 'a',
    title: 'b',
    text: 'c',
    metadata: {},
    hash: 'ff',
    passages: Int32Array.of(0, 1),
  }
  const variants = [
    good,
    { ...good, id: 'ab', title: '' },
    { ...good, text: 'd' },
    { ...good, hash: 'fe' },
    { ...good, passages: Int32Array.of(0, 0) },
    { ...good, title: 'bc', text: '' },
  ]
  expect(new Set(variants.map((d) => documentCheck(d, '{}'))).size).toBe(variants.length)
  expect(documentCheck(good, '{"a":1}')).not.toBe(documentCheck(good, '{}'))
})
