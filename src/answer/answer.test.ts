import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { questionKind } from '../sentences/question_kind.ts'
import { spansOf } from '../sentences/spans.ts'
import { wordCount } from '../sentences/words.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import type { LocalEngine } from '../engine/engine.ts'

const DOCUMENTS = [
  {
    id: 'wood',
    title: 'Ed Wood (film)',
    text:
      'Ed Wood is a 1994 American comedy film directed by Tim Burton. It stars Johnny Depp. ' +
      'The film was shot in black and white over ten weeks.',
  },
  {
    id: 'burton',
    title: 'Tim Burton',
    text: 'Timothy Walter Burton is an American director. He was born in Burbank, California, in 1958.',
  },
  {
    id: 'harbour',
    title: 'Harbour fees',
    text: 'A berth costs 42 euros a night. Boats over ten metres pay twice. Electricity is included.',
  },
  {
    id: 'garden',
    title: 'Garden rules',
    text: 'Plots are handed out in March. Water is shut off in November. Dogs stay on a lead.',
  },
]

describe('the short answer', () => {
  let engine: LocalEngine
  beforeAll(async () => {
    engine = await openTestEngine(DOCUMENTS)
  })
  afterAll(() => engine.close())

  it('quotes the sentence that answers, its part marked', async () => {
    const { answer } = await engine.retrieve('How much does a berth cost a night?')
    expect(answer.state).not.toBe('none')
    const quote = answer.quotes[0]!
    expect(quote.documentId).toBe('harbour')
    expect(quote.text).toMatch(/^A berth costs 42 euros a night\./)
    expect(
      quote.text.slice(quote.highlight.start - quote.start, quote.highlight.end - quote.start),
    ).toBe('42')
  })

  it('takes the sentence before where one begins with a pronoun', async () => {
    const { answer } = await engine.retrieve('Where was Timothy Walter Burton born?')
    const quote = answer.quotes.find(({ documentId }) => documentId === 'burton')!
    expect(quote.text).toMatch(/^Timothy Walter Burton .*1958\.$/)
    expect(
      quote.text.slice(quote.highlight.start - quote.start, quote.highlight.end - quote.start),
    ).toContain('Burbank')
  })

  it('is exact text of at most three quotes and 60 words, the same every time', async () => {
    for (const question of [
      'Who directed Ed Wood?',
      'Where was the director of Ed Wood born?',
      'When are plots handed out?',
      'Is electricity included?',
      '?',
    ]) {
      const { answer } = await engine.retrieve(question),
        again = await engine.retrieve(question)
      expect(again.answer).toEqual(answer)
      expect(answer.quotes.length).toBeLessThanOrEqual(3)
      expect(answer.quotes.reduce((sum, { text }) => sum + wordCount(text), 0)).toBeLessThanOrEqual(
        60,
      )
      expect(answer.confidence).toBeGreaterThanOrEqual(0)
      expect(answer.confidence).toBeLessThanOrEqual(1)
      for (const { documentId, start, end, text, highlight } of answer.quotes) {
        expect(DOCUMENTS.find(({ id }) => id === documentId)!.text.slice(start, end)).toBe(text)
        expect(highlight.start).toBeGreaterThanOrEqual(start)
        expect(highlight.end).toBeLessThanOrEqual(end)
        expect(highlight.end).toBeGreaterThan(highlight.start)
      }
    }
  })

  it('says that a foreign question is not answered, with the nearest and without a path', async () => {
    const { answer, reasoning, sources } = await engine.retrieve(
      'Which enzyme unwinds the double helix before replication?',
    )
    expect(answer.state).toBe('none')
    expect(reasoning).toEqual([])
    expect(sources.length).toBeGreaterThan(0)
  })

  it('completes a question that leans on what was said, and no other', async () => {
    const read = async (question: string, history: readonly string[]): Promise<string> =>
      (await engine.retrieve(question, { history })).debug.question
    const said = ['Who directed Ed Wood?', 'Tim Burton directed it.']
    expect(await read('And where was he born?', said)).toBe('And where was Tim Burton born?')
    expect(await read('What is his nationality?', said)).toBe("What is Tim Burton's nationality?")
    const placed = ['Who was Tim Burton?', 'Tim Burton was born in Burbank.']
    expect(await read('And where did he live?', placed)).toBe('And where did Tim Burton live?')
    expect(await read('When are plots handed out?', said)).toBe('When are plots handed out?')
    expect(await read('What about a mooring?', ['How much does a berth cost a night?'])).toMatch(
      /^What about a mooring\? .*cost/,
    )
    expect(await read('And where was he born?', [])).toBe('And where was he born?')
  })

  it('refuses a history that is none', async () => {
    for (const history of ['x', [1], [{ role: 'user' }], [null]])
      await expect(engine.retrieve('Who?', { history: history as never })).rejects.toMatchObject({
        code: 'input/invalid',
        details: { field: 'history' },
      })
  })
})

describe('a question', () => {
  it('asks for a person, a place, a time, a number, or yes and no', () => {
    for (const [question, wanted] of [
      ['Who wrote it?', 'person'],
      ['In which city was he born?', 'place'],
      ['What year did it open?', 'time'],
      ['How many boats are there?', 'number'],
      ['Is the harbour open?', 'yes-no'],
      ['Wo liegt die Bauaufsicht?', 'place'],
      ['Wann wurde sie gebaut?', 'time'],
      ['What is a berth?', 'other'],
    ] as const)
      expect(questionKind(question).wanted, question).toBe(wanted)
    expect(questionKind('Which is older, Alpha or the Beta?').options).toEqual([
      'alpha',
      'the beta',
    ])
  })

  it('finds parts of the kind asked for in any text, in order', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        for (const wanted of ['person', 'time', 'number', 'other'] as const) {
          let last = 0
          for (const { start, end } of spansOf(text, wanted)) {
            expect(start).toBeGreaterThanOrEqual(last)
            expect(end).toBeGreaterThan(start)
            last = end
          }
        }
      }),
    )
  })
})
