/** What is wrong is named, and what was there stays. */
import { expect, test } from './support/test.ts'

test('bad documents are refused by name and nothing of the corpus is lost', async ({ app }) => {
  const { outcomes, before, after } = await app.evaluate(async () => {
    const engine = await openEngine({
      storage: 'memory',
      model: {
        identity: { model: 'given', revision: '1', dtype: 'f32', dims: 4, pooling: 'none' },
        embed: (texts) => Promise.resolve(texts.map(() => new Float32Array([1, 0, 0, 0]))),
        close: () => Promise.resolve(),
      },
    })
    await engine.add([
      { id: 'kept', title: 'Kept', text: 'This document stays.' },
      { id: 'other', text: 'So does this one.' },
    ])
    await engine.ready('vectors')
    const before = await engine.listDocuments()
    const file = (bytes: BlobPart[], name: string): File => new File(bytes, name)
    const attempts: [string, () => Promise<unknown>][] = [
      ['empty file', () => engine.add(file([], 'empty.txt'))],
      [
        'binary named .txt',
        () =>
          engine.add(
            file(
              [new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0, 0, 0xff, 0xfe, 0, 1, 2])],
              'archive.txt',
            ),
          ),
      ],
      ['JSON that is none', () => engine.add(file(['{"a": '], 'broken.json'))],
      [
        'the same id twice with other texts',
        () =>
          engine.add([
            { id: 'x', text: 'one' },
            { id: 'x', text: 'two' },
          ]),
      ],
      ['an id that is taken', () => engine.add({ id: 'kept', text: 'Another text.' })],
      ['NaN in a vector', () => engine.add({ id: 'v', text: 'v', vector: [0, NaN, 0, 1] })],
      ['a vector of another length', () => engine.add({ id: 'v', text: 'v', vector: [1, 0] })],
      ['a document without text', () => engine.add({ id: 'n' } as never)],
      ['null', () => engine.add(null as never)],
      ['a number', () => engine.add(7 as never)],
      [
        'a good one beside a bad one',
        () => engine.add([{ id: 'good', text: 'good' }, { id: 'bad', text: 5 } as never]),
      ],
    ]
    const outcomes = []
    for (const [name, attempt] of attempts) outcomes.push({ name, ...(await caught(attempt())) })
    const after = await engine.listDocuments()
    await engine.close()
    return { outcomes, before, after }
  })
  for (const { name, code, message, known, isError } of outcomes) {
    expect.soft({ name, code, known, isError }).toEqual({
      name,
      code: expect.stringMatching(/^input\/(invalid|conflict|too-large)$/),
      known: true,
      isError: true,
    })
    expect.soft(message.length, `${name}: ${message}`).toBeGreaterThan(30)
  }
  expect(after).toEqual(before)
})

test('bad entries can be left out by name while the others are taken', async ({ app }) => {
  const result = await app.evaluate(async () => {
    const engine = await openEngine({ storage: 'memory' })
    const result = await engine.add(
      [new File([], 'empty.txt'), new File(['Good text.'], 'good.txt'), { id: 'n' } as never],
      { onInvalid: 'skip' },
    )
    await engine.close()
    return result
  })
  expect(result.added).toHaveLength(1)
  expect(result.rejected).toHaveLength(2)
  expect(result.rejected[0]).toMatchObject({ name: 'empty.txt', code: 'input/invalid' })
})

test('strange but valid documents are taken as they are', async ({ app }) => {
  const outcome = await app.evaluate(async () => {
    const engine = await openEngine({ storage: 'memory' })
    const line = `Needle in a very long line. ${'lorem ipsum dolor '.repeat(300_000)}`
    const odd = [
      {
        id: '__proto__',
        title: '__proto__',
        text: 'The constructor of __proto__ is Hasownproperty Tostring.',
      },
      { id: 'constructor', title: 'constructor', text: 'Nothing but a word.' },
      {
        id: 'lone',
        title: 'Lone \ud800 surrogate',
        text: 'A lone \udc00 surrogate and \ud83d here.',
      },
      { id: 'line', title: 'Line', text: line },
      { id: 'void', title: '', text: ' ' },
    ]
    const none = await engine.add([])
    const added = await engine.add(odd, { onInvalid: 'skip' })
    const views = await Promise.all(added.added.map((id) => engine.getDocument(id)))
    const exact = views.every((view) =>
      odd.some(
        ({ id, text, title }) => id === view!.id && text === view!.text && title === view!.title,
      ),
    )
    const answer = await engine.retrieve('__proto__', {
      seedEntities: ['__proto__', 'constructor'],
    })
    const needle = await engine.retrieve('Needle in a line')
    await engine.close()
    return {
      none,
      added,
      exact,
      first: answer.sources[0]?.documentId,
      needle: needle.sources[0]?.documentId,
      polluted: ({} as { polluted?: unknown }).polluted,
    }
  })
  expect(outcome.none).toMatchObject({ added: [], rejected: [] })
  expect(outcome.added.added).toEqual(
    expect.arrayContaining(['__proto__', 'constructor', 'lone', 'line']),
  )
  expect(outcome.exact).toBe(true)
  expect(outcome.first).toBe('__proto__')
  expect(outcome.needle).toBe('line')
})

test('bad questions are refused by name, odd ones answered', async ({ app }) => {
  const { refused, answered } = await app.evaluate(async () => {
    const engine = await openEngine({ storage: 'memory' })
    await engine.add([
      { id: 'a', title: 'Ed Wood', text: 'Ed Wood was a filmmaker.' },
      { id: 'b', text: '京都は日本の都市である。' },
    ])
    const bad: [string, () => Promise<unknown>][] = [
      ['budget 0', () => engine.retrieve('Ed Wood', { budgetTokens: 0 })],
      ['budget -1', () => engine.retrieve('Ed Wood', { budgetTokens: -1 })],
      ['budget NaN', () => engine.retrieve('Ed Wood', { budgetTokens: NaN })],
      ['budget 1.5', () => engine.retrieve('Ed Wood', { budgetTokens: 1.5 })],
      ['topK 0', () => engine.retrieve('Ed Wood', { topK: 0 })],
      ['an empty question', () => engine.retrieve('')],
      ['no string', () => engine.retrieve(5 as never)],
      ['tier full without a model', () => engine.retrieve('Ed Wood', { tier: 'full' })],
      [
        'seeds that are no strings',
        () => engine.retrieve('Ed Wood', { seedEntities: [1] as never }),
      ],
      [
        'a filter that is a function',
        () => engine.retrieve('Ed Wood', { filter: (() => true) as never }),
      ],
    ]
    const refused = []
    for (const [name, ask] of bad) refused.push({ name, ...(await caught(ask())) })
    const answered = []
    for (const question of ['x'.repeat(100_000), 'the of and', '京都', '\ud800', '?!']) {
      const { sources, debug, context } = await engine.retrieve(question)
      answered.push({
        question: question.slice(0, 10),
        sources: sources.length,
        warnings: debug.warnings,
        context: context.length,
      })
    }
    await engine.close()
    return { refused, answered }
  })
  for (const { name, code, known } of refused)
    expect.soft({ name, code, known }).toEqual({ name, code: 'input/invalid', known: true })
  for (const answer of answered) expect.soft(answer.context, answer.question).toBeGreaterThan(0)
  expect(answered[0]!.warnings.join()).toContain('100000')
})
