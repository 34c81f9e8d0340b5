/** Cuts a document into the passages that are ranked, packed and embedded, as spans. */
import { drain } from '../base/slices.ts'
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { whole } from '../base/options.ts'
import type { Span } from '../types.ts'
import { trimSpan } from './characters.ts'
import { splitLong, type PassageLimit } from './long_sentences.ts'
import { BREAK_HEADING, BREAK_LINE, BREAK_PARAGRAPH, BREAK_SENTENCE, segment } from './segments.ts'
import { estimatePieces, TWELFTHS } from './word_pieces.ts'
import { charWindows } from './windows.ts'

export interface ChunkOptions {
  /**
   * `sentences` (default) packs whole sentences, `chars` cuts windows, `none` keeps the document
   * whole.
   */
  readonly strategy?: 'sentences' | 'chars' | 'none'
  /** Most tokens of a passage by chars / 4, 1 to 100,000; default 200. */
  readonly tokens?: number
  /**
   * Sentences (or, for `chars`, UTF-16 units) that a passage repeats of the one before; default 0,
   * below the passage's size.
   */
  readonly overlap?: number
}

/** Sentences, or parts of long ones, with the break before each. */
interface Units {
  readonly starts: number[]
  readonly ends: number[]
  readonly breaks: number[]
  /** Word pieces (twelfths) of all units before each, and of all. */
  readonly pieces: number[]
}

/**
 * Cuts `text` into passages: sorted, trimmed, exact half-open ranges that together hold every unit
 * that is not white space, none wholly inside the one before. A document within the limit is one
 * passage.
 *
 * The limit is two sums at once: UTF-16 units <= 4 * tokens, and estimated word pieces <= tokens *
 * 254 / 200, so that a passage of any script stays within what the model reads (see word_pieces.ts
 * for the estimate; a Han character counts one). Cuts fall on a heading or the end of a paragraph
 * where one lies far enough into the passage, else on a sentence's end; a sentence beyond the limit
 * is cut at a clause, a space or a code point.
 *
 * The default repeats nothing: packing shows neighbours of one document merged, the title stands in
 * front of each passage, and a sentence held twice is embedded twice, counted twice by the word
 * index, and paid twice from the budget.
 *
 * Throws `input/invalid` for options out of range.
 */
export function chunkPassages(text: string, options: ChunkOptions = {}): Span[] {
  return drain(cutPassages(text, options))
}

/** The same in pieces: yields how many characters each was. */
export function* cutPassages(text: string, options: ChunkOptions = {}): Generator<number, Span[]> {
  const strategy = options.strategy ?? 'sentences'
  const tokens = whole('tokens', options.tokens ?? LIMITS.passageTokens, 1, 100_000)
  const overlap = whole(
    'overlap',
    options.overlap ?? 0,
    0,
    strategy === 'chars' ? tokens * 4 - 1 : 1000,
  )
  const all = trimSpan(text, 0, text.length)
  if (all.start === all.end) return []
  switch (strategy) {
    case 'none':
      return [all]
    case 'chars':
      return charWindows(text, tokens * 4, overlap)
    case 'sentences': {
      const limit: PassageLimit = {
        chars: tokens * 4,
        pieces: Math.floor((tokens * LIMITS.modelTokens * TWELFTHS) / LIMITS.passageTokens),
      }
      if (
        all.end - all.start <= limit.chars &&
        estimatePieces(text, all.start, all.end, limit.pieces) <= limit.pieces
      )
        return [all]
      return pack(yield* unitsOf(text, limit), limit, overlap)
    }
    default:
      throw new HubmeshError(
        'input/invalid',
        `chunk strategy ${JSON.stringify(String(strategy)).slice(0, 40)} is unknown; choose ` +
          '"sentences", "chars" or "none".',
      )
  }
}

/** Characters of a piece of work. */
const PIECE = 8192

function* unitsOf(text: string, limit: PassageLimit): Generator<number, Units> {
  const sentences = segment(text)
  yield text.length
  let read = 0
  const units: Units = { starts: [], ends: [], breaks: [], pieces: [0] }
  const push = (start: number, end: number, break_: number, pieces: number): void => {
    units.starts.push(start)
    units.ends.push(end)
    units.breaks.push(break_)
    units.pieces.push(units.pieces[units.pieces.length - 1]! + pieces)
  }
  for (let i = 0; i < sentences.starts.length; i++) {
    const start = sentences.starts[i]!
    const end = sentences.ends[i]!
    const pieces = estimatePieces(text, start, end)
    read += end - start
    if (read > PIECE) {
      yield read
      read = 0
    }
    if (end - start <= limit.chars && pieces <= limit.pieces)
      push(start, end, sentences.breaks[i]!, pieces)
    else
      splitLong(text, start, end, limit).forEach((part, k) =>
        push(
          part.start,
          part.end,
          k === 0 ? sentences.breaks[i]! : BREAK_SENTENCE,
          estimatePieces(text, part.start, part.end),
        ),
      )
  }
  return units
}

/**
 * Packs units greedily, each passage as far as it goes and then back to the best break. Each unit
 * is looked at a bounded number of times.
 */
function pack(units: Units, limit: PassageLimit, overlap: number): Span[] {
  const count = units.starts.length
  const out: Span[] = []
  let first = 0
  let covered = 0
  let fit = 0
  while (covered < count) {
    // One unit is taken even where it alone is over the limit: a code point cannot be cut. What
    // fitted before still fits, as `first` only grows.
    fit = Math.max(fit, first + 1)
    while (fit < count && fits(units, first, fit, limit)) fit++
    if (fit <= covered) {
      // The repeated sentences leave no room for a new one: drop the oldest of them.
      first++
      continue
    }
    const cut = fit === count ? count : bestCut(units, Math.max(first, covered), first, fit, limit)
    out.push({ start: units.starts[first]!, end: units.ends[cut - 1]! })
    covered = cut
    first = Math.max(first + 1, cut - overlap)
  }
  return out
}

function fits(units: Units, first: number, last: number, limit: PassageLimit): boolean {
  return (
    units.ends[last]! - units.starts[first]! <= limit.chars &&
    units.pieces[last + 1]! - units.pieces[first]! <= limit.pieces
  )
}

/**
 * Least share of a full passage before a break of each strength, and what the rest of the document
 * should hold at least.
 */
const LEAST_BEFORE = [0.75, 0.6, 0.5, 0.3] as const
const LEAST_AFTER = 0.2

/**
 * Picks where a passage of units from `first` ends, at most before `fit` and after `done`: the
 * strongest break far enough in, the last one of its strength; a heading never ends a passage, and
 * a short rest is not left alone where another cut is possible.
 */
function bestCut(
  units: Units,
  done: number,
  first: number,
  fit: number,
  limit: PassageLimit,
): number {
  let best = fit
  let bestScore = -1
  const count = units.starts.length
  const end = units.ends[count - 1]!
  for (let cut = fit; cut > done; cut--) {
    const share = fill(units, first, cut, limit)
    const break_ = units.breaks[cut]!
    if (share < LEAST_BEFORE[BREAK_HEADING]) break
    if (share < LEAST_BEFORE[break_ as 0 | 1 | 2 | 3]) continue
    let score =
      break_ === BREAK_HEADING ? 3 : break_ === BREAK_PARAGRAPH ? 2 : break_ === BREAK_LINE ? 1 : 0
    if (units.breaks[cut - 1] === BREAK_HEADING) score -= 4
    if (end - units.starts[cut]! < limit.chars * LEAST_AFTER) score -= 2
    if (score > bestScore) {
      best = cut
      bestScore = score
    }
  }
  return best
}

/** How full a passage of units [first, cut) is, by the fuller of its two sums. */
function fill(units: Units, first: number, cut: number, limit: PassageLimit): number {
  return Math.max(
    (units.ends[cut - 1]! - units.starts[first]!) / limit.chars,
    (units.pieces[cut]! - units.pieces[first]!) / limit.pieces,
  )
}
