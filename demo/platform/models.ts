/**
 * Owns how the chosen language model is made, and where the page may send anything. Refuses:
 * sending to an origin that this build was not given.
 */
import { openAIChat, promptApiChat, type ChatModel } from '../../src/entries/chat.ts'
import type { ModelChoice } from './settings.ts'

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
  if (choice.kind === 'off') return null
  if (choice.kind === 'browser')
    return hasModel
      ? null
      : 'This browser brings no language model. Chrome does, from version 148 on, on machines that can run it.'
  const url = choice.url.trim() === '' ? null : readAddress(choice.url, base)
  if (url === null) return 'Give the address of the server, as /v1 or http://127.0.0.1:11434/v1.'
  if (choice.name.trim() === '') return 'Give the name of the model, as the server calls it.'
  if (!mayFetch(url, new URL(base).origin, origins))
    return (
      `This page may not talk to ${url.origin}: its security policy allows ` +
      `${origins.length === 0 ? 'its own address only' : `only ${origins.join(', ')}`}. ` +
      `Start it with “npm run demo -- --connect ${url.origin}” to allow it.`
    )
  return null
}

/** Who answers, in a few words. */
export function modelName(choice: ModelChoice, base: string): string {
  if (choice.kind === 'browser') return 'the model in this browser'
  return `${choice.name.trim()} at ${readAddress(choice.url, base)?.host ?? choice.url}`
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
