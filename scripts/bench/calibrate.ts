/**
 * Fits how likely the documents hold an answer, on training questions, and writes
 * src/answer/calibration.ts: `npm run calibrate -- [--cache DIR] [--most N] [--check]`. `--check`
 * only measures what is written, on the open sets. Run it again after a change of the ranking.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { CALIBRATION } from '../../src/answer/calibration.ts'
import type { TierCalibration } from '../../src/answer/calibration_types.ts'
import { confidenceOf, type Signals } from '../../src/answer/state.ts'
import { judge, type Judged, type JudgedSet } from '../../src/bench/answerability.ts'
import { readDataset } from '../../src/bench/dataset.ts'
import { auroc, fitLogistic, quantile } from '../../src/bench/logistic.ts'
import { openVectors } from '../../src/bench/vector_source.ts'
import type { Tier } from '../../src/types.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({
  options: {
    cache: { type: 'string', default: join(root, '.cache/vectors') },
    most: { type: 'string', default: '100' },
    check: { type: 'boolean', default: false },
  },
})
const TRAINING = ['hotpotqa_train100', 'musique_train']
const OPEN = [
  'hotpotqa',
  'musique',
  '2wikimultihopqa',
  'squad_xquad_en',
  'doc2dial_help',
  'gitlab_handbook',
]
/**
 * Shares at most of answerable questions called `none`, of foreign ones not called so (other texts
 * than these lie lower, so no more is called `none` than is needed), and of unanswerable ones
 * called `found`.
 */
const MISSED = 0.035,
  PASSED = 0.1,
  WRONG = 0.05

const source = await openVectors({
  vectors: null,
  model: join(root, 'public/models/all-MiniLM-L6-v2'),
  cache: values.cache,
})
const io = { progress: (line: string): void => void process.stderr.write(`${line}\n`) }
const names = values.check ? OPEN : TRAINING
const sets: JudgedSet[] = []
for (const name of names) {
  const dataset = await readDataset(join(root, '../shared/data', name))
  sets.push({ dataset, vectors: await source.of(dataset, io) })
}

async function rowsOf(tier: Tier): Promise<Judged[]> {
  const rows: Judged[] = []
  for (const set of sets) {
    rows.push(
      ...(await judge(
        set,
        sets.filter((other) => other !== set),
        tier,
        Number(values.most),
        tier === 'full' ? async (texts) => (await source.texts(texts, io))! : null,
      )),
    )
    io.progress(`${tier}: ${set.dataset.name} judged`)
  }
  return rows
}

const KEYS = Object.keys(CALIBRATION.text.weights) as (keyof Signals)[]

function fitted(rows: readonly Judged[]): TierCalibration {
  const weights = fitLogistic(
    rows.map(({ kind, signals }) => ({
      features: KEYS.map((key) => signals[key]),
      label: kind === 'answerable' ? 1 : 0,
      weight: kind === 'answerable' ? 1 : 0.5,
    })),
  ).map((weight) => Number(weight.toFixed(3)))
  const made: TierCalibration = {
    constant: weights[KEYS.length]!,
    weights: Object.fromEntries(
      KEYS.map((key, i) => [key, weights[i]!]),
    ) as TierCalibration['weights'],
    none: 0,
    found: 1,
  }
  const of = (kinds: readonly string[]): number[] =>
    rows
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ signals }) => confidenceOf(signals, made))
  const none = Math.min(quantile(of(['answerable']), MISSED), quantile(of(['foreign']), 1 - PASSED))
  return {
    ...made,
    none: Number(none.toFixed(3)),
    found: Number(Math.max(none, quantile(of(['foreign', 'left out']), 1 - WRONG)).toFixed(3)),
  }
}

function print(tier: Tier, rows: readonly Judged[], calibration: TierCalibration): void {
  const groups = new Map<string, Judged[]>()
  for (const row of rows)
    for (const name of [
      'all',
      row.size === null ? row.set : `${row.size} passages`,
      row.size === null ? 'whole sets' : 'parts',
    ])
      groups.set(name, [...(groups.get(name) ?? []), row])
  for (const [name, group] of groups) {
    const of = (kind: string): number[] =>
        group
          .filter((row) => row.kind === kind)
          .map(({ signals }) => confidenceOf(signals, calibration)),
      yes = of('answerable'),
      below = (values: readonly number[], bound: number): string =>
        (values.filter((value) => value < bound).length / Math.max(1, values.length)).toFixed(3)
    console.log(
      [
        tier.padEnd(5),
        name.padEnd(18),
        String(yes.length).padStart(5),
        `AUROC foreign ${auroc(yes, of('foreign')).toFixed(3)}, left out ${auroc(yes, of('left out')).toFixed(3)};`,
        `none: answerable ${below(yes, calibration.none)},`,
        `foreign ${below(of('foreign'), calibration.none)},`,
        `left out ${below(of('left out'), calibration.none)};`,
        `not found: answerable ${below(yes, calibration.found)},`,
        `left out ${below(of('left out'), calibration.found)}`,
      ].join(' '),
    )
  }
}

const written: Partial<Record<Tier, TierCalibration>> = {}
for (const tier of ['text', 'full'] as const) {
  const rows = await rowsOf(tier)
  written[tier] = values.check ? CALIBRATION[tier] : fitted(rows)
  print(tier, rows, written[tier])
}
await source.close()
if (!values.check)
  await writeFile(
    join(root, 'src/answer/calibration.ts'),
    `/** Written by \`npm run calibrate\`; do not edit. */
import type { Tier } from '../types.ts'
import type { TierCalibration } from './calibration_types.ts'

export const CALIBRATION: Readonly<Record<Tier, TierCalibration>> = ${JSON.stringify(
      written,
      null,
      2,
    )
      .replace(/"(\w+)":/g, '$1:')
      .replace(/([\d}])\n/g, '$1,\n')
      .replace(/,\n$/, '\n')}
`,
  )
