import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import 'fake-indexeddb/auto'
import { expect, it } from 'vitest'
import { Connection } from '../indexeddb/connection.ts'
import { changeCorpusKey, createStorage } from '../create_storage.ts'
import {
  checkEncryption,
  decodeHeader,
  lockNew,
  rewrap,
  unlock,
  type Encryption,
} from './encryption.ts'
import { openIndexedDbStorage } from '../indexeddb/indexeddb_storage.ts'
import { crc32Text } from '../../base/checksum.ts'
import { STORE_NAMES } from '../indexeddb/schema.ts'
import { newKey } from '../testing/seal_harness.ts'
import { SEAL_BYTES } from './sealer.ts'
import type { CorpusStorage } from '../storage.ts'
import {
  SETTINGS,
  allDocuments,
  allVectors,
  sampleDocument,
  sampleRow,
} from '../testing/storage_samples.ts'

const refusal = (code: string, details?: object): unknown =>
  expect.objectContaining(
    details === undefined
      ? { code }
      : { code, details: expect.objectContaining(details) as unknown },
  )

it('a record opens with its corpus and place only, and a flipped bit anywhere is found', async () => {
  const { sealer } = await lockNew({ key: await newKey() }),
    other = (await lockNew({ key: await newKey() })).sealer
  const bytes = Uint8Array.from({ length: 300 }, (_, i) => i),
    sealed = await sealer.seal('document a 1', bytes)
  expect(sealed.length).toBe(bytes.length + SEAL_BYTES)
  expect(await sealer.open('document a 1', sealed)).toEqual(bytes)
  for (const place of ['document a 2', 'document b 1', 'vectors a 1', ''])
    await expect(sealer.open(place, sealed)).rejects.toThrow(refusal('store/corrupt'))
  await expect(other.open('document a 1', sealed)).rejects.toThrow(refusal('store/corrupt'))
  for (let at = 0; at < sealed.length; at++) {
    const changed = sealed.slice()
    changed[at]! ^= 1 << (at % 8)
    await expect(sealer.open('document a 1', changed)).rejects.toThrow(refusal('store/corrupt'))
  }
  for (const cut of [0, 1, SEAL_BYTES - 1, SEAL_BYTES, sealed.length - 1])
    await expect(sealer.open('document a 1', sealed.subarray(0, cut))).rejects.toThrow(
      refusal('store/corrupt'),
    )
})

it('the same bytes are sealed otherwise each time, and ids get names that differ by corpus', async () => {
  const { sealer } = await lockNew({ key: await newKey() }),
    other = (await lockNew({ key: await newKey() })).sealer
  const nonces = new Set<string>()
  for (let i = 0; i < 500; i++)
    nonces.add((await sealer.seal('x', new Uint8Array(4))).slice(0, 12).join())
  expect(nonces.size).toBe(500)
  expect(sealer.nameOf('a')).toBe(sealer.nameOf('a'))
  expect(new Set(['a', 'b', '\ud800', '\ud801', 'ab'].map((id) => sealer.nameOf(id))).size).toBe(5)
  expect(other.nameOf('a')).not.toBe(sealer.nameOf('a'))
  expect(sealer.nameOf('a')).toMatch(/^[0-9a-f]{32}$/)
})

it('a passphrase opens what it locked, in either Unicode form, and another one is store/locked', async () => {
  const { header, sealer } = await lockNew({ passphrase: 'caf\u00e9 au lait' })
  expect(header.kdf).toMatchObject({ iterations: 600_000 })
  const sealed = await sealer.seal('x', Uint8Array.of(1, 2, 3))
  expect(
    await (await unlock(header, { passphrase: 'cafe\u0301 au lait' })).sealer.open('x', sealed),
  ).toEqual(Uint8Array.of(1, 2, 3))
  await expect(unlock(header, { passphrase: 'cafe au lait' })).rejects.toThrow(
    refusal('store/locked', { key: 'wrong' }),
  )
  await expect(unlock(header, { key: await newKey() })).rejects.toThrow(
    refusal('store/locked', { key: 'wrong' }),
  )
  await expect(unlock(header, undefined)).rejects.toThrow(
    refusal('store/locked', { key: 'missing' }),
  )
})

it('another key opens the same records, and the one before does not any more', async () => {
  const before = { key: await newKey() },
    after: Encryption = { passphrase: 'later' }
  const { header, sealer } = await lockNew(before),
    sealed = await sealer.seal('x', Uint8Array.of(7))
  const changed = await rewrap(header, before, after)
  expect(await (await unlock(changed, after)).sealer.open('x', sealed)).toEqual(Uint8Array.of(7))
  await expect(unlock(changed, before)).rejects.toThrow(refusal('store/locked'))
  await expect(rewrap(changed, before, after)).rejects.toThrow(refusal('store/locked'))
})

it('what is no key is refused, and a header that was changed is none or does not open', async () => {
  const signing = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  const halfKey = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
  ])
  for (const wrong of [
    null,
    'secret',
    {},
    { passphrase: '' },
    { passphrase: 5 },
    { key: 'secret' },
    { key: signing },
    { key: halfKey },
  ])
    expect(() => checkEncryption(wrong)).toThrow(refusal('input/invalid'))
  const key = { key: await newKey() },
    { header } = await lockNew(key)
  expect(decodeHeader(JSON.parse(JSON.stringify(header)))).toEqual(header)
  for (const wrong of [
    null,
    {},
    { ...header, corpus: 'x' },
    { ...header, wrapped: header.wrapped.slice(2) },
    { ...header, kdf: {} },
    { ...header, kdf: { salt: '0'.repeat(32), iterations: 1e9 } },
  ])
    expect(decodeHeader(wrong)).toBeUndefined()
  await expect(unlock({ ...header, corpus: '0'.repeat(32) }, key)).rejects.toThrow(
    refusal('store/locked'),
  )
  await expect(
    unlock({ ...header, wrapped: '0'.repeat(header.wrapped.length) }, key),
  ).rejects.toThrow(refusal('store/locked'))
  await expect(
    createStorage({ corpus: 'm', storage: 'memory', settings: SETTINGS, encryption: key }),
  ).rejects.toThrow(refusal('input/invalid'))
})

let count = 0
const secret = sampleDocument(
  'secret-id-77',
  'The quincunx of Zebulon Quartermain stood in Xanadu Hollow.',
  { label: 'umbrageous' },
)
const plain = sampleDocument('b')

interface Place {
  open(encryption?: Encryption): Promise<CorpusStorage>
  raw<T>(work: (database: Awaited<ReturnType<Connection['database']>>) => Promise<T>): Promise<T>
}

function place(): Place {
  const corpus = `locked-${++count}`
  return {
    open: (encryption) =>
      openIndexedDbStorage({
        corpus,
        settings: SETTINGS,
        ...(encryption === undefined ? {} : { encryption }),
      }),
    async raw(work) {
      const connection = new Connection({ name: `hubmesh:${corpus}` })
      try {
        return await work(await connection.database())
      } finally {
        connection.close()
      }
    },
  }
}

/** Everything stored, as text: strings as they are, bytes as Latin-1 and UTF-16. */
async function scan({ raw }: Place): Promise<string> {
  return await raw(async (database) => {
    let all = ''
    const walk = (value: unknown): void => {
      if (typeof value === 'string') all += value
      else if (value instanceof ArrayBuffer) walk(new Uint8Array(value))
      else if (value instanceof Uint8Array)
        all += Buffer.from(value).toString('latin1') + Buffer.from(value).toString('utf16le')
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
    }
    for (const store of STORE_NAMES) {
      ;(await database.getAllKeys(store)).forEach(walk)
      ;((await database.getAll(store)) as unknown[]).forEach(walk)
    }
    return all
  })
}

async function fill(storage: CorpusStorage): Promise<void> {
  await storage.commit({
    put: [secret, plain],
    remove: [],
    keep: [{ name: 'names', bytes: new TextEncoder().encode('Quartermain is Zebulon') }],
  })
  await storage.putVectors([sampleRow(secret, 0), sampleRow(secret, 1), sampleRow(plain, 0)])
  await storage.writeDerived(
    'text',
    new TextEncoder().encode('index of secret-id-77 and the quincunx'),
  )
  await storage.close()
}

const TRACES = [
  'secret-id-77',
  'Title secret',
  'quincunx',
  'umbrageous',
  'Quartermain',
  secret.hash,
  Buffer.from(sampleRow(secret, 0).vector.buffer).toString('latin1'),
]

it(
  'no stored record shows an id, a title, text, metadata, names, hashes or vectors; the ' +
    'same scan finds all of them in a plain corpus',
  async () => {
    const open = place(),
      locked = place(),
      key = { key: await newKey() }
    await fill(await open.open())
    await fill(await locked.open(key))
    const [shown, hidden] = [await scan(open), await scan(locked)]
    for (const trace of TRACES) {
      expect(shown, trace).toContain(trace)
      expect(hidden, trace).not.toContain(trace)
    }
    const again = await locked.open(key)
    expect(await allDocuments(again)).toEqual(
      [plain, secret].sort((a, b) => (a.id < b.id ? -1 : 1)),
    )
    expect(await allVectors(again)).toHaveLength(3)
    expect(new TextDecoder().decode((await again.readDerived('text'))!)).toContain('quincunx')
    expect(new TextDecoder().decode((await again.kept('names'))!)).toBe('Quartermain is Zebulon')
    await again.close()
  },
)

it('a wrong key, none, and a key for a plain corpus are refused by name and change nothing', async () => {
  const locked = place(),
    key = { key: await newKey() }
  await fill(await locked.open(key))
  const before = await scan(locked)
  await expect(locked.open({ key: await newKey() })).rejects.toThrow(
    refusal('store/locked', { key: 'wrong' }),
  )
  await expect(locked.open({ passphrase: 'guess' })).rejects.toThrow(
    refusal('store/locked', { key: 'wrong' }),
  )
  await expect(locked.open()).rejects.toThrow(refusal('store/locked', { key: 'missing' }))
  expect(await scan(locked)).toBe(before)
  const open = place()
  await fill(await open.open())
  await expect(open.open(key)).rejects.toThrow(refusal('input/conflict'))
})

it('two that open a corpus before anybody began it come to share its key', async () => {
  const locked = place(),
    key = { key: await newKey() }
  const first = await locked.open(key),
    second = await locked.open(key),
    stranger = await locked.open({ key: await newKey() })
  await first.commit({ put: [secret], remove: [] })
  expect(await allDocuments(second)).toEqual([secret])
  await expect(allDocuments(stranger)).rejects.toThrow(refusal('store/locked'))
  await first.close()
  await second.commit({ put: [plain], remove: [] })
  expect((await allDocuments(second)).length).toBe(2)
  await second.close()
  await expect(stranger.commit({ put: [sampleDocument('c')], remove: [] })).rejects.toThrow(
    refusal('store/locked'),
  )
  await stranger.close()
  const again = await locked.open(key)
  expect((await allDocuments(again)).length).toBe(2)
  await again.close()
})

const flip = (value: unknown): unknown => {
  if (value instanceof ArrayBuffer) {
    const bytes = new Uint8Array(value.slice(0))
    bytes[bytes.length >> 1]! ^= 4
    return bytes.buffer
  }
  if (value instanceof Uint8Array) {
    const bytes = value.slice()
    bytes[bytes.length >> 1]! ^= 4
    return bytes
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          typeof inner === 'object' ? flip(inner) : inner,
        ]),
      )
    : value
}

it(
  'a flipped byte costs a document its place, by name, and derived data nothing but their ' +
    'making; records that change places are found',
  async () => {
    const key = { key: await newKey() }
    const damage = async (
      kind: string,
      change: (
        keys: readonly IDBValidKey[],
        values: readonly unknown[],
      ) => readonly (readonly [IDBValidKey, unknown])[],
    ): Promise<{
      documents: number
      vectors: number
      derived: boolean
      kept: boolean
      quarantined: number
    }> => {
      const locked = place()
      await fill(await locked.open(key))
      await locked.raw(async (database) => {
        const keys = (await database.getAllKeys('segments')).filter((key) =>
          String(key).startsWith(kind),
        )
        const values: unknown[] = []
        for (const key of keys) values.push(await database.get('segments', key))
        for (const [at, value] of change(keys, values)) await database.put('segments', value, at)
      })
      const storage = await locked.open(key)
      const found = {
        documents: (await allDocuments(storage)).length,
        vectors: (await allVectors(storage)).length,
        derived: (await storage.readDerived('text')) !== null,
        kept: (await storage.kept('names')) !== null,
        quarantined: storage.quarantined.length,
      }
      // The storage goes on: the next write may not stumble over what is damaged.
      await storage.commit({ put: [sampleDocument('c')], remove: [] })
      await storage.close()
      return found
    }
    const whole = { documents: 2, vectors: 3, derived: true, kept: true, quarantined: 0 }
    expect(await damage('d', () => [])).toEqual(whole)
    for (const part of [0, 1]) {
      const spoil = (keys: readonly IDBValidKey[], values: readonly unknown[]) => [
        [keys[part]!, flip(values[part])] as const,
      ]
      expect(await damage('d', spoil)).toEqual({ ...whole, documents: 0, quarantined: 1 })
      expect(await damage('v', spoil)).toEqual({ ...whole, vectors: 0, quarantined: 1 })
      expect(await damage('x', spoil)).toEqual({ ...whole, derived: false })
      expect(await damage('k', spoil)).toEqual({ ...whole, kept: false, quarantined: 1 })
    }
    expect(
      await damage('', (keys, values) => {
        const at = (kind: string): number => keys.findIndex((key) => String(key).startsWith(kind))
        const [d, v] = [at('d'), at('v')]
        return [0, 1].flatMap((part) => [
          [keys[d + part]!, values[v + part]] as const,
          [keys[v + part]!, values[d + part]] as const,
        ])
      }),
      'swapped',
    ).toEqual({ ...whole, documents: 0, vectors: 0, quarantined: 2 })
  },
)

/** Rewrites the manifest of a corpus as somebody can who has no key: its checksum made right. */
async function forgeManifest(
  { raw }: Place,
  change: (fields: Record<string, unknown[] & Record<string, unknown>>) => void,
): Promise<void> {
  await raw(async (database) => {
    const outer = JSON.parse((await database.get('meta', 'manifest')) as string) as {
      json: string
      check: number
    }
    const fields = JSON.parse(outer.json) as Parameters<typeof change>[0]
    change(fields)
    outer.json = JSON.stringify(fields)
    outer.check = crc32Text(outer.json)
    for (const key of ['manifest', 'manifest-copy'])
      await database.put('meta', JSON.stringify(outer), key)
  })
}

it('a manifest that was changed without the key is found and named', async () => {
  const key = { key: await newKey() }
  for (const change of [
    (fields) => fields['segments']!.pop(),
    (fields) => fields['vectors']!.pop(),
    (fields) => fields['kept']!.pop(),
    (fields) => Object.assign(fields, { generation: 7 }),
    (fields) => Object.assign(fields['settings']!['chunk'] as object, { tokens: 9 }),
    (fields) => delete fields['encryption'],
  ] as Parameters<typeof forgeManifest>[1][]) {
    const locked = place()
    await fill(await locked.open(key))
    await forgeManifest(locked, change)
    await expect(locked.open(key)).rejects.toThrow(
      expect.objectContaining({
        code: expect.stringMatching(/^(store\/corrupt|input\/conflict)$/) as unknown,
      }),
    )
  }
  // without its MAC it is no manifest either
  const locked = place()
  await fill(await locked.open(key))
  await locked.raw(async (database) => {
    const outer = JSON.parse((await database.get('meta', 'manifest')) as string) as object
    for (const at of ['manifest', 'manifest-copy'])
      await database.put('meta', JSON.stringify({ ...outer, mac: undefined }), at)
  })
  await expect(locked.open(key)).rejects.toThrow(refusal('store/corrupt', { reason: 'mac' }))
})

it('segments of two generations are never mixed', async () => {
  const key = { key: await newKey() },
    locked = place()
  const storage = await locked.open(key)
  await storage.commit({ put: [secret], remove: [] })
  const older = await locked.raw(async (database) => [
    await database.getAllKeys('segments'),
    (await database.getAll('segments')) as unknown[],
  ])
  await storage.commit({ put: [{ ...secret, text: `${secret.text} Changed.` }], remove: [] })
  await storage.close()
  await locked.raw(async (database) => {
    const names = await database.getAllKeys('segments')
    for (const [i] of names.entries()) await database.put('segments', older[1]![i], names[i]!)
  })
  const again = await locked.open(key)
  expect(await allDocuments(again)).toEqual([])
  expect(again.quarantined.length).toBe(1)
  await again.close()
})

it.each(['indexeddb', 'directory'] as const)(
  'after a change of keys the new one opens every record in %s and the old one none',
  async (kind) => {
    const directory = await mkdtemp(join(tmpdir(), 'hubmesh-')),
      storage = kind === 'directory' ? { directory } : kind
    const corpus = `rekeyed-${kind}`,
      from = { key: await newKey() },
      to = { passphrase: 'later' }
    await fill(await createStorage({ corpus, storage, settings: SETTINGS, encryption: from }))
    await expect(changeCorpusKey(corpus, { from: to, to }, storage)).rejects.toThrow(
      refusal('store/locked'),
    )
    await expect(changeCorpusKey('nowhere', { from, to }, storage)).rejects.toThrow(
      refusal('corpus/not-found'),
    )
    await changeCorpusKey(corpus, { from, to }, storage)
    await expect(
      createStorage({ corpus, storage, settings: SETTINGS, encryption: from }),
    ).rejects.toThrow(refusal('store/locked'))
    const again = await createStorage({ corpus, storage, settings: SETTINGS, encryption: to })
    expect((await allDocuments(again)).length).toBe(2)
    expect((await allVectors(again)).length).toBe(3)
    await again.close()
    await rm(directory, { recursive: true })
  },
)

it('no file of an encrypted folder shows anything either, and a flipped byte of one is found', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'hubmesh-')),
    key = { key: await newKey() }
  const files = async (corpus: string): Promise<string> =>
    (
      await Promise.all(
        (await readdir(join(directory, corpus))).map((name) =>
          readFile(join(directory, corpus, name), 'latin1'),
        ),
      )
    ).join('\n')
  for (const [corpus, encryption] of [
    ['plain', undefined],
    ['locked', key],
  ] as const)
    await fill(
      await createStorage({
        corpus,
        storage: { directory },
        settings: SETTINGS,
        ...(encryption === undefined ? {} : { encryption }),
      }),
    )
  const [shown, hidden] = [await files('plain'), await files('locked')]
  for (const trace of TRACES) {
    expect(shown, trace).toContain(trace)
    expect(hidden, trace).not.toContain(trace)
  }
  const name = (await readdir(join(directory, 'locked'))).find((one) => one.endsWith('.seg'))!,
    file = join(directory, 'locked', name)
  const bytes = await readFile(file)
  bytes[bytes.length >> 1]! ^= 1
  await writeFile(file, bytes)
  const storage = await createStorage({
    corpus: 'locked',
    storage: { directory },
    settings: SETTINGS,
    encryption: key,
  })
  expect(await allDocuments(storage)).toEqual([])
  expect(storage.quarantined.map(({ id }) => `${id}.seg`)).toEqual([name])
  await storage.close()
  await rm(directory, { recursive: true })
})
