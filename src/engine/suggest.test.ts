import { describe, expect, it } from 'vitest'
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
