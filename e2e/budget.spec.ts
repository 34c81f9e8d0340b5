/**
 * The budget is hard: by the approximate counter, a real tokenizer and a counter of the page's own,
 * in English, Japanese and code.
 */
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import type { RetrieveResult } from '../src/index.ts'
import { approximateTokens } from '../src/pack/approximate_tokens.ts'
import { faultsOf } from './support/checks.ts'
import { expect, test } from './support/test.ts'

const LARGER = [
  80, 100, 128, 150, 200, 256, 300, 400, 512, 600, 700, 800, 1000, 1250, 1500, 1800, 2200, 2800,
  3400, 4000,
]
const BUDGETS = [...Array.from({ length: 64 }, (_, i) => i + 1), ...LARGER]

interface Passage {
  readonly id: string
  readonly title: string
  readonly text: string
}
interface Answer {
  readonly budgetTokens: number
  readonly question: string
  readonly context: string
  readonly contextTokens: number
  readonly warnings: readonly string[]
}

const JAPANESE: readonly Passage[] = [
  {
    id: 'kyoto',
    title: '京都',
    text: '京都は日本の都市である。かつて日本の首都であった。清水寺や金閣寺などの寺院で知られる。',
  },
  {
    id: 'kinkakuji',
    title: '金閣寺',
    text: '金閣寺は京都市北区にある寺院である。足利義満が建てた山荘がその始まりである。正式な名称は鹿苑寺という。',
  },
  {
    id: 'yoshimitsu',
    title: '足利義満',
    text: '足利義満は室町幕府の第三代将軍である。南北朝の合一を果たした。',
  },
]
const CODE: readonly Passage[] = [
  {
    id: 'queue.ts',
    title: 'queue.ts',
    text:
      'export class JobQueue<T> {\n  readonly #jobs: T[] = []\n\n  push(job: T): void {\n  ' +
      '  this.#jobs.push(job)\n  }\n\n  next(): T | undefined {\n    return ' +
      'this.#jobs.shift()\n  }\n}\n',
  },
  {
    id: 'worker.ts',
    title: 'worker.ts',
    text:
      "import { JobQueue } from './queue.ts'\n\nconst queue = new " +
      'JobQueue<string>()\nwhile (queue.next() !== undefined) {\n  // JobQueue gives jobs ' +
      'in the order of their arrival.\n}\n',
  },
]

for (const counter of ['approx', 'o200k', 'own'] as const) {
  test(`no context is over its budget by the counter ${counter}, and a context that cannot be is explained`, async ({
    app,
  }) => {
    test.setTimeout(240_000)
    const { documents, list, whole } = await app.evaluate(
      async ({
        counter,
        budgets,
        japanese,
        code,
      }): Promise<{ documents: readonly Passage[]; list: Answer[]; whole: RetrieveResult }> => {
        const sample = await loadSample()
        // A counter that is neither additive nor a share of the length.
        const own = (text: string): number => Math.ceil(Math.sqrt(text.length) * 3)
        const engine = await openEngine({
          storage: 'memory',
          countTokens: counter === 'own' ? own : counter,
        })
        await engine.add([...sample.documents, ...japanese, ...code])
        await engine.ready('settled')
        const questions = [
          ...sample.questions.slice(0, 12).map(({ question }) => question),
          '金閣寺を建てた足利義満は誰か',
          'What does JobQueue next() return?',
        ]
        const list: Answer[] = []
        for (const [i, budgetTokens] of budgets.entries()) {
          // Each budget meets four questions, each question every budget class; the last two are
          // always asked.
          const asked = [
            questions[i % 12]!,
            questions[(i * 5 + 3) % 12]!,
            questions[12]!,
            questions[13]!,
          ]
          for (const question of asked) {
            const { context, contextTokens, debug } = await engine.retrieve(question, {
              budgetTokens,
            })
            list.push({ budgetTokens, question, context, contextTokens, warnings: debug.warnings })
          }
        }
        const whole = await engine.retrieve(questions[12]!, { budgetTokens: 4000 })
        await engine.close()
        return { documents: sample.documents as readonly Passage[], list, whole }
      },
      { counter, budgets: BUDGETS, japanese: JAPANESE, code: CODE },
    )

    const count =
      counter === 'o200k'
        ? (text: string) => o200k(text)
        : counter === 'own'
          ? (text: string) => Math.ceil(Math.sqrt(text.length) * 3)
          : approximateTokens
    const faults = list.flatMap(({ budgetTokens, question, context, contextTokens, warnings }) => {
      const tokens = count(context)
      if (tokens !== contextTokens)
        return [
          `${question} @${String(budgetTokens)}: says ${String(contextTokens)}, counts ${String(tokens)}`,
        ]
      if (tokens > budgetTokens)
        return [`${question} @${String(budgetTokens)}: ${String(tokens)} tokens`]
      return context === '' &&
        !warnings.some((warning) => warning.includes('below the smallest cut'))
        ? [`${question} @${String(budgetTokens)}: empty without a word`]
        : []
    })
    expect(faults).toEqual([])
    expect(
      list.filter(({ budgetTokens, context }) => budgetTokens >= 64 && context === ''),
    ).toEqual([])
    expect(whole.context).toContain('鹿苑寺')
    expect(faultsOf(whole, [...documents, ...JAPANESE, ...CODE])).toEqual([])
  })
}
