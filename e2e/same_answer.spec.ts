/**
 * One archive, one answer: two profiles of the browser and Node give the same bytes, and so the
 * same recall.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Page } from '@playwright/test'
import type { RetrieveResult } from '../src/index.ts'
import { faultsOf, recall } from './support/checks.ts'
import { ROOT } from './support/server.ts'
import { expect, openApp, test } from './support/test.ts'

type Answers = Record<'full' | 'text' | 'lower', readonly RetrieveResult[]>

/** What the promise covers: timings and the state of storage are outside it. */
const promised = ({
  context,
  contextTokens,
  blocks,
  omitted,
  sources,
  reasoning,
  debug,
}: RetrieveResult): string =>
  JSON.stringify({
    context,
    contextTokens,
    blocks,
    omitted,
    sources,
    reasoning,
    seeds: debug.seeds,
    gate: debug.gate,
    walk: debug.walk,
    tier: debug.tier,
  })

async function askInPage(page: Page, archive: string): Promise<Answers> {
  return page.evaluate(
    async (url): Promise<Answers> => {
      const { questions } = await loadSample()
      const engine = await openEngine({ model: MODEL })
      await engine.import(await (await fetch(url)).blob())
      await engine.ready('settled')
      const ask = async (tier: 'full' | 'text', lower: boolean): Promise<RetrieveResult[]> => {
        const results: RetrieveResult[] = []
        for (const { question } of questions)
          results.push(
            await engine.retrieve(lower ? question.toLowerCase() : question, {
              tier,
              budgetTokens: 1000,
            }),
          )
        return results
      }
      const answers = {
        full: await ask('full', false),
        text: await ask('text', false),
        lower: await ask('full', true),
      }
      await engine.destroy()
      return answers
    },
    `/archives/${basename(archive)}`,
  )
}

async function askInNode(
  archive: string,
  questions: readonly { readonly question: string }[],
): Promise<Answers> {
  // What users get, with the types of its sources: there are none before it is built.
  const built: string = join(ROOT, 'dist/node/index.js')
  const { createEngine } = (await import(built)) as typeof import('../src/node.ts')
  const engine = await createEngine({
    corpus: 'test',
    model: join(ROOT, 'public/models/all-MiniLM-L6-v2'),
    runtime: 'wasm',
  })
  await engine.import(new Uint8Array(readFileSync(archive)))
  await engine.ready('settled')
  const ask = async (tier: 'full' | 'text', lower: boolean): Promise<RetrieveResult[]> => {
    const results: RetrieveResult[] = []
    for (const { question } of questions)
      results.push(
        await engine.retrieve(lower ? question.toLowerCase() : question, {
          tier,
          budgetTokens: 1000,
        }),
      )
    return results
  }
  const answers = {
    full: await ask('full', false),
    text: await ask('text', false),
    lower: await ask('full', true),
  }
  await engine.close()
  return answers
}

test(
  'two profiles and Node answer a hundred questions with the same bytes, and recall is at ' +
    "least the prototype's",
  async ({ app, api, archive, browser, watch }) => {
    test.setTimeout(300_000)
    const lines = (file: string): unknown[] =>
      readFileSync(join(ROOT, 'public/samples/hotpotqa_train100', file), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
    const questions = lines('queries.jsonl') as { question: string; gold: string[] }[]
    const documents = lines('corpus.jsonl') as { id: string; title: string; text: string }[]

    const first = await askInPage(app, archive)
    const other = await browser.newContext()
    await watch.attach(other)
    const otherPage = await other.newPage()
    await openApp(otherPage, api.origin)
    const second = await askInPage(otherPage, archive)
    await watch.inspect(otherPage)
    await other.close()
    const node = await askInNode(archive, questions)

    const gold = questions.map((question) => question.gold)
    for (const kind of ['full', 'text', 'lower'] as const) {
      const differing = first[kind].flatMap((result, i) => {
        const bytes = promised(result)
        return [second, node].flatMap((run, r) =>
          promised(run[kind][i]!) === bytes
            ? []
            : [`${kind} ${questions[i]!.question}: ${r === 0 ? 'other profile' : 'Node'}`],
        )
      })
      expect(differing).toEqual([])
      expect(
        first[kind].every(({ debug }) => debug.tier === (kind === 'text' ? 'text' : 'full')),
      ).toBe(true)
      expect(first[kind].flatMap((result) => faultsOf(result, documents))).toEqual([])
      const ranked = first[kind].map(({ sources }) => sources.map(({ documentId }) => documentId))
      console.log(
        `${kind}: recall @2/@5/@10 ${[2, 5, 10].map((k) => recall(ranked, gold, k).toFixed(3)).join('/')}`,
      )
    }
    const at5 = (kind: keyof Answers): number =>
      recall(
        first[kind].map(({ sources }) => sources.map(({ documentId }) => documentId)),
        gold,
        5,
      )
    expect(at5('full')).toBeGreaterThanOrEqual(0.96)
    expect(at5('text')).toBeGreaterThanOrEqual(0.945)
    expect(at5('lower')).toBeGreaterThanOrEqual(at5('full') - 0.01)
  },
)
