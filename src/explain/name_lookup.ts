/** Names that callers write in free text: exact, by an alias, or the nearest ones of the corpus. */
import type { Corpus } from '../corpus/corpus.ts'
import { compareIds } from '../base/compare_ids.ts'
import { editDistance } from '../base/edit_distance.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'

/** Passages of a word in which names that hold it are looked for. */
const MOST_PASSAGES = 500
const LEGAL = new Set(
  'inc incorporated ltd limited llc corp corporation co company gmbh ag plc sa se'.split(' '),
)

/**
 * The name a caller wrote, whatever its capitals, or what it was merged into: as it stands, else
 * without an article, a possessive, a legal form or the stops of an acronym, else the one name of
 * the corpus that begins or ends with this word, else the one name in the text. -1 where the corpus
 * has none, or several.
 */
export function findName(text: string, corpus: Corpus): number {
  const words = wordsOf(text)
  for (const variant of variantsOf(words)) {
    const name = exact(variant, corpus)
    if (name >= 0) return name
  }
  const longer = words.length === 1 ? longerNames(words[0]!, corpus, true) : []
  if (longer.length === 1) return longer[0]!
  const held = new Set<number>()
  if (longer.length === 0)
    corpus.text.readNames(text, new WordBuffer(), false, (name) => {
      if (corpus.text.graph.documentFrequency(name) > 0) held.add(name)
    })
  return held.size === 1 &&
    words.length <= 2 * corpus.text.nameText([...held][0]!).split(' ').length
    ? [...held][0]!
    : -1
}

/** At most `most` names that are spelt like this one or share a word with it, best first. */
export function nearestNames(text: string, corpus: Corpus, most = 3): string[] {
  const { vocabulary } = corpus.text,
    found = new Set<number>()
  for (const word of wordsOf(text)) {
    for (const name of longerNames(word, corpus, false)) found.add(name)
    if (word.length < 4) continue
    for (const id of vocabulary.near(word, 2))
      if (editDistance(word, vocabulary.word(id), 2) <= 2)
        for (const name of longerNames(vocabulary.word(id), corpus, false)) found.add(name)
  }
  const plain = wordsOf(text).join(' ')
  return [...found]
    .map((name) => corpus.text.nameText(name))
    .map((name) => ({ name, far: editDistance(plain, name, 12) }))
    .sort((a, b) => a.far - b.far || compareIds(a.name, b.name))
    .slice(0, most)
    .map(({ name }) => name)
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
}

function variantsOf(words: readonly string[]): string[][] {
  const out = [[...words]]
  let rest = [...words]
  if (rest[0] === 'the') out.push((rest = rest.slice(1)))
  if (rest.at(-1) === 's') out.push((rest = rest.slice(0, -1)))
  if (rest.length > 1 && LEGAL.has(rest.at(-1)!)) out.push((rest = rest.slice(0, -1)))
  const last = rest.at(-1)
  if (words[0] === 'the' && last?.endsWith('s')) out.push([...rest.slice(0, -1), last.slice(0, -1)])
  if (rest.length > 1 && rest.every((word) => word.length === 1)) out.push([rest.join('')])
  if (rest.length === 1 && rest[0]!.length <= 4) out.push([...rest[0]!])
  return out.filter((variant) => variant.length > 0)
}

function exact(words: readonly string[], { text }: Corpus): number {
  const buffer = new WordBuffer().read(words.join(' '), text.vocabulary, true),
    spelt = text.gazetteer.trie.find(buffer.ids, 0, buffer.length)
  const name = spelt < 0 ? -1 : text.merges.canonical(spelt)
  return name >= 0 && text.graph.documentFrequency(name) > 0 ? name : -1
}

/** Names with this word, or those alone that begin or end with it; by their text. */
function longerNames(word: string, { text }: Corpus, outer: boolean): number[] {
  const id = text.vocabulary.find(word),
    term = id < 0 ? -1 : text.vocabulary.termOf(id),
    names = new Set<number>()
  if (term < 0) return []
  let seen = 0
  text.lexical.visit(term, (slot) => {
    if (seen++ >= MOST_PASSAGES) return
    for (const mention of text.graph.mentions.values(slot)) {
      const words = text.gazetteer.trie.wordsOf(mention >>> 1)
      const fits = outer
        ? words.length > 1 && words.length < 4 && (words[0] === id || words.at(-1) === id)
        : words.includes(id)
      if (fits) names.add(mention >>> 1)
    }
  })
  return [...names].sort((a, b) => compareIds(text.nameText(a), text.nameText(b)))
}
