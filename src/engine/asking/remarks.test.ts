import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.doUnmock('compromise/three')
  vi.resetModules()
})

it('a question is answered without compromise, with a warning, and with it once it loads', async () => {
  vi.doMock('compromise/three', () => {
    throw new Error('gone')
  })
  const { grammarWarning } = await import('./remarks.ts'),
    { grammarOf, SENTENCE } = await import('../../explain/name_grammar.ts')
  expect(await grammarWarning()).toMatch(/compromise/)
  expect(grammarOf('manage animated images')).toBe(0)
  vi.doUnmock('compromise/three')
  expect(await grammarWarning()).toBeNull()
  expect(grammarOf('manage animated images') & SENTENCE).toBe(SENTENCE)
})
