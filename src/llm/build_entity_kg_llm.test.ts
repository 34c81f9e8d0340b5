/** The tests of extraction by a model: against a local server that also answers badly. */
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { SubstringLinker } from '../compat/planner/linker.ts'
import { buildEntityKGLLM } from './build_entity_kg_llm.ts'
import type { BuildEntityKGLLMOptions, LLMProgress } from './build_entity_kg_llm.ts'
import { fileLLMCache, memoryLLMCache } from './cache.ts'
import { entityKGOf } from './entity_kg_of.ts'
import { estimateEntityKGLLM } from './estimate.ts'
import { chatDouble } from './http_double.ts'
import type { ChatDouble } from './http_double.ts'
import { openAICompatible } from './openai_compatible.ts'

const doubles: ChatDouble[] = []
afterEach(async () => {
  for (const double of doubles.splice(0)) await double.close()
})

type Say = Parameters<typeof chatDouble>[0]

async function serve(say: Say, apiKey?: string): Promise<ChatDouble> {
  const double = await chatDouble(say, apiKey)
  doubles.push(double)
  return double
}

const modelAt = (double: ChatDouble, apiKey?: string) =>
  openAICompatible({
    url: `${double.url}/v1`,
    model: 'double',
    ...(apiKey === undefined ? {} : { apiKey }),
  })
const json = (triples: readonly (readonly string[])[], entities: readonly unknown[] = []): string =>
  JSON.stringify({ entities, triples })

const ADA = {
  id: 'ada',
  title: 'Notes',
  text: 'Ada Lovelace was born in London. Much later, Lovelace wrote to Charles Babbage. She died in 1852.',
}
const BABBAGE = {
  id: 'babbage',
  text: 'Charles Babbage designed the Analytical Engine. Scheutz built a Difference Engine in Stockholm.',
}
const LONDON = { id: 'london', text: 'London lies on the Thames.' }
const DOCUMENTS = [ADA, BABBAGE, LONDON]

const answers = (passage: string): string => {
  if (passage.startsWith('Ada'))
    return json(
      [
        ['Ada Lovelace', 'was born in', 'London'],
        ['Lovelace', 'wrote to', 'Charles Babbage'],
      ],
      [
        { name: 'Ada Lovelace', type: 'person' },
        { name: 'London', type: 'GPE' },
      ],
    )
  if (passage.startsWith('Charles'))
    return json([
      ['Charles Babbage', 'designed', 'Analytical Engine'],
      ['Scheutz', 'built', 'Difference Engine'],
    ])
  return json([['London', 'lies on', 'Thames']])
}

/** Waits for nothing, and tells what it was asked to wait for. */
function clock(): {
  readonly waits: number[]
  readonly wait: NonNullable<BuildEntityKGLLMOptions['wait']>
} {
  const waits: number[] = []
  return {
    waits,
    wait: (ms) => {
      waits.push(ms)
      return Promise.resolve()
    },
  }
}

describe('extraction by a model', () => {
  it('gives names and relations with their exact places', async () => {
    const double = await serve(answers),
      found = await buildEntityKGLLM(DOCUMENTS, { llm: modelAt(double), concurrency: 2 })
    expect(
      found.relations.map(({ subject, predicate, object, documentId }) => [
        documentId,
        subject,
        predicate,
        object,
      ]),
    ).toEqual([
      ['ada', 'Ada Lovelace', 'was born in', 'London'],
      ['ada', 'Lovelace', 'wrote to', 'Charles Babbage'],
      ['babbage', 'Charles Babbage', 'designed', 'Analytical Engine'],
      ['babbage', 'Scheutz', 'built', 'Difference Engine'],
      ['london', 'London', 'lies on', 'Thames'],
    ])
    for (const relation of found.relations) {
      const { text } = DOCUMENTS.find((document) => document.id === relation.documentId)!
      const quoted = text.slice(relation.start, relation.end)
      expect(quoted).toContain(relation.subject)
      expect(quoted).toContain(relation.object)
      expect(text.slice(relation.sentence.start, relation.sentence.end)).toBe(
        relation.sentence.text,
      )
      expect(relation.sentence.text).toContain(quoted)
    }
    expect(found.relations[1]!.sentence.text).toBe('Much later, Lovelace wrote to Charles Babbage.')
    for (const mention of found.mentions)
      expect(
        DOCUMENTS.find((document) => document.id === mention.documentId)!.text.slice(
          mention.start,
          mention.end,
        ),
      ).toBe(mention.name)
    expect(found.entities.find((entity) => entity.id === 'london')).toEqual({
      id: 'london',
      label: 'London',
      type: 'GPE',
      names: ['London'],
      documentIds: ['ada', 'london'],
    })
    expect(found.failures).toEqual([])
    expect(found.counts).toMatchObject({
      documents: 3,
      asked: 3,
      cached: 0,
      relations: 5,
      notInText: 0,
    })
    expect(structuredClone(found)).toEqual(found)
  })

  it('drops and counts what does not stand in the text, letter by letter and as whole words', async () => {
    const double = await serve(() =>
      json(
        [
          ['Ada Lovelace', 'knew', 'Napoleon'],
          ['Ada Lovelace', 'is', 'ada lovelace'],
          ['Ada Lovelace', 'saw', 'Bab'],
          ['Ada Lovelace', 'was', 'Lovelace'],
          ['...', 'x', 'London'],
        ],
        ['Paris', 'Love', 'London'],
      ),
    )
    const found = await buildEntityKGLLM([ADA], { llm: modelAt(double) })
    // The last but one is true: both names stand there, side by side.
    expect(found.relations.map((relation) => relation.object)).toEqual(['Lovelace'])
    expect(ADA.text.slice(found.relations[0]!.start, found.relations[0]!.end)).toBe(
      'Ada Lovelace was born in London. Much later, Lovelace',
    )
    expect(found.counts).toMatchObject({ notInText: 4, namesNotInText: 2 })
    expect(found.mentions.map((mention) => mention.name)).toEqual([
      'Ada Lovelace',
      'Lovelace',
      'London',
    ])
  })

  it('lets an answer that cannot be used cost its document and nothing else', async () => {
    const bad: readonly (readonly [string, ReturnType<Say>, string, string | null])[] = [
      ['rubbish', 'lorem ipsum {]', 'unreadable', null],
      ['refusal', 'I am sorry, I cannot help with that.', 'unreadable', null],
      ['other json', '{"answer": 42}', 'unreadable', null],
      ['half', '{"triples": [["half", "has", "text"], ["half", "ha', 'cut', null],
      [
        'own refusal',
        {
          status: 200,
          body: { choices: [{ message: { role: 'assistant', content: null, refusal: 'no' } }] },
        },
        'call',
        'remote/invalid',
      ],
      ['html', { raw: { status: 200, body: '<html>' } }, 'call', 'remote/invalid'],
      ['no choices', { status: 200, body: {} }, 'call', 'remote/invalid'],
      ['bad request', { status: 400, body: { error: {} } }, 'call', 'remote/invalid'],
      ['server error', { status: 500, body: {} }, 'call', 'remote/unavailable'],
      ['dropped', { raw: 'drop' }, 'call', 'remote/unavailable'],
      ['dropped inside', { raw: 'drop inside' }, 'call', 'remote/unavailable'],
      ['slow', { raw: 'hang' }, 'call', 'remote/timeout'],
    ]
    const by = new Map(bad.map(([name, answer]) => [`${name} text`, answer])),
      { wait, waits } = clock()
    const double = await serve((passage) => by.get(passage) ?? answers(passage))
    const cache = memoryLLMCache(),
      documents = [ADA, ...bad.map(([name]) => ({ id: name, text: `${name} text` })), LONDON]
    const found = await buildEntityKGLLM(documents, {
      llm: modelAt(double),
      cache,
      llmIdentity: 'double',
      attempts: 2,
      timeoutMs: 400,
      wait,
    })
    expect(
      found.failures.map(({ documentId, reason, code }) => [documentId, reason, code]),
    ).toEqual(bad.map(([name, , reason, code]) => [name, reason, code]))
    expect(found.failures.map((failure) => failure.attempts)).toEqual([
      1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2,
    ])
    expect(waits.length).toBe(4)
    expect(
      found.relations.filter(
        (relation) => relation.documentId === 'ada' || relation.documentId === 'london',
      ).length,
    ).toBe(3)
    // What came before the break is kept.
    expect(
      found.relations
        .filter((relation) => relation.documentId === 'half')
        .map((relation) => relation.predicate),
    ).toEqual(['has'])
    for (const failure of found.failures) expect(failure.message).not.toContain('text ')
    // Only whole answers are kept for the next time.
    expect(await estimateEntityKGLLM(documents, { cache, llmIdentity: 'double' })).toMatchObject({
      cached: 2,
      calls: bad.length,
    })
  }, 20_000)

  it('rests as long as a busy server asks, all calls together, and then goes on', async () => {
    const { wait, waits } = clock(),
      progress: LLMProgress[] = []
    let busy = 2
    const double = await serve((passage) =>
      busy-- > 0
        ? {
            status: 429,
            body: { error: { message: 'slow down' } },
            headers: { 'retry-after': '7' },
          }
        : answers(passage),
    )
    const found = await buildEntityKGLLM(DOCUMENTS, {
      llm: modelAt(double),
      wait,
      onProgress: (step) => progress.push(step),
    })
    expect(waits).toEqual([7000, 7000])
    expect(found.failures).toEqual([])
    expect(found.relations.length).toBe(5)
    expect(progress[0]).toEqual({ done: 0, total: 3, failed: 0, waitingMs: 0 })
    expect(progress.filter((step) => step.waitingMs > 0).length).toBe(2)
    expect(progress.at(-1)).toEqual({ done: 3, total: 3, failed: 0, waitingMs: 0 })
  })

  it('reads a rest that is given as a time, doubles its own, and gives up after some attempts', async () => {
    const { wait, waits } = clock()
    const double = await serve((_, asked) => ({
      status: asked.length === 1 ? 503 : 429,
      body: {},
      headers:
        asked.length === 1
          ? {
              'retry-after': 'Sun, 06 Nov 1994 08:49:47 GMT',
              date: 'Sun, 06 Nov 1994 08:49:37 GMT',
            }
          : ({} as Record<string, string>),
    }))
    const found = await buildEntityKGLLM([LONDON], { llm: modelAt(double), wait, attempts: 4 })
    expect(waits).toEqual([10_000, 2000, 4000])
    expect(found.failures).toMatchObject([
      { documentId: 'london', reason: 'call', code: 'remote/unavailable', attempts: 4 },
    ])
  })

  it('ends the whole work when the key is refused', async () => {
    const double = await serve(answers, 'right')
    await expect(
      buildEntityKGLLM(DOCUMENTS, { llm: modelAt(double, 'wrong') }),
    ).rejects.toMatchObject({
      code: 'remote/auth',
      message: expect.not.stringContaining('wrong') as string,
    })
    expect(double.requests.length).toBe(1)
    expect((await buildEntityKGLLM(DOCUMENTS, { llm: modelAt(double, 'right') })).failures).toEqual(
      [],
    )
    const foreign = (): Promise<string> =>
      Promise.reject(Object.assign(new Error('key of somebody'), { status: 401 }))
    await expect(buildEntityKGLLM(DOCUMENTS, { llm: foreign })).rejects.toMatchObject({
      code: 'remote/auth',
    })
  })

  it("takes a busy answer from any client's error, and hides the words of others", async () => {
    const { wait, waits } = clock()
    let calls = 0
    const llm = (): Promise<string> => {
      if (calls++ === 0)
        return Promise.reject(
          Object.assign(new Error('busy'), {
            status: 429,
            headers: new Headers({ 'retry-after': '2' }),
          }),
        )
      return Promise.reject(new TypeError('London lies on the Thames'))
    }
    const found = await buildEntityKGLLM([LONDON], { llm, wait })
    expect(waits).toEqual([2000])
    expect(found.failures).toEqual([
      {
        documentId: 'london',
        reason: 'call',
        code: 'remote/invalid',
        attempts: 2,
        message: "The language model's function failed with TypeError.",
      },
    ])
    expect(
      (await buildEntityKGLLM([LONDON], { llm: () => Promise.resolve(7 as unknown as string) }))
        .failures,
    ).toMatchObject([{ code: 'remote/invalid' }])
  })

  it('can be cancelled, keeps what it has, and goes on from there', async () => {
    const double = await serve(answers),
      cache = memoryLLMCache(),
      controller = new AbortController()
    const options = { llm: modelAt(double), cache, llmIdentity: 'double' }
    double.next(null, 'hang')
    const build = buildEntityKGLLM(DOCUMENTS, {
      ...options,
      signal: controller.signal,
      onProgress: ({ done }) => {
        if (done === 1)
          void vi
            .waitFor(() => {
              expect(double.requests.length).toBe(2)
            })
            .then(() => {
              controller.abort()
            })
      },
    })
    await expect(build).rejects.toMatchObject({ code: 'aborted' })
    await vi.waitFor(() => {
      expect(double.abandoned()).toBe(1)
    })
    const found = await buildEntityKGLLM(DOCUMENTS, options)
    expect(double.asked.filter((passage) => passage.startsWith('Ada')).length).toBe(1)
    expect(found.counts).toMatchObject({ cached: 1, asked: 2, relations: 5 })
    await expect(
      buildEntityKGLLM(DOCUMENTS, { ...options, signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'aborted' })
  })

  it('can be cancelled while it rests', async () => {
    const controller = new AbortController(),
      double = await serve(() => ({ status: 429, body: {}, headers: { 'retry-after': '100' } }))
    const build = buildEntityKGLLM(DOCUMENTS, {
      llm: modelAt(double),
      concurrency: 3,
      signal: controller.signal,
      onProgress: ({ waitingMs }) => {
        if (waitingMs > 0) controller.abort()
      },
    })
    await expect(build).rejects.toMatchObject({ code: 'aborted' })
  })

  it('asks for a text once, however many documents it is, and never again with a cache', async () => {
    const double = await serve(answers),
      cache = new Map<string, string>(),
      options = { llm: modelAt(double), cache, llmIdentity: 'double' }
    const first = await buildEntityKGLLM([...DOCUMENTS, { ...LONDON, id: 'again' }], options)
    expect(double.asked.length).toBe(3)
    expect(first.relations.at(-1)).toMatchObject({ documentId: 'again', subject: 'London' })
    const second = await buildEntityKGLLM([...DOCUMENTS, { ...LONDON, id: 'again' }], options)
    expect(double.asked.length).toBe(3)
    expect({ ...second, counts: 0, estimate: 0 }).toEqual({ ...first, counts: 0, estimate: 0 })
    // Another model, another template: other questions.
    for (const other of [{ llmIdentity: 'another' }, { template: 'Say it: """{passage}"""' }])
      expect((await estimateEntityKGLLM(DOCUMENTS, { ...options, ...other })).calls).toBe(3)
    // Rubbish in a cache is no answer.
    for (const key of cache.keys()) cache.set(key, '[1,[["x"]],[],0]')
    expect((await estimateEntityKGLLM(DOCUMENTS, options)).calls).toBe(3)
    expect([...cache.keys()].join()).not.toContain('London')
  })

  it('says what it will cost before it starts, and can be stopped there', async () => {
    const double = await serve(answers),
      estimate = await estimateEntityKGLLM(DOCUMENTS, {
        template: 'x{passage}',
        countTokens: (text) => text.length,
      })
    expect(estimate).toEqual({
      documents: 3,
      calls: 3,
      cached: 0,
      promptTokens: [ADA, BABBAGE, LONDON].reduce(
        (sum, document) => sum + document.text.length + 1,
        0,
      ),
      longestPromptTokens: ADA.text.length + 1,
    })
    await expect(
      buildEntityKGLLM(DOCUMENTS, { llm: modelAt(double), onEstimate: (said) => said.calls < 3 }),
    ).rejects.toMatchObject({ code: 'aborted' })
    expect(double.requests.length).toBe(0)
    expect(
      (
        await buildEntityKGLLM(DOCUMENTS, {
          llm: modelAt(double),
          onEstimate: (said) => {
            expect(said.calls).toBe(3)
          },
        })
      ).relations.length,
    ).toBe(5)
  })

  it('gives the same for any order of answers', async () => {
    const waiting: (() => void)[] = [],
      double = await serve(async (passage) => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          if (waiting.length === 3) for (const release of [...waiting].reverse()) release()
        })
        return answers(passage)
      })
    const straight = await serve(answers)
    expect(await buildEntityKGLLM(DOCUMENTS, { llm: modelAt(double), concurrency: 3 })).toEqual(
      await buildEntityKGLLM(DOCUMENTS, { llm: modelAt(straight) }),
    )
  })

  it('merges names with a linker and becomes a graph for the planner', async () => {
    const double = await serve(answers),
      found = await buildEntityKGLLM(DOCUMENTS, {
        llm: modelAt(double),
        linker: new SubstringLinker(),
      })
    expect(found.entities.find((entity) => entity.id === 'ada lovelace')).toMatchObject({
      label: 'Ada Lovelace',
      names: ['Ada Lovelace', 'Lovelace'],
      type: 'PERSON',
    })
    expect(found.relations[1]).toMatchObject({
      subject: 'Lovelace',
      subjectId: 'ada lovelace',
      objectId: 'charles babbage',
    })
    const kg = entityKGOf(found)
    expect(kg.queryEntityNodes(['Lovelace'], false)).toEqual(
      kg.queryEntityNodes(['Ada Lovelace'], false),
    )
    const [ada] = kg.queryEntityNodes(['Ada Lovelace']),
      [london] = kg.queryEntityNodes(['London'])
    expect(kg.graph.edge(ada!, london!)!.attributes).toMatchObject({
      kind: 'relates',
      predicates: ['was born in'],
    })
    expect([...kg.entityToDocs.get(london!)!].sort()).toEqual(['ada', 'london'])
    expect(kg.documentIds()).toEqual(['ada', 'babbage', 'london'])
  })

  it('refuses options it could not work with', async () => {
    const llm = (): Promise<string> => Promise.resolve('{"triples": []}')
    for (const bad of [
      { template: 'no place' },
      { concurrency: 0 },
      { attempts: 1.5 },
      { cache: new Map<string, string>() },
    ])
      await expect(buildEntityKGLLM(DOCUMENTS, { llm, ...bad })).rejects.toMatchObject({
        code: 'input/invalid',
      })
    await expect(buildEntityKGLLM([{ text: '' }], { llm })).rejects.toMatchObject({
      code: 'input/invalid',
    })
    expect((await buildEntityKGLLM([], { llm })).entities).toEqual([])
  })

  it('puts the text into the prompt as it is', async () => {
    const prompts: string[] = [],
      text = 'costs $& and $1 {passage} "quoted"'
    await buildEntityKGLLM([{ text }], {
      template: 'A {passage} B',
      llm: (prompt) => {
        prompts.push(prompt)
        return Promise.resolve('[]')
      },
    })
    expect(prompts).toEqual([`A ${text} B`])
  })
})

describe('a file of answers', () => {
  it.each([
    ['hubmesh for Python', '{"_format": 2, "entries": {"m|t|p": [["a", "b", "c"]]}}'],
    [
      'hubmesh for Python, indented',
      JSON.stringify({ _format: 2, entries: { k: [['a', 'b', 'c']] }, last_writer: {} }, null, 2),
    ],
    ['hubmesh for Python before its format 2', '{"abc": [["a", "b", "c"]]}'],
    ['a list of another program', '["one", "two"]'],
    ['lines of another program', '{"key": 1}\n{"key": 2}\n'],
    ['notes', 'buy milk\n'],
  ])('of %s is refused by name and left as it was', async (_name, held) => {
    const folder = mkdtempSync(join(tmpdir(), 'hubmesh-llm-')),
      path = join(folder, 'kg_cache.json')
    try {
      writeFileSync(path, held)
      await expect(fileLLMCache(path)).rejects.toMatchObject({
        code: 'input/conflict',
        message: expect.stringContaining(path) as unknown,
      })
      expect(readFileSync(path, 'utf8')).toBe(held)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('keeps answers over a crash in the middle of a line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hubmesh-llm-')),
      path = join(folder, 'answers.jsonl')
    try {
      const double = await serve(answers),
        options = { llm: modelAt(double), llmIdentity: 'double' }
      const first = await buildEntityKGLLM(DOCUMENTS, {
        ...options,
        cache: await fileLLMCache(path),
        concurrency: 3,
      })
      expect(readFileSync(path, 'utf8').split('\n').length).toBe(4)
      truncateSync(path, readFileSync(path).length - 5)
      const again = await fileLLMCache(path)
      expect((await estimateEntityKGLLM(DOCUMENTS, { ...options, cache: again })).calls).toBe(1)
      const second = await buildEntityKGLLM(DOCUMENTS, { ...options, cache: again })
      expect(double.asked.length).toBe(4)
      expect(second.relations).toEqual(first.relations)
      expect(
        (await estimateEntityKGLLM(DOCUMENTS, { ...options, cache: await fileLLMCache(path) }))
          .calls,
      ).toBe(0)
      await expect(fileLLMCache(folder)).rejects.toMatchObject({ code: 'store/unavailable' })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
