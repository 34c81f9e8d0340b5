/**
 * What grammar says of a phrase that may be a name, by compromise; loaded on first use and asked
 * once for each phrase. By its words in small letters: capitals are what is in doubt.
 */
import { Lru } from '../base/lru.ts'
import { loadCompromise, type Compromise } from './entity_types.ts'

/** Begins with a verb, a preposition or another word that begins no name: Load MacOS Terminal. */
export const SENTENCE = 1
/** Ends with what people are in their work: Senior Engineer. */
export const ROLE = 2
/** An adjective alone: Pictish. */
export const ADJECTIVE = 4
/** Ends with a verb: SA Created. */
export const CLAUSE = 8
/** Ends with a plural: Kubernetes Clusters. */
export const PLURAL = 16
/** A person or a place, once written with capitals: Mark Twain. */
export const KNOWN = 32
/** A verb alone, or a call: Save, Hi. */
export const VERB = 64

/** Phrases whose reading is kept. */
const KEPT = 4096
const readings = new Lru<string, number>(KEPT)
let reader: Compromise | null = null

/** To be awaited before `grammarOf`. Rejects where the file cannot be loaded, and may be tried again. */
export async function loadGrammar(): Promise<void> {
  reader ??= await loadCompromise()
}

/** What grammar says; nothing where it could not be loaded, of which the caller is to warn. */
export function grammarOf(phrase: string): number {
  if (!reader) return 0
  const known = readings.get(phrase)
  if (known !== undefined) return known
  const reading = read(phrase, reader)
  readings.set(phrase, reading)
  return reading
}

interface Term {
  readonly tags: readonly string[]
}

const FIRST = new Set(
  `Verb Preposition Negative Conjunction Adverb Pronoun Possessive QuestionWord Modal Auxiliary Copula`.split(
    ' ',
  ),
)
/** Offices that compromise has not. */
const OFFICES = new Set(
  `manager executive officer engineer director analyst assistant representative head vp coach
   coaches specialist lead`.split(/\s+/),
)

/** Last, or before "of": Director of Quality. */
function isOffice(phrase: string): boolean {
  const words = phrase.split(' '),
    last = words[(words.includes('of') ? words.indexOf('of') : words.length) - 1] ?? ''
  return OFFICES.has(last) || OFFICES.has(last.replace(/s$/, ''))
}

/** Peoples and creeds, as adjectives end. */
const ADJECTIVES = /.{3}(?:an|ish|ese|ist|ite|ine)$/

function read(phrase: string, reader: Compromise): number {
  const terms = (reader(phrase).json() as { terms: Term[] }[]).flatMap(
      (sentence) => sentence.terms,
    ),
    first = terms[0],
    last = terms.at(-1)
  if (!first || !last) return 0
  const known = isKnown(phrase, reader)
  let kinds = known ? KNOWN : 0
  if (terms.length === 1) {
    if (first.tags.includes('Adjective') || ADJECTIVES.test(phrase)) kinds |= ADJECTIVE
    if (first.tags.includes('Actor') && !known) kinds |= ROLE
    if (first.tags.includes('Plural')) kinds |= PLURAL
    return first.tags.some((tag) => ['Verb', 'Adverb', 'Expression'].includes(tag))
      ? kinds | VERB
      : kinds
  }
  if (first.tags.some((tag) => FIRST.has(tag)) && !known) kinds |= SENTENCE
  if ((last.tags.includes('Actor') && !known) || isOffice(phrase)) kinds |= ROLE
  if (last.tags.includes('PastTense')) kinds |= CLAUSE
  if (last.tags.includes('Plural')) kinds |= PLURAL
  if (last.tags.includes('Adverb')) kinds |= CLAUSE
  return kinds
}

function isKnown(phrase: string, nlp: Compromise): boolean {
  const name = phrase.replaceAll(/(?<=^| )\p{Ll}/gu, (c) => c.toUpperCase()),
    view = nlp(name)
  if (view.people().text() === name || view.places().text() === name) return true
  return !phrase.includes(' ') && nlp(phrase.toUpperCase()).organizations().found
}
