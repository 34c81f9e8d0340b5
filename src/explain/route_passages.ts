/** What the search for routes reads of the best passages. */
import { exp, ln } from '../base/math.ts'
import type { RankedSlot } from '../retrieve/rank.ts'
import { termAt } from '../retrieve/question.ts'
import type { Seed } from '../retrieve/seeds.ts'
import { TermSets } from '../retrieve/term_sets.ts'
import type { RouteRequest } from './route_types.ts'

export interface RoutePassage {
  readonly slot: number
  readonly about: number
  /** The name of the question that it mentions, best the one that it is about; -1 for none. */
  readonly seed: number
  /** Logarithm of its score over the best one's. */
  readonly value: number
  /** The question's terms in it, its title's included. */
  readonly mask: number
  /** Share of those near the question word. */
  readonly asked: (mask: number) => number
}

const LEAST_VALUE = 0.05
const QUESTION_WORD =
  /^(?:what|which|who|whom|whose|when|where|why|how|wer|wen|wem|was|welche[mnrs]?|wann|wo|wie|warum)$/i
/** Words from the question word by which a term counts half. */
const HALF = 4

export function readRoutePassages(
  top: readonly RankedSlot[],
  sets: TermSets,
  request: RouteRequest,
): RoutePassage[] {
  const { index, reader, seeds } = request,
    best = Math.max(top[0]?.score ?? 0, 1e-9),
    asked = askedShare(sets, request)
  const maskOf = (ids: Iterable<number>): number => {
    let mask = 0
    for (const id of ids) if (id >= 0) mask |= sets.bits.get(index.vocabulary.termOf(id)) ?? 0
    return mask
  }
  return top.map(({ slot, score }) => {
    const about = index.aboutOf(slot),
      title = about < 0 ? [] : index.gazetteer.trie.wordsOf(about)
    return {
      slot,
      about,
      seed: seedOf(slot, about, seeds, request),
      value: ln(Math.max(LEAST_VALUE, score / best)),
      mask: maskOf(reader.wordsOf(slot).ids) | maskOf(title),
      asked,
    }
  })
}

function seedOf(
  slot: number,
  about: number,
  seeds: readonly Seed[],
  { index }: RouteRequest,
): number {
  const mentioned = new Set([...index.graph.mentions.values(slot)].map((mention) => mention >>> 1))
  let best: Seed | null = null
  for (const seed of seeds) {
    if (!mentioned.has(seed.name)) continue
    if (seed.name === about) return about
    if (!best || seed.weight > best.weight) best = seed
  }
  return best?.name ?? -1
}

/** Share of a set of terms where each counts by its rarity and how near the question word it is. */
function askedShare(sets: TermSets, { question, index }: RouteRequest): (mask: number) => number {
  const { words, text } = question,
    places = Array.from({ length: words.length }, (_, i) => i),
    from = Math.max(
      0,
      places.findIndex((i) => QUESTION_WORD.test(text.slice(words.starts[i], words.ends[i]))),
    ),
    weights: number[] = []
  for (const i of places) {
    const bit = sets.bits.get(termAt(question, i, index.vocabulary))
    if (bit === undefined) continue
    const weight = sets.weight(bit) * exp((-Math.abs(i - from) / HALF) * LN_2),
      at = 31 - Math.clz32(bit)
    weights[at] = Math.max(weights[at] ?? 0, weight)
  }
  const sum = (mask: number): number =>
    weights.reduce((total, weight, bit) => total + ((mask >>> bit) & 1 ? weight : 0), 0)
  const total = sum(-1) || 1
  return (mask) => sum(mask) / total
}

const LN_2 = 0.6931471805599453
