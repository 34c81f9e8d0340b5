/**
 * Workers that do not load, vanish without a word, or never come back from a loop: every call ends
 * with a code, and the engine goes on without a reload.
 */
import type { Page } from '@playwright/test'
import type { Engine } from '../../src/index.ts'
import { expect, openInside, test } from './support/test.ts'

interface Scope {
  engine: Engine
  asked: ReturnType<typeof caught>
}

/** Lets a worker of the role be sent into a loop that no message and no signal ends. */
const mayHang = (page: Page, role: 'engine' | 'embed'): Promise<unknown> =>
  page.route(`**/${role}.worker.js`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      body: `addEventListener('message', ({ data }) => { if (data === 'hang') for (;;); });\n${await response.text()}`,
    })
  })

test(
  'a script that is missing, of another type, a page, cut off on its way, or forbidden by ' +
    'the policy is worker/start-failed; with the right one the same page goes on',
  async ({ app, site, watch }) => {
    watch.trust(site.origin)
    watch.expectError(
      /404|MIME|Failed to load|ERR_|policy|nowhere|Content Security|module script|violates/,
    )
    await app.route('**/broken/**', async (route) => {
      switch (new URL(route.request().url()).pathname) {
        case '/broken/text.js':
          return route.fulfill({ body: 'postMessage(1)', contentType: 'text/plain' })
        case '/broken/page.js':
          return route.fulfill({
            body: '<!doctype html><title>Not found</title>',
            contentType: 'text/html',
          })
        case '/broken/syntax.js':
          return route.fulfill({ body: 'this is no program', contentType: 'text/javascript' })
        case '/broken/throws.js':
          return route.fulfill({
            body: 'throw new Error("at once")',
            contentType: 'text/javascript',
          })
        case '/broken/cut.js':
          return route.abort('connectionreset')
        default:
          return route.fulfill({ status: 404, body: 'not found', contentType: 'text/plain' })
      }
    })
    await openInside(app, site.origin)
    const outcome = await app.evaluate(async () => {
      const { trusted } = globalThis as unknown as { trusted(url: string): string }
      const codes: Record<string, unknown> = {}
      for (const name of ['nowhere', 'text', 'page', 'syntax', 'throws', 'cut']) {
        const error = await caught(
          openEngine({
            workers: {
              engine: () => new Worker(trusted(`/broken/${name}.js`), { type: 'module' }),
            },
          }),
        )
        codes[name] = [error.code, error.known]
      }
      const engine = await openEngine()
      await engine.add('Ed Wood directed Plan 9 from Outer Space.')
      const { documents } = await engine.status()
      await engine.close()
      return { codes, documents }
    })
    await app.route('**/faults/', async (route) => {
      const response = await route.fetch(),
        headers = response.headers()
      headers['content-security-policy'] = headers['content-security-policy']!.replace(
        "worker-src 'self'",
        "worker-src 'none'",
      )
      await route.fulfill({ response, headers })
    })
    await openInside(app, site.origin)
    const forbidden = await app.evaluate(() => caught(openEngine()))
    const failed = ['worker/start-failed', true]
    expect(outcome).toEqual({
      codes: {
        nowhere: failed,
        text: failed,
        page: failed,
        syntax: failed,
        throws: failed,
        cut: failed,
      },
      documents: 1,
    })
    expect([forbidden.code, forbidden.known]).toEqual(failed)
  },
)

for (const how of ['is ended without a word', 'hangs in a loop'] as const) {
  test(
    `an engine worker that ${how} is replaced at the deadline; pending reads are ` +
      'worker/timeout, a write store/indeterminate, and what was acknowledged is there',
    async ({ app, site, watch }) => {
      // The deadline is a minute of pings left unanswered, and is waited for.
      test.setTimeout(400_000)
      watch.trust(site.origin)
      await mayHang(app, 'engine')
      await openInside(app, site.origin)
      await app.evaluate(async () => {
        const scope = globalThis as unknown as Scope
        scope.engine = await openEngine()
        await scope.engine.add(Array.from({ length: 20 }, (_, n) => inside.makeDocument(n, 1)))
      })
      await app.evaluate((loop) => {
        if (loop) made.engine.at(-1)!.postMessage('hang')
        else made.engine.at(-1)!.terminate()
      }, how === 'hangs in a loop')
      await app.evaluate(() => {
        const scope = globalThis as unknown as Scope & { written: ReturnType<typeof caught> }
        scope.asked = caught(scope.engine.status())
        scope.written = caught(scope.engine.remove('d001'))
      })
      const said = await app.evaluate(async () => {
        const scope = globalThis as unknown as Scope & { written: ReturnType<typeof caught> }
        return [(await scope.asked).code, (await scope.written).code]
      })
      expect(said).toEqual(['worker/timeout', 'store/indeterminate'])
      const after = await app.evaluate(async () => {
        const { engine } = globalThis as unknown as Scope
        const { documents } = await engine.status()
        const whole = (await engine.getDocument('d002'))?.text === inside.makeDocument(2, 1).text
        await engine.remove('d001')
        const rest = (await engine.status()).documents
        await engine.close()
        return { documents, whole, rest, made: made.engine.length }
      })
      expect([19, 20]).toContain(after.documents)
      expect({ ...after, documents: 0 }).toEqual({ documents: 0, whole: true, rest: 19, made: 2 })
    },
  )
}

test('an embedding worker that hangs in a loop is replaced, and every passage gets its vector', async ({
  app,
  site,
  watch,
}) => {
  test.setTimeout(400_000)
  watch.trust(site.origin)
  await mayHang(app, 'embed')
  await openInside(app, site.origin)
  await app.evaluate(async () => {
    const scope = globalThis as unknown as Scope
    scope.engine = await openEngine({ storage: 'memory', model: MODEL })
    await scope.engine.add('Ed Wood directed Plan 9 from Outer Space.')
    await scope.engine.ready('vectors')
  })
  await app.evaluate(() => {
    for (const worker of made.embed) worker.postMessage('hang')
  })
  const after = await app.evaluate(async () => {
    const { engine } = globalThis as unknown as Scope
    await engine.add(
      Array.from({ length: 6 }, (_, n) => ({
        id: `later-${String(n)}`,
        text: `Later document number ${String(n)} of a corpus.`,
      })),
    )
    await engine.ready('vectors')
    const { passages, passagesWithVectors, embedding } = await engine.status()
    const answer = await engine.retrieve('Who directed Plan 9?', { tier: 'full' })
    await engine.close()
    return {
      missing: passages - passagesWithVectors,
      error: embedding.error,
      tier: answer.debug.tier,
      made: made.embed.length > 1,
    }
  })
  expect(after).toEqual({ missing: 0, error: null, tier: 'full', made: true })
})
