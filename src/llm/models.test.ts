/**
 * The tests of the ready-made model functions. The browser's and the page's models are played by
 * objects of their interfaces' form.
 */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { chromePromptApi } from './chrome_prompt_api.ts'
import type { ChromeLanguageModel, ChromeSession } from './chrome_prompt_api.ts'
import { chatDouble, completion } from './http_double.ts'
import { openAICompatible } from './openai_compatible.ts'
import { webLlm } from './web_llm.ts'

const quiet = (): { signal: AbortSignal } => ({ signal: new AbortController().signal })

describe('an endpoint that speaks chat completions', () => {
  const doubles: Awaited<ReturnType<typeof chatDouble>>[] = []
  afterEach(async () => {
    for (const double of doubles.splice(0)) await double.close()
  })
  const serve = async (...args: Parameters<typeof chatDouble>) => {
    const double = await chatDouble(...args)
    doubles.push(double)
    return double
  }
  const prompt = '"""hello"""'

  it('sends one message and gives its answer', async () => {
    const double = await serve((passage) => `you said ${passage}`, 'secret')
    for (const url of [
      `${double.url}/v1`,
      `${double.url}/v1/`,
      `${double.url}/v1/chat/completions`,
    ]) {
      const llm = openAICompatible({
        url,
        model: 'm',
        apiKey: 'secret',
        maxTokens: 9,
        json: true,
        headers: { 'x-title': 'hubmesh' },
        body: { seed: 1 },
      })
      expect(await llm(prompt, quiet())).toBe('you said hello')
    }
    expect(double.requests[0]!.body).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: prompt }],
      stream: false,
      temperature: 0,
      max_tokens: 9,
      response_format: { type: 'json_object' },
      seed: 1,
    })
    expect(double.requests[0]!.headers).toMatchObject({
      authorization: 'Bearer secret',
      'x-title': 'hubmesh',
    })
    await openAICompatible({
      url: `${double.url}/v1`,
      model: 'm',
      apiKey: 'secret',
      temperature: null,
    })(prompt, quiet())
    expect(Object.keys(double.requests.at(-1)!.body as object)).toEqual([
      'model',
      'messages',
      'stream',
    ])
  })

  it('names each way in which an answer can fail', async () => {
    const double = await serve(() => 'fine'),
      llm = openAICompatible({ url: `${double.url}/v1`, model: 'm', apiKey: 'k-123' })
    for (const [answer, expected] of [
      [
        { status: 429, body: {}, headers: { 'retry-after': '1.5' } },
        {
          code: 'remote/unavailable',
          retryable: true,
          details: { status: 429, retryAfterMs: 1500 },
        },
      ],
      [
        { status: 429, body: {}, headers: { 'retry-after': 'soon' } },
        { code: 'remote/unavailable', details: { status: 429 } },
      ],
      [
        { status: 500, body: 'oops' },
        { code: 'remote/unavailable', retryable: true },
      ],
      [
        { status: 401, body: {} },
        { code: 'remote/auth', retryable: false },
      ],
      [{ status: 403, body: {} }, { code: 'remote/auth' }],
      [
        { status: 404, body: {} },
        { code: 'remote/invalid', details: { status: 404 } },
      ],
      ['drop', { code: 'remote/unavailable' }],
      ['drop inside', { code: 'remote/unavailable' }],
      [{ status: 200, body: 'no json' }, { code: 'remote/invalid' }],
      [{ status: 200, body: { choices: [] } }, { code: 'remote/invalid' }],
      [
        completion(null, { refusal: 'I will not' }),
        { code: 'remote/invalid', details: { refused: true } },
      ],
    ] as const) {
      double.next(answer)
      const failed = await llm(prompt, quiet()).then(
        () => null,
        (error: unknown) => error as Error,
      )
      expect(failed, JSON.stringify(answer)).toMatchObject(expected)
      expect(failed!.message).not.toContain('k-123')
    }
    double.next({
      status: 200,
      body: {
        choices: [
          {
            message: {
              content: [
                { type: 'text', text: 'in ' },
                { type: 'text', text: 'parts' },
              ],
            },
          },
        ],
      },
    })
    expect(await llm(prompt, quiet())).toBe('in parts')
    await double.close()
    await expect(llm(prompt, quiet())).rejects.toMatchObject({ code: 'remote/unavailable' })
  })

  it('lets go of the request when cancelled', async () => {
    const double = await serve(() => 'fine'),
      controller = new AbortController()
    double.next('hang')
    const asked = openAICompatible({ url: `${double.url}/v1`, model: 'm' })(prompt, {
      signal: controller.signal,
    })
    await vi.waitFor(() => {
      expect(double.requests.length).toBe(1)
    })
    controller.abort()
    await expect(asked).rejects.toMatchObject({ code: 'aborted' })
    await vi.waitFor(() => {
      expect(double.abandoned()).toBe(1)
    })
  })

  it('refuses an address that is none', () => {
    for (const url of ['', 'localhost:80', 'file:///v1'])
      expect(() => openAICompatible({ url, model: 'm' })).toThrow(
        expect.objectContaining({ code: 'input/invalid' }),
      )
  })
})

describe('the model inside Chrome', () => {
  const named = (name: string): DOMException => new DOMException('said by the browser', name)

  function model(
    answer: (text: string, signal: AbortSignal | undefined) => Promise<string>,
    availability = 'available',
  ): { languageModel: ChromeLanguageModel; log: unknown[] } {
    const log: unknown[] = []
    const session = (): ChromeSession => ({
      clone: () => {
        log.push('clone')
        return Promise.resolve(session())
      },
      prompt: (text, options) => {
        log.push(['prompt', text, options?.responseConstraint !== undefined])
        return answer(text, options?.signal)
      },
      destroy: () => {
        log.push('destroy')
      },
    })
    const languageModel: ChromeLanguageModel = {
      availability: () => Promise.resolve(availability),
      create: (options) => {
        const target = new EventTarget()
        ;(options as { monitor(target: EventTarget): void }).monitor(target)
        target.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded: 0.5 }))
        log.push('create')
        return Promise.resolve(session())
      },
    }
    return { languageModel, log }
  }

  it('gives each prompt a session of its own, and lets it go', async () => {
    const { languageModel, log } = model((text) => Promise.resolve(`{"said": "${text}"}`)),
      shares: number[] = []
    const llm = chromePromptApi({ languageModel, onDownload: (share) => shares.push(share) })
    expect([await llm('a', quiet()), await llm('b', quiet())]).toEqual([
      '{"said": "a"}',
      '{"said": "b"}',
    ])
    expect(log).toEqual([
      'create',
      'clone',
      ['prompt', 'a', true],
      'destroy',
      'clone',
      ['prompt', 'b', true],
      'destroy',
    ])
    expect(shares).toEqual([0.5])
  })

  it('says what is wrong where there is no such model, and with what it says itself', async () => {
    await expect(chromePromptApi()('a', quiet())).rejects.toMatchObject({
      code: 'model/incompatible',
    })
    await expect(
      chromePromptApi(model(() => Promise.resolve(''), 'unavailable'))('a', quiet()),
    ).rejects.toMatchObject({ code: 'model/incompatible' })
    for (const [name, code] of [
      ['QuotaExceededError', 'input/too-large'],
      ['NotAllowedError', 'model/fetch'],
      ['NetworkError', 'model/fetch'],
      ['NotSupportedError', 'model/incompatible'],
      ['UnknownError', 'remote/invalid'],
    ] as const) {
      const { languageModel, log } = model(() => Promise.reject(named(name)))
      await expect(chromePromptApi({ languageModel })('a', quiet())).rejects.toMatchObject({ code })
      expect(log.at(-1)).toBe('destroy')
    }
  })

  it('tries to load the model again after it could not', async () => {
    const { languageModel } = model(() => Promise.resolve('fine'))
    let tries = 0
    const llm = chromePromptApi({
      languageModel: {
        ...languageModel,
        create: (options) =>
          tries++ === 0 ? Promise.reject(named('NotAllowedError')) : languageModel.create(options),
      },
    })
    await expect(llm('a', quiet())).rejects.toMatchObject({ code: 'model/fetch' })
    expect(await llm('a', quiet())).toBe('fine')
  })

  it('stops for a signal', async () => {
    const controller = new AbortController()
    const { languageModel, log } = model(
      (_, signal) =>
        new Promise((_, reject) => {
          signal!.addEventListener('abort', () => {
            reject(named('AbortError'))
          })
          controller.abort()
        }),
    )
    await expect(
      chromePromptApi({ languageModel })('a', { signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'aborted' })
    expect(log.at(-1)).toBe('destroy')
    await expect(
      chromePromptApi({ languageModel })('a', { signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'aborted' })
  })
})

describe('web-llm', () => {
  const answer = (content: string) => ({ choices: [{ message: { role: 'assistant', content } }] })

  it('asks one prompt at a time, each without the others', async () => {
    let open = 0,
      most = 0
    const requests: object[] = []
    const llm = webLlm({
      interruptGenerate: () => undefined,
      chat: {
        completions: {
          create: async (request) => {
            requests.push(request)
            most = Math.max(most, ++open)
            await Promise.resolve()
            open--
            return answer(`answer ${requests.length}`)
          },
        },
      },
    })
    expect(await Promise.all([llm('a', quiet()), llm('b', quiet()), llm('c', quiet())])).toEqual([
      'answer 1',
      'answer 2',
      'answer 3',
    ])
    expect(most).toBe(1)
    expect(requests[1]).toEqual({
      messages: [{ role: 'user', content: 'b' }],
      temperature: 0,
      max_tokens: 1024,
      stream: false,
      response_format: { type: 'json_object' },
    })
  })

  it('interrupts the engine for a signal, and goes on with the next', async () => {
    const controller = new AbortController()
    let stop: (value: unknown) => void = () => undefined,
      calls = 0
    const llm = webLlm({
      interruptGenerate: () => {
        stop(answer('half of'))
      },
      chat: {
        completions: {
          create: () =>
            calls++ === 0
              ? new Promise((resolve) => {
                  stop = resolve
                })
              : Promise.resolve(answer('whole')),
        },
      },
    })
    const first = llm('a', { signal: controller.signal }),
      second = llm('b', quiet())
    await vi.waitFor(() => {
      expect(calls).toBe(1)
    })
    controller.abort()
    await expect(first).rejects.toMatchObject({ code: 'aborted' })
    expect(await second).toBe('whole')
  })

  it('names its failures', async () => {
    const failing = (error: Error) =>
      webLlm({
        interruptGenerate: () => undefined,
        chat: { completions: { create: () => Promise.reject(error) } },
      })
    await expect(
      failing(Object.assign(new Error('lost'), { name: 'DeviceLostError' }))('a', quiet()),
    ).rejects.toMatchObject({ code: 'model/device-lost' })
    await expect(failing(new Error('other'))('a', quiet())).rejects.toMatchObject({
      code: 'remote/invalid',
    })
    await expect(
      webLlm({
        interruptGenerate: () => undefined,
        chat: { completions: { create: () => Promise.resolve({}) } },
      })('a', quiet()),
    ).rejects.toMatchObject({ code: 'remote/invalid' })
  })
})
