/** The text tier on the sample corpus: soon there, fast, and never in the way of the page. */
import { faultsOf, percentile, recall } from './support/checks.ts'
import { expect, longestTask, test } from './support/test.ts'

test(
  'the sample is answerable without the model, each passage read once, a question touches a ' +
    'bounded part of the graph, and no task of the page takes fifty milliseconds',
  async ({ app }) => {
    const runs: {
      readonly read: number
      readonly passages: number
      readonly touched: number
      readonly longest: number
      readonly tiers: readonly string[]
      readonly ms: Readonly<Record<string, number>>
    }[] = []
    for (let run = 0; run < 3; run++) {
      const since = await app.evaluate(() => performance.now())
      const { times, touched, tiers, textMs, passages, read } = await app.evaluate(
        async (corpus) => {
          const { documents, questions } = await loadSample()
          const engine = await openEngine({ corpus })
          const started = performance.now()
          await engine.add(documents)
          await engine.ready('text')
          await engine.retrieve(questions[0]!.question)
          const textMs = performance.now() - started
          await engine.ready('settled')
          const {
            passages,
            text: { read },
          } = await engine.status()
          const times: number[] = [],
            touched: number[] = [],
            tiers = new Set<string>()
          for (const { question } of questions) {
            const { timings, walk, tier } = (await engine.retrieve(question)).debug
            times.push(
              Object.entries(timings).reduce(
                (sum, [stage, ms]) => (stage === 'embed' ? sum : sum + ms),
                0,
              ),
            )
            touched.push(walk.touchedEdges)
            tiers.add(tier)
          }
          await engine.destroy()
          return { times, touched, tiers: [...tiers], textMs, passages, read }
        },
        `speed-${String(run)}`,
      )
      runs.push({
        read,
        passages,
        tiers,
        touched: percentile(touched, 0.5),
        longest: await longestTask(app, since),
        ms: { text: textMs, p50: percentile(times, 0.5), p95: percentile(times, 0.95) },
      })
    }
    console.log(runs.map((run) => JSON.stringify(run)).join('\n'))
    for (const { read, passages, touched, tiers } of runs) {
      expect(tiers).toEqual(['text'])
      expect(read, 'passages read').toBe(passages)
      expect(touched, 'edges a question touches, p50').toBeLessThan(40_000)
    }
    expect(
      Math.min(...runs.map(({ longest }) => longest)),
      'longest task of the page, ms',
    ).toBeLessThanOrEqual(50)
  },
)

test(
  "recall without a model is at least the prototype's, for cased and lower-cased questions, " +
    'and every span is exact',
  async ({ app }) => {
    const { sample, cased, lower } = await app.evaluate(async () => {
      const sample = await loadSample()
      const engine = await openEngine({ storage: 'memory' })
      await engine.add(sample.documents)
      await engine.ready('settled')
      const ask = async (lowerCase: boolean) => {
        const results = []
        for (const { question } of sample.questions)
          results.push(await engine.retrieve(lowerCase ? question.toLowerCase() : question))
        return results
      }
      const answers = { sample, cased: await ask(false), lower: await ask(true) }
      await engine.close()
      return answers
    })
    const gold = sample.questions.map((question) => question.gold)
    const at5 = (results: typeof cased): number =>
      recall(
        results.map(({ sources }) => sources.map(({ documentId }) => documentId)),
        gold,
        5,
      )
    console.log(
      `text tier recall@5: ${at5(cased).toFixed(3)} cased, ${at5(lower).toFixed(3)} lower-cased`,
    )
    expect(at5(cased)).toBeGreaterThanOrEqual(0.945)
    expect(at5(lower)).toBeGreaterThanOrEqual(at5(cased) - 0.01)
    expect([...cased, ...lower].flatMap((result) => faultsOf(result, sample.documents))).toEqual([])
  },
)

test('excluded documents are nowhere in an answer, and names can be added, replaced and turned off', async ({
  app,
}) => {
  const answers = await app.evaluate(async () => {
    const { documents, questions } = await loadSample()
    const engine = await openEngine({ storage: 'memory' })
    await engine.add(documents)
    await engine.ready('settled')
    const { question, gold } = questions.find(({ question }) =>
      question.includes('Christopher Nolan'),
    )!
    const plain = await engine.retrieve(question)
    const first = plain.sources[0]!.documentId
    const without = await engine.retrieve(question, { excludeDocs: [first] })
    const bare = await engine.retrieve('Which of the two?', {})
    const injected = await engine.retrieve('Which of the two?', {
      seedEntities: [...gold, 'Nobody Anybody Heard Of'],
    })
    const off = await engine.retrieve(question, { questionSeeds: [] })
    await engine.close()
    return { first, plain, without, bare, injected, off, gold }
  })
  expect(answers.without.debug.excludedDocuments).toEqual([answers.first])
  expect(
    JSON.stringify([
      answers.without.sources,
      answers.without.blocks,
      answers.without.reasoning.map((path) => path.steps),
    ]),
  ).not.toContain(`"documentId":${JSON.stringify(answers.first)}`)
  expect(answers.plain.debug.seeds.length).toBeGreaterThan(0)
  expect(answers.plain.reasoning.length).toBeGreaterThan(0)
  expect(answers.bare.debug.seeds).toEqual([])
  expect(answers.injected.debug.seeds.every(({ origin }) => origin === 'injected')).toBe(true)
  expect(answers.injected.debug.unknownSeeds).toEqual(['Nobody Anybody Heard Of'])
  expect(answers.injected.sources.slice(0, 5).map(({ documentId }) => documentId)).toEqual(
    expect.arrayContaining([...answers.gold]),
  )
  expect(answers.off.debug.seeds).toEqual([])
})

test('adding goes on from where it was cancelled, whole documents only', async ({ app }) => {
  const outcome = await app.evaluate(async () => {
    const { documents } = await loadSample()
    const engine = await openEngine({ storage: 'memory' })
    const controller = new AbortController()
    const big = documents.map((document, i) => ({
      ...document,
      id: `big-${String(i)}`,
      text: document.text.repeat(20),
    }))
    const adding = caught(
      engine.add(big, {
        signal: controller.signal,
      }),
    )
    // Before the one switch that makes all of it visible; after it there is nothing to cancel.
    controller.abort('enough')
    const error = await adding
    const after = (await engine.listDocuments({ limit: 1000 })).documents
    const whole = (await Promise.all(after.map(({ id }) => engine.getDocument(id)))).every(
      (view) => view!.text === big.find(({ id }) => id === view!.id)!.text,
    )
    const rest = await engine.add(big)
    const total = (await engine.status()).documents
    await engine.close()
    return {
      error,
      kept: after.length,
      whole,
      unchanged: rest.unchanged.length,
      added: rest.added.length,
      total,
      of: big.length,
    }
  })
  expect(outcome.error).toMatchObject({ code: 'aborted', known: true, isError: true })
  expect(outcome.kept).toBeLessThan(outcome.of)
  expect(outcome.whole).toBe(true)
  expect(outcome.unchanged).toBe(outcome.kept)
  expect(outcome.unchanged + outcome.added).toBe(outcome.of)
  expect(outcome.total).toBe(outcome.of)
})
