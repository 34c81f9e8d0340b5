/** How the chosen language model is made, and where the page may send anything. */
import { openAIChat, promptApiChat, type ChatModel } from '../../src/entries/chat.ts'
import { words } from '../words/words.ts'
import type { ModelChoice } from './settings.ts'

/** Milliseconds until a list, and a test, is given up. */
const LIST_MS = 10_000
const TEST_MS = 60_000

/** Whether the browser brings a model of its own (Chrome's Prompt API). */
export function browserHasModel(): boolean {
  return 'LanguageModel' in globalThis
}

/** Whether agents in the browser can ask a page (WebMCP). */
export function browserHasAgents(): boolean {
  return 'modelContext' in document
}

/**
 * Origins besides its own that this build of the page may talk to; the server's policy holds it to
 * them.
 */
export function connectedOrigins(): readonly string[] {
  return (document.querySelector('meta[name="hubmesh-connect"]')?.getAttribute('content') ?? '')
    .split(' ')
    .filter((origin) => origin !== '')
}

/** An address of a person, resolved against the page; null for one that is none. */
export function readAddress(address: string, base: string): URL | null {
  try {
    const url = new URL(address.trim(), base)
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : null
  } catch {
    return null
  }
}

/** True where the page may fetch from it. */
export function mayFetch(url: URL, own: string, origins: readonly string[]): boolean {
  return url.origin === own || origins.includes(url.origin)
}

/** What keeps a choice from being used, in words; null where nothing does. */
export function modelTrouble(
  choice: ModelChoice,
  base: string,
  origins: readonly string[],
  hasModel: boolean,
): string | null {
  const t = words().models
  if (choice.kind === 'off') return null
  if (choice.kind === 'browser') return hasModel ? null : t.noModel
  const url = choice.url.trim() === '' ? null : readAddress(choice.url, base)
  if (url === null) return t.giveAddress
  const trouble = reachTrouble(url, base, origins)
  if (trouble !== null) return trouble
  return choice.name.trim() === '' ? t.giveName : null
}

/** Why the page may not talk to an address, and how to allow it; null where it may. */
export function reachTrouble(url: URL, base: string, origins: readonly string[]): string | null {
  const t = words().models
  if (mayFetch(url, new URL(base).origin, origins)) return null
  const allowed = origins.length === 0 ? t.ownOnly : t.only(origins.join(', '))
  return `${t.refused(url.origin, allowed)} ${t.allow(url.origin)}`
}

/** Who answers, in a few words. */
export function modelName(choice: ModelChoice, base: string): string {
  const t = words().models
  if (choice.kind === 'browser') return t.inBrowser
  return t.at(choice.name.trim(), readAddress(choice.url, base)?.host ?? choice.url)
}

/**
 * The models that a server with OpenAI's interface lists. Rejects with an Error that says what the
 * server said.
 */
export async function listModels(url: URL, key: string): Promise<readonly string[]> {
  const base = url.href.endsWith('/') ? url.href.slice(0, -1) : url.href,
    response = await fetch(`${base}/models`, {
      headers: key === '' ? {} : { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(LIST_MS),
    })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 300)}`)
  const { data } = JSON.parse(text) as { readonly data?: unknown }
  if (!Array.isArray(data)) return []
  return (data as readonly { readonly id?: unknown }[]).flatMap(({ id }) =>
    typeof id === 'string' ? [id] : [],
  )
}

/** Has the model say a word, so that a choice is known to work before it is saved. */
export async function testModel(choice: ModelChoice, key: string, base: string): Promise<string> {
  let text = ''
  const prompt = { messages: [{ role: 'user' as const, content: 'Say hello.' }] }
  const stream = chatModelOf(choice, key, base).stream(prompt.messages, {
    maxTokens: 16,
    signal: AbortSignal.timeout(TEST_MS),
  })
  for await (const piece of stream) {
    if (typeof piece === 'string') text += piece
    if (text.length > 60) break
  }
  return text.trim().slice(0, 80)
}

export function chatModelOf(choice: ModelChoice, key: string, base: string): ChatModel {
  if (choice.kind === 'browser') return promptApiChat()
  return openAIChat({
    url: readAddress(choice.url, base)?.href ?? '',
    model: choice.name.trim(),
    windowTokens: choice.window,
    ...(key === '' ? {} : { apiKey: key }),
  })
}
