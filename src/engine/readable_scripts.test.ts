import { describe, expect, it } from 'vitest'
import type { Embedder } from '../embed/embedder.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'

/** All texts but the marked one are alike to it, as those of a script are that it has no words of. */
const embedder = (reads?: 'latin'): Embedder => ({
  identity: { model: 'blind', revision: '1', dtype: 'fp32', dims: 2, pooling: 'mean' },
  ...(reads ? { reads } : {}),
  embed: (texts) =>
    Promise.resolve(
      texts.map((text) => Float32Array.from(/99|plums|слив/.test(text) ? [0, 1] : [1, 0])),
    ),
  close: () => Promise.resolve(),
})

const TEXTS = {
  right: 'Лодочная пристань открыта утром.',
  wrong: 'Погода 99 на берегу и ничего более.',
  english: 'The harbour opens at noon.',
  plums: 'A basket of plums.',
}

async function ask(question: string, reads?: 'latin') {
  const engine = await openTestEngine(
    Object.entries(TEXTS).map(([id, text]) => ({ id, text })),
    { embedder: embedder(reads) },
  )
  await engine.ready('vectors')
  const { sources, debug } = await engine.retrieve(question, { tier: 'full' })
  return { sources, debug, warnings: (await engine.status()).warnings }
}

describe('scripts that a model cannot read', () => {
  it('passages in them get nothing of its cosine, and status() tells how many', async () => {
    const { sources, warnings } = await ask('When does the harbour open?', 'latin')
    for (const { documentId, contributions } of sources)
      if (/right|wrong/.test(documentId)) expect(contributions.meaning).toBe(0)
    expect(warnings.join()).toContain('2 of 4 passages are in a script')
    expect((await ask('When does the harbour open?')).warnings).toEqual([])
  })

  it('a question in one is ranked by its words, and told so', async () => {
    const asked = await ask('Когда открыта пристань и где сливы?', 'latin')
    expect(asked.debug.tier).toBe('text')
    expect(asked.debug.warnings.join()).toContain('cannot read the script of the question')
    expect(asked.sources[0]!.documentId).toBe('right')
    // a model that reads it is asked
    expect((await ask('Когда открыта пристань и где сливы?')).debug.tier).toBe('full')
  })
})
