/** Other forms of a question's words that the corpus has: folded, joined, in parts, as dates. */
import type { TextIndex } from '../graph/text_index.ts'
import { foldedForms, spellingOf } from '../lexical/folded_forms.ts'
import type { Language } from '../lexical/languages.ts'
import { stem } from '../lexical/stem.ts'
import { STOP_WORDS } from '../lexical/stop_words.ts'
import type { WordBuffer } from '../lexical/word_buffer.ts'
import { formTerm, visitForms, type FormKind } from '../lexical/word_forms.ts'

import { languageForms } from './language_forms.ts'

/** A form of a question's word, and its worth against the word, in (0, 1]. */
export interface QuestionForm {
  readonly term: number
  readonly share: number
}

/** Passages up to which a word counts as rare. */
const FEW = 3
/** Worth of a run of plain words that the corpus has: its words count already. */
const RUN_OF_KNOWN = 0.1
/** Worth of a compound that a word is part of, and of a part. */
const COMPOUND = 0.5
const PARTICLES: ReadonlySet<string> = new Set(['in', 'out', 'on', 'off', 'up', 'down'])

/** Other forms of the words, each once; none counts for more than the word it is a form of. */
export function questionForms(
  text: string,
  words: WordBuffer,
  index: TextIndex,
  exact: readonly number[],
  languages: readonly Language[] = [],
): QuestionForm[] {
  return new FormReader(text, words, index, exact).read(languages)
}

class FormReader {
  private readonly found = new Map<number, number>()
  private readonly spelt: readonly string[]
  /** The term of each word as it stands, -1 where the corpus has none. */
  private readonly terms: readonly number[]

  constructor(
    private readonly text: string,
    private readonly words: WordBuffer,
    private readonly index: TextIndex,
    private readonly exact: readonly number[],
  ) {
    this.spelt = Array.from({ length: words.length }, (_, i) => spelling(text, words, i))
    this.terms = this.spelt.map((word) => knownTerm(word, index))
  }

  read(languages: readonly Language[]): QuestionForm[] {
    languageForms(this.spelt, languages, this.index).forEach((forms, i) => {
      for (const [form, relation] of forms)
        this.add(form, this.shareOf(this.terms[i]!, relation === 'compound' ? COMPOUND : 1))
    })
    this.spelt.forEach((word, i) => {
      this.ofWord(word, this.terms[i]!)
      const before = this.spelt[i - 1] ?? ''
      // "log in" for "login", "64 GB" for "64GB"
      if (mayJoin(before, word)) this.add(before + word, () => 1)
    })
    visitForms(this.text, this.words, (form, kind, from, to) => {
      this.ofRun(form, kind, this.terms.slice(from, to))
    })
    return [...this.found].map(([term, share]) => ({ term, share }))
  }

  /** A plain word that the corpus has is asked for as it is: its forms cost more than they find. */
  private ofWord(word: string, term: number): void {
    if (this.isCommon(term) && /^[a-z]+$/.test(word)) return
    const share = this.shareOf(term)
    this.add(word, share, false)
    for (const form of foldedForms(word)) this.add(form, share)
  }

  /** `most`, or less where the form is rarer than its word. */
  private shareOf(term: number, most = 1): (form: number) => number {
    const { lexical } = this.index
    return (form) => (term < 0 ? most : Math.min(most, lexical.idf(term) / lexical.idf(form)))
  }

  private ofRun(form: string, kind: FormKind, of: readonly number[]): void {
    const known = of.length > 0 && of.every((term) => this.isCommon(term))
    if (kind === 'folded' || (kind === 'part' && known)) return
    if (kind === 'run' && known && /^\p{L}+$/u.test(form))
      this.add(form, () => RUN_OF_KNOWN, of.length === 2)
    else this.add(form, () => 1)
  }

  private isCommon(term: number): boolean {
    return term >= 0 && this.index.lexical.documentFrequency(term) > FEW
  }

  private add(form: string, share: (term: number) => number, asWord = true): void {
    for (const term of formsOf(form, this.index, asWord))
      if (!this.exact.includes(term) && !this.found.has(term)) this.found.set(term, share(term))
  }
}

/** Chance neighbours such as "do I" are no word. */
function mayJoin(before: string, word: string): boolean {
  if (before === '' || STOP_WORDS.has(before)) return false
  if (/^\d+$/.test(before)) return /^\p{L}{1,4}$/u.test(word) && !STOP_WORDS.has(word)
  return before.length > 2 && PARTICLES.has(word)
}

/** The best form of a word that the corpus has not as it stands; -1 for none. */
export function formOfUnknown(word: string, index: TextIndex): number {
  if (STOP_WORDS.has(word)) return -1
  for (const [i, form] of [word, ...foldedForms(word)].entries()) {
    const [first] = formsOf(form, index, i > 0)
    if (first !== undefined) return first
  }
  return -1
}

/** The terms under which a form is indexed: as a word where another text writes it so. */
function formsOf(form: string, index: TextIndex, asWord: boolean): number[] {
  return [
    asWord ? knownTerm(form, index) : -1,
    heldTerm(formTerm(form, index.vocabulary, false), index),
  ].filter((term) => term >= 0)
}

function knownTerm(word: string, index: TextIndex): number {
  return STOP_WORDS.has(word) ? -1 : heldTerm(index.vocabulary.find(stem(word)), index)
}

/** The term where a passage holds it; -1 where only the vocabulary does. */
function heldTerm(term: number, { lexical }: TextIndex): number {
  return term >= 0 && lexical.documentFrequency(term) > 0 ? term : -1
}

function spelling(text: string, words: WordBuffer, i: number): string {
  return spellingOf(text.slice(words.starts[i], words.ends[i]))
}
