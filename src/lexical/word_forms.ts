/**
 * Other forms under which a word can be found: folded, in parts, joined. A form is a term of its
 * own, told from words by its first unit, so that exact forms keep their place before it.
 */
import { foldedForms, isAscii, spellingOf } from './folded_forms.ts'
import { visitNumbers } from './number_forms.ts'
import { stem } from './stem.ts'
import { STOP_WORDS } from './stop_words.ts'
import { FORM_UNIT, type Vocabulary } from './vocabulary.ts'
import type { WordColumns } from './word_columns.ts'
import { BIGRAM, HAS_DIGIT, SMALL } from './words.ts'

const FORM = String.fromCharCode(FORM_UNIT)
/** Longest run that is joined, in words and units: longer ones are lines of a table or of code. */
const JOINED_WORDS = 12,
  JOINED_CHARS = 64

/** What a form is of: one word, several joined ones, or a number or date among them. */
export type FormKind = 'folded' | 'part' | 'run' | 'number'
/** Called with a form and the words it is of, [from, to). */
export type FormVisitor = (form: string, kind: FormKind, from: number, to: number) => void

/** Visits the forms of all words of a text; a word that has none costs a look at its ends. */
export function visitForms(text: string, words: WordColumns, visit: FormVisitor): void {
  const { length, starts, ends, shapes } = words
  let numbers = false
  for (let i = 0; i < length; i++) {
    const start = starts[i] as number,
      end = ends[i] as number,
      shape = shapes[i] as number
    numbers ||= (shape & HAS_DIGIT) !== 0
    if ((shape & SMALL) === 0 || (shape & HAS_DIGIT) !== 0)
      if (hasParts(text, start, end))
        for (const part of partsOf(text.slice(start, end))) visit(part, 'part', i, i + 1)
    if ((shape & BIGRAM) === 0 && !isAscii(text, start, end))
      for (const form of foldedForms(spellingOf(text.slice(start, end))))
        visit(form, 'folded', i, i + 1)
    const next = i + 1 < length ? (starts[i + 1] as number) : text.length
    if (joins(text, end, next)) {
      if (i === 0 || !joins(text, ends[i - 1] as number, start)) visitRun(text, words, i, visit)
    } else visitSigns(text, i, start, end, visit)
  }
  if (numbers)
    visitNumbers(text, words, (form) => {
      visit(form, 'number', 0, 0)
    })
}

/** The terms of all forms of a text: what is found in it beside its words. */
export function formTerms(text: string, words: WordColumns, vocabulary: Vocabulary): number[] {
  const out: number[] = []
  visitForms(text, words, (form) => {
    const term = formTerm(form, vocabulary, true)
    if (term >= 0) out.push(term)
  })
  return out
}

/** The term of a form; new ones are added, or -1 where `add` is false and it is unknown. */
export function formTerm(form: string, vocabulary: Vocabulary, add: boolean): number {
  if (STOP_WORDS.has(form)) return -1
  const key = FORM + stem(form)
  return add ? vocabulary.intern(key) : vocabulary.find(key)
}

/** `camelCase`, `HTTPServer` and `64GB` in their parts, in lower case; [] for a word of one part, `GPUs`. */
export function partsOf(word: string): string[] {
  if (/^\p{Lu}{2,40}s$/u.test(word)) return []
  const parts = word.match(/\p{Lu}{1,40}(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}|\p{N}+/gu) ?? []
  return parts.length < 2 ? [] : parts.map((part) => part.toLowerCase())
}

const LOWER = 1,
  UPPER = 2,
  DIGIT = 3,
  OTHER = 4

/** Whether a word may have parts: a capital behind a small letter, a digit beside a letter. */
function hasParts(text: string, start: number, end: number): boolean {
  let before = kindOf(text.charCodeAt(start))
  for (let at = start + 1; at < end; at++) {
    const kind = kindOf(text.charCodeAt(at))
    // `Name` has one part, `GPUs` two
    if (kind !== before && !(before === UPPER && kind === LOWER && at === start + 1)) return true
    before = kind
  }
  return before === OTHER && end - start > 1
}

function kindOf(unit: number): number {
  if (unit >= 97 && unit <= 122) return LOWER
  if (unit >= 65 && unit <= 90) return UPPER
  return unit >= 48 && unit <= 57 ? DIGIT : OTHER
}

/** `C++`, `C#` and `.NET` beside C and NET. */
function visitSigns(text: string, i: number, start: number, end: number, visit: FormVisitor): void {
  const sign = text.charCodeAt(end)
  if (sign === PLUS || sign === HASH) {
    const signs = text.charCodeAt(end + 1) === sign ? 2 : 1,
      behind = text.charAt(end + signs)
    if (!/[\p{L}\p{N}]/u.test(behind))
      visit(text.slice(start, end + signs).toLowerCase(), 'run', i, i + 1)
  }
  if (text.charCodeAt(start - 1) === STOP && (start < 2 || /[\s(]/.test(text.charAt(start - 2))))
    visit(text.slice(start - 1, end).toLowerCase(), 'run', i, i + 1)
}

const PLUS = 43,
  HASH = 35,
  STOP = 46,
  HYPHEN = 45
/** 1 for signs that join two words; 2 for those that join two numbers. */
const JOINING = new Uint8Array(128)
for (const sign of '.-_/:@#+') JOINING[sign.charCodeAt(0)] = 1
for (const sign of ",'") JOINING[sign.charCodeAt(0)] = 2
const WIDE_JOINING = '\u2010\u2011',
  WIDE_JOINING_NUMBERS = '\u2019\u00a0\u202f'
const LINE_END = /[-\u2010] ?\r?\n ?/

/** Whether two words stand in one run: one sign between them, or `-` and a line end. */
function joins(text: string, end: number, next: number): boolean {
  const sign = text.charCodeAt(end)
  if (next - end === 1) {
    const joining =
      sign < 128
        ? (JOINING[sign] as number)
        : WIDE_JOINING.includes(text.charAt(end))
          ? 1
          : WIDE_JOINING_NUMBERS.includes(text.charAt(end))
            ? 2
            : 0
    return joining === 1 || (joining === 2 && isDigitAt(text, end - 1) && isDigitAt(text, next))
  }
  return (
    (sign === HYPHEN || sign === 0x2010) &&
    next - end > 1 &&
    next - end <= 4 &&
    text.slice(end, next).replace(LINE_END, '') === ''
  )
}

function isDigitAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 48 && unit <= 57
}

/** A run of words under one form; `Daten-⏎schutz` in a longer one as a word of its own, too. */
function visitRun(
  text: string,
  { length, starts, ends }: WordColumns,
  first: number,
  visit: FormVisitor,
): void {
  let last = first
  while (
    last + 1 < length &&
    last - first < JOINED_WORDS &&
    joins(text, ends[last] as number, starts[last + 1] as number)
  )
    last++
  if (last - first > 1)
    for (let i = first; i < last; i++)
      if ((starts[i + 1] as number) - (ends[i] as number) > 1)
        visit(spellingOf(text.slice(starts[i], ends[i + 1]).replace(LINE_END, '')), 'run', i, i + 2)
  const run = text.slice(starts[first], ends[last])
  if (run.length > JOINED_CHARS) return
  for (const form of runForms(spellingOf(run.replace(LINE_END, ''))))
    visit(form, 'run', first, last + 1)
}

/**
 * A run without its signs where they do not tell it from others: `max_size` as `maxsize`,
 * `1,250,000` as `1250000`. Where they do, as in `2.1.10` and `ERR-404/b`, it stays whole, and
 * without its signs another form.
 */
function runForms(run: string): string[] {
  const plain = run.replace(/[^\p{L}\p{N}\p{M}]+/gu, '')
  if (!/\d/.test(run)) return [plain]
  if (/^\d{1,3}(?:[.,'\u2019\u00a0\u202f]\d{3})+$/.test(run)) return [plain, run]
  if (/^\d+[.,]\d+$/.test(run)) return [run.replace(',', '.')]
  if (/^v\d/.test(run)) return [run, run.slice(1)]
  return /^[\d.]+$/.test(run) ? [run] : [run, plain]
}
