/** The part of a quote that answers. */
import type { Span } from '../types.ts'
import type { QuestionKind, Wanted } from '../sentences/question_kind.ts'
import { spansOf } from '../sentences/spans.ts'

/** Parts further from every word of the question than this are not marked alone. */
const REACH = 80

/** What stands before a place or a person that answers; such a part counts as nearer. */
const LEADS: Readonly<Partial<Record<Wanted, RegExp>>> = {
  place: /\b(?:in|at|near|from|to)\s+(?:the\s+)?$/i,
  person: /\b(?:by|was|is)\s+(?:the\s+)?$/i,
}
const LED = 60
/** A number spelt out, or within an identifier such as QX-13, counts as this much further. */
const UNLIKELY = 60

/** `cost`: how little speaks for the part; REACH where it is the whole sentence. */
export interface Highlight extends Span {
  readonly cost: number
}

/**
 * The part of the kind asked for that stands nearest to a word of the question, else the whole
 * sentence. `asked`: places of the question's words in the sentence.
 */
export function highlightOf(
  sentence: string,
  question: string,
  kind: QuestionKind,
  asked: readonly Span[],
): Highlight {
  const whole = { start: 0, end: sentence.length, cost: REACH },
    lower = question.toLowerCase()
  for (const option of kind.options) {
    const at = sentence.toLowerCase().indexOf(option)
    if (at >= 0) return { start: at, end: at + option.length, cost: 0 }
  }
  if (kind.wanted === 'yes-no' || kind.wanted === 'other') return whole
  let best: Highlight = whole
  const leads = LEADS[kind.wanted]
  for (const { start, end } of spansOf(sentence, kind.wanted)) {
    if (lower.includes(sentence.slice(start, end).toLowerCase())) continue
    const distance = Math.min(
      asked.length === 0 ? 0 : Infinity,
      ...asked.map((word) => Math.max(word.start - end, start - word.end, 0)),
    )
    const led = leads?.test(sentence.slice(Math.max(0, start - 20), start)) ?? false,
      cost = distance - (led ? LED : 0) + (isUnlikely(sentence, start, kind.wanted) ? UNLIKELY : 0)
    if (cost < best.cost) best = { start, end, cost }
  }
  return kind.wanted === 'number' && best !== whole ? withGroups(sentence, best) : best
}

function isUnlikely(sentence: string, start: number, wanted: Wanted): boolean {
  return (
    wanted === 'number' &&
    (/\p{L}/u.test(sentence.charAt(start)) ||
      /\p{L}[-_.]?$/u.test(sentence.slice(Math.max(0, start - 3), start)))
  )
}

/** A number with the groups of digits beside it, as phone and account numbers are written. */
function withGroups(sentence: string, { start, end, cost }: Highlight): Highlight {
  const isDigit = (at: number): boolean => /^\d$/.test(sentence.charAt(at)),
    parts = (at: number): boolean => sentence.charAt(at) === ' ' || sentence.charAt(at) === '-'
  let from = start,
    to = end
  while (parts(to) && isDigit(to + 1)) for (to += 2; isDigit(to);) to++
  while (parts(from - 1) && isDigit(from - 2)) for (from -= 2; isDigit(from - 1);) from--
  return { start: from, end: to, cost }
}
