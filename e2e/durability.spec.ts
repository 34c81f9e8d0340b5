/**
 * What was acknowledged is there after a reload and after the browser was closed, and unfinished
 * embedding goes on.
 */
import { basename } from 'node:path'
import { chromium } from '@playwright/test'
import type { BrowserContext } from '@playwright/test'
import { BROWSER } from './playwright.config.ts'
import { BROWSER_ARGS } from './run/find_browser.mjs'
import { expect, openApp, test } from './support/test.ts'

const QUESTION = 'Which film did Ed Wood direct?'

interface Reopened {
  readonly loading: string
  readonly read: number
  readonly waiting: number
  readonly passages: number
  readonly text: string
  readonly tier: string
  readonly withVectors: number
  readonly embedded: readonly unknown[]
}

/**
 * Opens the corpus in the page, holds the model back until words have answered, and counts what is
 * read and embedded on the way.
 */
async function reopen(question: string): Promise<Reopened> {
  const embedded: unknown[] = [],
    held: (() => void)[] = []
  let holding = true
  const worker = (role: string): Worker =>
    new Worker(trusted(`/hubmesh/${role}.worker.js`), { type: 'module' })
  /** What the engine says to the worker goes by here, once it may. */
  const embed = (): Worker => {
    const made = worker('embed'),
      post = made.postMessage.bind(made) as (message: unknown, ports: Transferable[]) => void
    made.postMessage = (message: { readonly port: MessagePort }) => {
      const { port1, port2 } = new MessageChannel(),
        engine = message.port
      engine.onmessage = ({ data, ports }: MessageEvent) => {
        const said = JSON.stringify(data)
        if (said.includes('"embed"')) embedded.push(said)
        port1.postMessage(data, [...ports])
      }
      port1.onmessage = ({ data, ports }: MessageEvent) => {
        engine.postMessage(data, [...ports])
      }
      const hand = (): void => {
        post({ ...message, port: port2 }, [port2])
      }
      if (holding) held.push(hand)
      else hand()
    }
    return made
  }
  const engine = await openEngine({
    model: MODEL,
    workers: { engine: () => worker('engine'), embed },
  })
  const first = await engine.retrieve(question, { tier: 'text' }),
    early = await engine.status()
  holding = false
  for (const hand of held) hand()
  await engine.ready('vectors')
  const second = await engine.retrieve(question, { tier: 'full' })
  await engine.close()
  return {
    loading: early.embedding.state,
    read: early.text.read,
    waiting: early.text.unread,
    passages: first.debug.passages,
    text: JSON.stringify([first.sources, first.context]),
    tier: second.debug.tier,
    withVectors: second.debug.passagesWithVectors,
    embedded,
  }
}

test(
  'after a reload words answer from the kept index before the model is there, and meaning ' +
    'from the kept vectors and model: nothing is read, embedded or fetched anew',
  async ({ app, api, archive }) => {
    await app.evaluate(
      async ([url, question]) => {
        const engine = await openEngine({ model: MODEL })
        await engine.import(await (await fetch(url)).blob())
        await engine.ready('settled')
        await engine.retrieve(question, { tier: 'full' })
        await engine.close()
      },
      [`/archives/${basename(archive)}`, QUESTION] as const,
    )
    const asked = api.asked.length
    await openApp(app, api.origin)
    const kept = await app.evaluate(reopen, QUESTION)
    expect(kept.passages).toBeGreaterThanOrEqual(994)
    expect({ ...kept, text: '', embedded: kept.embedded.length }).toEqual({
      loading: 'loading',
      read: 0,
      waiting: 0,
      passages: kept.passages,
      text: '',
      tier: 'full',
      withVectors: kept.passages,
      // The question, and the twenty sentences that may answer it.
      embedded: 21,
    })
    // ONNX Runtime's glue is a script, which the browser imports by itself.
    expect(
      api.asked.slice(asked).filter((path) => /^\/(models|ort)\/.*(?<!\.mjs)$/.test(path)),
      'files of the model asked of the server',
    ).toEqual([])

    // The control: without the kept index every passage is read, and the same count says so.
    await app.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const opening = indexedDB.open('hubmesh:test')
          opening.onerror = () => {
            reject(opening.error!)
          }
          opening.onsuccess = () => {
            const transaction = opening.result.transaction('segments', 'readwrite'),
              segments = transaction.objectStore('segments'),
              keys = segments.getAllKeys()
            // Neither documents nor vectors: what is derived.
            keys.onsuccess = () => {
              for (const key of keys.result)
                if (!/^[dv]-/.test((key as [string, number])[0])) segments.delete(key)
            }
            transaction.onerror = () => {
              reject(transaction.error!)
            }
            transaction.oncomplete = () => {
              opening.result.close()
              resolve()
            }
          }
        }),
    )
    await openApp(app, api.origin)
    const anew = await app.evaluate(reopen, QUESTION)
    expect(anew.read + anew.waiting).toBeGreaterThanOrEqual(anew.passages)
    expect(anew.text).toBe(kept.text)
  },
)

test('after closing the browser everything acknowledged is there, and embedding goes on where it stopped', async ({
  api,
  watch,
}, info) => {
  const profile = info.outputPath('profile')
  const open = async (): Promise<BrowserContext> => {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: BROWSER,
      args: BROWSER_ARGS,
    })
    await watch.attach(context)
    return context
  }
  const first = await open()
  const page = await first.newPage()
  await openApp(page, api.origin)
  const before = await page.evaluate(async () => {
    const { documents } = await loadSample()
    const engine = await openEngine({ model: MODEL })
    await engine.add(documents.slice(0, 120))
    const enough = new Promise<number>((resolve) => {
      const stop = engine.onStatus(({ passagesWithVectors }) => {
        if (passagesWithVectors < 40) return
        stop()
        resolve(passagesWithVectors)
      })
    })
    const seen = await enough
    await engine.pauseEmbedding()
    const paused = await engine.status()
    // Closing saves what is embedded; the browser then goes away without another word.
    await engine.close()
    return { seen, paused: paused.passagesWithVectors, state: paused.embedding.state }
  })
  await watch.inspect(page)
  await first.close()
  expect(before.state).toBe('paused')

  const second = await open()
  const again = await second.newPage()
  await openApp(again, api.origin)
  const after = await again.evaluate(async (saved) => {
    const { documents } = await loadSample()
    const engine = await openEngine({ model: MODEL })
    // Nothing is embedded while this waits: what comes back comes from storage.
    await engine.pauseEmbedding()
    let opened = await engine.status()
    while (opened.passagesWithVectors < saved) {
      await new Promise((resolve) => {
        requestAnimationFrame(resolve)
      })
      opened = await engine.status()
    }
    const whole = (
      await Promise.all(
        documents
          .slice(0, 120)
          .map(async ({ id, text }) => (await engine.getDocument(id!))?.text === text),
      )
    ).every(Boolean)
    await engine.resumeEmbedding()
    const early = await engine.retrieve(documents[3]!.title!, { tier: 'text' })
    await engine.ready('vectors')
    const done = await engine.status()
    await engine.close()
    return { opened, whole, early: early.sources[0]?.documentId, wanted: documents[3]!.id, done }
  }, before.paused)
  await watch.inspect(again)
  await second.close()
  expect(after.opened.documents).toBe(120)
  expect(after.whole).toBe(true)
  // While the model loads it says so; what it must not do is embed.
  expect(['paused', 'loading']).toContain(after.opened.embedding.state)
  expect(after.opened.passagesWithVectors).toBeLessThan(after.opened.passages)
  expect(after.early).toBe(after.wanted)
  expect(after.done.passagesWithVectors).toBe(after.done.passages)
})

test('embedding pauses, goes on, and keeps the page free', async ({ app }) => {
  const outcome = await app.evaluate(async () => {
    const { documents } = await loadSample()
    const engine = await openEngine({ storage: 'memory', model: MODEL })
    await engine.add(documents.slice(0, 40))
    const reaching = (count: number): Promise<void> =>
      new Promise((resolve) => {
        const stop = engine.onStatus(({ passagesWithVectors }) => {
          if (passagesWithVectors < count) return
          stop()
          resolve()
        })
      })
    await reaching(3)
    await engine.pauseEmbedding()
    // What was under way may still arrive; a question's own embedding goes round the pause.
    const partly = await engine.retrieve('Who is a demon?', { tier: 'full' })
    const paused = await engine.status()
    await engine.retrieve('And who is not?', { tier: 'full' })
    const still = await engine.status()
    await engine.resumeEmbedding()
    await engine.ready('vectors')
    const done = await engine.status()
    await engine.close()
    return { paused, still, done, warnings: partly.debug.warnings, tier: partly.debug.tier }
  })
  expect(outcome.paused.embedding.state).toBe('paused')
  expect(outcome.still.passagesWithVectors).toBeLessThan(40)
  expect(
    outcome.still.passagesWithVectors - outcome.paused.passagesWithVectors,
  ).toBeLessThanOrEqual(4)
  expect(outcome.tier).toBe('full')
  expect(outcome.warnings.join()).toMatch(/of \d+ passages have a vector yet/)
  expect(outcome.done.passagesWithVectors).toBe(outcome.done.passages)
})
