/**
 * Pairs of names that may be one, by spelling and by shared neighbours. Names meet by keys both
 * would have, never each with each, so work grows with the names and their mentions.
 */
import { byKey, MOST_SHARING, Pairs, type MergeCandidate, type Name } from './name_pairs.ts'
import { nearWords } from './near_words.ts'
import { neighbourPairs } from './neighbours.ts'
import type { TextIndex } from './text_index.ts'

/** Letters of an acronym. */
const ACRONYM = { least: 2, most: 6 }
const MARKS = /\p{M}/gu

/** Names in the order of their texts; of merged ones that by which all are known. */
export function* mergeCandidates(index: TextIndex): Generator<void, MergeCandidate[]> {
  const { trie } = index.gazetteer,
    names: Name[] = []
  for (let name = 0; name < trie.size; name++) {
    if (
      !trie.isInForce(name) ||
      index.merges.canonical(name) !== name ||
      index.graph.documentFrequency(name) === 0
    )
      continue
    const words = trie.wordsOf(name).map((word) => index.vocabulary.word(word))
    names.push({ name, words, text: words.join(' ') })
  }
  names.sort((a, b) => (a.text < b.text ? -1 : 1))
  const pairs = new Pairs()
  for (const way of [joinings, acronyms, initials, parts, spellings]) {
    yield
    way(names, index, pairs)
  }
  yield* neighbourPairs(names, index, pairs)
  return pairs.all()
}

/** Jean-Paul and Jean Paul, Beyoncé and Beyonce. */
function joinings(names: readonly Name[], _index: TextIndex, pairs: Pairs): void {
  for (const group of byKey(names, ({ words }) => [
    words.join('').normalize('NFD').replace(MARKS, ''),
  ]).values()) {
    if (group.length > MOST_SHARING) continue
    group.forEach((a, i) => {
      for (const b of group.slice(i + 1)) pairs.add(a, b, 'joining', 0.9)
    })
  }
}

/** UN and United Nations, U.S. and United States, with small words and without. */
function acronyms(names: readonly Name[], index: TextIndex, pairs: Pairs): void {
  const spelt = byKey(
    names.filter(({ words }) => words.length > 1),
    ({ words }) => {
      const first = (some: readonly string[]): string =>
        some.map((word) => String.fromCodePoint(word.codePointAt(0)!)).join('')
      return new Set([
        first(words),
        first(words.filter((word) => !index.vocabulary.isStop(index.vocabulary.find(word)))),
      ])
    },
  )
  for (const name of names) {
    const letters =
      name.words.length === 1 || name.words.every((word) => word.length === 1)
        ? name.words.join('')
        : ''
    if (letters.length < ACRONYM.least || letters.length > ACRONYM.most || /\p{N}/u.test(letters))
      continue
    const long = (spelt.get(letters) ?? []).filter((other) =>
      other.words.some((word) => word.length > 1),
    )
    if (long.length <= MOST_SHARING)
      for (const other of long)
        pairs.add(
          name,
          other,
          'acronym',
          (letters.length === 2 ? 0.6 : 0.8) / Math.sqrt(long.length),
        )
  }
}

/** J. K. Rowling and Joanne Rowling. */
function initials(names: readonly Name[], _index: TextIndex, pairs: Pairs): void {
  const people = names.filter(({ words }) => words.length > 1 && words.at(-1)!.length > 2)
  const isShort = ({ words }: Name): boolean => words.slice(0, -1).some((word) => word.length === 1)
  const groups = byKey(
    people.filter((name) => !isShort(name)),
    ({ words }) => [`${words[0]![0]} ${words.at(-1)!}`],
  )
  for (const short of people.filter(isShort)) {
    const long = (groups.get(`${short.words[0]![0]} ${short.words.at(-1)!}`) ?? []).filter(
      ({ words }) => fits(short.words.slice(0, -1), words.slice(0, -1)),
    )
    if (long.length <= MOST_SHARING)
      for (const other of long) pairs.add(short, other, 'initials', 0.7 / long.length)
  }
}

/**
 * Whether given names, some of them shortened, may be these: each begins one of them in order, or
 * there are more than are spelt out.
 */
function fits(short: readonly string[], long: readonly string[]): boolean {
  return short
    .slice(0, long.length)
    .every((word, i) => (word.length === 1 ? long[i]!.startsWith(word) : long[i] === word))
}

/**
 * Derrickson, where the corpus has one longer name alone that ends or begins with it; and it stands
 * by itself too.
 */
function parts(names: readonly Name[], index: TextIndex, pairs: Pairs): void {
  const holders = byKey(
    names.filter(({ words }) => words.length > 1),
    ({ words }) => new Set([words[0]!, words.at(-1)!]),
  )
  for (const name of names) {
    const [word, ...rest] = name.words
    if (word === undefined || rest.length > 0 || word.length < 3) continue
    const [only, second] = holders.get(word) ?? []
    if (
      only &&
      !second &&
      index.graph.documentFrequency(name.name) > index.graph.documentFrequency(only.name)
    )
      pairs.add(name, only, 'part', 0.5)
  }
}

/** Names that differ in one word by one slip. */
function spellings(names: readonly Name[], _index: TextIndex, pairs: Pairs): void {
  const known = new Map(names.map((name) => [name.text, name])),
    near = nearWords(names.flatMap(({ words }) => words))
  for (const name of names) {
    name.words.forEach((word, at) => {
      for (const other of near.get(word) ?? []) {
        const found = known.get(
          [...name.words.slice(0, at), other, ...name.words.slice(at + 1)].join(' '),
        )
        if (found && name.text < found.text)
          pairs.add(name, found, 'spelling', name.words.length > 1 ? 0.8 : 0.35)
      }
    })
  }
}
