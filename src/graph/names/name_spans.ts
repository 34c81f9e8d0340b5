/**
 * Candidate names of a text: maximal runs of capitalised words with only white space between and
 * no blank line, stripped of stop words at both ends. No joiner ("of", "de"): each one tried
 * merged neighbours and cost recall.
 */
import { LIMITS } from '../../base/limits.ts'
import type { Vocabulary } from '../../lexical/vocabulary.ts'
import type { WordBuffer } from '../../lexical/word_buffer.ts'
import { BIGRAM, CAPITAL, isSpace, LEADING_DIGIT } from '../../lexical/words.ts'
import { proseGap } from './name_units.ts'

/** Visits candidates as ranges of words in the buffer: [from, to). */
export function scanNameSpans(
  text: string,
  words: WordBuffer,
  vocabulary: Vocabulary,
  visit: (from: number, to: number) => void,
): void {
  const { length, shapes, starts, ends } = words
  let at = 0
  while (at < length) {
    if (!opens(text, words, at)) {
      at++
      continue
    }
    const from = at
    at = tokenEnd(text, words, at)
    while (at < length && proseGap(text, ends[at - 1]!, starts[at]!, 0) && opens(text, words, at))
      at = tokenEnd(text, words, at)
    let first = from,
      last = at
    while (first < last && vocabulary.isStop(words.ids[first]!)) first++
    while (last > first && vocabulary.isStop(words.ids[last - 1]!)) last--
    if (last === first || last - first > LIMITS.nameWords) continue
    let onlyDigits = true
    for (let i = first; i < last && onlyDigits; i++)
      onlyDigits = (shapes[i]! & LEADING_DIGIT) !== 0 && isNumber(text, starts[i]!, ends[i]!)
    if (!onlyDigits) visit(first, last)
  }
}

/** Whether a capitalised word, or a number of at most four digits, may begin here. */
function opens(text: string, words: WordBuffer, at: number): boolean {
  const shape = words.shapes[at]!
  if (shape & BIGRAM) return false
  if (shape & CAPITAL) return true
  return (shape & LEADING_DIGIT) !== 0 && isShortNumber(text, words.starts[at]!, words.ends[at]!)
}

/** One past the last word written together with the one at `at`: Jean-Paul, O'Neill, U.S. */
function tokenEnd(text: string, words: WordBuffer, at: number): number {
  if (!(words.shapes[at]! & CAPITAL)) return at + 1
  let next = at + 1
  while (next < words.length && joins(text, words.ends[next - 1]!, words.starts[next]!)) next++
  return next
}

function joins(text: string, from: number, to: number): boolean {
  if (from >= to) return false
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i)
    if (c !== 39 && c !== 0x2019 && c !== 45 && c !== 46 && c !== 95) return false // ' ’ - . _
  }
  return true
}

function isNumber(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i)
    if (c < 48 || c > 57) return false
  }
  return true
}

/** 1 to 4 digits, with st, nd, rd or th or nothing behind them. */
function isShortNumber(text: string, from: number, to: number): boolean {
  let at = from
  while (at < to && at - from < 5) {
    const c = text.charCodeAt(at)
    if (c < 48 || c > 57) break
    at++
  }
  if (at - from < 1 || at - from > 4) return false
  const rest = text.slice(at, to)
  return rest === '' || rest === 'st' || rest === 'nd' || rest === 'rd' || rest === 'th'
}

/**
 * A title without a qualifier in parentheses at its end: "Mercury (planet)" is about the name
 * "Mercury".
 */
export function titleName(title: string): string {
  let end = title.length
  while (end > 0 && isSpace(title.charCodeAt(end - 1))) end--
  if (title.charCodeAt(end - 1) !== 41) return title
  const open = title.lastIndexOf('(', end - 1)
  if (open < 0 || title.slice(open + 1, end - 1).includes(')')) return title
  const head = title.slice(0, open)
  return head.trim() === '' ? title : head
}
