/** Parts of a sentence that may be an answer: numbers, times, names. */
import type { Span } from '../types.ts'
import type { Wanted } from './question_kind.ts'

const MONTHS =
  'january|february|march|april|may|june|july|august|september|october|november|december|' +
  'januar|februar|m\u00e4rz|mai|juni|juli|oktober|dezember'
const NUMBER_WORDS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|' +
  'sixty|seventy|eighty|ninety|hundred|thousand|million|billion|half|twice|once|zero|dozen'

const NUMBER = new RegExp(
  `[$\u20ac\u00a3\u00a5]?\\d[\\d,.]*\\d|[$\u20ac\u00a3\u00a5]?\\d|\\b(?:${NUMBER_WORDS})\\b|` +
    '[\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341\u767e\u5343\u4e07\u4ebf]{1,8}',
  'gi',
)
const TIME = new RegExp(
  `(?:\\d{1,2}(?:st|nd|rd|th|\\.)? )?\\b(?:${MONTHS})\\b(?: \\d{1,2}(?:st|nd|rd|th)?\\b)?(?:,? \\d{4}\\b)?|` +
    '\\b[12]\\d{3}s?\\b|\\b\\d{1,2}(?:st|nd|rd|th) century\\b|\\b\\d{1,2}:\\d{2}\\b|' +
    '\\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b|\\d{1,4}[\u5e74\u6708\u65e5]',
  'gi',
)
/** A run of capitalised words, with the small words that names hold. */
const NAME = new RegExp(
  "\\p{Lu}[\\p{L}\\p{M}\\p{N}'\u2019.&-]*" +
    '(?: (?:(?:of|the|de|von|van|der|la|le|du|and|&|di|da|del) ){0,2}' +
    "\\p{Lu}[\\p{L}\\p{M}\\p{N}'\u2019.&-]*){0,7}",
  'gu',
)

/** Parts of the kind asked for, in reading order; at most `MOST` of them. */
export function spansOf(sentence: string, wanted: Wanted | 'news'): Span[] {
  if (wanted === 'news') return [...matches(sentence, NUMBER), ...matches(sentence, NAME)]
  if (wanted === 'number') return matches(sentence, NUMBER)
  if (wanted === 'time') return matches(sentence, TIME)
  return wanted === 'yes-no' ? [] : matches(sentence, NAME)
}

const MOST = 24

function matches(text: string, pattern: RegExp): Span[] {
  const found: Span[] = []
  for (const match of text.matchAll(pattern)) {
    let end = match[0].length
    while (end > 0 && ".,'\u2019&-".includes(match[0][end - 1]!)) end--
    if (end > 0) found.push({ start: match.index, end: match.index + end })
    if (found.length === MOST) break
  }
  return found
}
