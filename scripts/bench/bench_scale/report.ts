/** How the figures are written down: tables, charts, what each bound says of them. */
import { shortNumber, type Chart } from './charts.ts'
import type { Host, ScaleReport, SizeFigures, Spread } from './figures.ts'

export const BEGIN = '<!-- scale:begin -->',
  END = '<!-- scale:end -->'

const ms = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1))
const pair = ({ p50, p95 }: Spread): string => `${ms(p50)} / ${ms(p95)}`
const whole = (value: number): string =>
  Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')

type Row = readonly [string, (figures: SizeFigures) => string]
const ROWS: readonly Row[] = [
  ['text tier, passages/s until settled', (f) => whole(f.ingestRate)],
  ['slowest answer while it grows, ms', (f) => ms(f.answeredWhileAdding)],
  ['bytes a passage beyond its text, own account', (f) => whole(f.accountBytes)],
  ["the same by the worker's heap", (f) => (f.heapBytes === null ? '' : whole(f.heapBytes))],
  ['retrieve, text tier, ms p50 / p95', (f) => pair(f.retrieveText)],
  ['retrieve with vectors, ms p50 / p95', (f) => pair(f.retrieve)],
  ['the same as the page sees it', (f) => (f.roundTrip ? pair(f.roundTrip) : '')],
  [
    'edges touched, p50 / p95',
    (f) => `${whole(f.retrieve.edges.p50)} / ${whole(f.retrieve.edges.p95)}`,
  ],
  [
    'candidates fused, p50 / p95',
    (f) => `${whole(f.retrieve.candidates.p50)} / ${whole(f.retrieve.candidates.p95)}`,
  ],
  ['exact scan, int8 + f32, ms p50 / p95', (f) => pair(f.exactScan)],
  [
    'HNSW search(10), ms p50; recall@10; build, s',
    (f) =>
      f.hnsw
        ? `${f.hnsw.search.p50.toFixed(2)}; ${f.hnsw.recall.toFixed(3)}; ${f.hnsw.buildSeconds.toFixed(1)}`
        : '',
  ],
  ['add one, searchable, ms p50 / worst', (f) => `${ms(f.addOne.p50)} / ${ms(f.addOne.most)}`],
  [
    'update one, searchable, ms p50 / worst',
    (f) => `${ms(f.updateOne.p50)} / ${ms(f.updateOne.most)}`,
  ],
  ['remove one, ms p50 / worst', (f) => `${ms(f.removeOne.p50)} / ${ms(f.removeOne.most)}`],
  [
    '1,000 removals in one call, ms; settled, ms; passages read',
    (f) => `${ms(f.removeMany.resolved)}; ${ms(f.removeMany.settled)}; ${whole(f.removeMany.read)}`,
  ],
  ['open to first answer, ms', (f) => ms(f.openText)],
  ['open to last vector, ms', (f) => ms(f.openVectors)],
  [
    'longest task of the page: add, vectors, ask, change, remove, open',
    (f) =>
      f.longTasks
        ? ['add', 'vectors', 'retrieve', 'change', 'remove', 'open']
            .map((phase) => ms(f.longTasks?.[phase] ?? 0))
            .join(' ')
        : '',
  ],
]

export function tablesOf(report: ScaleReport): string {
  const out: string[] = [
    `${report.cores} cores, Node ` +
      `${report.node}${report.browser === null ? '' : `, Chromium ${report.browser}`}; load of ` +
      `the machine at the end ${report.load.toFixed(1)}. Each question's least of three.`,
    '',
  ]
  for (const host of ['chromium', 'node'] as const) {
    const figures = report.figures.filter((one) => one.host === host)
    if (figures.length === 0) continue
    out.push(
      host === 'chromium'
        ? '**Chromium: a page, its engine in one worker, IndexedDB**'
        : '**Node: in the process, a folder**',
      '',
      `| | ${figures.map(({ passages }) => shortNumber(passages)).join(' | ')} |`,
      `|---|${figures.map(() => '---').join('|')}|`,
    )
    for (const [name, cell] of ROWS) {
      const cells = figures.map(cell)
      if (cells.some((text) => text !== '')) out.push(`| ${name} | ${cells.join(' | ')} |`)
    }
    out.push('')
  }
  if (report.hotpotqa)
    out.push(
      `HotpotQA alone, 7,580 passages and its own questions, Node: ${pair(report.hotpotqa)} ms p50 / p95.`,
      '',
    )
  return out.join('\n')
}

/** The document with what lies between its markers replaced. */
export function between(document: string, text: string): string {
  const from = document.indexOf(BEGIN),
    to = document.indexOf(END)
  if (from < 0 || to < from) throw new Error(`The document has no ${BEGIN} before an ${END}.`)
  return `${document.slice(0, from + BEGIN.length)}\n${text}\n${document.slice(to)}`
}

type Value = (figures: SizeFigures) => number | null
/** One line of a chart: a figure of every host or of one, or a bound. */
type LineOf =
  | { readonly each: string; readonly value: Value; readonly first?: true }
  | { readonly host: Host | 'first'; readonly name: string; readonly value: Value }
  | { readonly bound: string; readonly at: number | 'passages' }
type ChartOf = Omit<Chart, 'lines'> & { readonly lines: readonly LineOf[] }

const each = (name: string, value: Value): LineOf => ({ each: name, value }),
  bound = (name: string, at: number | 'passages'): LineOf => ({ bound: name, at }),
  phase = (name: string): LineOf => ({
    host: 'chromium',
    name,
    value: (f) => f.longTasks?.[name] ?? 0,
  })

const CHARTS: Readonly<Record<string, ChartOf>> = {
  ingest: {
    title: 'Text tier',
    unit: 'passages/s',
    lines: [each('', (f) => f.ingestRate), bound('5,000', 5000)],
  },
  memory: {
    title: 'Memory beyond the text',
    unit: 'bytes a passage',
    lines: [
      each(', account', (f) => f.accountBytes),
      each(', heap', (f) => f.heapBytes),
      bound('4 kB', 4000),
    ],
  },
  retrieve: {
    title: 'Retrieve with vectors',
    unit: 'ms',
    lines: [
      each(' p50', (f) => f.retrieve.p50),
      each(' p95', (f) => f.retrieve.p95),
      bound('30 ms', 30),
    ],
  },
  work: {
    title: 'Work of graph and fusion',
    unit: 'count, median',
    logarithmic: true,
    lines: [
      { each: ', edges', value: (f) => f.retrieve.edges.p50, first: true },
      { each: ', candidates', value: (f) => f.retrieve.candidates.p50, first: true },
      bound('passages', 'passages'),
    ],
  },
  vectors: {
    title: 'Vectors',
    unit: 'ms',
    logarithmic: true,
    lines: [
      each(', exact', (f) => f.exactScan.p50),
      each(', HNSW', (f) => f.hnsw?.search.p50 ?? null),
      bound('6 ms', 6),
    ],
  },
  change: {
    title: 'Add, update, remove one',
    unit: 'ms, median',
    lines: [
      { host: 'first', name: 'add', value: (f) => f.addOne.p50 },
      { host: 'first', name: 'update', value: (f) => f.updateOne.p50 },
      { host: 'first', name: 'remove', value: (f) => f.removeOne.p50 },
      bound('50 ms', 50),
    ],
  },
  open: {
    title: 'Open',
    unit: 'ms',
    lines: [each(', first answer', (f) => f.openText), each(', last vector', (f) => f.openVectors)],
  },
  tasks: {
    title: "Longest task of the page's thread",
    unit: 'ms; 0: none over 50',
    lines: [...['add', 'vectors', 'retrieve', 'open'].map(phase), bound('50 ms', 50)],
  },
}

export function chartsOf({ figures }: ScaleReport): ReadonlyMap<string, Chart> {
  const hosts = (
    [
      ['chromium', 'Chromium'],
      ['node', 'Node'],
    ] as const
  ).filter(([host]) => figures.some((one) => one.host === host))
  const sizes = [...new Set(figures.map(({ passages }) => passages))].sort((a, b) => a - b)
  const line = (host: Host, name: string, value: Value): Chart['lines'][number] => ({
    name,
    points: figures
      .filter((one) => one.host === host)
      .map((one) => [one.passages, value(one)] as const),
  })
  const drawn = (of: LineOf): Chart['lines'] => {
    if ('bound' in of)
      return [
        {
          name: of.bound,
          faint: true,
          points: sizes.map((size) => [size, of.at === 'passages' ? size : of.at] as const),
        },
      ]
    if ('each' in of)
      return hosts
        .map(([host, label]) => line(host, `${label}${of.each}`, of.value))
        .filter(({ points }) => points.some(([, y]) => y !== null))
        .slice(0, of.first ? 1 : hosts.length)
    return hosts
      .filter(([host], i) => (of.host === 'first' ? i === 0 : host === of.host))
      .map(([host]) => line(host, of.name, of.value))
  }
  return new Map(
    Object.entries(CHARTS).map(([name, { lines, ...chart }]) => [
      name,
      { ...chart, lines: lines.flatMap(drawn) },
    ]),
  )
}
