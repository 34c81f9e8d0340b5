/**
 * What is removed is gone from the profile's files once the browser has compacted; what is
 * encrypted was never in them. The same scan finds all of it before.
 */
import { random } from './fixtures/documents.ts'
import { wordsIn } from './support/scan.ts'
import { SEED, expect, openInside, test } from './support/test.ts'

/**
 * Words of letters that compress to nothing else: the browser's files are packed, and only what
 * repeats is changed by that.
 */
function markers(seed: number): {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly label: string
  readonly name: string
} {
  const next = random(seed),
    word = (): string =>
      Array.from({ length: 24 }, () => String.fromCharCode(97 + next(26))).join('')
  const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)
  return { id: word(), title: capital(word()), text: word(), label: word(), name: capital(word()) }
}

type Markers = ReturnType<typeof markers>

/** Fills a corpus with one secret document among others, and lets all of it be saved. */
const fill = async ({
  corpus,
  mark,
  passphrase,
}: {
  corpus: string
  mark: Markers
  passphrase: string | null
}): Promise<number> => {
  const engine = await openEngine({
    corpus,
    model: new inside.DenseEmbedder(16),
    ...(passphrase === null ? {} : { encryption: { passphrase } }),
  })
  await engine.add([
    {
      id: mark.id,
      title: mark.title,
      text: `The ledger of ${mark.name} says ${mark.text} in its margin.`,
      metadata: { label: mark.label },
    },
    ...Array.from({ length: 8 }, (_, n) => inside.makeDocument(n, 1)),
  ])
  await engine.ready('vectors')
  await engine.ready('settled')
  const { documents } = await engine.status()
  await engine.close()
  return documents
}

test(
  'a removed document is gone from every file after the corpus was moved to a new database; ' +
    'the scan finds it before',
  async ({ profile, site, watch }) => {
    test.setTimeout(300_000)
    console.log(`seed ${String(SEED)}`)
    const mark = markers(SEED),
      words = Object.values(mark)
    const run = await profile.open((context) => watch.attach(context))
    await openInside(run.page, site.origin)
    expect(await run.page.evaluate(fill, { corpus: 'test', mark, passphrase: null })).toBe(9)
    await run.close()
    expect(wordsIn(profile.folder, words), 'the scan finds what is there').toEqual(
      [...words].sort(),
    )

    const again = await profile.open((context) => watch.attach(context))
    await openInside(again.page, site.origin)
    const removed = await again.page.evaluate(async (id) => {
      const engine = await openEngine({ model: new inside.DenseEmbedder(16) })
      await engine.remove(id)
      await engine.close()
      return inside.look('test').then(({ stored, faults }) => ({ stored: stored.length, faults }))
    }, mark.id)
    expect(removed).toEqual({ stored: 8, faults: [] })
    await again.close()
    const left = wordsIn(profile.folder, words)

    // The stated way: an archive, a new corpus from it, and the old one deleted, which makes the
    // browser compact all that it held.
    const moved = await profile.open((context) => watch.attach(context))
    await openInside(moved.page, site.origin)
    await moved.page.evaluate(async () => {
      const old = await openEngine({ model: new inside.DenseEmbedder(16) })
      const archive = await old.export()
      const fresh = await openEngine({ corpus: 'moved', model: new inside.DenseEmbedder(16) })
      await fresh.import(archive)
      await fresh.ready('vectors')
      await fresh.close()
      await old.destroy()
    })
    await moved.close()
    // Chromium compacts in its own time; a browser that was closed before goes on at its next start.
    let starts = 0
    while (wordsIn(profile.folder, words).length > 0 && starts < 10) {
      const run = await profile.open((context) => watch.attach(context))
      await openInside(run.page, site.origin)
      await run.page.evaluate(() => inside.look('moved'))
      await run.page.waitForTimeout(1000)
      await run.close()
      starts++
    }
    console.log(
      `after remove() the files still held ${String(left.length)} of ${String(words.length)} ` +
        `words; after the move none, with ${String(starts)} more starts of the browser`,
    )
    expect(wordsIn(profile.folder, words)).toEqual([])
    const last = await profile.open((context) => watch.attach(context))
    await openInside(last.page, site.origin)
    expect(
      await last.page.evaluate(() =>
        inside.look('moved').then(({ stored, faults }) => ({ stored: stored.length, faults })),
      ),
    ).toEqual({ stored: 8, faults: [] })
    await last.close()
  },
)

test(
  'an encrypted corpus shows nothing in any file, opens after a kill with its passphrase, ' +
    'and with no other',
  async ({ profile, site, watch }) => {
    const mark = markers(SEED + 1),
      words = Object.values(mark),
      passphrase = 'a passphrase of the page'
    const run = await profile.open((context) => watch.attach(context))
    await openInside(run.page, site.origin)
    expect(await run.page.evaluate(fill, { corpus: 'locked', mark, passphrase })).toBe(9)
    expect(
      await run.page.evaluate(fill, {
        corpus: 'plain',
        mark: { ...mark, id: mark.id.toUpperCase() },
        passphrase: null,
      }),
      'the control',
    ).toBe(9)
    await run.kill()
    const control = wordsIn(profile.folder, [...words.slice(1), mark.id.toUpperCase()])
    expect(control).toHaveLength(words.length)

    const again = await profile.open((context) => watch.attach(context))
    await openInside(again.page, site.origin)
    const seen = await again.page.evaluate(
      async ({ passphrase, id, text }) => {
        const model = (): InstanceType<typeof inside.DenseEmbedder> => new inside.DenseEmbedder(16)
        const none = await caught(openEngine({ corpus: 'locked', model: model() })),
          wrong = await caught(
            openEngine({ corpus: 'locked', model: model(), encryption: { passphrase: 'another' } }),
          )
        const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
          'encrypt',
          'decrypt',
        ])
        await hubmesh.changeCorpusKey('locked', { from: { passphrase }, to: { key } })
        const old = await caught(
          openEngine({ corpus: 'locked', model: model(), encryption: { passphrase } }),
        )
        const engine = await openEngine({ corpus: 'locked', model: model(), encryption: { key } })
        const follower = await openEngine({ corpus: 'locked', model: model(), encryption: { key } })
        await engine.add({ id: 'later', text: 'One more.' })
        let following = await follower.status()
        while (following.documents < 10) {
          await new Promise((resolve) => {
            setTimeout(resolve, 20)
          })
          following = await follower.status()
        }
        await follower.close()
        await engine.ready('vectors')
        const document = await engine.getDocument(id)
        const { documents, passages, passagesWithVectors, warnings } = await engine.status()
        const plainArchive = new TextDecoder('latin1').decode(
          await (await engine.export()).arrayBuffer(),
        )
        await engine.close()
        await hubmesh.deleteCorpus('plain')
        return {
          none: none.code,
          wrong: wrong.code,
          old: old.code,
          text: document?.text.includes(text),
          documents,
          missing: passages - passagesWithVectors,
          warnings,
          exported: plainArchive.includes(text),
        }
      },
      { passphrase, id: mark.id, text: mark.text },
    )
    expect(seen).toEqual({
      none: 'store/locked',
      wrong: 'store/locked',
      old: 'store/locked',
      text: true,
      documents: 10,
      missing: 0,
      warnings: [],
      exported: true,
    })
    await again.close()
  },
)

test('a profile that never held the plain text does not hold it', async ({
  profile,
  site,
  watch,
}) => {
  const mark = markers(SEED + 2),
    words = Object.values(mark)
  const run = await profile.open((context) => watch.attach(context))
  await openInside(run.page, site.origin)
  expect(
    await run.page.evaluate(fill, {
      corpus: 'locked',
      mark,
      passphrase: 'a passphrase of the page',
    }),
  ).toBe(9)
  await run.close()
  expect(wordsIn(profile.folder, words)).toEqual([])
})
