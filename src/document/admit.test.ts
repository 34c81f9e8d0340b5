import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isHubmeshError, type HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { admit, admitAll } from './admit.ts'
import { contentHash } from './content_hash.ts'

const SECRET = 'the secret words of the document'

function errorOf(run: () => unknown): HubmeshError {
  try {
    run()
  } catch (error) {
    if (isHubmeshError(error)) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
const codeOf = (input: unknown): string => errorOf(() => admit(input, 3)).code

describe('admit', () => {
  it('takes a string as a document whose id is made from its content', () => {
    const document = admit('Hello.', 0)
    expect(document).toEqual({
      id: `doc-${contentHash('', 'Hello.').slice(0, 16)}`,
      title: '',
      text: 'Hello.',
      metadata: {},
      hash: contentHash('', 'Hello.'),
    })
    expect(admit({ text: 'Hello.' }, 9)).toEqual(document)
    expect(admit({ text: 'Hello.', title: 'T' }, 0).id).not.toBe(document.id)
  })

  it('copies its fields, and keeps others as metadata', () => {
    const input = {
      id: 'a',
      title: 'T',
      text: 'x',
      metadata: { tags: ['p', { q: 1 }] },
      vector: [1, 2],
      extra: SECRET,
      hash: 'forged',
      when: new Date(0),
      run: () => 1,
      tags: 'of the outside',
    }
    const document = admit(input, 0)
    expect(Object.keys(document).sort()).toEqual([
      'hash',
      'id',
      'metadata',
      'text',
      'title',
      'vector',
    ])
    expect(document.hash).toBe(contentHash('T', 'x'))
    ;(input.metadata.tags[1] as { q: number }).q = 2
    input.vector[0] = 9
    expect(document.metadata).toEqual({
      extra: SECRET,
      hash: 'forged',
      when: '1970-01-01T00:00:00.000Z',
      tags: ['p', { q: 1 }],
    })
    expect([...document.vector!]).toEqual([1, 2])
  })

  it('keeps text unit by unit: lone surrogates, NUL, CRLF, marks and byte-order marks', () => {
    for (const text of [
      '\ud800',
      'a\udc00b',
      '\u0000',
      'a\r\nb',
      '\ufeffx',
      '\u202eabc',
      '👩‍👩‍👧',
      ' padded ',
    ])
      expect(admit(text, 0).text).toBe(text)
  })

  it('refuses what is no document, no text, or blank, naming field and remedy', () => {
    for (const input of [
      null,
      undefined,
      5,
      true,
      Symbol('s'),
      () => 1,
      [],
      ['text'],
      {},
      { text: 5 },
      { text: '' },
      { text: ' \n\u00a0' },
      '',
      '\t',
      { text: 'x', id: 5 },
      { text: 'x', id: ' ' },
      { text: 'x', title: 5 },
      { text: 'x', id: 'a\ud800' },
    ]) {
      expect(codeOf(input)).toBe('input/invalid')
    }
    const error = errorOf(() => admit({ id: 'a', content: SECRET }, 3))
    expect(error.message).toBe(
      'document "a": text is undefined; pass the document as a string in the field text.',
    )
    expect(error.details).toEqual({ field: 'text' })
  })

  it('refuses what is beyond the limits, with sizes', () => {
    expect(codeOf({ text: 'x', title: 'x'.repeat(LIMITS.titleChars + 1) })).toBe('input/too-large')
    expect(codeOf({ text: 'x', id: 'x'.repeat(LIMITS.idChars + 1) })).toBe('input/too-large')
    const error = errorOf(() => admit({ id: 'big', text: 'x'.repeat(LIMITS.documentChars + 1) }, 0))
    expect([error.code, error.details]).toEqual([
      'input/too-large',
      { field: 'text', length: LIMITS.documentChars + 1, limit: LIMITS.documentChars },
    ])
  })

  it('never puts text, titles or metadata into a message', () => {
    for (const input of [
      { text: SECRET, id: 5 },
      { text: SECRET, title: SECRET.repeat(200) },
      { text: 'x', metadata: { a: SECRET.repeat(9999) } },
      { text: 'x', metadata: SECRET },
      { text: [SECRET] },
      { text: 'x', vector: SECRET },
      { text: 'x', metadata: { when: new Date(NaN), s: SECRET } },
    ]) {
      const error = errorOf(() => admit(input, 0))
      expect(error.message + JSON.stringify(error.details)).not.toContain('secret')
    }
  })

  it('turns what foreign code throws into an error of the entry', () => {
    const getter = {
      get text(): string {
        throw new Error(SECRET)
      },
    }
    expect(codeOf(getter)).toBe('input/invalid')
    expect(
      codeOf({
        text: 'x',
        metadata: new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error(SECRET)
            },
          },
        ),
      }),
    ).toBe('input/invalid')
    let reads = 0
    const changing = {
      get text(): unknown {
        return reads++ === 0 ? 'first' : 5
      },
    }
    expect(admit(changing, 0).text).toBe('first')
  })
})

describe('metadata of an admitted document', () => {
  it('keeps __proto__, constructor and prototype as data and pollutes nothing', () => {
    const metadata: unknown = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"a":{"__proto__":3}}',
    )
    const copy = admit({ text: 'x', metadata }, 0).metadata
    expect(JSON.stringify(copy)).toBe(JSON.stringify(metadata))
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(Object.hasOwn(structuredClone(copy), '__proto__')).toBe(true)
  })

  it('holds JSON values only', () => {
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    for (const bad of [
      5,
      'x',
      [],
      new Map(),
      new Date(0),
      { f: () => 1 },
      { s: Symbol('s') },
      { n: 1n },
      { n: Number.NaN },
      { n: Infinity },
      { b: new SharedArrayBuffer(8) },
      { b: new ArrayBuffer(8) },
      { b: new Uint8Array(8) },
      { a: [undefined] },
      { a: new Array(3) },
      { r: /x/ },
    ]) {
      expect(codeOf({ text: 'x', metadata: bad })).toBe('input/invalid')
    }
    expect(codeOf({ text: 'x', metadata: cycle })).toBe('input/too-large')
    expect(codeOf({ text: 'x', metadata: { a: new Array(1e9) } })).toBe('input/too-large')
    expect(codeOf({ text: 'x', metadata: { a: 'x'.repeat(LIMITS.metadataChars) } })).toBe(
      'input/too-large',
    )
    expect(
      admit({ text: 'x', metadata: { u: undefined, z: -0, n: null } }, 0).metadata,
    ).toStrictEqual({ z: 0, n: null })
  })

  it('is the same after a way through JSON', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { noNullPrototype: true }),
        (metadata) => {
          const copy = admit({ text: 'x', metadata }, 0).metadata
          expect(JSON.parse(JSON.stringify(copy))).toStrictEqual(copy)
          expect(JSON.stringify(copy)).toBe(JSON.stringify(metadata))
        },
      ),
    )
  })
})

describe('vector of an admitted document', () => {
  it('is a copy in 32 bits of any list of numbers', () => {
    for (const vector of [[0.1, -2], new Float32Array([0.1, -2]), new Float64Array([0.1, -2])]) {
      expect(admit({ text: 'x', vector }, 0).vector).toEqual(new Float32Array([0.1, -2]))
    }
  })

  it('refuses numbers that would spoil scores, and memory that is not the caller’s alone', () => {
    const detached = new Float32Array(4).fill(1)
    structuredClone(detached.buffer, { transfer: [detached.buffer] })
    for (const vector of [
      [],
      [Number.NaN],
      [1, Infinity],
      [1e39],
      [0, -0],
      [1e-60],
      ['1'],
      [1n],
      new BigInt64Array(2),
      'x',
      5,
      {},
      { length: 1, 0: 1 },
      new DataView(new ArrayBuffer(8)),
      new Float32Array(new SharedArrayBuffer(8)).fill(1),
      detached,
    ]) {
      expect(codeOf({ text: 'x', vector })).toBe('input/invalid')
    }
    expect(codeOf({ text: 'x', vector: new Float32Array(LIMITS.vectorDims + 1).fill(1) })).toBe(
      'input/too-large',
    )
  })
})

describe('admitAll', () => {
  it('takes the same id with the same content once, and refuses it with another', () => {
    expect(
      admitAll([{ id: 'a', text: 'x' }, 'y', { id: 'a', text: 'x' }, 'y']).documents.map(
        ({ text }) => text,
      ),
    ).toEqual(['x', 'y'])
    expect(
      errorOf(() =>
        admitAll([
          { id: 'a', text: 'x' },
          { id: 'a', text: 'y' },
        ]),
      ).code,
    ).toBe('input/conflict')
    expect(
      errorOf(() =>
        admitAll([
          { id: 'a', text: 'x', title: 'T' },
          { id: 'a', text: 'x' },
        ]),
      ).code,
    ).toBe('input/conflict')
  })

  it('skips bad entries where asked, and says which', () => {
    const { documents, rejected } = admitAll(
      ['ok', 5, { id: 'b', text: '' }, { id: 'c', text: 'x' }, { id: 'c', text: 'y' }],
      { onInvalid: 'skip' },
    )
    expect(documents.map(({ text }) => text)).toEqual(['ok', 'x'])
    expect(rejected.map(({ name, code }) => [name, code])).toEqual([
      ['entry 1', 'input/invalid'],
      ['b', 'input/invalid'],
      ['c', 'input/conflict'],
    ])
  })

  it('keeps ids such as __proto__ apart', () => {
    expect(
      admitAll(
        ['__proto__', 'constructor', 'prototype'].map((id) => ({ id, text: id })),
      ).documents.map(({ id }) => id),
    ).toEqual(['__proto__', 'constructor', 'prototype'])
  })

  it('stops when its signal has fired', () => {
    expect(errorOf(() => admitAll(['x'], { signal: AbortSignal.abort() })).code).toBe('aborted')
  })
})

describe('contentHash', () => {
  it('is SHA-256 over the UTF-8 of title length, title and text', async () => {
    for (const [title, text] of [
      ['', 'abc'],
      ['T', 'ünï 漢字 😀'.repeat(9000)],
      ['', 'x'.repeat(16_383) + '😀'.repeat(20_000)],
    ] as const) {
      const digest = await crypto.subtle.digest(
        'SHA-256',
        new TextEncoder().encode(`${title.length}:${title}${text}`),
      )
      expect(contentHash(title, text)).toBe(Buffer.from(digest).toString('hex'))
    }
  })

  it('tells lone surrogates, and title from text, apart', () => {
    const hashes = [
      ['', '\ud800'],
      ['', '\ud801'],
      ['', '\udc00'],
      ['', '\ufffd'],
      ['ab', 'c'],
      ['a', 'bc'],
      ['', 'abc'],
      ['1:', 'x'],
      ['', '1:x'],
    ].map(([title, text]) => contentHash(title!, text!))
    expect(new Set(hashes).size).toBe(hashes.length)
  })
})
