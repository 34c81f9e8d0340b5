/** What a caller may mean who has typed its beginning: titles, names and words of the corpus. */
import type { Corpus } from '../corpus/corpus.ts'
import { compareIds } from '../base/compare_ids.ts'
import { invalid, whole } from '../base/options.ts'
import type { TextIndex } from '../graph/text_index.ts'
import { namesByWord, type NamesByWord } from '../graph/names_by_word.ts'
import { spellingOf } from '../lexical/folded_forms.ts'
import type { Vocabulary } from '../lexical/vocabulary.ts'
import { lowerWords } from '../lexical/words.ts'
import type { Suggestion } from '../types.ts'
import { labelOf } from './labels.ts'
import { MentionReader } from './mentions.ts'

/** Longest beginning that is read, in units. */
const MOST_CHARS = 200

/** A word or a name, before its text is read. */
interface Found {
  readonly kind: 0 | 1 | 2
  readonly id: number
  readonly passages: number
  /** Whether the text begins so, not only one of its later words. */
  readonly begins: boolean
}

/** So many times as asked for are held ready: a name, its title and its only word are one. */
const SPARE = 4
const KINDS = ['title', 'name', 'word'] as const

/**
 * At most `limit` (1 to 100; default 10), whatever begins with the text first, then what has a word
 * that does; of each those of most passages first, then by their text. Marks on letters need not be
 * typed. Throws `input/invalid`.
 */
export function suggestionsFor(
  prefix: unknown,
  { limit = 10 }: { readonly limit?: number },
  corpus: Corpus,
): Suggestion[] {
  if (typeof prefix !== 'string' || prefix.length > MOST_CHARS)
    throw invalid('prefix', typeof prefix, `Use a string of at most ${MOST_CHARS} characters.`)
  const most = whole('limit', limit, 1, 100),
    typed = lowerWords(prefix).map(spellingOf),
    last = typed.pop()
  if (last === undefined) return []
  const { text, table } = corpus,
    found = typed.length > 0 ? namesAfter(typed, last, text) : wordsAndNames(last, most, text)
  const reader = new MentionReader(text, table),
    out = new Map<string, Suggestion>()
  for (const [{ kind, id, passages }, plain] of best(found, most, text)) {
    if (out.size >= most) break
    const label = kind === 2 ? plain : labelOf(id, text, table, reader),
      key = spellingOf(label)
    // a name, its title and its only word are one
    if (!out.has(key)) out.set(key, { kind: KINDS[kind], text: label, passages })
  }
  return [...out.values()]
}

/** More than a vocabulary can have. */
const WORDS = 2 ** 26

/** A word that begins so, and its passages; of stop words none are counted. */
type Begun = readonly [word: number, passages: number]

/** Those of most passages first. A stop word is meant where it is typed whole. */
function begun(typed: string, { vocabulary, lexical }: TextIndex): Begun[] {
  const whole: Begun[] = [],
    /** Passages and word in one number: a beginning of one letter has thousands to sort. */
    keys: number[] = []
  for (const word of vocabulary.startingWith(typed)) {
    const term = vocabulary.termOf(word)
    if (term >= 0) keys.push(lexical.documentFrequency(term) * WORDS + (WORDS - 1 - word))
    else if (vocabulary.lengthOf(word) === typed.length) whole.push([word, Infinity])
  }
  const sorted = Float64Array.from(keys).sort().reverse()
  return whole.concat(
    Array.from(sorted, (key): Begun => [WORDS - 1 - (key % WORDS), Math.floor(key / WORDS)]),
  )
}

/**
 * Words that begin so and names that hold one. A name is in no more passages than its words, so
 * rare words need not be looked at once there are enough of more passages.
 */
function wordsAndNames(typed: string, most: number, index: TextIndex): Found[] {
  const { vocabulary } = index,
    names = namesByWord(index.gazetteer.trie),
    later = new Map<number, Found>(),
    out = new Map<number, Found>(),
    terms = new Map<number, Found>()
  const visit = (id: number, begins: boolean): void => {
    const known = out.has(id) || (!begins && later.has(id)),
      name = known ? null : nameOf(id, begins, index)
    if (name) (begins ? out : later).set(id, name)
  }
  let checkAt = 32
  for (const [i, [id, passages]] of begun(typed, index).entries()) {
    if (i === checkAt) {
      const better = [...out.values(), ...terms.values()].filter((one) => one.passages >= passages)
      if (better.length >= most * SPARE) break
      checkAt *= 2
    }
    names.visit(id, visit)
    // stems that no text has as a word are left out
    if (passages === 0 || passages === Infinity || vocabulary.smallCount(id) === 0) continue
    const term = vocabulary.termOf(id),
      known = terms.get(term)
    if (!known || isBetterForm(id, known.id, vocabulary))
      terms.set(term, { kind: 2, id, passages, begins: true })
  }
  for (const id of out.keys()) later.delete(id)
  return [...out.values(), ...later.values(), ...terms.values()]
}

/** Of the forms of a word, that which most passages have; then the shorter one. */
function isBetterForm(form: number, than: number, vocabulary: Vocabulary): boolean {
  const more = vocabulary.smallCount(form) - vocabulary.smallCount(than)
  return more > 0 || (more === 0 && vocabulary.lengthOf(form) < vocabulary.lengthOf(than))
}

/** Names in force that hold the words, one after the other, and then one that begins so. */
function namesAfter(typed: readonly string[], begun: string, index: TextIndex): Found[] {
  const { vocabulary } = index,
    { trie } = index.gazetteer,
    names = namesByWord(trie),
    before = typed.map((word) => new Set(vocabulary.startingWith(word, word.length))),
    out = new Map<number, Found>()
  for (const word of rarest(before, names))
    names.visit(word, (id) => {
      if (out.has(id)) return
      const of = trie.wordsOf(id),
        at = of.findIndex(
          (one, i) =>
            before.every((same, j) => same.has(of[i - before.length + j] ?? -1)) &&
            vocabulary.beginsWith(one, begun),
        ),
        name = at < 0 ? null : nameOf(id, at === before.length, index)
      if (name) out.set(id, name)
    })
  return [...out.values()]
}

/** Of the words typed whole, the one that fewest names have, in each of its spellings. */
function rarest(typed: readonly ReadonlySet<number>[], names: NamesByWord): ReadonlySet<number> {
  const costs = typed.map((words) => {
    let cost = 0
    for (const word of words) cost += 1 + names.countOf(word)
    return cost
  })
  return typed[costs.indexOf(Math.min(...costs))]!
}

/** A name in force that a passage has, by which no other is known; else null. */
function nameOf(id: number, begins: boolean, index: TextIndex): Found | null {
  const { gazetteer, merges } = index
  if (!gazetteer.trie.isInForce(id) || merges.canonical(id) !== id) return null
  const passages = index.passagesWith(id)
  return passages === 0 ? null : { kind: gazetteer.isTitle(id) ? 0 : 1, id, passages, begins }
}

const byWorth = (a: Found, b: Found): number =>
  Number(b.begins) - Number(a.begins) || b.passages - a.passages || a.kind - b.kind

/**
 * In order, each with its text as the index has it. Texts are read of no more than can be given:
 * some fall together, and those as good as the last one are ordered by their texts.
 */
function best(found: Found[], most: number, index: TextIndex): [Found, string][] {
  found.sort(byWorth)
  let count = Math.min(found.length, most * SPARE)
  while (count < found.length && byWorth(found[count - 1]!, found[count]!) === 0) count++
  return found
    .slice(0, count)
    .map((one): [Found, string] => [
      one,
      one.kind === 2 ? index.vocabulary.word(one.id) : index.nameText(one.id),
    ])
    .sort(([a, aText], [b, bText]) => byWorth(a, b) || compareIds(aText, bText))
}
