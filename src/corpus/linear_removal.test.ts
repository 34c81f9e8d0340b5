/** Removing and updating cost what there is of them: counted, in values looked at and in slices. */
import { describe, expect, it } from 'vitest'
import { Slices, drain } from '../base/slices.ts'
import type { StoredDocument } from '../store/storage.ts'
import { Corpus } from './corpus.ts'

const WORDS =
  'Ada Lovelace went over the river to the garden of Slough, and the school had a light. '

/** A document of so many passages, under a title of so many words. */
function documentOf(passages: number, titleWords: number, id = 'd'): StoredDocument {
  const spans = new Int32Array(passages * 2)
  for (let i = 0; i < passages; i++) {
    spans[2 * i] = i * WORDS.length
    spans[2 * i + 1] = (i + 1) * WORDS.length - 1
  }
  return {
    ...{ id, hash: `${passages} ${titleWords}`, metadata: {}, passages: spans },
    title: Array.from({ length: titleWords }, (_, i) => `word${i}`).join(' '),
    text: WORDS.repeat(passages),
  }
}

function lookedAt(corpus: Corpus): number {
  return corpus.text.lexical.looked + corpus.text.graph.looked
}

/** Values looked at by removing one document, and by putting another in its place. */
function costs(passages: number, titleWords: number): { remove: number; update: number } {
  const corpus = new Corpus()
  drain(corpus.put(documentOf(passages, titleWords), false))
  corpus.text.settle()
  drain(corpus.put({ ...documentOf(passages, titleWords), hash: 'other' }, false))
  corpus.text.settle()
  const update = lookedAt(corpus)
  drain(corpus.remove(['d']))
  expect([corpus.text.size, corpus.table.passages, corpus.text.graph.edges]).toEqual([0, 0, 0])
  return { remove: lookedAt(corpus) - update, update }
}

describe('a long document', () => {
  it('is removed and updated in steps that grow with its passages and its title, no faster', () => {
    const small = costs(400, 100)
    for (const larger of [costs(800, 100), costs(400, 200)])
      for (const kind of ['remove', 'update'] as const) {
        expect(small[kind]).toBeGreaterThan(400)
        expect(larger[kind]).toBeLessThanOrEqual(2.1 * small[kind])
      }
  })

  it('goes in and out in slices; the older one shows until the new one is in', async () => {
    const corpus = new Corpus(),
      shown = (): number => corpus.table.mask(null).reduce((sum, out) => sum + 1 - out, 0),
      seen: number[] = [],
      slices = new Slices(),
      look = (): void => {
        seen.push(shown())
      }
    await slices.run(corpus.put(documentOf(3000, 5), false), look)
    expect(new Set(seen)).toEqual(new Set([0]))
    expect(seen.length).toBeGreaterThan(10)
    expect(shown()).toBe(3000)
    seen.length = 0
    await slices.run(corpus.put(documentOf(2000, 5), false), look)
    expect([...new Set(seen)]).toEqual([3000, 2000])
    seen.length = 0
    await slices.run(corpus.remove(['d']), look)
    expect([...new Set(seen)]).toEqual([0])
    expect(slices.longest).toBeLessThan(3 * 64 * 1024)
  })

  it('of others leaves no trace beside what stays', () => {
    const corpus = new Corpus(),
      alone = new Corpus()
    for (const one of [corpus, alone]) drain(one.put(documentOf(7, 3, 'stays'), true))
    drain(corpus.put(documentOf(50, 9, 'a'), true))
    drain(corpus.put(documentOf(60, 9, 'b'), true))
    drain(corpus.remove(['a', 'unknown', 'b']))
    for (const one of [corpus, alone]) one.rebuildText()
    expect(corpus.text.snapshot(corpus.table.order())).toEqual(
      alone.text.snapshot(alone.table.order()),
    )
    expect(corpus.table.passages).toBe(7)
  })
})
