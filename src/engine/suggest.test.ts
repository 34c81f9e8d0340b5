import { describe, expect, it } from 'vitest'
import { suggestionsFor } from '../explain/suggest.ts'
import { namesByWord } from '../graph/names_by_word.ts'
import { TextIndex } from '../graph/text_index.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'

const DOCUMENTS = [
  { id: '1', title: 'Rosalind Achterberg', text: 'Rosalind Achterberg repairs the boats at noon.' },
  {
    id: '2',
    title: 'José Peñalver',
    text: 'José Peñalver met Rosalind Achterberg at the harbour.',
  },
  {
    id: '3',
    title: 'Harbour',
    text: 'The harbour has room for boats, and rosaries are sold there.',
  },
]

async function suggested(prefix: string, options = {}): Promise<string[]> {
  const engine = await openTestEngine()
  try {
    await engine.add(DOCUMENTS)
    await engine.ready('settled')
    return (await engine.suggest(prefix, options)).map(({ text, kind }) => `${kind} ${text}`)
  } finally {
    await engine.close()
  }
}

describe('suggest', () => {
  it('gives titles, names and words by their beginning, each once', async () => {
    expect(await suggested('ros')).toEqual(['title Rosalind Achterberg', 'word rosaries'])
    expect(await suggested('har')).toEqual(['word harbour'])
    expect(await suggested('boa')).toEqual(['word boats'])
  })

  it('finds a name by a later word, by several words, and without its marks', async () => {
    expect(await suggested('acht')).toEqual(['title Rosalind Achterberg'])
    expect(await suggested('rosalind a')).toEqual(['title Rosalind Achterberg'])
    expect(await suggested('jose pen')).toEqual(['title José Peñalver'])
    expect(await suggested('boats a')).toEqual([])
  })

  it('gives no more than asked for, nothing for nothing, and refuses other input', async () => {
    expect(await suggested('r', { limit: 1 })).toHaveLength(1)
    expect(await suggested(' ')).toEqual([])
    await expect(suggested(undefined as never)).rejects.toMatchObject({ code: 'input/invalid' })
    await expect(suggested('r', { limit: 0 })).rejects.toMatchObject({ code: 'input/invalid' })
  })
})

describe('over a large corpus', () => {
  it('gives a word once, in the form of most passages', async () => {
    const engine = await openTestEngine([
      { id: '1', text: 'We paint boats, and boating is fun.' },
      { id: '2', text: 'Some boats arrive.' },
    ])
    expect((await engine.suggest('boa')).map(({ text }) => text)).toEqual(['boats'])
    await engine.close()
  })

  it('looks at words and names that begin so, whatever else there is', () => {
    const index = new TextIndex(() => ({ id: '', title: '', text: '', opening: false }) as never),
      { vocabulary } = index,
      { trie } = index.gazetteer,
      letters = 'abcdefghijklmnopqrstuvwxyz'
    // 26 x 26 beginnings of 60 words each, and a name of each word
    for (const a of letters)
      for (const b of letters)
        for (let i = 0; i < 60; i++) {
          const word = vocabulary.intern(`${a}${b}${letters[i % 26]}${String(i)}`)
          trie.intern([word, vocabulary.intern('club')])
        }
    const names = namesByWord(trie)
    suggestionsFor('qxa', {}, { text: index } as never)
    expect(vocabulary.prefixes.looked).toBe(60)
    expect(names.looked).toBeLessThanOrEqual(60)
    suggestionsFor('q', {}, { text: index } as never)
    expect(vocabulary.prefixes.looked).toBe(60 + 26 * 60)
    const before = names.looked
    suggestionsFor('qxa0 cl', {}, { text: index } as never)
    expect(names.looked - before).toBe(1)
  })
})
