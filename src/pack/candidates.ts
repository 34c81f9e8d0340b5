/** A ranked passage as the packer reads it: its pieces, their words, and which repeat. */
import { PATH_GAP } from '../chunk/outline.ts'
import type { Label, Source, Span } from '../types.ts'
import { CAPITAL, HAS_DIGIT } from '../lexical/words.ts'
import { stem } from '../lexical/stem.ts'
import { STOP_WORDS } from '../lexical/stop_words.ts'
import { headerTitle } from './fence.ts'
import { fnv1a, FNV_OFFSET, randomMultipliers } from '../base/hash.ts'
import { HashedWords } from './hashed_words.ts'
import { pieceSpans } from './pieces.ts'
import { isPlain } from './visible.ts'

/**
 * A ranked passage as the packer takes it; a `Source` is one. `text` is `document.text.slice(start,
 * end)`.
 */
export type PackCandidate = Pick<
  Source,
  'rank' | 'documentId' | 'title' | 'passage' | 'start' | 'end' | 'text' | 'score' | 'labels'
> & {
  /** The sentences of `text`, offsets into it, where they have been read before. */
  readonly sentences?: readonly Span[] | undefined
}

/** A stretch of a passage that is packed or left out as one. Offsets into the document's text. */
export interface Piece {
  readonly start: number
  readonly end: number
  /** Hashes of its word shingles: runs of four words, or all of its words where it has fewer. */
  readonly shingles: readonly number[]
  /**
   * Hashes of its facts, each word pair with a number, a name, a negation or an auxiliary: what two
   * sentences differ by that are alike otherwise.
   */
  readonly facts: readonly number[]
  /** Which of the question's terms it has, by their index. */
  readonly terms: readonly number[]
  /** Its names: hashes of words with a capital, stop words left out. */
  readonly names: readonly number[]
  /** Whether it has a digit. */
  readonly numeric: boolean
}

export interface Passage {
  readonly candidate: PackCandidate
  /** Whether all of its text, and so any part of it, is shown as it is. */
  readonly plain: boolean
  readonly pieces: readonly Piece[]
  /** Its document's title as a header shows it. */
  readonly heading: string
  /** Hashes of the words of its title. */
  readonly titleWords: readonly number[]
}

const SHINGLE_WORDS = 4

/** Finds the index of the term of a word in a text, -1 for none. */
export type TermReader = (text: string, start: number, end: number) => number

export function termReader(terms: readonly string[]): TermReader {
  const index = new Map(terms.map((term, i) => [term, i])),
    known = new Map<string, number>(),
    mayBegin = beginningsOf(terms)
  return (text, start, end) => {
    if (!mayBegin(text, start, end)) return -1
    const word = text.slice(start, end).toLowerCase()
    let at = known.get(word)
    if (at === undefined) {
      at = index.get(word) ?? index.get(stem(word)) ?? -1
      known.set(word, at)
    }
    return at
  }
}

/**
 * Whether a word begins so that its stem may be one of the terms: only such words are sliced and
 * stemmed. A stem of four letters or more keeps the word's first three, a shorter one the first
 * two, five bits of each, in which a capital and its small letter are alike; `shortSpellings` has
 * the exceptions.
 */
function beginningsOf(
  terms: readonly string[],
): (text: string, start: number, end: number) => boolean {
  const beginnings = new Uint8Array(1 << 15)
  for (const term of terms) {
    for (const spelt of [term, ...shortSpellings(term)]) {
      const two = (fiveBits(spelt, 0, spelt.length) << 10) | (fiveBits(spelt, 1, spelt.length) << 5)
      if (spelt.length > 3) beginnings[two | fiveBits(spelt, 2, spelt.length)] = 1
      else beginnings.fill(1, two, two + 32)
    }
  }
  return (text, start, end) => {
    for (let at = start; at < end && at < start + 3; at++)
      if (text.charCodeAt(at) > 127) return true
    return (
      beginnings[
        (fiveBits(text, start, end) << 10) |
          (fiveBits(text, start + 1, end) << 5) |
          fiveBits(text, start + 2, end)
      ] === 1
    )
  }
}

/**
 * How else a word begins whose stem this is: dying, lying, tying; and, as -ing gives way to an -e,
 * what is one letter before it.
 */
function shortSpellings(stemmed: string): string[] {
  if (stemmed.length === 3 && stemmed.endsWith('ie')) return [`${stemmed.charAt(0)}y`]
  return stemmed.length === 2 && stemmed.endsWith('e') ? [`${stemmed.charAt(0)}i`] : []
}

function fiveBits(text: string, at: number, end: number): number {
  return at < end ? text.charCodeAt(at) & 31 : 0
}

/** What stands over a part of a candidate that begins here. */
export function labelAt({ labels = [] }: PackCandidate, at: number): Label | undefined {
  return labels.findLast(({ start }) => start <= at)
}

/**
 * What a header shows over a text of parts with these labels: title, the headings over all of them,
 * and the header of the table that rows among them are of, where the text does not have it.
 */
export function headingOf(
  title: string,
  labels: readonly (Label | undefined)[],
  text: string,
): string {
  const headers = new Set(labels.map((label) => label?.header ?? '').filter((row) => row !== '')),
    paths = labels.map((label) => label?.section.split(PATH_GAP) ?? []),
    shared = paths[0]!.findIndex((heading, i) => paths.some((path) => path[i] !== heading)),
    section = paths[0]!.slice(0, shared < 0 ? undefined : shared),
    header = [...headers].filter((row) => headers.size === 1 && !text.includes(row))
  return headerTitle([title, ...section, ...header].filter((part) => part !== '').join(PATH_GAP))
}

/** Reused piece by piece. */
const words = new HashedWords()

/** Reads one candidate once. */
export function readPassage(candidate: PackCandidate, termOf: TermReader): Passage {
  const { text, title, sentences } = candidate,
    pieces = pieceSpans(text, sentences).map(({ start, end }) =>
      readPiece(text, start, end, candidate.start, termOf),
    )
  return {
    candidate,
    plain: isPlain(text),
    pieces,
    heading: headingOf(title, [labelAt(candidate, candidate.start)], text),
    titleWords: titleWordsOf(title),
  }
}

function titleWordsOf(title: string): number[] {
  const { ids: hashes, length } = words.read(title),
    out: number[] = []
  for (let i = 0; i < length; i++)
    if (!STOP_HASHES.has(hashes[i] as number)) out.push(hashes[i] as number)
  return out
}

function readPiece(
  text: string,
  from: number,
  to: number,
  offset: number,
  termOf: TermReader,
): Piece {
  const { length, ids: hashes, starts, ends, shapes } = words.read(text, from, to),
    terms: number[] = [],
    facts = new DistinctNumbers(),
    names = new DistinctNumbers()
  let kinds = 0
  for (let i = 0; i < length; i++) {
    const shape = shapes[i] as number
    kinds |= shape
    const word = hashes[i] as number,
      named = (shape & CAPITAL) !== 0 && !STOP_HASHES.has(word)
    if (named) names.add(word)
    if (named || (shape & HAS_DIGIT) !== 0 || FACT_HASHES.has(word)) {
      facts.add(pairHash(i > 0 ? (hashes[i - 1] as number) : 0, word))
      facts.add(pairHash(word, i + 1 < length ? (hashes[i + 1] as number) : 0))
    }
    const term = termOf(text, starts[i] as number, ends[i] as number)
    if (term >= 0 && !terms.includes(term)) terms.push(term)
  }
  if (terms.length > 1) terms.sort((a, b) => a - b)
  return {
    start: offset + from,
    end: offset + to,
    shingles: shinglesOf(hashes, length),
    facts: facts.list,
    terms,
    names: names.list,
    numeric: (kinds & HAS_DIGIT) !== 0,
  }
}

function shinglesOf(hashes: Int32Array, count: number): readonly number[] {
  const out = new DistinctNumbers(),
    size = Math.min(SHINGLE_WORDS, count)
  for (let i = 0; size > 0 && i + size <= count; i++) {
    let hash = FNV_OFFSET
    for (let j = i; j < i + size; j++) hash = pairHash(hash, hashes[j] as number)
    out.add(hash)
  }
  return out.list
}

function pairHash(hash: number, next: number): number {
  return Math.imul(hash ^ next, 0x01000193) ^ (hash >>> 15)
}

/** Numbers up to which a look at each costs less than a set. */
const FEW = 48

/** A Set places numbers by themselves, and what is hashed here can be chosen. */
const [SCATTER] = randomMultipliers()

/** Different numbers in the order they came; most pieces have few, for which no set is made. */
class DistinctNumbers {
  readonly list: number[] = []
  private seen: Set<number> | null = null

  add(value: number): void {
    const { list } = this
    if (this.seen === null) {
      if (list.includes(value)) return
      list.push(value)
      if (list.length === FEW) this.seen = new Set(list.map((one) => Math.imul(one, SCATTER)))
    } else if (!this.seen.has(Math.imul(value, SCATTER))) {
      this.seen.add(Math.imul(value, SCATTER))
      list.push(value)
    }
  }
}

const STOP_HASHES: ReadonlySet<number> = new Set([...STOP_WORDS].map((word) => fnv1a(word)))

/** Negations, numbers in letters, and auxiliaries, before which a negation may be left out. */
const FACT_HASHES: ReadonlySet<number> = new Set(
  (
    'not no never neither nor none without cannot t nicht kein keine ne pas sin nunca non ' +
    'one two three four five six seven eight nine ten eleven twelve twenty hundred thousand million ' +
    'is are was were am be been do does did has have had can could may might must shall should ' +
    'will would ist sind war hat kann darf muss est sont'
  )
    .split(' ')
    .map((word) => fnv1a(word)),
)
