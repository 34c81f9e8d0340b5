import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../chunk/estimate_tokens.ts'
import { packContext, selectSources } from './packing.ts'
import type { Candidate } from './packing.ts'
import type { PlannerDocument } from './result.ts'

const document = (text: string, title = ''): PlannerDocument => ({
  id: text.slice(0, 8),
  title,
  text,
  metadata: {},
  vector: null,
})
const candidate = (
  text: string,
  compositeScore: number,
  vector: number[] | null,
  rank = 0,
): Candidate => ({
  document: document(text),
  rank,
  compositeScore,
  vector: vector && Float32Array.from(vector),
})

describe('packContext', () => {
  it('never exceeds the budget by the counter in use, and packs whole documents but for one that is cut', () => {
    const words = (text: string): number => text.split(/\s+/).filter(Boolean).length
    const texts = fc.array(
      fc
        .array(fc.constantFrom('One two. ', 'Three four five! ', 'a ', 'ü 日本。'), {
          minLength: 1,
          maxLength: 12,
        })
        .map((parts) => parts.join('')),
      { minLength: 1, maxLength: 6 },
    )
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(words, estimateTokens, (text: string) => text.length),
        (list, budget, count) => {
          const { context, blocks, warnings } = packContext(
            list.map((text) => document(text)),
            budget,
            count,
          )
          if (context === '') {
            expect(warnings).toHaveLength(1)
            return
          }
          expect(count(context)).toBeLessThanOrEqual(budget)
          if (warnings.length === 0)
            expect(context).toBe(
              list
                .filter((_, i) => blocks[i] !== null)
                .map((text, i) => `[${i + 1}] ${text}`)
                .join('\n\n'),
            )
          else expect(`[1] ${list[0]!}`.startsWith(context)).toBe(true)
        },
      ),
      { seed: 5, numRuns: 300 },
    )
  })

  it('passes over what does not fit, numbers the rest without a gap, and shows a title', () => {
    const { context, blocks } = packContext(
      [document('short'), document('x'.repeat(100)), document('also short', 'Title')],
      12,
      estimateTokens,
    )
    expect(context).toBe('[1] short\n\n[2] Title\nalso short')
    expect(blocks).toEqual([1, null, 2])
    expect(packContext([], 5, estimateTokens)).toEqual({ context: '', blocks: [], warnings: [] })
  })
})

describe('selectSources', () => {
  it('takes the best in order and leaves out a text that is there already, whatever its score', () => {
    const { picked, omitted } = selectSources(
      [
        candidate('a', 1, [1, 0]),
        candidate('a', 0.99, [0, 1], 1),
        candidate('b', 0.5, null, 2),
        candidate('c', 0.4, null, 3),
      ],
      2,
      0.3,
    )
    expect(picked.map(({ document: { text } }) => text)).toEqual(['a', 'b'])
    expect(omitted).toEqual([{ id: 'a', rank: 1, reason: 'duplicate' }])
  })

  it('leaves out a near-duplicate only where its score does not outweigh the similarity', () => {
    const nearly = [0.99, Math.sqrt(1 - 0.99 ** 2)],
      alike = [0.9, Math.sqrt(1 - 0.9 ** 2)]
    const kept = (score: number, vector: number[], lambda: number): boolean =>
      selectSources([candidate('a', 1, [1, 0]), candidate('b', score, vector)], 5, lambda).picked
        .length === 2
    expect(kept(0.4, nearly, 0.3)).toBe(false)
    expect(kept(0.5, nearly, 0.3)).toBe(true)
    expect(kept(0.5, nearly, 0.6)).toBe(false)
    expect(kept(0.01, alike, 0.6)).toBe(true)
  })
})
