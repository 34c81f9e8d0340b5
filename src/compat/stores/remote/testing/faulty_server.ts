/** An HTTP server on 127.0.0.1 that tests tell how to answer, badly too. */
import { append } from '../../../../base/grown.ts'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HttpRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown
}

/** `drop` cuts the connection, before or inside the body; `hang` never answers. */
export type HttpAnswer =
  | {
      readonly status: number
      readonly body: unknown
      readonly headers?: Readonly<Record<string, string>>
    }
  | 'drop'
  | 'drop inside'
  | 'hang'

export interface FaultyServer {
  readonly url: string
  readonly requests: readonly HttpRequest[]
  /** Answers the next requests so; `null` lets one through. */
  next(...answers: (HttpAnswer | null)[]): void
  /** Requests whose client went away before the answer. */
  readonly abandoned: () => number
  close(): Promise<void>
}

export async function faultyServer(
  answer: (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>,
): Promise<FaultyServer> {
  const requests: HttpRequest[] = [],
    queue: (HttpAnswer | null)[] = []
  let abandoned = 0
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) abandoned++
    })
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const request = {
        method: incoming.method!,
        path: incoming.url!,
        headers: incoming.headers,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      }
      requests.push(request)
      new Promise<HttpAnswer>((resolve) => {
        resolve(queue.shift() ?? answer(request))
      }).then(
        (result) => {
          send(outgoing, result)
        },
        (error: unknown) => {
          send(outgoing, { status: 500, body: String(error) })
        },
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    next: (...answers) => {
      append(queue, answers)
    },
    abandoned: () => abandoned,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

function send(outgoing: ServerResponse, answer: HttpAnswer): void {
  if (answer === 'hang') return
  if (answer === 'drop') {
    outgoing.destroy()
    return
  }
  if (answer === 'drop inside') {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    outgoing.write('{"result":', () => outgoing.destroy())
    return
  }
  const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
  outgoing.writeHead(answer.status, {
    'content-type': typeof answer.body === 'string' ? 'text/plain' : 'application/json',
    ...answer.headers,
  })
  outgoing.end(body)
}
