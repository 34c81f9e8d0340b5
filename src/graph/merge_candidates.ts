/**
 * Owns which pairs of names may be one, by how they are written and by what stands beside them.
 * Refuses: deciding, and comparing every name with every other: each way looks names up by a key
 * that both would share, and passes over keys that too many share. Work grows with the names and
 * their mentions, times small constants.
 */
import { crc32Text } from '../base/checksum.ts'
import type { MergeReason } from '../types.ts'
import { nearWords } from './near_words.ts'
import type { TextIndex } from './text_index.ts'

export interface MergeCandidate {
  readonly a: number
  readonly b: number
  readonly reasons: readonly MergeReason[]
}

type Kind = MergeReason['kind']
interface Name {
  readonly name: number
  readonly words: readonly string[]
  readonly text: string
}

/** Names that share a key, at most: more of them are a pattern of the language. */
const MOST_SHARING = 8
/** Letters of an acronym. */
const ACRONYM = { least: 2, most: 6 }
/**
 * Passages of a name whose other names are looked at; a name in more stands beside too many to be
 * told by them.
 */
export const NEIGHBOUR_PASSAGES = 64
/**
 * A passage of more names is a list, which says of none who stands beside it; and reading it for
 * each of them would take its square.
 */
const MOST_BESIDE = 256
/** A neighbour is telling in at most so many passages. */
const RARE_PASSAGES = 50
const LEAST_NEIGHBOURS = 3
const LEAST_OVERLAP = 0.5
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
  yield* company(names, index, pairs)
  return pairs.all()
}

/** Neighbours read before others get their turn: a few milliseconds. */
const TURN = 50_000

/** Says when it is time to let others have a turn. */
export class Pace {
  #left = TURN

  spent(steps: number): boolean {
    this.#left -= steps + 1
    if (this.#left > 0) return false
    this.#left = TURN
    return true
  }
}

class Pairs {
  readonly #found = new Map<string, { a: Name; b: Name; reasons: Map<Kind, number> }>()

  add(x: Name, y: Name, kind: Kind, value: number): void {
    if (x.name === y.name) return
    const [a, b] = x.text < y.text ? [x, y] : [y, x],
      key = `${a.name} ${b.name}`
    const pair = this.#found.get(key) ?? { a, b, reasons: new Map<Kind, number>() }
    pair.reasons.set(kind, Math.max(value, pair.reasons.get(kind) ?? 0))
    this.#found.set(key, pair)
  }

  all(): MergeCandidate[] {
    return [...this.#found.values()]
      .sort((x, y) =>
        x.a.text === y.a.text ? (x.b.text < y.b.text ? -1 : 1) : x.a.text < y.a.text ? -1 : 1,
      )
      .map(({ a, b, reasons }) => ({
        a: a.name,
        b: b.name,
        reasons: Array.from(reasons, ([kind, value]) => ({ kind, value })),
      }))
  }
}

function byKey(
  names: readonly Name[],
  keysOf: (name: Name) => Iterable<string>,
): Map<string, Name[]> {
  const groups = new Map<string, Name[]>()
  for (const name of names) {
    for (const key of keysOf(name)) {
      const group = groups.get(key)
      if (!group) groups.set(key, [name])
      else if (group.length <= MOST_SHARING && group.at(-1) !== name) group.push(name)
    }
  }
  return groups
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

/**
 * Names that stand beside the same rare names and never in one passage, found by the smallest of
 * two hashes of their neighbours (Broder, On the resemblance and containment of documents, 1997),
 * four times.
 */
function* company(names: readonly Name[], index: TextIndex, pairs: Pairs): Generator<void, void> {
  const pace = new Pace()
  const hashes = new Map<number, number>(),
    hashOf = (name: number): number => {
      // of the text, not of the number, which is another in every index
      const hash = hashes.get(name) ?? crc32Text(index.nameText(name))
      hashes.set(name, hash)
      return hash
    }
  const bandsOf = new Map<number, readonly string[]>(),
    few = names.filter(({ name }) => index.graph.documentFrequency(name) <= NEIGHBOUR_PASSAGES)
  for (const { name } of few) {
    const near = Array.from(neighboursOf(name, index), hashOf)
    bandsOf.set(
      name,
      near.length < LEAST_NEIGHBOURS
        ? []
        : [0, 1, 2, 3].map(
            (band) => `${band} ${least(near, 2 * band)} ${least(near, 2 * band + 1)}`,
          ),
    )
    if (pace.spent(near.length)) yield
  }
  const bands = byKey(few, ({ name }) => bandsOf.get(name) as readonly string[])
  for (const group of bands.values()) {
    if (group.length > MOST_SHARING) continue
    for (const [i, a] of group.entries()) {
      const x = neighboursOf(a.name, index)
      for (const b of group.slice(i + 1)) {
        const y = neighboursOf(b.name, index),
          both = [...x].filter((name) => y.has(name)).length,
          overlap = both / (x.size + y.size - both)
        if (
          overlap >= LEAST_OVERLAP &&
          !x.has(b.name) &&
          !y.has(a.name) &&
          !together(a.name, b.name, index)
        )
          pairs.add(a, b, 'neighbours', 0.8 * overlap)
        if (pace.spent(x.size + y.size)) yield
      }
    }
  }
}

/** Rare names in the passages of a name, or in some of them. */
export function neighboursOf(
  name: number,
  index: TextIndex,
  slots: readonly number[] = slotsOf(name, index),
): Set<number> {
  const { mentions } = index.graph,
    near = new Set<number>()
  for (const slot of slots) {
    if (mentions.length(slot) > MOST_BESIDE) continue
    for (let i = mentions.offset(slot), end = i + mentions.length(slot); i < end; i++) {
      const other = (mentions.data[i] as number) >>> 1
      if (other !== name && index.graph.documentFrequency(other) <= RARE_PASSAGES) near.add(other)
    }
  }
  return near
}

export function slotsOf(name: number, index: TextIndex): number[] {
  const { holders } = index.graph,
    from = holders.offset(name)
  return Array.from(
    holders.data.subarray(from, from + holders.length(name)),
    (holder) => holder >>> 1,
  )
}

function together(a: number, b: number, index: TextIndex): boolean {
  const slots = new Set(slotsOf(a, index))
  return slotsOf(b, index).some((slot) => slots.has(slot))
}

function least(hashes: readonly number[], salt: number): number {
  let smallest = Infinity
  for (const hash of hashes) {
    let mixed = Math.imul(hash ^ (salt * 0x9e3779b1), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    smallest = Math.min(smallest, (mixed ^ (mixed >>> 16)) >>> 0)
  }
  return smallest
}
