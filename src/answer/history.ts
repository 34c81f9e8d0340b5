/**
 * Completes a question that leans on what was said before: "and where was he born?", "what about a
 * service?". Rules over words and known names; a question that stands alone is left as it is.
 */
import type { TextIndex } from '../graph/text_index.ts'
import { STOP_WORDS } from '../lexical/stop_words.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'
import { scanWords } from '../lexical/words.ts'
import type { HistoryEntry } from '../types.ts'
import { spansOf } from '../sentences/spans.ts'

/** Words that stand for something said before, and may be replaced by its name. */
const PRONOUN = new RegExp(
  '\\b(?:he|she|it|they|him|them|his|her|hers|its|their|theirs|er|sie|ihm|ihn|ihr|ihre|' +
    'sein|seine|seiner|dieser|diese|dieses)\\b|' +
    '[\u4ed6\u5979\u5b83]\u4eec?|\u5f7c\u5973?|\u305d\u308c|\u305d\u306e',
  'iu',
)
/** Pronouns of a person: a name that stands as a place is none they mean. */
const PERSONAL = /^(?:he|she|him|his|her|hers|er|ihm|ihn|[\u4ed6\u5979\u5f7c]\u5973?)$/i
const PLACED = /(?:\b(?:in|at|from|near|to|into|aus|nach|bei)\s|\u5728)$/i
const POSSESSIVE = /^(?:his|her|its|their|hers|theirs|ihre?|seine?r?)$/i
/** Pronouns that also stand for something later in the sentence: they lean only without a name. */
const POINTER = new RegExp(
  '\\b(?:that|this|those|these|there|then|one|ones|former|latter|same|dort|dann|davon|dazu)\\b|' +
    '\u90a3|\u8fd9|\u3053\u306e|\u305d\u3053',
  'iu',
)
/** A question that goes on from the one before. */
const CONTINUES = new RegExp(
  '^\\s*(?:(?:and|but|or|so|also|what about|how about|what if|und|oder|aber|was ist mit)\\b|' +
    '\u90a3|\u8fd8\u6709|\u3067\u306f|\u3058\u3083\u3042|\u305d\u308c\u3067)',
  'iu',
)
const ABOUT =
  /^\s*(?:and |but |so )*(?:what|how) about\b|^\s*(?:und |aber )*was ist mit\b|\u5462[?\uff1f]?\s*$|^\s*\u3067\u306f/iu

/** Earlier entries that are looked at, last first. */
const LOOKED_BACK = 4
/** Names and words taken over at most. */
const MOST_NAMES = 2
const MOST_WORDS = 12

export interface CompletedQuestion {
  /** The question to ask; the one given where it stands alone. */
  readonly text: string
  /** What was taken over. */
  readonly added: readonly string[]
}

interface Turn {
  readonly text: string
  readonly isQuestion: boolean
}

export function completeQuestion(
  question: string,
  history: readonly HistoryEntry[],
  index: TextIndex,
): CompletedQuestion {
  const turns = history.slice(-2 * LOOKED_BACK).map(turnOf),
    alone = { text: question, added: [] }
  if (turns.length === 0) return alone
  const own = namesIn(question, index),
    pronoun = PRONOUN.exec(question),
    continues = CONTINUES.test(question)
  const leans = continues || pronoun !== null || (own.length === 0 && POINTER.test(question))
  // A pronoun may stand for a name of its own question: "Where did Ada Lovelace meet her tutor?"
  if (
    !leans ||
    (pronoun !== null && !continues && own.length > 0 && nameBefore(question, pronoun.index, own))
  )
    return alone
  const last = turns.at(-1)!,
    asked = turns.findLast(({ isQuestion }) => isQuestion)
  const personal = pronoun !== null && PERSONAL.test(pronoun[0]),
    names = last.isQuestion ? [] : newNames(last, asked, question, personal, index)
  if (names.length > 0 && !ABOUT.test(question)) {
    const name = names[0]!
    if (pronoun) return { text: replaced(question, pronoun, name), added: [name] }
    return { text: `${question} ${names.join(' ')}`, added: names }
  }
  // Without an answer the question before says what is meant, by its names and its words.
  const before = asked ?? last,
    words = missingWords(
      question,
      before.text,
      own.length > 0 && ABOUT.test(question) ? own : [],
      index,
    )
  return words.length === 0 ? alone : { text: `${question} ${words.join(' ')}`, added: words }
}

function turnOf(entry: HistoryEntry): Turn {
  const text = (typeof entry === 'string' ? entry : entry.content).slice(0, 4000)
  return {
    text,
    isQuestion:
      typeof entry === 'string'
        ? /[?\uff1f]\s*$|\u5417\s*$|\u304b\s*$/.test(text)
        : entry.role === 'user',
  }
}

/** Names of the corpus in a text, as they are written there, in order. */
function namesIn(text: string, index: TextIndex): string[] {
  const words = new WordBuffer(),
    found: string[] = []
  index.readNames(text, words, false, (name, from, to) => {
    if (index.passagesWith(name) === 0) return
    const written = wholeName(text, words.starts[from]!, words.ends[to - 1]!)
    const isName = written !== written.toLowerCase() || written === written.toUpperCase()
    if (isName && !STOP_WORDS.has(written.toLowerCase())) found.push(written)
  })
  return [...new Set(found)]
}

/** The run of capitalised words around a known name: "Tim Burton" where "Burton" is known. */
function wholeName(text: string, start: number, end: number): string {
  const run = spansOf(text, 'other').find((span) => span.start <= start && span.end >= end)
  return run ? text.slice(run.start, run.end) : text.slice(start, end)
}

/**
 * Names that an answer brought, the first first; those of its question only where it brought none.
 * `personal` leaves out those that stand as places: "in Lisbon".
 */
function newNames(
  answer: Turn,
  asked: Turn | undefined,
  question: string,
  personal: boolean,
  index: TextIndex,
): string[] {
  const known = namesIn(answer.text, index),
    written =
      known.length > 0
        ? known
        : spansOf(answer.text, 'other').map(({ start, end }) => answer.text.slice(start, end))
  const has = (text: string, name: string): boolean =>
      text.toLowerCase().includes(name.toLowerCase()),
    isPlace = (name: string): boolean =>
      PLACED.test(answer.text.slice(0, Math.max(0, answer.text.indexOf(name)))),
    fresh = written.filter((name) => !has(question, name) && !(personal && isPlace(name))),
    brought = fresh.filter((name) => !asked || !has(asked.text, name))
  return (brought.length > 0 ? brought : fresh).slice(0, MOST_NAMES)
}

function nameBefore(question: string, at: number, names: readonly string[]): boolean {
  return names.some((name) => {
    const place = question.indexOf(name)
    return place >= 0 && place < at
  })
}

function replaced(question: string, pronoun: RegExpExecArray, name: string): string {
  const word = pronoun[0],
    possessive = POSSESSIVE.test(word) ? `${name}${/s$/.test(name) ? "'" : "'s"}` : name
  return question.slice(0, pronoun.index) + possessive + question.slice(pronoun.index + word.length)
}

/**
 * Names and content words of the earlier question that this one lacks. Where this one brings a name
 * of its own in place of an earlier one ("what about Berlin?"), earlier names stay out.
 */
function missingWords(
  question: string,
  before: string,
  instead: readonly string[],
  index: TextIndex,
): string[] {
  const here = new Set(wordsOf(question)),
    dropped = new Set(instead.length > 0 ? namesIn(before, index).flatMap(wordsOf) : []),
    out: string[] = []
  scanWords(before, (start, end) => {
    const word = before.slice(start, end),
      small = word.toLowerCase()
    if (STOP_WORDS.has(small) || here.has(small) || dropped.has(small)) return
    here.add(small)
    out.push(word)
  })
  return out.slice(0, MOST_WORDS)
}

function wordsOf(text: string): string[] {
  const out: string[] = []
  scanWords(text, (start, end) => {
    out.push(text.slice(start, end).toLowerCase())
  })
  return out
}
