/**
 * What answers in place of the servers that the documentation names: Qdrant, a language model, a
 * host of scripts, and a port that may be taken. The addresses in a block are replaced by theirs,
 * and nothing else of it.
 */
import { createReadStream, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { streamDouble } from '../../../src/chat/stream_double.ts'
import { qdrantDouble } from '../../../src/compat/stores/remote/testing/qdrant_double.ts'

export interface StandIns {
  /** The code with their addresses in it. */
  readonly put: (code: string) => string
  /** Origins of the language model and of the scripts. */
  readonly model: string
  readonly scripts: string
  /** What was asked of them that the real ones would not take. */
  readonly misfits: () => readonly string[]
  close(): Promise<void>
}

/**
 * What the model says, piece by piece, whatever it is asked: one number that there is, one that
 * there is not.
 */
const SAID = ['In Burbank', ', California [1', '], not in Lyon [9].']

export async function startStandIns(root: string): Promise<StandIns> {
  const qdrant = await qdrantDouble({ apiKey: 'key' }),
    model = await streamDouble(() => ({ say: SAID })),
    scripts = await scriptHost(join(root, 'dist/browser')),
    port = await freePort()
  return {
    put: (code) =>
      code
        .replaceAll('http://127.0.0.1:6333', qdrant.url)
        .replaceAll('http://127.0.0.1:11434', model.origin)
        .replaceAll('https://cdn.example', scripts.origin)
        .replaceAll(/\b8000\b/g, String(port)),
    model: model.origin,
    scripts: scripts.origin,
    misfits: () => qdrant.misfits,
    close: async () => {
      await Promise.all([qdrant.close(), model.close(), scripts.close()])
    },
  }
}

/** The built scripts under `/hubmesh/`, for pages of any origin. */
async function scriptHost(
  folder: string,
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0]!,
      file = join(
        folder,
        ...(path.startsWith('/hubmesh/chunks/') ? ['chunks'] : []),
        basename(path),
      )
    response.setHeader('access-control-allow-origin', '*')
    if (!path.startsWith('/hubmesh/') || !existsSync(file)) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, {
      'content-type': file.endsWith('.wasm') ? 'application/wasm' : 'text/javascript',
    })
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve()
    })
  })
  return port
}
