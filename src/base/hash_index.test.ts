import { expect, it } from 'vitest'
import { fnv1a } from './hash.ts'
import { HashIndex } from './hash_index.ts'

function interner(hash: (word: string) => number): { id(word: string): number; words: string[] } {
  const words: string[] = [],
    index = new HashIndex((id) => hash(words[id] as string))
  return {
    words,
    id(word) {
      let at = index.first(hash(word))
      for (; index.at(at) >= 0; at = index.next(at))
        if (words[index.at(at)] === word) return index.at(at)
      words.push(word)
      index.put(at, words.length - 1)
      return words.length - 1
    },
  }
}

it('numbers words as a Map does, through growth and collisions', () => {
  for (const hash of [fnv1a, () => 5]) {
    const table = interner(hash),
      oracle = new Map<string, number>()
    for (let i = 0; i < 3000; i++) {
      const word = `w${(i * 7919) % 1201}`
      if (!oracle.has(word)) oracle.set(word, oracle.size)
      expect(table.id(word)).toBe(oracle.get(word))
    }
    expect(table.words).toEqual([...oracle.keys()])
  }
})

it('holds ids 0 to n - 1 after fill', () => {
  const words = Array.from({ length: 2000 }, (_, i) => `x${i}`),
    index = new HashIndex((id) => fnv1a(words[id] as string))
  index.fill(words.length)
  expect(index.size).toBe(2000)
  words.forEach((word, id) => {
    let at = index.first(fnv1a(word))
    while (index.at(at) >= 0 && words[index.at(at)] !== word) at = index.next(at)
    expect(index.at(at)).toBe(id)
  })
})
