import { afterAll, beforeAll, expect, it } from 'vitest'
import { StepCounter } from './count_steps.ts'
import { pathological, UNITS } from './pathological.ts'
import { UNSPACED_SCRIPTS } from '../lexical/words.ts'
import { PHRASES } from '../retrieve/formal_words.ts'
import { loadScanners, type Scanner } from './scanners.ts'

/** `npm run test:nightly` sets it: longer texts, and each group of texts counted for itself. */
const NIGHTLY = process.env['HUBMESH_NIGHTLY'] === '1'
/** UTF-16 units. Twice as many may take at most MOST times the steps; a square takes 4 times. */
const LENGTH = NIGHTLY ? 3_000 : 1_000,
  MOST = 2.5
/**
 * Texts counted together: the sum shows a square of any of them, and reading the counters costs more
 * than the scan. All of them in one sum is coarse: a square behind a costly scanner shows only at
 * night.
 */
const GROUP = NIGHTLY ? 19 : 1_000
/** One word this long, UTF-16 units: a megabyte at night. */
const LONG_TOKEN = (NIGHTLY ? 1024 : 64) * 1024

/** Each of these makes and closes an engine: they get every fifth text. */
const HEAVY = /^engine/

/**
 * Every regular expression that reads a long foreign text: one class, one run of a class with
 * nothing behind it, two characters at most, or what stands at the very beginning; none can go
 * back.
 */
const EXPRESSIONS: ReadonlySet<string> = new Set([
  // decode.ts, admit.ts: whether a text is blank
  '\\S',
  // visible.ts: whether anything has to be shown; whether a title is anything but words of ASCII
  // with one space between; the white space of a title
  '[^\\t\\n\\x20-;=?-Z\\\\-~\\xa0-\\xac\\xae-\\u034e\\u0350-\\u061b\\u061d-\\u115e\\u2010-\\u2027' +
    '\\u2030-\\u2038\\u203b-\\u205e\\u2070-\\u276d\\u2770-\\u2fff\\u3001-\\u3007\\u300a-\\u3163\\u3165-\\ud7ff]',
  '[^ -~]|^ | $|  ',
  '[\\n\\r\\v\\f\\u0085\\u2028\\u2029\\t ]+',
  // html.ts and relations.ts: white space; canonicalize.ts: what is no word
  '\\s+',
  '[^\\p{L}\\p{N}\\p{M}_\\s]',
  // papaparse: what lies between two quotes, each quote looked at once; doubled quotes
  '"([^]*?)"',
  '""',
  // rank.ts: what sets copies apart that are not counted twice
  '[^\\p{L}\\p{M}]+',
  // readers/text.ts: data addresses, runs of base64, front matter at the start, tags; each run is
  // bounded or has nothing behind it that fails
  /[A-Za-z0-9+/=_-]{80}/.source,
  /^\[[^\]\n]{1,80}\]: *<?data:[^\n]*\n?/.source,
  /data:[a-z0-9.+/-]{1,80};base64,[A-Za-z0-9+/=_-]+/.source,
  /(?:[A-Za-z0-9+/_-]{60,}={0,2}\r?\n?)+/.source,
  '\\d',
  '[A-Z]',
  '[a-z]',
  '\\p{L}',
  /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.source,
  /(?:^|[\s(])#([\p{L}\p{N}_/-]{2,64})(?=$|[\s.,;:!?)])/u.source,
  // words and their forms: a whole short word; invisible characters; runs of marks. outline.ts:
  // whether a line begins as a heading, a table or an underline does; nothing of it overlaps
  /^(\d{1,4})(?:st|nd|rd|th)?$/.source,
  '[\\u00ad\\u200b-\\u200d\\u2060\\ufeff]',
  '\\p{M}+',
  /^[ \t]*(?:[#|]|[=-]{2,}[ \t]*\r?$)/.source,
  // html_extractor.ts: names of headings; table.ts: forms of a whole cell, from its beginning
  /^h[1-6]$/.source,
  /^[-+]?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?$/.source,
  /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.source,
  /^[-+]?(?:\d{1,3}(?:\.\d{3})+|\d{1,15})(?:,\d{1,12})?$/.source,
  /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.source,
  /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.source,
  // lenient_json.ts: how a number begins
  '^-?\\d',
  // unspaced_names.ts: Hangul; a particle at the end, of three syllables at most
  '[가-힣]',
  '(?:에서는|에서|으로|에게|까지|부터|이라는|라는|은|는|이|가|을|를|에|의|와|과|도|로)$',
  // a suffix at the end, of three syllables at most; scores.ts: words of clauses, of bounded length
  '(?:대학교|대학|회사|그룹|은행|병원|박물관|미술관|도서관|협회|위원회|왕국|공화국|제국|공항|대교|[시군구역산강섬호])$',
  "\\b(?:of|that|which|who|whose|where|when|by|in which|'s)\\b",
  // answer: scripts without spaces; a mark at the end; a capitalised run, all of it optional behind
  // the first letter, so that it never fails once begun
  `[${UNSPACED_SCRIPTS}]`,
  /[\p{L}\p{N}]/u.source,
  "\\p{Lu}[\\p{L}\\p{M}\\p{N}'’.&-]*(?: (?:(?:of|the|de|von|van|der|la|le|du|and|&|di|da|del) ){0,2}" +
    "\\p{Lu}[\\p{L}\\p{M}\\p{N}'’.&-]*){0,7}",
  /[?\uff1f]$/.source,
  // formal_words.ts: each choice is of bounded length; route_passages.ts: one whole word
  PHRASES.source,
  /^(?:what|which|who|whom|whose|when|where|why|how|wer|wen|wem|was|welche[mnrs]?|wann|wo|wie|warum)$/
    .source,
  // spans.ts: a number ends at its last digit, found by going back over its own marks alone
  '[$€£¥]?\\d[\\d,.]*\\d|[$€£¥]?\\d|\\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|' +
    'twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|' +
    'billion|half|twice|once|zero|dozen)\\b|[一二三四五六七八九十百千万亿]{1,8}',
  // whatsapp.ts: ends of lines; from the beginning of each, all of it of bounded length
  '\\r?\\n',
  '^\\u200e?\\[?(\\d{1,4})([./-])(\\d{1,2})\\2(\\d{1,4}), (\\d{1,2})[:.](\\d{2})(?:[:.]\\d{2})?' +
    '[ \\u202f]?([ap]\\.?m\\.?)?\\]?(?: -)? ',
])

let counter: StepCounter, scanners: readonly Scanner[]
beforeAll(async () => {
  counter = new StepCounter()
  scanners = await loadScanners()
}, 300_000)
afterAll(() => {
  counter.close()
})

type Text = readonly [name: string, text: (length: number) => string]
const TEXTS: readonly Text[] = [...UNITS].map(([name, unit]) => [
  name,
  (length) => pathological(unit, length),
])
const GROUPS = Array.from({ length: Math.ceil(TEXTS.length / GROUP) }, (_, i) =>
  TEXTS.slice(i * GROUP, (i + 1) * GROUP),
)

async function growth(
  scanner: Scanner,
  texts: readonly Text[],
  length: number,
): Promise<{ readonly ratio: number; readonly expressions: ReadonlySet<string> }> {
  const run = async (units: number): Promise<void> => {
    for (const [, make] of texts) await scanner.run(make(units))
  }
  await run(64)
  const once = await counter.count(() => run(length)),
    twice = await counter.count(() => run(2 * length))
  return {
    ratio: twice.steps / once.steps,
    expressions: new Set([...once.expressions, ...twice.expressions]),
  }
}

it('the counter sees a square, in blocks, in built-in methods and in regular expressions', async () => {
  const { editDistance } = await import('../base/edit_distance.ts')
  const blocks: Scanner = {
    name: 'blocks',
    run: (text) => {
      for (let i = 0; i < text.length; i += 20) editDistance(text, text, 1)
    },
  }
  const methods: Scanner = {
    name: 'methods',
    run: (text) => {
      for (let i = 0; i < text.length; i++) text.indexOf('never', i)
    },
  }
  const expression: Scanner = {
    name: 'expression',
    run: (text) => {
      for (let i = 0; i < text.length; i++) /never/.exec(text)
    },
  }
  for (const scanner of [blocks, methods, expression])
    expect((await growth(scanner, TEXTS.slice(0, 1), 1500)).ratio, scanner.name).toBeGreaterThan(3)
  expect((await growth(expression, TEXTS.slice(0, 1), 1500)).expressions).toEqual(
    new Set(['never']),
  )
})

it(
  'twice the text takes at most 2.5 times the steps, for everything that reads foreign text ' +
    'and for every pathological text',
  async () => {
    const slow: string[] = [],
      strange = new Set<string>()
    for (const scanner of scanners) {
      for (const group of HEAVY.test(scanner.name)
        ? [TEXTS.filter((_, i) => i % 5 === 0)]
        : GROUPS) {
        const { ratio, expressions } = await growth(scanner, group, LENGTH)
        for (const source of expressions)
          if (!EXPRESSIONS.has(source)) strange.add(`${scanner.name}: ${source}`)
        if (ratio < 2.3) continue
        for (const text of group) {
          const own = await growth(scanner, [text], LENGTH)
          if (own.ratio >= MOST) slow.push(`${scanner.name} on ${text[0]}: ${own.ratio.toFixed(2)}`)
        }
      }
    }
    expect(slow).toEqual([])
    expect([...strange]).toEqual([])
  },
  600_000,
)

it('a single token of a megabyte (daily: 64 kB) takes at most 2.5 times the steps of half of it', async () => {
  const letters = TEXTS.filter(([name]) => name === 'letters'),
    slow: string[] = []
  for (const scanner of scanners) {
    const { ratio } = await growth(scanner, letters, LONG_TOKEN / 2)
    if (ratio >= MOST) slow.push(`${scanner.name}: ${ratio.toFixed(2)}`)
  }
  expect(slow).toEqual([])
}, 600_000)
