import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { isTextFailure } from '../embed/embedder.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import {
  openAICompatibleEmbedder,
  type OpenAICompatibleEmbedderOptions,
} from './openai_compatible_embedder.ts'

interface Asked {
  readonly input: readonly string[]
  readonly model: string
}
type Reply = (asked: Asked, call: number) => { status?: number; body: unknown; headers?: object }

let server: Server | null = null
afterEach(() => server?.close())

/** A double of the endpoint: a vector tells the text's length, later texts first. */
const vectors: Reply = ({ input }) => ({
  body: {
    data: input.map((text, index) => ({ index, embedding: [text.length, 0, 1] })).reverse(),
    usage: { total_tokens: input.length * 2 },
  },
})

async function doubled(reply: Reply, options: Partial<OpenAICompatibleEmbedderOptions> = {}) {
  const asked: Asked[] = [],
    keys: (string | undefined)[] = []
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      asked.push(JSON.parse(body) as Asked)
      keys.push(request.headers.authorization)
      const { status = 200, body: answer, headers = {} } = reply(asked.at(-1)!, asked.length)
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const embedder = openAICompatibleEmbedder({
    url: `http://127.0.0.1:${port}/v1`,
    model: 'nomic-embed-text',
    dims: 3,
    ...options,
  })
  return { embedder, asked, keys }
}
const passages = { kind: 'passage' } as const

describe('openAICompatibleEmbedder', () => {
  it('gives unit vectors in order, many texts a request, with key, prefix and usage', async () => {
    let tokens = 0
    const { embedder, asked, keys } = await doubled(vectors, {
      batch: 4,
      apiKey: 'k',
      passagePrefix: 'p: ',
      onUsage: (usage) => (tokens += usage.tokens!),
    })
    const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff'],
      all = (await Promise.all(texts.map((text) => embedder.embed([text], passages)))).flat()
    expect(asked.map(({ input }) => input.length)).toEqual([4, 2])
    expect(asked[0]!.input[0]).toBe('p: a')
    expect(keys[0]).toBe('Bearer k')
    expect(tokens).toBe(12)
    texts.forEach((text, i) => {
      const [x, , z] = all[i]!
      expect(x! / z!).toBeCloseTo(text.length + 3, 4)
      expect(Math.hypot(...all[i]!)).toBeCloseTo(1, 6)
    })
    expect((await embedder.embed(['a'], { kind: 'query' }))[0]![0]).toBeCloseTo(Math.SQRT1_2, 5)
  })

  it('tries again after a busy server, as long as it asks for', async () => {
    const { embedder, asked } = await doubled((one, call) =>
      call < 3 ? { status: 429, body: {}, headers: { 'retry-after': '0' } } : vectors(one, call),
    )
    expect(await embedder.embed(['a'], passages)).toHaveLength(1)
    expect(asked).toHaveLength(3)
  })

  it('finds the one text that a server refuses, and gives all others', async () => {
    const { embedder } = await doubled((one, call) =>
      one.input.includes('bad') ? { status: 400, body: { error: 'too long' } } : vectors(one, call),
    )
    const results = await Promise.allSettled(
      ['a', 'b', 'bad', 'c', 'd'].map((text) => embedder.embed([text], passages)),
    )
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      true,
      false,
      true,
      true,
    ])
    expect(isTextFailure((results[2] as PromiseRejectedResult).reason)).toBe(true)
  })

  it.each([
    ['a refused key', { status: 401, body: {} }, 'remote/auth', /check apiKey/],
    ['an endpoint of another kind', { body: { choices: [] } }, 'remote/invalid', /no vectors/],
    ['a page instead', { body: '<html>' }, 'remote/invalid', /ends before \/embeddings/],
    ['other dimensions', { body: one([1, 2]) }, 'model/incompatible', /of 2 components.*Set dims/],
    ['a component that is none', { body: one([null, 0, 0]) }, 'model/incompatible', /zero or not/],
  ])('%s: told by name and remedy', async (_name, reply, code, words) => {
    const { embedder } = await doubled(() => reply)
    await expect(embedder.embed(['a'], passages)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(words) as string,
    })
  })

  it('its failure is told by the status of the engine, and mended by resuming', async () => {
    let broken = true
    const { embedder } = await doubled((given, call) =>
      broken ? { status: 401, body: {} } : vectors(given, call),
    )
    const engine = await openTestEngine([], { embedder })
    await engine.add(['Oslo lies on a fjord.'])
    await expect(engine.ready('vectors')).rejects.toMatchObject({ code: 'remote/auth' })
    expect((await engine.status()).embedding).toMatchObject({
      state: 'failed',
      error: { code: 'remote/auth' },
    })
    broken = false
    await engine.resumeEmbedding()
    await engine.ready('vectors')
    expect((await engine.status()).passagesWithVectors).toBe(1)
  })
})

function one(embedding: readonly unknown[]): object {
  return { data: [{ index: 0, embedding }] }
}
