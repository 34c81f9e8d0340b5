/** A chat completions server on 127.0.0.1 for tests that streams its answers, badly too. */
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChatMessage } from './chat_prompt.ts'

export interface StreamDouble {
  /** Base of the API. */
  readonly url: string
  readonly origin: string
  readonly requests: readonly {
    readonly authorization: string | undefined
    readonly origin: string | undefined
    readonly body: { readonly messages: readonly ChatMessage[] } & Readonly<Record<string, unknown>>
  }[]
  /** Answers whose reader left early. */
  readonly abandoned: () => number
  close(): Promise<void>
}

/**
 * Bytes to send, one write each; `hang` stays open afterwards, `drop` cuts the connection. Texts of
 * `say` become events with `[DONE]` at the end.
 */
export type Script =
  | { readonly say: readonly string[]; readonly finish?: string }
  | {
      readonly bytes: readonly (string | Uint8Array)[]
      readonly then?: 'end' | 'hang' | 'drop'
      readonly type?: string
      readonly status?: number
    }

export async function streamDouble(
  answer: (messages: readonly ChatMessage[]) => Script,
): Promise<StreamDouble> {
  const requests: StreamDouble['requests'][number][] = []
  let abandoned = 0
  const server = createServer((incoming, outgoing) => {
    // CORS preflight.
    outgoing.setHeader('access-control-allow-origin', '*')
    outgoing.setHeader('access-control-allow-headers', 'authorization, content-type')
    if (incoming.method === 'OPTIONS') {
      outgoing.writeHead(204).end()
      return
    }
    if (incoming.url !== '/v1/chat/completions') {
      outgoing.writeHead(404).end('{}')
      return
    }
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) abandoned++
    })
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = JSON.parse(
        Buffer.concat(chunks).toString('utf8'),
      ) as StreamDouble['requests'][number]['body']
      requests.push({
        authorization: incoming.headers.authorization,
        origin: incoming.headers.origin,
        body,
      })
      void play(outgoing, answer(body.messages))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}/v1`,
    origin,
    requests,
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

/** An event of a streamed completion. */
export function eventOf(content: string | null, finish: string | null = null): string {
  const choice = { index: 0, delta: content === null ? {} : { content }, finish_reason: finish },
    chunk = { id: 'c1', object: 'chat.completion.chunk', created: 0, model: 'double' }
  return `data: ${JSON.stringify({ ...chunk, choices: [choice] })}\n\n`
}

async function play(outgoing: ServerResponse, script: Script): Promise<void> {
  const {
    bytes,
    then = 'end',
    type = 'text/event-stream; charset=utf-8',
    status = 200,
  } = 'say' in script
    ? {
        bytes: [
          eventOf(''),
          ...script.say.map((text) => eventOf(text)),
          eventOf(null, script.finish ?? 'stop'),
          'data: [DONE]\n\n',
        ],
      }
    : script
  outgoing.writeHead(status, { 'content-type': type })
  for (const part of bytes)
    await new Promise<void>((resolve) => {
      outgoing.write(part, () => {
        resolve()
      })
    })
  if (then === 'end') outgoing.end()
  else if (then === 'drop') outgoing.destroy()
}
