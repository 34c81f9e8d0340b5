import { expect, it } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'

const documents = [
  { id: 'a', text: 'Oslo lies on a fjord.' },
  { id: 'b', text: 'Lyon has two rivers.' },
  { id: 'c', text: 'Rome was not built in a day.' },
]

it('words alone find what has one of them, and nothing else', async () => {
  const engine = await openTestEngine(documents)
  const ids = async (query: string, mode: 'lexical' | 'hybrid'): Promise<string[]> =>
    (await engine.search(query, { mode })).map(({ documentId }) => documentId)
  for (const mode of ['lexical', 'hybrid'] as const) {
    expect(await ids('oslo', mode)).toEqual(['a'])
    expect(await ids('xyzzy', mode)).toEqual([])
  }
})

it('meaning ranks every passage that has a vector', async () => {
  const engine = await openTestEngine(documents, { embedder: new HashingEmbedder() })
  await engine.ready('vectors')
  for (const mode of ['dense', 'hybrid'] as const)
    expect(await engine.search('xyzzy', { mode })).toHaveLength(3)
  expect(await engine.search('xyzzy', { mode: 'lexical' })).toEqual([])
})
