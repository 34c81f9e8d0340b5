/** Reports as Markdown for files and as aligned columns for the terminal. */
import type { GroupReport, HopReport, PathReport, SetReport, TypoReport } from './set_report.ts'

type Table = readonly (readonly string[])[]

export function markdownReport(reports: readonly SetReport[]): string {
  return sections(reports)
    .map(({ title, table }) => `## ${title}\n\n${markdownTable(table)}\n`)
    .join('\n')
}

export function terminalReport(reports: readonly SetReport[]): string {
  return sections(reports)
    .map(({ title, table }) => `${title}\n${alignedTable(table)}\n`)
    .join('\n')
}

function sections(reports: readonly SetReport[]): { title: string; table: Table }[] {
  const out = [{ title: 'Retrieval', table: retrievalTable(reports) }]
  if (reports.some((report) => report.againstHybrid))
    out.push({
      title: 'Recall against the hybrid (BM25 + cosine), with the paired 95 % interval',
      table: hybridTable(reports),
    })
  if (reports.some((report) => Object.keys(report.budgets).length > 0))
    out.push({
      title: 'Packed context: all gold passages, answer string (greedy packing in brackets)',
      table: budgetTable(reports),
    })
  if (reports.some((report) => report.answer))
    out.push({
      title: 'Answer string in the short answer (at most 60 words) and in its baselines',
      table: answerTable(reports),
    })
  for (const report of reports) {
    for (const [what, groups] of [
      ['type', report.byType],
      ['hops', report.byHops],
    ] as const) {
      if (Object.keys(groups).length > 1)
        out.push({ title: `${report.set} by ${what}`, table: groupTable(what, groups) })
    }
    if (report.typo)
      out.push({
        title:
          `${report.set}, one slip in one name ` +
          `(${report.typo.embedded ? report.tier : 'question vectors without the slip'})`,
        table: typoTable(report.typo),
      })
    if (report.iterate)
      out.push({
        title: `${report.set}, a second hop from names of the first answer`,
        table: hopTable(report.iterate),
      })
    if (report.paths)
      out.push({
        title: `${report.set}, reasoning paths through all gold passages`,
        table: pathTable(report.paths),
      })
    if (report.ablation)
      out.push({
        title: `${report.set}, each part off, one at a time`,
        table: groupTable(
          'ranking',
          Object.fromEntries(report.ablation.map((part) => [part.name, part])),
        ),
      })
  }
  out.push({ title: 'Milliseconds a question, p50 / p95', table: latencyTable(reports) })
  return out
}

function retrievalTable(reports: readonly SetReport[]): Table {
  return [
    [
      'set',
      'passages',
      'questions',
      'ranking',
      'tier',
      '@2',
      '@5',
      '@5 95 %',
      '@10',
      '@20',
      'all@5',
      'all@10',
      'MRR',
      'nDCG@10',
      'no seeds',
    ],
    ...reports.map((r) => [
      r.set,
      String(r.passages),
      String(r.questions),
      r.ranking + (r.lowercase ? ', lower case' : '') + (r.titles ? '' : ', no titles'),
      r.tier,
      share(r.recall['2']),
      share(r.recall['5']),
      `${share(r.interval.recall['5']?.low)}–${share(r.interval.recall['5']?.high)}`,
      share(r.recall['10']),
      share(r.recall['20']),
      share(r.allGold['5']),
      share(r.allGold['10']),
      share(r.mrr),
      share(r.ndcg10),
      share(r.withoutSeeds),
    ]),
  ]
}

function hybridTable(reports: readonly SetReport[]): Table {
  const cell = (d: { mean: number; low: number; high: number } | undefined): string =>
    d ? `${signed(d.mean)} (${signed(d.low)} to ${signed(d.high)})` : ''
  return [
    ['set', '@2', '@5', '@10', '@20'],
    ...reports.map((r) => [
      r.set,
      ...['2', '5', '10', '20'].map((k) => cell(r.againstHybrid?.[k])),
    ]),
  ]
}

function budgetTable(reports: readonly SetReport[]): Table {
  const budgets = [...new Set(reports.flatMap((r) => Object.keys(r.budgets)))].sort(
    (a, b) => Number(a) - Number(b),
  )
  return [
    ['set', ...budgets.flatMap((b) => [`${b}: all gold`, `${b}: answer`])],
    ...reports.map((r) => [
      r.set,
      ...budgets.flatMap((b) => {
        const budget = r.budgets[b]
        return budget
          ? [
              `${share(budget.allGold)} (${share(budget.greedy.allGold)})`,
              budget.answer === null
                ? ''
                : `${share(budget.answer)} (${share(budget.greedy.answer ?? 0)})`,
            ]
          : ['', '']
      }),
    ]),
  ]
}

function answerTable(reports: readonly SetReport[]): Table {
  const columns = [
    ['card', 'card'],
    ['first quote', 'first'],
    ['with titles', 'titled'],
    ['evidence of source 1', 'evidence'],
    ['of sources 1 to 3', 'evidence3'],
    ['two sentences of source 1', 'twoSentences'],
    ['60 words of source 1', 'passage60'],
    ['context of 110 tokens', 'context110'],
  ] as const
  return [
    ['set', 'questions', 'words', ...columns.map(([name]) => name)],
    ...reports.flatMap(({ set, answer }) =>
      answer
        ? [
            [
              set,
              String(answer.questions),
              answer.words.toFixed(0),
              ...columns.map(([, key]) => share(answer[key])),
            ],
          ]
        : [],
    ),
  ]
}

function groupTable(what: string, groups: Readonly<Record<string, GroupReport>>): Table {
  return [
    [what, 'questions', '@2', '@5', '@10', '@20', 'all@5', 'all@10'],
    ...Object.entries(groups).map(([name, g]) => [
      name,
      String(g.questions),
      share(g.recall['2']),
      share(g.recall['5']),
      share(g.recall['10']),
      share(g.recall['20']),
      share(g.allGold['5']),
      share(g.allGold['10']),
    ]),
  ]
}

function typoTable({ rows, back }: TypoReport): Table {
  const table = groupTable('question', Object.fromEntries(rows.map((row) => [row.name, row])))
  const share = (k: string): string => {
    const value = back[k] ?? null
    return value === null ? '' : `${Math.round(100 * value)} %`
  }
  return [
    ...table,
    [
      'share of the loss that comes back',
      '',
      share('2'),
      share('5'),
      share('10'),
      share('20'),
      '',
      '',
    ],
  ]
}

function hopTable(rows: readonly HopReport[]): Table {
  return [
    ['hops', 'questions', 'ranking', '@5', '@10', '@20', 'all@5', 'all@10'],
    ...rows.map((r) => [
      r.hops ?? 'all',
      String(r.questions),
      r.name,
      share(r.recall['5']),
      share(r.recall['10']),
      share(r.recall['20']),
      share(r.allGold['5']),
      share(r.allGold['10']),
    ]),
  ]
}

function pathTable(groups: Readonly<Record<string, PathReport>>): Table {
  return [
    [
      'type',
      'questions',
      'best path',
      'any path',
      'paths together',
      'ends at the answer',
      'bridges that are names',
    ],
    ...Object.entries(groups).map(([type, g]) => [
      type,
      String(g.questions),
      share(g.best),
      share(g.any),
      share(g.union),
      g.ends === null ? '' : share(g.ends),
      g.bridges === null ? '' : share(g.bridges),
    ]),
  ]
}

function latencyTable(reports: readonly SetReport[]): Table {
  const stages = [...new Set(reports.flatMap((r) => Object.keys(r.latencyMs)))]
  return [
    ['set', ...stages],
    ...reports.map((r) => [
      r.set,
      ...stages.map((stage) => {
        const ms = r.latencyMs[stage]
        return ms ? `${ms.p50.toFixed(1)} / ${ms.p95.toFixed(1)}` : ''
      }),
    ]),
  ]
}

function markdownTable([head = [], ...rows]: Table): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

function alignedTable(table: Table): string {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )
  return table
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** .927; a share of 1 is 1.000. */
function share(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(3).replace(/^0\./, '.')
}

function signed(value: number): string {
  return (value < 0 ? '-' : '+') + share(Math.abs(value))
}
