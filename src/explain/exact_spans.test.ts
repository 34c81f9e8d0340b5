/** Spans of names, mentions and steps, in texts of all scripts: exact, by any order of pieces. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ReasoningPath, RetrieveResult } from '../types.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'

const PIECES = [
  'Ada Lund met Ole Berg in New York.',
  'George W. Bush flew an Airbus A320 to São Tomé, e\u0301te\u0301 2004.',
  '他在上海大学学习。',
  '東京大学は「山田太郎」の母校です。',
  '김철수는 서울대학교에서 공부했다.',
  'Анна Каренина приехала в Санкт-Петербург.',
  'Η Μαρία Κάλλας τραγούδησε στην Αθήνα.',
  'درست ليلى في جامعة القاهرة.',
  'O\u2019Neill & Söhne GmbH 🚲 in Łódź',
  '**Leonardo da Vinci** | AT&T |\n- iPhone\u00ad of Ada Lund',
  'ΟΔΥΣΣΕΥΣ İstanbul \ud83d Straße',
] as const
const NAMES = ['Ada Lund', 'George W. Bush', '上海大学', '東京大学', '서울대학교', 'Анна Каренина']

/** A span with the text it is of: inside it, not empty, cutting no pair of units. */
function expectExact(text: string, start: number, end: number): void {
  expect(start).toBeGreaterThanOrEqual(0)
  expect(end).toBeGreaterThan(start)
  expect(end).toBeLessThanOrEqual(text.length)
  for (const at of [start, end]) {
    const before = text.charCodeAt(at - 1),
      behind = text.charCodeAt(at)
    expect(before >= 0xd800 && before < 0xdc00 && behind >= 0xdc00 && behind < 0xe000).toBe(false)
  }
}

function checkPath(path: ReasoningPath, texts: ReadonlyMap<string, string>): void {
  for (const step of path.steps) {
    const text = texts.get(step.documentId)!
    if (!step.inTitle) {
      expectExact(text, step.start, step.end)
      expect(text.slice(step.start, step.end)).toBe(step.text)
    }
    expectExact(text, step.sentence.start, step.sentence.end)
    expect(text.slice(step.sentence.start, step.sentence.end)).toBe(step.sentence.text)
  }
}

function check({ sources, reasoning }: RetrieveResult, texts: ReadonlyMap<string, string>): void {
  for (const source of sources) {
    const text = texts.get(source.documentId)!
    expectExact(text, source.start, source.end)
    expect(text.slice(source.start, source.end)).toBe(source.text)
    for (const { start, end } of source.evidence) expectExact(text, start, end)
  }
  for (const path of reasoning) checkPath(path, texts)
}

it('are exact for every source, evidence and step', { timeout: 60_000 }, async () => {
  const document = fc
    .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 })
    .chain((pieces) => fc.constantFrom(' ', '\n', '\n\n').map((gap) => pieces.join(gap)))
  let steps = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...NAMES),
      async (documents, name) => {
        const texts = new Map(documents.map((text, i) => [`d${i}`, text])),
          engine = await openTestEngine([...texts].map(([id, text]) => ({ id, text })))
        const answer = await engine.retrieve(`${name}?`)
        check(answer, texts)
        for (const { steps: of } of answer.reasoning) steps += of.length
        const [known] = await engine.resolveEntities([name])
        for (const { documentId, start, end, text } of known ? await engine.passagesOf(name) : [])
          expect(texts.get(documentId)!.slice(start, end)).toBe(text)
        await engine.close()
      },
    ),
    { numRuns: 60, seed: 18 },
  )
  expect(steps).toBeGreaterThan(20)
})
