/**
 * Contract cases for every storage; without a test runner, so that they also run inside a browser.
 */
import { isHubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { CorpusSettings, CorpusStorage, StoredDocument } from '../storage.ts'
import { checkStorageInvariants, sameDocument } from './storage_invariants.ts'
import {
  IDENTITY,
  SETTINGS,
  allDocuments,
  allVectors,
  sampleDocument,
  sampleRow,
} from './storage_samples.ts'

/**
 * Opens the same corpus again and again, until `destroy`; `make` gives a fresh place each time it
 * is called.
 */
export interface StoragePlace {
  open(settings: CorpusSettings): Promise<CorpusStorage>
  /** False where nothing outlives `close`: the cases of reopening are then left out. */
  readonly lasting: boolean
}

export interface StorageCase {
  readonly name: string
  run(place: StoragePlace): Promise<void>
}

export function claim(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`The contract is broken: ${message}.`)
}

function equal(actual: unknown, expected: unknown, what: string): void {
  const [a, e] = [JSON.stringify(actual), JSON.stringify(expected)]
  claim(a === e, `${what} is ${a.slice(0, 300)} and should be ${e.slice(0, 300)}`)
}

async function rejects(call: () => Promise<unknown>, code: string): Promise<void> {
  try {
    await call()
  } catch (error) {
    claim(isHubmeshError(error), `an error that is no HubmeshError came out: ${String(error)}`)
    equal(error.code, code, 'the code of the error')
    return
  }
  claim(false, `nothing was thrown where ${code} was due`)
}

async function sound(storage: CorpusStorage, acknowledged: readonly string[]): Promise<void> {
  equal(
    await checkStorageInvariants(storage, { acknowledged }),
    [],
    'the list of broken invariants',
  )
  equal(storage.quarantined, [], 'the quarantine')
}

/** Opens, works, closes. */
async function session<T>(
  place: StoragePlace,
  work: (storage: CorpusStorage) => Promise<T>,
  settings = SETTINGS,
): Promise<T> {
  const storage = await place.open(settings)
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

export const STORAGE_CASES: readonly StorageCase[] = [
  {
    name: 'a new corpus is empty, at generation 0, with the settings it was given',
    run: (place) =>
      session(place, async (storage) => {
        equal(
          [
            storage.generation,
            storage.settings,
            await allDocuments(storage),
            await allVectors(storage),
            storage.quarantined,
          ],
          [0, SETTINGS, [], [], []],
          'the corpus',
        )
        equal(await storage.readDerived('graph'), null, 'a snapshot nobody wrote')
        equal(
          await storage.commit({ put: [], remove: [] }),
          0,
          'the generation after an empty commit',
        )
      }),
  },
  {
    name: 'documents come back whole and in order of their ids by UTF-16 code units',
    run: (place) =>
      session(place, async (storage) => {
        const ids = [
          'b',
          'a',
          'B',
          '10',
          '9',
          'é',
          'z',
          '\u{1f600}',
          '\uff5e',
          '__proto__',
          'constructor',
          ' ',
          'a\0',
          'ab',
          '\ud800',
          'aa',
        ]
        const put = ids.map((id) =>
          sampleDocument(id, `Text \udfff\ufeff of\r\n${id} \0 end`, {
            id,
            n: 1.5,
            deep: { list: [1, null, true] },
            ['__proto__']: { polluted: true },
          }),
        )
        equal(await storage.commit({ put, remove: [] }), 1, 'the generation')
        const back = await allDocuments(storage)
        equal(
          back.map((d) => d.id),
          [...ids].sort((a, b) => (a < b ? -1 : 1)),
          'the order',
        )
        for (const d of back)
          claim(
            sameDocument(
              d,
              put.find((p) => p.id === d.id)!,
            ),
            `document ${JSON.stringify(d.id)} differs`,
          )
        claim(!('polluted' in {}), 'a prototype was changed')
        await sound(storage, ids)
      }),
  },
  {
    name: 'a put replaces, a remove removes, and vectors go with the text they were made of',
    run: (place) =>
      session(place, async (storage) => {
        const [a, b, c] = ['a', 'b', 'c'].map((id) => sampleDocument(id)) as [
          StoredDocument,
          StoredDocument,
          StoredDocument,
        ]
        await storage.commit({ put: [a, b, c], remove: [] })
        await storage.putVectors([
          sampleRow(a, 0, 10),
          sampleRow(a, 1, 11),
          sampleRow(b, 0, 20),
          sampleRow(b, 1, 21),
          sampleRow(c, 0, 30),
        ])
        const newA = sampleDocument('a', 'Quite another text for this one.')
        const relabelled = { ...c, metadata: { label: 'new' } }
        equal(
          await storage.commit({ put: [newA, relabelled], remove: ['b', 'never there'] }),
          2,
          'the generation',
        )
        equal(
          (await allDocuments(storage)).map((d) => [d.id, d.text, d.metadata]),
          [
            ['a', newA.text, {}],
            ['c', c.text, { label: 'new' }],
          ],
          'the documents',
        )
        equal(await allVectors(storage), ['c#0=30'], 'the vectors')
        await storage.putVectors([sampleRow(newA, 1, 12)])
        await storage.commit({
          put: [{ ...newA, passages: Int32Array.of(0, 5, 5, 9, 9, 12) }],
          remove: [],
        })
        equal(
          await allVectors(storage),
          ['c#0=30'],
          'the vectors after the passages were cut differently',
        )
        await sound(storage, ['a', 'c'])
      }),
  },
  {
    name: 'an id both put and removed is put, and the last of two versions in one commit counts',
    run: (place) =>
      session(place, async (storage) => {
        await storage.commit({
          put: [sampleDocument('a', 'first version'), sampleDocument('a', 'last version')],
          remove: ['a'],
        })
        equal(
          (await allDocuments(storage)).map((d) => d.text),
          ['last version'],
          'the text',
        )
      }),
  },
  {
    name: 'a vector is replaced by a later one of the same passage, and rows of gone or changed texts are dropped',
    run: (place) =>
      session(place, async (storage) => {
        const a = sampleDocument('a')
        await storage.commit({ put: [a, sampleDocument('b')], remove: [] })
        await storage.putVectors([sampleRow(a, 0, 1), sampleRow(a, 1, 2)])
        await storage.putVectors([
          sampleRow(a, 0, 3),
          { ...sampleRow(a, 1, 9), hash: 'another' },
          sampleRow(sampleDocument('gone'), 0),
          sampleRow(a, 2, 5),
        ])
        equal(await allVectors(storage), ['a#0=3', 'a#1=2'], 'the vectors')
        await sound(storage, ['a', 'b'])
      }),
  },
  {
    name: 'vectors of wrong length or that are not finite are refused, and none of their call is kept',
    run: (place) =>
      session(place, async (storage) => {
        const a = sampleDocument('a')
        await storage.commit({ put: [a], remove: [] })
        await rejects(
          () =>
            storage.putVectors([
              sampleRow(a, 0),
              { ...sampleRow(a, 1), vector: Float32Array.of(1, 2) },
            ]),
          'input/invalid',
        )
        await rejects(
          () => storage.putVectors([sampleRow(a, 0), sampleRow(a, 1, Number.NaN)]),
          'input/invalid',
        )
        equal(await allVectors(storage), [], 'the vectors')
      }),
  },
  {
    name: 'another embedder drops the vectors of the one before, and the same one keeps them',
    run: (place) =>
      session(place, async (storage) => {
        const a = sampleDocument('a')
        await storage.commit({ put: [a], remove: [] })
        await storage.putVectors([sampleRow(a, 0)])
        await storage.setEmbedder({ ...IDENTITY })
        equal(
          (await allVectors(storage)).length,
          1,
          'the number of vectors under the same identity',
        )
        await storage.setEmbedder({ ...IDENTITY, revision: '2', dims: 2 })
        equal(
          [await allVectors(storage), storage.settings.embedder?.revision],
          [[], '2'],
          'the vectors under another identity',
        )
        await storage.putVectors([{ ...sampleRow(a, 0), vector: Float32Array.of(7, 8) }])
        equal(await allVectors(storage), ['a#0=7'], 'the vectors of the new embedder')
      }),
  },
  {
    name: 'a document that could not be read back is refused before anything is written',
    run: (place) =>
      session(place, async (storage) => {
        const bad = { ...sampleDocument('bad'), passages: Int32Array.of(0, 9999) }
        await rejects(
          () => storage.commit({ put: [sampleDocument('good'), bad], remove: [] }),
          'input/invalid',
        )
        await rejects(
          () =>
            storage.commit({
              put: [{ ...sampleDocument('f'), metadata: { f: (() => 1) as never } }],
              remove: [],
            }),
          'input/invalid',
        )
        equal([storage.generation, await allDocuments(storage)], [0, []], 'the corpus')
      }),
  },
  {
    name: 'what the caller changes afterwards is not changed in the storage',
    run: (place) =>
      session(place, async (storage) => {
        const passages = Int32Array.of(0, 4)
        const metadata = { label: 'before' }
        const vector = Float32Array.of(1, 2, 3, 4)
        const a = { ...sampleDocument('a'), passages, metadata }
        await storage.commit({ put: [a], remove: [] })
        await storage.putVectors([{ documentId: 'a', hash: a.hash, passage: 0, vector }])
        passages.fill(3)
        metadata.label = 'after'
        vector.fill(9)
        const [back] = await allDocuments(storage)
        equal(
          [[...back!.passages], back!.metadata, await allVectors(storage)],
          [[0, 4], { label: 'before' }, ['a#0=1']],
          'what is stored',
        )
      }),
  },
  {
    name: 'a long text and very many passages come back whole, are replaced and are removed',
    run: (place) =>
      session(place, async (storage) => {
        const text = 'Zürich \u{1f600}\ud800 '.repeat(20_000)
        const passages = new Int32Array(30_000)
        for (let i = 0; i < passages.length; i++) passages[i] = Math.floor(i / 2) * 2 + (i % 2) * 2
        const long = { ...sampleDocument('long', text), passages }
        await storage.commit({ put: [sampleDocument('a'), long, sampleDocument('z')], remove: [] })
        claim(sameDocument((await allDocuments(storage))[1]!, long), 'the long document differs')
        const shorter = {
          ...long,
          text: text.slice(0, LIMITS.segmentBytes / 16),
          passages: Int32Array.of(0, 10),
          hash: 'shorter',
        }
        await storage.commit({ put: [shorter], remove: [] })
        claim(
          sameDocument((await allDocuments(storage))[1]!, shorter),
          'the replaced document differs',
        )
        await storage.commit({ put: [], remove: ['long'] })
        equal(
          (await allDocuments(storage)).map((d) => d.id),
          ['a', 'z'],
          'the documents left',
        )
      }),
  },
  {
    name: 'snapshots are given back for their own generation only',
    run: (place) =>
      session(place, async (storage) => {
        await storage.commit({ put: [sampleDocument('a')], remove: [] })
        const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i)
        await storage.writeDerived('graph', bytes)
        await storage.writeDerived('empty', new Uint8Array())
        equal([...(await storage.readDerived('graph'))!], [...bytes], 'the snapshot')
        equal((await storage.readDerived('empty'))?.length, 0, 'the length of the empty snapshot')
        await storage.writeDerived('graph', bytes.subarray(0, 3))
        equal([...(await storage.readDerived('graph'))!], [0, 1, 2], 'the snapshot written over')
        await storage.commit({ put: [sampleDocument('b')], remove: [] })
        equal(await storage.readDerived('graph'), null, 'the snapshot of the generation before')
      }),
  },
  {
    name: 'kept records come back whole, are replaced with the documents of one commit, and stay when documents go',
    run: (place) =>
      session(place, async (storage) => {
        equal(await storage.kept('names'), null, 'a record nobody kept')
        const bytes = Uint8Array.from({ length: 5000 }, (_, i) => i),
          long = new Uint8Array(LIMITS.storePartBytes + 3).fill(7)
        equal(
          await storage.commit({
            put: [sampleDocument('a')],
            remove: [],
            keep: [
              { name: 'names', bytes },
              { name: 'relations', bytes: long },
            ],
          }),
          1,
          'the generation',
        )
        equal(await storage.commit({ put: [], remove: ['a'] }), 2, 'the generation after a removal')
        equal(
          [[...(await storage.kept('names'))!], (await storage.kept('relations'))!.length],
          [[...bytes], long.length],
          'the records',
        )
        equal(
          await storage.commit({
            put: [],
            remove: [],
            keep: [
              { name: 'names', bytes: Uint8Array.of(1) },
              { name: 'relations', bytes: new Uint8Array() },
            ],
          }),
          3,
          'the generation of a commit of records alone',
        )
        equal(
          [[...(await storage.kept('names'))!], await storage.kept('relations')],
          [[1], null],
          'the records written over',
        )
        await sound(storage, [])
      }),
  },
  {
    name: 'a commit is one generation, however much more than a transaction it puts and removes',
    run: (place) =>
      session(place, async (storage) => {
        const before = Array.from({ length: 40 }, (_, i) => sampleDocument(`old ${i}`)),
          text = 'x'.repeat(1_500_000)
        await storage.commit({ put: before, remove: [] })
        const after = Array.from({ length: 12 }, (_, i) =>
          sampleDocument(i === 0 ? 'old 0' : `new ${i}`, `${i}${text}`),
        )
        claim(
          after.length * text.length * 2 > LIMITS.writeAheadBytes,
          'the commit fits one transaction',
        )
        equal(
          await storage.commit({
            put: after,
            remove: before.slice(1).map(({ id }) => id),
          }),
          2,
          'the generation',
        )
        equal(
          (await allDocuments(storage)).map(({ id }) => id),
          after.map(({ id }) => id).sort(),
          'the documents',
        )
        equal(
          await storage.commit({ put: [], remove: after.map(({ id }) => id) }),
          3,
          'the generation of a removal of all',
        )
        equal(
          [await allDocuments(storage), await storage.commit({ put: [], remove: [] })],
          [[], 3],
          'what is left',
        )
      }),
  },
  {
    name: 'calls made at once are carried out one after the other',
    run: (place) =>
      session(place, async (storage) => {
        const documents = Array.from({ length: 12 }, (_, i) =>
          sampleDocument(`d${String(i).padStart(2, '0')}`),
        )
        const generations = await Promise.all(
          documents.map((document) => storage.commit({ put: [document], remove: [] })),
        )
        equal(
          generations,
          documents.map((_, i) => i + 1),
          'the generations',
        )
        await Promise.all(
          documents.flatMap((document) => [
            storage.putVectors([sampleRow(document, 0)]),
            storage.putVectors([sampleRow(document, 1)]),
          ]),
        )
        equal((await allVectors(storage)).length, 24, 'the number of vectors')
        await sound(
          storage,
          documents.map((d) => d.id),
        )
      }),
  },
  {
    name: 'a closed storage refuses with store/closed, and closing twice is fine',
    run: async (place) => {
      const storage = await place.open(SETTINGS)
      await storage.close()
      await storage.close()
      await rejects(() => allDocuments(storage), 'store/closed')
      await rejects(
        () => storage.commit({ put: [sampleDocument('a')], remove: [] }),
        'store/closed',
      )
    },
  },
  {
    name: 'everything is there after closing and opening again',
    run: async (place) => {
      if (!place.lasting) return
      const documents = Array.from({ length: 700 }, (_, i) =>
        sampleDocument(`d${i}`, `Text number ${i}, ${'word '.repeat(i % 90)}.`),
      )
      await session(place, async (storage) => {
        await storage.commit({ put: documents, remove: [] })
        for (let i = 0; i < 300; i += 10)
          await storage.putVectors(
            documents.slice(i, i + 10).map((d) => sampleRow(d, 0, Number(d.id.slice(1)))),
          )
        await storage.commit({
          put: [],
          remove: ['d5'],
          keep: [{ name: 'names', bytes: Uint8Array.of(4, 5) }],
        })
        await storage.writeDerived('graph', Uint8Array.of(1, 2, 3))
      })
      await session(
        place,
        async (storage) => {
          equal(
            [storage.generation, storage.settings, await allVectors(storage).then((v) => v.length)],
            [2, SETTINGS, 299],
            'the corpus',
          )
          equal([...(await storage.readDerived('graph'))!], [1, 2, 3], 'the snapshot')
          equal([...(await storage.kept('names'))!], [4, 5], 'the kept record')
          await sound(
            storage,
            documents.map((d) => d.id).filter((id) => id !== 'd5'),
          )
          equal(
            await storage.commit({ put: [sampleDocument('late')], remove: ['d6'] }),
            3,
            'the next generation',
          )
        },
        { ...SETTINGS, chunk: { strategy: 'chars', tokens: 9, overlap: 1 }, embedder: null },
      )
      await session(place, async (storage) => {
        equal(
          [(await allDocuments(storage)).length, (await allVectors(storage)).length],
          [699, 298],
          'the numbers of documents and vectors',
        )
        await sound(storage, ['late', 'd7'])
      })
    },
  },
  {
    name: 'a destroyed corpus leaves nothing to open',
    run: async (place) => {
      if (!place.lasting) return
      const storage = await place.open(SETTINGS)
      await storage.commit({ put: [sampleDocument('a')], remove: [] })
      await storage.destroy()
      await session(place, async (again) => {
        equal([again.generation, await allDocuments(again)], [0, []], 'the corpus')
      })
    },
  },
]
