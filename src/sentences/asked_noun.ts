/** The noun that a question asks for: "what fight song", "which city", "how many sacks". */
import type { Question } from '../retrieve/question.ts'
import { STOP_WORDS } from '../lexical/stop_words.ts'

const ASKS = new Set(['what', 'which', 'whose', 'many', 'much'])
/** Nouns that another one follows: "the name of the song", "what kind of dinosaur". */
const EMPTY = new Set(['name', 'names', 'kind', 'type', 'types', 'sort', 'form', 'one', 'term'])
const REACH = 8
const MOST = 3

/** Words of the question, [from, to); empty where it asks for none. */
export function askedNoun({ text, words }: Question): readonly [from: number, to: number] {
  const spelt = (i: number): string => text.slice(words.starts[i], words.ends[i]).toLowerCase(),
    small = (i: number): boolean => STOP_WORDS.has(spelt(i))
  for (let at = 0; at < words.length; at++) {
    if (!ASKS.has(spelt(at))) continue
    let from = at + 1
    const reach = Math.min(words.length, from + REACH)
    while (from < reach && (small(from) || EMPTY.has(spelt(from)))) from++
    let to = from
    while (to < reach && to - from < MOST && !small(to)) to++
    if (to > from) return [from, to]
  }
  return [0, 0]
}
