import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PortEvent } from '../port/protocol.ts'
import { Connection } from '../port/connection.ts'
import { MINILM_INT8, ONNX_RUNTIME } from './manifests.ts'
import { NodeEmbedder } from './node_embedder.ts'
import { wasmForNode } from './node_runtimes.ts'
import { EMBED_METHODS } from './worker_protocol.ts'
import type { EmbedService, EmbedWorkerOptions } from './worker_protocol.ts'
import { serveEmbedding } from './worker_server.ts'

const MODEL = new URL('../../public/models/all-MiniLM-L6-v2/', import.meta.url)
const REFERENCE = fileURLToPath(
  new URL('../../../shared/fixtures/embedding/minilm-int8.json', import.meta.url),
)
const RUNTIME = pathToFileURL(
  `${dirname(createRequire(import.meta.url).resolve('onnxruntime-web/wasm'))}/`,
)
const options: EmbedWorkerOptions = {
  manifest: MINILM_INT8,
  modelUrl: MODEL.href,
  runtimeUrl: RUNTIME.href,
  threads: 8,
  cache: true,
}

function connected() {
  const { port1, port2 } = new MessageChannel()
  serveEmbedding(port1 as never)
  port1.start()
  port2.start()
  return {
    connection: new Connection<EmbedService>(port2 as never, EMBED_METHODS),
    close: () => {
      port1.close()
    },
  }
}

describe('an embedding worker', () => {
  // The worker's own runtime is wasm; this lets it run in Node as it does in a page.
  beforeAll(async () => {
    await wasmForNode()
  })

  it('loads once, reporting all bytes, one thread where memory is not shared, then embeds', async () => {
    const { connection, close } = connected()
    const events: PortEvent[] = []
    expect(
      await connection.call('load', [options], {
        onEvent: (event) => {
          events.push(event)
        },
      }),
    ).toEqual({ threads: 1, notices: [] })
    const totalBytes = [...MINILM_INT8.files, ...ONNX_RUNTIME.files].reduce(
      (sum, file) => sum + file.bytes,
      0,
    )
    expect(events.at(-1)).toEqual({ kind: 'download', loadedBytes: totalBytes, totalBytes })
    const vector = await connection.call('embed', ['The Eiffel Tower is in Paris.', 'passage'])
    expect(vector).toHaveLength(384)
    if (existsSync(REFERENCE)) {
      const { cases } = JSON.parse(readFileSync(REFERENCE, 'utf8')) as {
        cases: readonly { text: string; vector: number[] }[]
      }
      const wanted = cases.find(({ text }) => text === 'The Eiffel Tower is in Paris.')!.vector
      for (let d = 0; d < 384; d++) expect(Math.abs(vector[d]! - wanted[d]!)).toBeLessThan(1e-5)
    }
    const texts = [
      'Who directed the film that was shot in or around Leland, North Carolina in 1986',
      'It was built by the company of Gustave Eiffel. '.repeat(30),
    ]
    const node = await NodeEmbedder.open({ model: MODEL, runtime: 'wasm' })
    for (const text of texts)
      expect(await node.embed([text], { kind: 'query' })).toEqual([
        await connection.call('embed', [text, 'query']),
      ])
    await expect(NodeEmbedder.open({ model: MODEL, runtime: 'native' })).rejects.toEqual(
      expect.objectContaining({ code: 'input/invalid' }),
    )
    await expect(connection.call('load', [options])).rejects.toEqual(
      expect.objectContaining({ code: 'bug/invariant' }),
    )
    close()
  })

  it('passes on why it cannot load, with the code', async () => {
    const { connection, close } = connected()
    const modelUrl = new URL('../nowhere/', MODEL).href
    await expect(connection.call('load', [{ ...options, modelUrl }])).rejects.toEqual(
      expect.objectContaining({ code: 'model/fetch' }),
    )
    close()
  })

  it('refuses texts before a model is loaded', async () => {
    const { connection, close } = connected()
    await expect(connection.call('embed', ['text', 'query'])).rejects.toEqual(
      expect.objectContaining({ code: 'bug/invariant' }),
    )
    close()
  })
})
