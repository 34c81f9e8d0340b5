/** What a caller may mean who has typed its beginning: titles, names and words of the corpus. */
import type { Corpus } from '../corpus/corpus.ts'
import { compareIds } from '../base/compare_ids.ts'
import { invalid, whole } from '../base/options.ts'
import { spellingOf } from '../lexical/folded_forms.ts'
import { lowerWords } from '../lexical/words.ts'
import type { Suggestion } from '../types.ts'
import { labelOf } from './labels.ts'
import { MentionReader } from './mentions.ts'

/** Longest beginning that is read, in units. */
const MOST_CHARS = 200

interface Found extends Suggestion {
  /** Of a name whose label is still to be read. */
  readonly name?: number
}

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
    ends = new Set(text.vocabulary.startingWith(last)),
    before = typed.map((word) => new Set(text.vocabulary.startingWith(word, word.length)))
  const found = [...names(before, ends, corpus), ...(before.length > 0 ? [] : words(ends, corpus))]
  const reader = new MentionReader(text, table),
    out = new Map<string, Suggestion>()
  for (const { name, ...suggestion } of found.sort(byWorth(typed.concat(last).join(' ')))) {
    if (out.size >= most) break
    const label = name === undefined ? suggestion.text : labelOf(name, text, table, reader),
      key = spellingOf(label)
    // a name, its title and its only word are one
    if (!out.has(key)) out.set(key, { ...suggestion, text: label })
  }
  return [...out.values()]
}

/** Names in force that hold the words, one after the other, the last one begun. */
function* names(
  before: readonly ReadonlySet<number>[],
  ends: ReadonlySet<number>,
  { text }: Corpus,
): Generator<Found> {
  const { trie } = text.gazetteer
  for (let name = 0; name < trie.size; name++) {
    if (!trie.isInForce(name) || text.merges.canonical(name) !== name) continue
    const of = trie.wordsOf(name),
      holds = of.some(
        (word, i) =>
          ends.has(word) && before.every((same, j) => same.has(of[i - before.length + j] ?? -1)),
      )
    const passages = holds ? text.passagesWith(name) : 0
    if (passages > 0)
      yield {
        kind: text.gazetteer.isTitle(name) ? 'title' : 'name',
        text: text.nameText(name),
        passages,
        name,
      }
  }
}

function* words(ends: ReadonlySet<number>, { text }: Corpus): Generator<Found> {
  const { vocabulary, lexical } = text
  for (const word of ends) {
    const term = vocabulary.termOf(word),
      passages = term < 0 ? 0 : lexical.documentFrequency(term)
    // stems that no text has as a word are left out
    if (passages > 0 && vocabulary.smallCount(word) > 0)
      yield { kind: 'word', text: vocabulary.word(word), passages }
  }
}

const KINDS = ['title', 'name', 'word']

function byWorth(typed: string): (a: Found, b: Found) => number {
  const later = ({ text }: Found): number => (text.startsWith(typed) ? 0 : 1)
  return (a, b) =>
    later(a) - later(b) ||
    b.passages - a.passages ||
    KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
    compareIds(a.text, b.text)
}
