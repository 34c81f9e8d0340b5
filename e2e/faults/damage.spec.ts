/**
 * Bytes flipped and records deleted behind the engine's back, in the browser's own database: found,
 * told, and mended from what is whole. And what is removed is gone from every record.
 */
import { expect, openInside, test } from './support/test.ts'

test(
  'a flipped byte in each kind of stored block is found: derived data are made again, a ' +
    'document is left out by name, the others answer',
  async ({ app, site, watch }) => {
    watch.trust(site)
    await openInside(app, site.origin)
    const outcome = await app.evaluate(async () => {
      const model = (): InstanceType<typeof inside.HashingEmbedder> => new inside.HashingEmbedder()
      const first = await openEngine({ model: model() })
      await first.add(Array.from({ length: 16 }, (_, n) => inside.makeDocument(n, 1)))
      const whole = await inside.answersOf(first)
      await first.close()

      const raw = async <T>(
        work: (
          database: Awaited<ReturnType<InstanceType<typeof inside.Connection>['database']>>,
        ) => Promise<T>,
      ): Promise<T> => {
        const connection = new inside.Connection({ name: 'hubmesh:test' })
        try {
          return await work(await connection.database())
        } finally {
          connection.close()
        }
      }
      const flipped = (value: unknown): unknown => {
        if (value instanceof ArrayBuffer) {
          const bytes = new Uint8Array(value.slice(0))
          bytes[bytes.length >> 1]! ^= 16
          return bytes.buffer
        }
        if (value instanceof Uint8Array) {
          const bytes = value.slice()
          bytes[bytes.length >> 1]! ^= 16
          return bytes
        }
        if (value instanceof Int32Array) {
          const numbers = value.slice()
          numbers[numbers.length >> 1]! ^= 1
          return numbers
        }
        if (typeof value === 'string') {
          const at = value.length >> 1
          return (
            value.slice(0, at) + String.fromCharCode(value.charCodeAt(at) ^ 1) + value.slice(at + 1)
          )
        }
        return value
      }
      const keys = await raw(async (database) => {
        const found: ['meta' | 'segments', IDBValidKey][] = []
        for (const store of ['meta', 'segments'] as const)
          for (const key of await database.getAllKeys(store))
            if (key !== 'reserve') found.push([store, key])
        return found
      })
      const results: {
        name: string
        answers: boolean
        warnings: string
        documents: number
        missing: number
      }[] = []
      for (const [store, key] of keys) {
        const before = await raw((database) => database.get(store, key) as Promise<unknown>)
        const change = (value: unknown): unknown =>
          typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
            ? value instanceof ArrayBuffer
              ? flipped(value)
              : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, flipped(one)]))
            : flipped(value)
        await raw((database) => database.put(store, change(before), key))
        const engine = await openEngine({ model: model() })
        await engine.ready('vectors')
        const answers = JSON.stringify(await inside.answersOf(engine)) === JSON.stringify(whole)
        const status = await engine.status()
        await engine.close()
        results.push({
          name: `${store} ${JSON.stringify(key)}`,
          answers,
          warnings: status.warnings.join(' '),
          documents: status.documents,
          missing: status.passages - status.passagesWithVectors,
        })
        await raw((database) => database.put(store, before, key))
      }
      return results
    })
    expect(outcome.length).toBeGreaterThan(3)
    // What is derived or kept twice is made again; what a document was is gone, and said so.
    expect(outcome.filter(({ answers }) => answers).length).toBeGreaterThan(1)
    for (const { name, answers, documents, warnings, missing } of outcome) {
      expect.soft({ name, whole: answers || warnings !== '', missing }).toEqual({
        name,
        whole: true,
        missing: 0,
      })
      if (documents === 16) expect.soft({ name, answers }).toEqual({ name, answers: true })
      expect.soft(warnings, 'no text in a warning').not.toContain('note')
    }
  },
)

test(
  'after removing a document no record of the database holds its text, title, id, metadata ' +
    'or vectors; the same scan finds all of them before',
  async ({ app, site, watch }) => {
    watch.trust(site)
    await openInside(app, site.origin)
    const outcome = await app.evaluate(async () => {
      const text =
        'The quincunx of Zebulon Quartermain stood in Xanadu Hollow. ' +
        `${'Zebulon Quartermain kept the quincunx. '.repeat(4000)}`
      const embedder = new inside.DenseEmbedder(16),
        engine = await openEngine({ model: embedder })
      await engine.add([
        { id: 'secret-id-77', title: 'Quincunx ledger', text, metadata: { label: 'umbrageous' } },
        ...Array.from({ length: 8 }, (_, n) => inside.makeDocument(n, 1)),
      ])
      await engine.ready('vectors')
      await engine.ready('settled')
      const view = (await engine.getDocument('secret-id-77'))!
      const { start, end } = view.passages[0]!
      const [vector] = await embedder.embed([`Quincunx ledger. ${text.slice(start, end)}`])
      await engine.close() // which saves the index, too

      const hex = (bytes: Uint8Array): string =>
        Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
      const scan = async (): Promise<Record<string, boolean>> => {
        const connection = new inside.Connection({ name: 'hubmesh:test' }),
          database = await connection.database()
        let words = '',
          bytes = ''
        const walk = (value: unknown): void => {
          if (typeof value === 'string') words += `${value}\n`
          else if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
            const view =
              value instanceof ArrayBuffer
                ? new Uint8Array(value)
                : new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
            bytes += hex(view)
            words += `${new TextDecoder('latin1').decode(view)}\n${new TextDecoder('utf-16le').decode(view)}\n`
          } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
        }
        for (const store of inside.STORE_NAMES) {
          ;(await database.getAllKeys(store)).forEach(walk)
          ;((await database.getAll(store)) as unknown[]).forEach(walk)
        }
        connection.close()
        const low = words.toLowerCase()
        return {
          text: words.includes('stood in Xanadu'),
          title: words.includes('Quincunx ledger'),
          id: words.includes('secret-id-77'),
          metadata: words.includes('umbrageous'),
          names: low.includes('quartermain'),
          vector: bytes.includes(hex(new Uint8Array(vector!.buffer))),
        }
      }
      const before = await scan()
      const again = await openEngine({ model: new inside.DenseEmbedder(16) })
      await again.remove('secret-id-77')
      const removed = await scan()
      await again.ready('settled')
      await again.close()
      const after = await scan()
      const rest = await inside.look('test')
      return { before, removed, after, rest: rest.stored.length, faults: rest.faults }
    })
    const all = (is: boolean): Record<string, boolean> => ({
      text: is,
      title: is,
      id: is,
      metadata: is,
      names: is,
      vector: is,
    })
    expect(outcome.before, 'the scan finds what is there').toEqual(all(true))
    expect(outcome.removed, 'as soon as remove() resolves').toEqual(all(false))
    expect(outcome.after, 'after the index was saved again').toEqual(all(false))
    expect({ rest: outcome.rest, faults: outcome.faults }).toEqual({ rest: 8, faults: [] })
  },
)
