/**
 * Names in scripts without spaces or capitals, by form: a run alone among Latin words or between
 * brackets, katakana, and what known suffixes end (市, 大学, 会社, 公司, 시, 대학교).
 */
import type { WordBuffer } from '../../lexical/word_buffer.ts'
import { BIGRAM } from '../../lexical/words.ts'

const SUFFIX = new RegExp(
  '(?:特别行政区|自治区|株式会社|有限公司|合作社|研究所|大学|学校|学院|会社|公司|集团|集団|銀行|银行|病院|医院|寺院|神社|' +
    '博物館|博物馆|美術館|图书馆|図書館|協会|协会|委員会|委员会|王国|帝国|共和国|大橋|大桥|車站|车站|空港|机场|機場|' +
    '[市県县省州郡町村区區駅港湾島岛川河湖山寺城宮塔橋桥都府道])$',
  'u',
)
const LONGEST_SUFFIX = 5
const KOREAN_SUFFIX =
  /(?:대학교|대학|회사|그룹|은행|병원|박물관|미술관|도서관|협회|위원회|왕국|공화국|제국|공항|대교|[시군구역산강섬호])$/
const KOREAN_PARTICLE =
  /(?:에서는|에서|으로|에게|까지|부터|이라는|라는|은|는|이|가|을|를|에|의|와|과|도|로)$/
/** Words of grammar, which part a run of Chinese. */
const CHINESE_PARTICLES =
  '在是的和了与與于於从從到有这這那为為以及或由被把向对對将將就也都而但并並让讓给給去来來往位他她它我你您们們个個一不说說于'
const OPEN = '「『《〈【（([“"‘',
  CLOSE = '」』》〉】）)]”"’'
const MOST_ALONE = 10
const MOST = 16

/** Visits the names of the run of pairs that begins at `at`; gives the word behind the run. */
export function unspacedNames(
  text: string,
  words: WordBuffer,
  at: number,
  visit: (from: number, to: number) => void,
): number {
  let to = at + 1
  while (to < words.length && words.shapes[to]! & BIGRAM && words.starts[to]! < words.ends[to - 1]!)
    to++
  const start = words.starts[at]!,
    end = words.ends[to - 1]!,
    run = text.slice(start, end)
  const offer = (from: number, length: number): void => {
    if (length < 2 || length > MOST) return
    let first = at
    while (first < to && words.starts[first]! < start + from) first++
    let last = first
    while (last < to && words.ends[last]! <= start + from + length) last++
    if (last > first && words.starts[first] === start + from) visit(first, last)
  }
  const bracketed = isBracketed(text, start, end)
  if (run.length <= MOST_ALONE && (bracketed || isAlone(text, start, end))) {
    const particle = bracketed || !HANGUL.test(run) ? 0 : particleOf(run)
    offer(0, run.length - particle)
  } else if (HANGUL.test(run)) {
    const stem = run.slice(0, run.length - particleOf(run))
    if (stem.length > 2 && KOREAN_SUFFIX.test(stem)) offer(0, stem.length)
  } else segments(run, offer)
  return to
}

const HANGUL = /[가-힣]/
const KATAKANA = /^[\u30a1-\u30fa\u30fc]$/,
  HIRAGANA = /^[\u3041-\u309f]$/

function particleOf(run: string): number {
  const found = KOREAN_PARTICLE.exec(run)
  return found && run.length - found[0].length >= 2 ? found[0].length : 0
}

/** Katakana of three and more; Han between kana or particles, where a suffix ends it. */
function segments(run: string, offer: (from: number, length: number) => void): void {
  const kindOf = (c: string): number =>
    KATAKANA.test(c) ? 1 : HIRAGANA.test(c) || CHINESE_PARTICLES.includes(c) ? 2 : 3
  for (let from = 0; from < run.length;) {
    const kind = kindOf(run[from]!)
    let to = from + 1
    while (to < run.length && kindOf(run[to]!) === kind) to++
    if (kind === 1) {
      // a suffix of Han goes with it: トヨタ市, ソニー株式会社
      let end = to
      while (end < run.length && end - to < 4 && kindOf(run[end]!) === 3) end++
      while (end > to && !endsName(run, from, end)) end--
      if (to - from >= 3 || end > to) offer(from, end - from)
      to = end
    } else if (kind === 3) {
      let end = to
      while (end - from > 2 && !endsName(run, from, end)) end--
      if (end - from > 2 || (end - from === 2 && endsName(run, from, end))) offer(from, end - from)
    }
    from = to
  }
}

/** Looks at no more than the longest suffix, so that a long run takes no square of steps. */
function endsName(run: string, from: number, end: number): boolean {
  return SUFFIX.test(run.slice(Math.max(from, end - LONGEST_SUFFIX), end))
}

function isBracketed(text: string, start: number, end: number): boolean {
  const open = OPEN.indexOf(text[start - 1] ?? ' ')
  return open >= 0 && CLOSE[open] === text[end]
}

/** The nearest letters on both sides, if any, are of another script. */
function isAlone(text: string, start: number, end: number): boolean {
  return (
    LATIN.test(text.slice(Math.max(0, start - 3), start)) || LATIN.test(text.slice(end, end + 3))
  )
}

const LATIN = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u
