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
      const results: Record<
        string,
        { answers: boolean; warnings: string; documents: number; missing: number; first: number }
      > = {}
      const damage = async (
        name: string,
        store: 'vectors' | 'block_keys' | 'derived' | 'documents' | 'parts' | 'meta',
        key: (keys: readonly IDBValidKey[]) => IDBValidKey,
        change: (value: unknown) => unknown,
      ): Promise<void> => {
        const [at, before] = await raw(async (database) => {
          const at = key(await database.getAllKeys(store)),
            before = (await database.get(store, at)) as unknown
          await database.put(store, change(before), at)
          return [at, before] as const
        })
        const engine = await openEngine({ model: model() })
        const opened = await engine.status()
        const answers = JSON.stringify(await inside.answersOf(engine)) === JSON.stringify(whole)
        const status = await engine.status()
        await engine.close()
        results[name] = {
          answers,
          warnings: status.warnings.join(' '),
          documents: status.documents,
          missing: status.passages - status.passagesWithVectors,
          first: opened.documents,
        }
        if (store === 'documents' || store === 'parts' || store === 'meta')
          await raw((database) => database.put(store, before, at))
      }
      const pick =
        (at: number) =>
        (keys: readonly IDBValidKey[]): IDBValidKey =>
          keys[at]!
      await damage('vectors', 'vectors', pick(0), flipped)
      await damage('block keys', 'block_keys', pick(0), (value) => ({
        ...(value as { keys: Uint8Array }),
        keys: flipped((value as { keys: Uint8Array }).keys),
      }))
      await damage(
        'derived',
        'derived',
        (keys) => keys.find((key) => Array.isArray(key) && key.length === 2)!,
        flipped,
      )
      await damage(
        'derived head',
        'derived',
        (keys) => keys.find((key) => Array.isArray(key) && key.length === 1)!,
        (value) => ({ ...(value as object), check: 1 }),
      )
      await damage('record', 'meta', pick(0), (value) => ({
        ...(value as { json: string }),
        json: flipped((value as { json: string }).json),
      }))
      await damage('document', 'documents', pick(3), (value) => ({
        ...(value as { text: string }),
        text: flipped((value as { text: string }).text),
      }))
      await damage('part', 'parts', pick(1), flipped)
      return results
    })
    for (const name of ['vectors', 'block keys', 'derived', 'derived head', 'record'])
      expect
        .soft({ name, ...outcome[name], warnings: '' })
        .toEqual({ name, answers: true, warnings: '', documents: 16, missing: 0, first: 16 })
    expect.soft(outcome['vectors']?.warnings).toContain('vectors')
    for (const [name, id] of [
      ['document', 'd003'],
      ['part', 'd014'],
    ] as const) {
      expect
        .soft({ name, documents: outcome[name]?.documents, missing: outcome[name]?.missing })
        .toEqual({ name, documents: 15, missing: 0 })
      expect.soft(outcome[name]?.warnings).toContain(id)
      expect.soft(outcome[name]?.warnings, 'no text in a warning').not.toContain('note')
    }
  },
)

test(
  'a corpus of many documents opens from the copy that lies beside its records, from the ' +
    'records where the copy is damaged, and a removal drops the copy',
  async ({ app, site, watch }) => {
    test.setTimeout(180_000)
    watch.trust(site)
    await openInside(app, site.origin)
    const outcome = await app.evaluate(async () => {
      const name = 'hubmesh:test',
        model = (): InstanceType<typeof inside.HashingEmbedder> => new inside.HashingEmbedder()
      const raw = async <T>(
        work: (
          database: Awaited<ReturnType<InstanceType<typeof inside.Connection>['database']>>,
        ) => Promise<T>,
      ): Promise<T> => {
        const connection = new inside.Connection({ name })
        try {
          return await work(await connection.database())
        } finally {
          connection.close()
        }
      }
      const copies = (): Promise<number> =>
        raw(
          async (database) =>
            (await database.getAllKeys('derived')).filter(
              (key) => Array.isArray(key) && key[0] === 'packed',
            ).length,
        )
      const first = await openEngine({ model: model() })
      await first.add(
        Array.from({ length: 1200 }, (_, n) => ({
          id: `n${String(n)}`,
          title: `Keeper ${String(n)}`,
          text:
            `The lamp of tower ${String(n)} was lit by Keeper ${String((n * 7) % 1200)} in ` +
            `${String(1700 + (n % 200))}.`,
        })),
      )
      await first.ready('vectors')
      await first.ready('settled')
      const questions = [
          'Who lit the lamp of tower 77?',
          'What did Keeper 14 light?',
          'towers lit in 1733',
        ],
        whole = JSON.stringify(
          await Promise.all(
            questions.map(async (question) => (await first.retrieve(question)).sources),
          ),
        )
      await first.close()
      const kept = await copies(),
        results: Record<string, { same: boolean; documents: number; warnings: string }> = {}
      const reopen = async (what: string): Promise<void> => {
        const engine = await openEngine({ model: model() })
        await engine.ready('vectors')
        const { documents, warnings } = await engine.status()
        results[what] = {
          same:
            JSON.stringify(
              await Promise.all(
                questions.map(async (question) => (await engine.retrieve(question)).sources),
              ),
            ) === whole,
          documents,
          warnings: warnings.join(' '),
        }
        await engine.close()
      }
      const before = await raw(async (database) => {
        const record: unknown = await database.get('documents', 'n77')
        await database.delete('documents', 'n77')
        return record
      })
      await reopen('without a record')
      await raw(async (database) => {
        await database.put('documents', before, 'n77')
        const part = (await database.get('derived', ['packed', 0])) as { texts: string[] }
        await database.put('derived', { ...part, texts: part.texts.with(3, 'Another text.') }, [
          'packed',
          0,
        ])
      })
      await reopen('with a damaged copy')
      const engine = await openEngine({ model: model() })
      await engine.remove('n77')
      const dropped = await copies()
      await engine.close()
      return { kept, dropped, results }
    })
    expect(outcome.kept).toBeGreaterThan(1)
    expect(outcome.dropped).toBe(0)
    for (const what of ['without a record', 'with a damaged copy'])
      expect
        .soft({ what, ...outcome.results[what] })
        .toEqual({ what, same: true, documents: 1200, warnings: '' })
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
