import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CorpusManager } from '../registry/corpus_manager.ts'
import type { Embedder } from '../embed/embedder.ts'
import { HashingEmbedder } from '../embed/hashing.ts'
import { HubmeshError } from '../base/errors.ts'
import { serveCorpora, type Serving } from './serve.ts'

let root = ''
const closing: (() => Promise<void>)[] = []
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hubmesh-serve-'))
  const corpora = new CorpusManager(root, { embedder: null })
  await corpora.build('notes', 'Ada Quist met Bela Trom.')
  await corpora.close()
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await rm(root, { recursive: true, force: true })
})

async function serve(embedder: () => Promise<Embedder>, warmup = true): Promise<Serving> {
  const corpora = new CorpusManager(root, { embedder }),
    serving = await serveCorpora(corpora, { transport: 'http', port: 0, warmup })
  closing.push(
    () => corpora.close(),
    () => serving.close(),
  )
  return serving
}

it('warms up behind the first calls: a client is greeted and told the tools while the model still loads', async () => {
  let loaded: (embedder: Embedder) => void = () => undefined,
    asked = 0
  const { url, warm } = await serve(() => {
    asked++
    return new Promise((resolve) => {
      loaded = resolve
    })
  })
  await expect.poll(() => asked).toBe(1)
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url!)) as Transport)
  expect((await client.listTools()).tools.length).toBe(10)
  await client.close()
  loaded(new HashingEmbedder(8))
  expect(await warm).toEqual({ embedder: 'ok', corpora: 'ok', 'corpus:notes': 'ok' })
  expect(asked).toBe(1)
})

it(
  'a part that cannot be warmed up is told, and the server goes on; without warming up ' +
    'nothing is opened',
  async () => {
    const failing = (): Promise<Embedder> =>
      Promise.reject(new HubmeshError('model/fetch', 'no model here'))
    const { warm, url } = await serve(failing)
    expect(await warm).toMatchObject({
      embedder: 'failed: model/fetch: no model here',
      corpora: 'ok',
    })
    expect(
      (
        await fetch(url!, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
          },
          body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
        })
      ).status,
    ).toBe(200)
    let asked = 0
    expect(
      await (
        await serve(() => {
          asked++
          return failing()
        }, false)
      ).warm,
    ).toEqual({})
    expect(asked).toBe(0)
  },
)
