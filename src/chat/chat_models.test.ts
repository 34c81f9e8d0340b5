/**
 * Streamed answers: from a server on this machine, and from objects of the browser's, web-llm's and
 * the AI SDK's form.
 */
import { simulateReadableStream, streamText } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ContextBlock } from '../types.ts'
import type { ChatModel } from './chat_model.ts'
import { chatPrompt, forAISDK } from './chat_prompt.ts'
import { openAIChat } from './openai_chat.ts'
import { promptApiChat } from './prompt_api_chat.ts'
import type { PromptApi, PromptApiSession } from './prompt_api_chat.ts'
import { streamAnswer } from './stream_answer.ts'
import type { StreamAnswerOptions } from './stream_answer.ts'
import { eventOf, streamDouble } from './stream_double.ts'
import type { Script, StreamDouble } from './stream_double.ts'
import { webLlmChat } from './web_llm_chat.ts'

const block = (n: number): ContextBlock => ({
  n,
  documentId: `d${n}`,
  title: `T${n}`,
  ranks: [n],
  spans: [{ start: 0, end: 4 }],
  text: 'text',
  tokens: 1,
})
const prompt = chatPrompt('Why?', {
  context: '<<<x\n[1] T1\ntext\n\n[2] T2\ntext\nx>>>',
  blocks: [block(1), block(2)],
})

async function all(model: Pick<ChatModel, 'stream'>, options: StreamAnswerOptions = {}) {
  const events = []
  for await (const event of streamAnswer(model, prompt, options)) events.push(event)
  const end = events.at(-1)!
  if (end.type !== 'end') throw new Error('an answer without an end')
  return { events, ...end, cited: end.cited.map(({ n }) => n) }
}

describe('a server that streams chat completions', () => {
  const doubles: StreamDouble[] = []
  afterEach(async () => {
    for (const double of doubles.splice(0)) await double.close()
  })
  const serve = async (script: Script) => {
    const double = await streamDouble(() => script)
    doubles.push(double)
    return {
      double,
      model: openAIChat({ url: double.url, model: 'm', apiKey: 'k-123', windowTokens: 999 }),
    }
  }

  it('gives its answer in parts, each citation with its spans, and the sum at the end', async () => {
    const { double, model } = await serve({ say: ['Because', ' of that [', '1', '][2, 7]', '.'] })
    const { events, ...end } = await all(model, { maxTokens: 50 })
    expect(end).toEqual({
      type: 'end',
      reason: 'stop',
      text: 'Because of that [1][2, 7].',
      cited: [1, 2],
      unknown: [7],
    })
    expect(
      events.flatMap((event) =>
        event.type === 'citation'
          ? [[event.text, event.citations.map(({ documentId, spans }) => [documentId, spans])]]
          : [],
      ),
    ).toEqual([
      ['[1]', [['d1', [{ start: 0, end: 4 }]]]],
      ['[2, 7]', [['d2', [{ start: 0, end: 4 }]]]],
    ])
    expect(double.requests[0]).toMatchObject({
      authorization: 'Bearer k-123',
      body: { model: 'm', stream: true, temperature: 0, max_tokens: 50, messages: prompt.messages },
    })
    expect(await model.window()).toBe(999)
  })

  it('is read over any cut of its bytes, comments, line ends, and without its last mark', async () => {
    const bytes = new TextEncoder().encode(
      `: hello\r\n\r\n${eventOf('Grüße 😀 ').replaceAll('\n', '\r\n')}data: ` +
        `{"choices":[]}\n\n${eventOf('[2]')}${eventOf(null, 'stop')}`,
    )
    const { model } = await serve({ bytes: [...bytes].map((byte) => Uint8Array.of(byte)) })
    expect(await all(model)).toMatchObject({ text: 'Grüße 😀 [2]', cited: [2], reason: 'stop' })
  })

  it('says when the answer was cut off, and takes one that is not streamed', async () => {
    expect((await all((await serve({ say: ['Beca'], finish: 'length' })).model)).reason).toBe(
      'length',
    )
    const whole = JSON.stringify({
      choices: [{ message: { role: 'assistant', content: 'Whole [1]' } }],
    })
    expect(
      await all((await serve({ bytes: [whole], type: 'application/json' })).model),
    ).toMatchObject({ text: 'Whole [1]', cited: [1] })
  })

  it('names each way to fail, and never ends an answer that broke off as if it were whole', async () => {
    const cases: readonly (readonly [Script, string])[] = [
      [{ bytes: [eventOf('half')], then: 'drop' }, 'remote/unavailable'],
      [{ bytes: [eventOf('half')] }, 'remote/unavailable'],
      [{ bytes: ['data: rubbish\n\n'] }, 'remote/invalid'],
      [{ bytes: ['data: {"error":{"message":"overloaded"}}\n\n'] }, 'remote/unavailable'],
      [{ bytes: ['{}'], status: 401 }, 'remote/auth'],
      [{ bytes: ['{}'], status: 429 }, 'remote/unavailable'],
      [{ bytes: ['{}'], status: 400 }, 'remote/invalid'],
      [{ bytes: [`data: ${'x'.repeat(300_000)}`] }, 'remote/invalid'],
    ]
    for (const [script, code] of cases) {
      const { model } = await serve(script),
        failed = await all(model).then(
          () => null,
          (error: unknown) => error as Error,
        )
      expect(failed, JSON.stringify(script).slice(0, 80)).toMatchObject({ code })
      expect(failed!.message).not.toContain('k-123')
    }
    const { double, model } = await serve({ say: [] })
    await double.close()
    await expect(all(model)).rejects.toMatchObject({ code: 'remote/unavailable' })
    expect(() => openAIChat({ url: 'nowhere', model: 'm' })).toThrow(
      expect.objectContaining({ code: 'input/invalid' }),
    )
  })

  it('lets go of the answer for a signal, a silence, or a reader who leaves', async () => {
    const { double, model } = await serve({ bytes: [eventOf('half')], then: 'hang' }),
      controller = new AbortController()
    const heard: string[] = []
    const asked = (async () => {
      for await (const part of streamAnswer(model, prompt, { signal: controller.signal })) {
        if (part.type === 'text') heard.push(part.text)
        controller.abort()
      }
    })()
    await expect(asked).rejects.toMatchObject({ code: 'aborted' })
    expect(heard).toEqual(['half'])
    await vi.waitFor(() => {
      expect(double.abandoned()).toBe(1)
    })
    for await (const part of streamAnswer(model, prompt)) {
      expect(part.text).toBe('half')
      break
    }
    await vi.waitFor(() => {
      expect(double.abandoned()).toBe(2)
    })
    await expect(all(model, { timeoutMs: 30 })).rejects.toMatchObject({
      code: 'remote/timeout',
      retryable: true,
    })
    await vi.waitFor(() => {
      expect(double.abandoned()).toBe(3)
    })
  })
})

describe('the model inside Chrome', () => {
  function browser(over: Partial<PromptApiSession> = {}, availability = 'available') {
    const log: unknown[] = []
    const languageModel: PromptApi = {
      availability: () => Promise.resolve(availability),
      create: (options) => {
        log.push(['create', (options as { initialPrompts?: unknown }).initialPrompts])
        return Promise.resolve({
          contextWindow: 6000,
          contextUsage: 40,
          measureContextUsage: (text) => Promise.resolve(text.length),
          promptStreaming: (text) => {
            log.push(['prompt', text])
            return new ReadableStream({
              start(stream) {
                for (const piece of ['Yes [', '1', ']']) stream.enqueue(piece)
                stream.close()
              },
            })
          },
          destroy: () => {
            log.push('destroy')
          },
          ...over,
        })
      },
    }
    return { log, model: promptApiChat({ languageModel }) }
  }

  it('gets instructions first and the question last, in a session of its own', async () => {
    const { log, model } = browser()
    expect(await all(model)).toMatchObject({ text: 'Yes [1]', cited: [1], unknown: [] })
    expect(log).toEqual([
      ['create', prompt.messages.slice(0, -1)],
      ['prompt', prompt.messages.at(-1)!.content],
      'destroy',
    ])
  })

  it('says how large its window is and how many tokens a prompt takes, in older browsers too', async () => {
    expect(await browser().model.window()).toBe(6000)
    expect(await browser({ contextWindow: Infinity }).model.window()).toBeNull()
    const last = prompt.messages.at(-1)!.content.length
    expect(await browser().model.countTokens!(prompt.messages)).toBe(last + 40)
    const older = {
      contextWindow: undefined,
      contextUsage: undefined,
      measureContextUsage: undefined,
      inputQuota: 1024,
      inputUsage: 3,
      measureInputUsage: (text: string) => Promise.resolve(text.length),
    } as unknown as Partial<PromptApiSession>
    expect([
      await browser(older).model.window(),
      await browser(older).model.countTokens!(prompt.messages),
    ]).toEqual([1024, last + 3])
  })

  it('names its failures, and leaves no session open', async () => {
    await expect(all(promptApiChat())).rejects.toMatchObject({ code: 'model/incompatible' })
    await expect(all(browser({}, 'unavailable').model)).rejects.toMatchObject({
      code: 'model/incompatible',
    })
    for (const [name, code] of [
      ['QuotaExceededError', 'input/too-large'],
      ['NotAllowedError', 'model/fetch'],
      ['OperationError', 'remote/invalid'],
    ] as const) {
      const { log, model } = browser({
        promptStreaming: () =>
          new ReadableStream({
            start(stream) {
              stream.error(new DOMException('x', name))
            },
          }),
      })
      await expect(all(model)).rejects.toMatchObject({ code })
      expect(log.at(-1)).toBe('destroy')
    }
    const controller = new AbortController(),
      { log, model } = browser({
        promptStreaming: () =>
          new ReadableStream({
            start(stream) {
              stream.enqueue('half')
            },
          }),
      })
    const asked = (async () => {
      for await (const _ of streamAnswer(model, prompt, { signal: controller.signal }))
        controller.abort()
    })()
    await expect(asked).rejects.toMatchObject({ code: 'aborted' })
    await vi.waitFor(() => {
      expect(log.at(-1)).toBe('destroy')
    })
  })
})

describe('web-llm', () => {
  const chunk = (content: string, finish: string | null = null) => ({
    choices: [{ delta: { content }, finish_reason: finish }],
  })
  function engine(chunks: () => AsyncIterable<unknown>) {
    const requests: object[] = [],
      interrupted = vi.fn()
    return {
      requests,
      interrupted,
      model: webLlmChat(
        {
          interruptGenerate: interrupted,
          chat: {
            completions: {
              create: (request) => {
                requests.push(request)
                return Promise.resolve(chunks())
              },
            },
          },
        },
        { windowTokens: 2048 },
      ),
    }
  }

  it('streams its answer', async () => {
    const { requests, interrupted, model } = engine(async function* () {
      yield chunk('So')
      yield chunk(' [2]')
      yield await Promise.resolve(chunk('', 'length'))
    })
    expect(await all(model, { maxTokens: 7 })).toMatchObject({
      text: 'So [2]',
      reason: 'length',
      cited: [2],
    })
    expect(requests).toEqual([
      { messages: prompt.messages, temperature: 0, stream: true, max_tokens: 7 },
    ])
    expect(interrupted).not.toHaveBeenCalled()
    expect(await model.window()).toBe(2048)
  })

  it('is interrupted for a signal and when its reader leaves, and names its failures', async () => {
    const controller = new AbortController(),
      { interrupted, model } = engine(async function* () {
        for (;;) yield await Promise.resolve(chunk('x'))
      })
    const asked = (async () => {
      for await (const _ of streamAnswer(model, prompt, { signal: controller.signal }))
        controller.abort()
    })()
    await expect(asked).rejects.toMatchObject({ code: 'aborted' })
    expect(interrupted).toHaveBeenCalled()
    const calls = interrupted.mock.calls.length
    for await (const _ of streamAnswer(model, prompt)) break
    await vi.waitFor(() => {
      expect(interrupted.mock.calls.length).toBeGreaterThan(calls)
    })
    await expect(
      all(
        engine(async function* () {
          yield await Promise.reject(Object.assign(new Error('lost'), { name: 'DeviceLostError' }))
        }).model,
      ),
    ).rejects.toMatchObject({ code: 'model/device-lost' })
    await expect(
      all(
        engine(async function* () {
          yield await Promise.reject(new Error('other'))
        }).model,
      ),
    ).rejects.toMatchObject({ code: 'remote/invalid' })
  })
})

describe('the AI SDK', () => {
  it('takes the messages, and its text stream is a model', async () => {
    const sdk = new MockLanguageModelV3({
      doStream: () =>
        Promise.resolve({
          stream: simulateReadableStream({
            initialDelayInMs: null,
            chunkDelayInMs: null,
            chunks: [
              { type: 'text-start', id: 't' },
              { type: 'text-delta', id: 't', delta: 'As said [1' },
              { type: 'text-delta', id: 't', delta: '].' },
              { type: 'text-end', id: 't' },
              {
                type: 'finish',
                finishReason: { unified: 'stop', raw: 'stop' },
                usage: {
                  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
                  outputTokens: { total: 1, text: 1, reasoning: 0 },
                },
              },
            ],
          }),
        }),
    })
    const model: Pick<ChatModel, 'stream'> = {
      async *stream(messages, { signal } = {}) {
        yield* streamText({
          model: sdk,
          ...forAISDK({ messages }),
          ...(signal ? { abortSignal: signal } : {}),
        }).textStream
        return 'stop'
      },
    }
    expect(await all(model)).toMatchObject({ text: 'As said [1].', cited: [1] })
    expect(sdk.doStreamCalls[0]!.prompt).toMatchObject([
      { role: 'system', content: prompt.messages[0]!.content },
      { role: 'user', content: [{ type: 'text', text: prompt.messages[1]!.content }] },
    ])
  })
})
