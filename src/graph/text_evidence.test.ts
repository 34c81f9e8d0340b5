/** Finding names in a text, against a plain look at every pair of places. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sentenceSpans } from '../chunk/sentence_spans.ts'
import { TextEvidence } from './text_evidence.ts'

const WORD = /[\p{L}\p{N}\p{M}]/u

/** Every place of a name as whole words, for texts of plain letters. */
function places(text: string, name: string): number[] {
  return [...text].flatMap((_, at) =>
    text.startsWith(name, at) &&
    !WORD.test(text[at - 1] ?? ' ') &&
    !WORD.test(text[at + name.length] ?? ' ')
      ? [at]
      : [],
  )
}

it('finds the shortest span of both names over the fewest sentences, as a look at every pair does', () => {
  const name = fc.constantFrom('a', 'b', 'a b', 'ab', 'b a', 'c')
  fc.assert(
    fc.property(
      fc
        .array(fc.constantFrom('a', 'b', 'ab', 'c', 'Yes. So', 'x'))
        .map((words) => words.join(' ')),
      name,
      name,
      (text, subject, object) => {
        const sentences = sentenceSpans(text),
          rank = (start: number, end: number): number =>
            sentences.filter((sentence) => sentence.start > start && sentence.start < end).length *
              1e6 +
            end -
            start
        let best = Infinity
        for (const x of places(text, subject))
          for (const y of places(text, object)) {
            if (x < y + object.length && y < x + subject.length) continue
            best = Math.min(
              best,
              rank(Math.min(x, y), Math.max(x + subject.length, y + object.length)),
            )
          }
        const found = new TextEvidence(text).pair(subject, object)
        expect(found ? rank(found.start, found.end) : Infinity).toBe(best)
        if (!found) return
        const quoted = text.slice(found.start, found.end)
        expect(quoted.includes(subject) && quoted.includes(object)).toBe(true)
        expect(found.sentence.start).toBeLessThanOrEqual(found.start)
        expect(found.sentence.end).toBeGreaterThanOrEqual(found.end)
      },
    ),
    { numRuns: 2000 },
  )
})

it('takes whole words only, but inside a run of a script without spaces', () => {
  const first = (text: string, name: string) => new TextEvidence(text).first(name)?.start ?? null
  expect([
    first('Amazed zed', 'zed'),
    first('zeds', 'zed'),
    first('Élan', 'lan'),
    first('zed!', 'zed'),
    first('(zed)', 'zed'),
    first('9zed', 'zed'),
    first('naïve', 'nai'),
  ]).toEqual([7, null, null, 0, 1, null, null])
  expect([
    first('東京大学は東京にある', '東京'),
    first('IBM東京', '東京'),
    first('ไปกรุงเทพวันนี้', 'กรุงเทพ'),
  ]).toEqual([0, 3, 2])
  expect([first('𝔄𝔅 𝔅', '𝔅'), first('x', ''), first('', 'x')]).toEqual([5, null, null])
})

it('finds names in a long text in time that grows with its length', () => {
  const text = 'Ada met Bob. '.repeat(50_000),
    started = performance.now()
  expect(new TextEvidence(text).pair('Ada', 'Bob')).toEqual({
    start: 0,
    end: 11,
    sentence: { start: 0, end: 12 },
  })
  expect(performance.now() - started).toBeLessThan(5000)
})
