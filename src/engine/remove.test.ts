import { expect, it } from 'vitest'
import { createEngine } from '../node.ts'

it('a document that is removed is gone at once, also without an embedder', async () => {
  const engine = await createEngine({ corpus: 'removal' })
  await engine.add([
    { id: 'a', text: 'Ada Quist met Bela Trom.' },
    { id: 'b', text: 'Bela Trom wrote to Dora Wex.' },
  ])
  expect(await engine.remove(['a', 'x'])).toMatchObject({ removed: ['a'], missing: ['x'] })
  expect(await engine.getDocument('a')).toBeNull()
  expect((await engine.status()).documents).toBe(1)
  expect(
    (await engine.retrieve('Who met Bela Trom?')).sources.map(({ documentId }) => documentId),
  ).toEqual(['b'])
  await engine.close()
})
