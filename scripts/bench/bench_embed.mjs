/**
 * The figures of embedding in a real Chromium: passages a second of hubmesh's pool, without and
 * with cross-origin isolation, against a plain transformers.js loop over the same texts in the same
 * run.
 *
 * npm run bench:embed -- [--set NAME|FILE]... [--passages 256] [--rounds 4] [--dist dist/browser]
 * [--write]
 *
 * The plain loop is what the library's page shows: pipeline('feature-extraction', model, { dtype:
 * 'q8' }), eight texts a call in the order of the corpus, threads as it chooses, no isolation.
 * Rounds alternate between the arms and begin with another arm each, so that what else the machine
 * does falls on all. Processor time is the browser's own account of its page processes.
 */
import { createHash } from 'node:crypto'
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { availableParallelism } from 'node:os'
import { dirname, extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { BROWSER_ARGS, ensureBrowser } from '../../e2e/run/find_browser.mjs'
import { startEngine, startPlain } from './bench_embed_arms.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const BATCH = 8
const WARM = 16
const { values } = parseArgs({
  options: {
    set: { type: 'string', multiple: true, default: ['hotpotqa_train100'] },
    passages: { type: 'string', default: '256' },
    rounds: { type: 'string', default: '4' },
    dist: { type: 'string', default: join(root, 'dist/browser') },
    write: { type: 'boolean', default: false },
  },
})
const rounds = whole('rounds', values.rounds),
  each = Math.ceil(whole('passages', values.passages) / rounds / BATCH) * BATCH
if (!existsSync(join(values.dist, 'hubmesh.js')))
  fail(`${values.dist} holds no build of the package. Run: npm run build`)

const servers = { open: await serve(false), isolated: await serve(true) }
const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  args: BROWSER_ARGS,
})
const reports = []
try {
  for (const set of values.set) reports.push(await measure(set))
} finally {
  await browser.close()
  for (const { close } of Object.values(servers)) close()
}
if (values.write) {
  mkdirSync(join(root, 'docs'), { recursive: true })
  writeFileSync(
    join(root, 'docs/embedding.json'),
    `${JSON.stringify({ cores: availableParallelism(), browser: browser.version(), reports }, null, 2)}\n`,
  )
}
const worst = Math.min(
  ...reports.flatMap(({ arms }) =>
    arms.filter(({ name }) => name !== 'plain').map(({ ratio }) => ratio),
  ),
)
console.log(
  `Least ratio to the plain loop: ${worst.toFixed(2)}; both modes gave the same vectors, bit for bit.`,
)

/** One set: every arm over the same passages, round by round. */
async function measure(set) {
  const documents = documentsOf(set),
    // The last ones warm each arm up: model, compilation and workers are there when the clock starts.
    warm = documents.slice(rounds * each)
  const arms = [
    { name: 'plain', page: await open(servers.open, startPlain, warm) },
    { name: 'hubmesh', page: await open(servers.open, startEngine, warm) },
    { name: 'hubmesh, isolated', page: await open(servers.isolated, startEngine, warm) },
  ].map((arm) => ({ ...arm, seconds: 0, cpu: 0, perRound: [] }))
  console.log(
    `\n${set}: ${rounds * each} passages of ` +
      `${Math.round(documents.reduce((sum, { text }) => sum + text.length, 0) / documents.length)} ` +
      `characters, ${rounds} rounds, ${availableParallelism()} cores`,
  )
  await runRounds(arms, documents)
  const facts = await Promise.all(arms.map(({ page }) => page.evaluate(() => globalThis.facts()))),
    digests = await Promise.all(arms.slice(1).map(digestOf))
  if (digests[0] !== digests[1]) fail(`${set}: the vectors of the two modes differ.`)
  const report = arms.map((arm, i) => ({ ...facts[i], ...figuresOf(arm, arms[0]) }))
  print(report)
  for (const { page } of arms) await page.context().close()
  return { set, passages: rounds * each, rounds, batch: BATCH, arms: report }
}

function documentsOf(set) {
  const file = existsSync(set)
      ? set
      : [
          join(root, '../shared/data', set, 'corpus.jsonl'),
          join(root, 'public/samples', set, 'corpus.jsonl'),
        ].find((place) => existsSync(place)),
    needed = rounds * each + WARM
  if (file === undefined) fail(`No set ${set} is in ../shared/data or public/samples.`)
  const documents = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter(({ text }) => text !== '')
    .slice(0, needed)
    .map(({ title, text }, i) => ({
      id: `p${String(i).padStart(6, '0')}`,
      title: title ?? '',
      text,
    }))
  if (documents.length < needed)
    fail(
      `${set} has ${documents.length} passages; ${needed} are needed. Ask for fewer with --passages.`,
    )
  return documents
}

/** Each round begins with another arm, so that what else the machine does falls on all. */
async function runRounds(arms, documents) {
  const session = await browser.newBrowserCDPSession()
  const processor = async () =>
    (await session.send('SystemInfo.getProcessInfo')).processInfo.reduce(
      (sum, { type, cpuTime }) => sum + (type === 'renderer' ? cpuTime : 0),
      0,
    )
  for (let round = 0; round < rounds; round++) {
    const part = documents.slice(round * each, (round + 1) * each)
    for (let turn = 0; turn < arms.length; turn++) {
      const arm = arms[(round + turn) % arms.length]
      const before = await processor()
      const seconds = await arm.page.evaluate((texts) => globalThis.embedAll(texts), part)
      arm.seconds += seconds
      arm.cpu += (await processor()) - before
      arm.perRound.push(each / seconds)
    }
  }
}

async function digestOf({ page }) {
  const vectors = await page.evaluate(() => globalThis.vectors())
  return createHash('sha256').update(Buffer.from(vectors, 'base64')).digest('hex')
}

function figuresOf({ name, seconds, cpu, perRound }, plain) {
  return {
    name,
    passagesPerSecond: round2((rounds * each) / seconds),
    ratio: round2(plain.seconds / seconds),
    lowestRoundRatio: round2(Math.min(...perRound.map((rate, r) => rate / plain.perRound[r]))),
    cpuMsPerPassage: round2((1000 * cpu) / (rounds * each)),
    cpuRatio: round2(plain.cpu / cpu),
  }
}

function print(report) {
  console.log(
    '| arm | isolated | workers x threads | passages/s | ratio (least round) | processor ms a ' +
      'passage | ratio |\n|---|---|---|---|---|---|---|',
  )
  for (const arm of report)
    console.log(
      `| ${arm.name} | ${arm.isolated ? 'yes' : 'no'} | ${arm.workers} x ${arm.threads} | ` +
        `${arm.passagesPerSecond} | ${arm.ratio} (${arm.lowestRoundRatio}) | ` +
        `${arm.cpuMsPerPassage} | ${arm.cpuRatio} |`,
    )
}

async function open({ origin }, start, warm) {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${origin}/`)
  await page.evaluate(start, warm)
  return page
}

function serve(isolated) {
  const mounts = [
    ['/hubmesh/', values.dist],
    ['/transformers/', join(root, 'node_modules/@xenova/transformers/dist')],
    ['/ort/', join(root, 'node_modules/onnxruntime-web/dist')],
    ['/models/', join(root, 'public/models')],
  ]
  const types = {
    '.js': 'text/javascript',
    '.mjs': 'text/javascript',
    '.wasm': 'application/wasm',
    '.json': 'application/json',
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://127.0.0.1').pathname)
    if (isolated)
      for (const [name, value] of [
        ['Cross-Origin-Opener-Policy', 'same-origin'],
        ['Cross-Origin-Embedder-Policy', 'require-corp'],
      ])
        response.setHeader(name, value)
    if (path === '/') {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>bench</title><link rel="icon" href="data:,">')
      return
    }
    const [prefix, folder] = mounts.find(([start]) => path.startsWith(start)) ?? []
    const file = prefix === undefined ? null : normalize(join(folder, path.slice(prefix.length)))
    if (
      file === null ||
      !file.startsWith(normalize(folder)) ||
      !statSync(file, { throwIfNoEntry: false })?.isFile()
    ) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-length': statSync(file).size,
    })
    createReadStream(file).pipe(response)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({
        origin: `http://127.0.0.1:${server.address().port}`,
        close: () => {
          server.close()
          server.closeAllConnections()
        },
      })
    })
  })
}

function whole(name, text) {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1)
    fail(`--${name} is ${text}; it must be a whole number from 1.`)
  return value
}

function round2(value) {
  return Math.round(value * 100) / 100
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
