/** Names that callers write in free text: exact, by an alias, or the nearest ones of the corpus. */
import type { Corpus } from '../corpus/corpus.ts'
import { compareIds } from '../base/compare_ids.ts'
import { HubmeshError } from '../base/errors.ts'
import { editDistance } from '../base/edit_distance.ts'
import { namesWith, peopleCalled } from '../graph/names/part_names.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'

const LEGAL = new Set(
  'inc incorporated ltd limited llc corp corporation co company gmbh ag plc sa se'.split(' '),
)

/**
 * The names a caller may mean, whatever the capitals, each as what it was merged into: as it
 * stands, else without an article, a possessive, a legal form or the stops of an acronym, else
 * whom this surname or first name stands for, else the one name in the text. Several only where
 * people share a name; none where the corpus has none.
 */
export function findNames(text: string, corpus: Corpus): number[] {
  const words = wordsOf(text)
  for (const variant of variantsOf(words)) {
    const name = exact(variant, corpus)
    if (name >= 0) return [name]
  }
  const [only, ...rest] = withoutAffixes(words)
  if (only !== undefined && rest.length === 0) {
    // a family by its plural: the Dahls
    for (const surname of only.endsWith('s') ? [only, only.slice(0, -1)] : [only]) {
      const people = peopleCalled(surname, corpus.text)
      if (people.length > 0) return people
    }
  }
  const held = new Set<number>()
  corpus.text.readNames(text, new WordBuffer(), false, (name) => {
    if (corpus.text.graph.documentFrequency(name) > 0) held.add(name)
  })
  return held.size === 1 &&
    words.length <= 2 * corpus.text.nameText([...held][0]!).split(' ').length
    ? [...held]
    : []
}

/** The one name a caller means; -1 where the corpus has none, or several. */
export function findName(text: string, corpus: Corpus): number {
  const names = findNames(text, corpus)
  return names.length === 1 ? names[0]! : -1
}

/**
 * The one name a caller means by `field`. Throws `input/invalid` where the corpus has none, with the
 * nearest, and where several share it, with all of them.
 */
export function nameMeant(text: string, corpus: Corpus, field = 'name'): number {
  const names = findNames(text, corpus)
  if (names.length === 1) return names[0]!
  const near =
    names.length > 1
      ? names.map((name) => corpus.text.nameText(name)).sort(compareIds)
      : nearestNames(text, corpus)
  throw new HubmeshError(
    'input/invalid',
    names.length > 1
      ? `${field}: several names of the corpus share it; say which is meant: ${near.join(', ')}.`
      : `${field}: the corpus does not know this name. ` +
          (near.length > 0
            ? `Nearest: ${near.join(', ')}.`
            : 'resolveEntities() tells which names it knows.'),
    { details: { field, nearest: near } },
  )
}

/** What callers gave as names: those the corpus has, those it has not, and what there is to say. */
export interface GivenNames {
  readonly names: readonly number[]
  readonly unknown: readonly string[]
  readonly warnings: readonly string[]
}

export function readGivenNames(texts: readonly string[], corpus: Corpus): GivenNames {
  const names = new Set<number>(),
    unknown: string[] = [],
    warnings: string[] = []
  for (const text of texts) {
    const found = findNames(text, corpus)
    for (const name of found) names.add(name)
    if (found.length > 1) warnings.push(severalNames(text, found, corpus))
    if (found.length > 0) continue
    unknown.push(text)
    warnings.push(unknownName(text, corpus))
  }
  return { names: [...names], unknown, warnings }
}

/** That a name stands for several, all of which are taken. */
export function severalNames(text: string, names: readonly number[], corpus: Corpus): string {
  const all = names.map((name) => corpus.text.nameText(name)).join(', ')
  return `${JSON.stringify(text)} may be any of these names, and all were taken: ${all}.`
}

/** That the corpus does not have a name, with what is nearest. */
export function unknownName(text: string, corpus: Corpus): string {
  const near = nearestNames(text, corpus)
  return (
    `The corpus has no single name for ${JSON.stringify(text)}.` +
    (near.length > 0 ? ` Nearest: ${near.join(', ')}.` : '')
  )
}

/** At most `most` names that are spelt like this one or share a word with it, best first. */
export function nearestNames(text: string, corpus: Corpus, most = 3): string[] {
  const { vocabulary } = corpus.text,
    found = new Set<number>()
  for (const word of wordsOf(text)) {
    for (const name of namesWith(word, corpus.text)) found.add(name)
    if (word.length < 4) continue
    for (const id of vocabulary.near(word, 2))
      if (editDistance(word, vocabulary.word(id), 2) <= 2)
        for (const name of namesWith(vocabulary.word(id), corpus.text)) found.add(name)
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

/** Without an article, a possessive and a legal form. */
function withoutAffixes(words: readonly string[]): string[] {
  let rest = [...words]
  if (rest.length > 1 && rest[0] === 'the') rest = rest.slice(1)
  if (rest.length > 1 && rest.at(-1) === 's') rest = rest.slice(0, -1)
  while (rest.length > 1 && LEGAL.has(rest.at(-1)!)) rest = rest.slice(0, -1)
  return rest
}

function variantsOf(words: readonly string[]): string[][] {
  const out = [[...words]],
    rest = withoutAffixes(words),
    last = rest.at(-1)
  out.push(rest, ['the', ...rest])
  // a family: the Dahls, Dahl
  if (last?.endsWith('s')) out.push([...rest.slice(0, -1), last.slice(0, -1)])
  if (rest.length > 1 && rest.every((word) => word.length === 1)) out.push([rest.join('')])
  if (rest.length === 1 && rest[0]!.length <= 4) out.push([...rest[0]!])
  for (const form of LEGAL) out.push([...rest, form])
  return out.filter((variant) => variant.length > 0)
}

function exact(words: readonly string[], { text }: Corpus): number {
  const buffer = new WordBuffer().read(words.join(' '), text.vocabulary, true),
    spelt = text.gazetteer.trie.find(buffer.ids, 0, buffer.length)
  const name = spelt < 0 ? -1 : text.merges.canonical(spelt)
  return name >= 0 && text.graph.documentFrequency(name) > 0 ? name : -1
}
