/** Which names a question holds, read by the names of a graph and by capitals. */
import { append } from '../../base/grown.ts'
import { LIMITS } from '../../base/limits.ts'
import { STOP_WORDS } from '../../lexical/stop_words.ts'
import { UNSPACED_SCRIPTS } from '../../lexical/words.ts'
import type { Span } from '../../types.ts'
import type { EntityKG } from './entity_kg.ts'

/** The words of `canonicalize`. Each match is one run of a class: linear. */
const WORD = /[\p{L}\p{N}\p{M}_]+/gu
const CAPITAL = /^[\p{Lu}\p{Lt}]/u
/** Written without spaces: a name may stand anywhere in a run. */
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}\\p{Script=Hangul}]`, 'u')
/** Characters of a name inside such a run. */
const UNSPACED_CHARS = 24

interface Word extends Span {
  readonly text: string
  readonly capital: boolean
}

/**
 * The names in a question as they are written there, in reading order: from left to right the
 * longest name or alias of the graph, which must carry a capital or a digit where the question has
 * capitals beyond its first word; then runs of capitalised words that the graph does not know,
 * without stop words at their ends, so that part of a name can lead to it.
 */
export function questionNames(question: string, kg: EntityKG): string[] {
  const words = Array.from(question.matchAll(WORD), (match): Word => ({
    text: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
    capital: CAPITAL.test(match[0]),
  }))
  const cased = words.some((word, i) => i > 0 && word.capital)
  const spans: Span[] = []
  const mostWords = Math.min(Math.max(kg.mostWords, 1), LIMITS.nameWords)
  let at = 0
  while (at < words.length) {
    const next = longestName(words, at, mostWords, cased, kg)
    if (next > at) {
      spans.push({ start: words[at]!.start, end: words[next - 1]!.end })
      at = next
      continue
    }
    if (UNSPACED.test(words[at]!.text)) namesInside(question, words[at]!, kg, spans)
    at++
  }
  // Both in reading order, so one pass sees what overlaps.
  let next = 0
  const free = capitalisedRuns(question, words).filter((run) => {
    while (next < spans.length && spans[next]!.end <= run.start) next++
    return next === spans.length || spans[next]!.start >= run.end
  })
  append(spans, free)
  spans.sort((a, b) => a.start - b.start)
  return [...new Set(spans.map((span) => question.slice(span.start, span.end)))]
}

/** One past the last word of the longest name from `at`, or `at`. */
function longestName(
  words: readonly Word[],
  at: number,
  mostWords: number,
  cased: boolean,
  kg: EntityKG,
): number {
  for (let to = Math.min(words.length, at + mostWords); to > at; to--) {
    const run = words.slice(at, to)
    if (kg.nodeOf(run.map((word) => word.text).join(' ')) === null) continue
    if (run.every((word) => STOP_WORDS.has(word.text))) continue
    if (
      !cased ||
      run.some((word) => word.capital || /^\p{N}/u.test(word.text) || !hasCase(word.text))
    )
      return to
  }
  return at
}

function namesInside(question: string, word: Word, kg: EntityKG, spans: Span[]): void {
  let at = word.start
  while (at < word.end) {
    let to = Math.min(word.end, at + UNSPACED_CHARS)
    // A single character names too much.
    while (to > at + 1 && kg.nodeOf(question.slice(at, to).toLowerCase()) === null) to--
    if (to > at + 1) spans.push({ start: at, end: to })
    at = Math.max(to, at + 1)
  }
}

function capitalisedRuns(question: string, words: readonly Word[]): Span[] {
  const runs: Span[] = []
  for (let at = 0; at < words.length; at++) {
    if (!words[at]!.capital) continue
    let to = at + 1
    while (
      to < words.length &&
      words[to]!.capital &&
      question.slice(words[to - 1]!.end, words[to]!.start).trim() === ''
    )
      to++
    let first = at,
      last = to
    while (first < last && STOP_WORDS.has(words[first]!.text)) first++
    while (last > first && STOP_WORDS.has(words[last - 1]!.text)) last--
    // The first word of a sentence has a capital whatever it is.
    if (last > first && !(last - first === 1 && first === 0))
      runs.push({ start: words[first]!.start, end: words[last - 1]!.end })
    at = to - 1
  }
  return runs
}

function hasCase(text: string): boolean {
  return text.toUpperCase() !== text
}
