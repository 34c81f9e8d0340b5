/**
 * A chat completions server for tests: the model behind it is a function of the prompt's passage.
 */
import { faultyServer } from '../compat/stores/remote/testing/faulty_server.ts'
import type { FaultyServer, HttpAnswer } from '../compat/stores/remote/testing/faulty_server.ts'

export interface ChatDouble extends FaultyServer {
  /** The passages that were asked for, in order. */
  readonly asked: readonly string[]
}

/** `say` gives the message, or an answer of HTTP's own. */
export async function chatDouble(
  say: (
    passage: string,
    asked: readonly string[],
  ) => string | Exclude<HttpAnswer, string> | { readonly raw: HttpAnswer } | Promise<string>,
  apiKey?: string,
): Promise<ChatDouble> {
  const asked: string[] = []
  const server = await faultyServer(async (request) => {
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`)
      return { status: 401, body: { error: { message: 'Incorrect API key provided' } } }
    if (request.path !== '/v1/chat/completions' || request.method !== 'POST')
      return { status: 404, body: { error: { message: 'no such route' } } }
    const { messages } = request.body as {
      readonly messages: readonly { readonly role: string; readonly content: string }[]
    }
    const passage = messages[0]!.content.split('"""')[1]!.trim()
    asked.push(passage)
    const said = await say(passage, asked)
    if (typeof said === 'string') return completion(said)
    return 'raw' in said ? said.raw : said
  })
  return { ...server, asked }
}

/** The form of the answer (https://platform.openai.com/docs/api-reference/chat/object). */
export function completion(
  content: string | null,
  more: Record<string, unknown> = {},
): Exclude<HttpAnswer, string> {
  return {
    status: 200,
    body: {
      id: 'c1',
      object: 'chat.completion',
      created: 0,
      model: 'double',
      choices: [
        { index: 0, message: { role: 'assistant', content, ...more }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    },
  }
}
