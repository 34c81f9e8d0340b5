/**
 * A byte of a model's or a runtime's file that is flipped or missing, in the browser's cache or on
 * its way from the server, is found before it is used.
 */
import { readFileSync } from 'node:fs'
import { openApp } from '../support/test.ts'
import { serveFaults } from './support/build.ts'
import { expect, test } from './support/test.ts'

/** Where a file is spoilt, and how. */
type Spoil = 'first' | 'middle' | 'last' | 'missing'
const SPOILS: readonly Spoil[] = ['first', 'middle', 'last', 'missing']

test.setTimeout(300_000)

test(
  'every file in Cache Storage is checked on a hit: a damaged one is told, fetched again, ' +
    'and the answers are the same',
  async ({ page: app, watch, site }) => {
    watch.trust(site)
    await openApp(app, site.origin)
    const rounds = await app.evaluate(async (spoils) => {
      const ask = async (): Promise<{ answer: string; warnings: string; vectors: number }> => {
        const engine = await openEngine({ storage: 'memory', model: MODEL })
        await engine.add([
          { id: 'a', title: 'Ed Wood', text: 'Ed Wood directed Plan 9 from Outer Space.' },
          { id: 'b', title: 'Burbank', text: 'Burbank is a city in California.' },
        ])
        await engine.ready('vectors')
        const { sources } = await engine.retrieve('Who made that film?', { tier: 'full' }),
          { warnings, passagesWithVectors } = await engine.status()
        await engine.close()
        return {
          answer: JSON.stringify(sources),
          warnings: warnings.join(' '),
          vectors: passagesWithVectors,
        }
      }
      const hex = async (bytes: ArrayBuffer): Promise<string> =>
        Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) =>
          byte.toString(16).padStart(2, '0'),
        ).join('')
      const first = await ask(),
        cache = await caches.open('hubmesh-files'),
        keys = (await cache.keys()).map(({ url }) => url)
      const rounds = []
      for (const spoil of spoils) {
        for (const key of keys) {
          const bytes = new Uint8Array(await (await cache.match(key))!.arrayBuffer()),
            at = spoil === 'first' ? 0 : spoil === 'middle' ? bytes.length >> 1 : bytes.length - 1
          if (spoil !== 'missing') bytes[at]! ^= 1
          await cache.put(key, new Response(spoil === 'missing' ? bytes.subarray(0, -1) : bytes))
        }
        const { answer, warnings, vectors } = await ask(),
          kept = []
        for (const key of keys)
          kept.push(
            new URL(key).searchParams.get('sha256') ===
              (await hex(await (await cache.match(key))!.arrayBuffer())),
          )
        rounds.push({
          spoil,
          same: answer === first.answer,
          vectors,
          kept,
          told: keys.filter((key) => !warnings.includes(new URL(key).pathname.split('/').at(-1)!)),
        })
      }
      return { keys: keys.map((key) => new URL(key).pathname), before: first.warnings, rounds }
    }, SPOILS)
    expect(rounds.before).toBe('')
    expect(rounds.keys).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/model_quantized\.onnx$/),
        expect.stringMatching(/tokenizer\.json$/),
        expect.stringMatching(/\.wasm$/),
      ]),
    )
    for (const round of rounds.rounds)
      expect.soft(round).toEqual({
        spoil: round.spoil,
        same: true,
        vectors: 2,
        kept: rounds.keys.map(() => true),
        told: [],
      })
  },
)

test(
  'every file that a server sends damaged is model/integrity: nothing of it is kept, words ' +
    'answer meanwhile, and the whole file is taken the next time',
  async ({ page: app, watch, build }) => {
    let spoilt: { readonly path: string; readonly spoil: Spoil } | null = null
    const server = await serveFaults(build, 0, (pathname, file) => {
      if (pathname !== spoilt?.path) return undefined
      const bytes = readFileSync(file),
        at =
          spoilt.spoil === 'first'
            ? 0
            : spoilt.spoil === 'middle'
              ? bytes.length >> 1
              : bytes.length - 1
      if (spoilt.spoil === 'missing') return bytes.subarray(0, -1)
      bytes[at]! ^= 1
      return bytes
    })
    watch.trust(server)
    try {
      await openApp(app, server.origin)
      const start = await app.evaluate(async () => {
        const engine = await openEngine({ storage: 'memory', model: MODEL })
        await engine.add('Ed Wood directed Plan 9 from Outer Space.')
        await engine.ready('vectors')
        await engine.close()
        return (await (await caches.open('hubmesh-files')).keys()).map(
          ({ url }) => new URL(url).pathname,
        )
      })
      for (const [i, path] of start.entries()) {
        spoilt = { path, spoil: SPOILS[i % SPOILS.length]! }
        const outcome = await app.evaluate(async (path) => {
          const cache = await caches.open('hubmesh-files')
          const keysOf = async (): Promise<string[]> =>
            (await cache.keys())
              .map(({ url }) => url)
              .filter((url) => new URL(url).pathname === path)
          for (const key of await keysOf()) await cache.delete(key)
          const engine = await openEngine({ storage: 'memory', model: MODEL }).catch(
            (error: { code: string; message: string }) => error,
          )
          if ('code' in engine)
            return {
              code: engine.code,
              message: engine.message,
              kept: (await keysOf()).length,
              sources: 1,
              state: 'failed',
            }
          await engine.add('Ed Wood directed Plan 9 from Outer Space.')
          const error = await caught(engine.ready('vectors')),
            { embedding } = await engine.status()
          const answer = await engine.retrieve('Who directed Plan 9?')
          await engine.close()
          return {
            code: error.code,
            message: error.message,
            kept: (await keysOf()).length,
            sources: answer.sources.length,
            state: embedding.state,
          }
        }, path)
        expect.soft({ path, ...outcome, message: '' }).toEqual({
          path,
          code: 'model/integrity',
          message: '',
          kept: 0,
          sources: 1,
          state: 'failed',
        })
        expect.soft(outcome.message, path).toContain(path.split('/').at(-1)!)
      }
      spoilt = null
      const after = await app.evaluate(async () => {
        const engine = await openEngine({ storage: 'memory', model: MODEL })
        await engine.add('Ed Wood directed Plan 9 from Outer Space.')
        await engine.ready('vectors')
        const { passagesWithVectors, warnings } = await engine.status()
        await engine.close()
        return { passagesWithVectors, warnings }
      })
      expect(after).toEqual({ passagesWithVectors: 1, warnings: [] })
    } finally {
      await server.close()
    }
  },
)
