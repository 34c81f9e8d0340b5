/** Chat exports of ChatGPT, Slack and Telegram: one document a conversation, who said what, when. */
import type { DocumentInput } from '../../../types.ts'
import { isPlainObject } from '../../metadata.ts'

type Fields = Readonly<Record<string, unknown>>

export interface Said {
  readonly who: string
  readonly when: string
  readonly text: string
}

/** The conversations of a parsed JSON file; null where it is no chat export that is known. */
export function chatDocuments(value: unknown, path: string): DocumentInput[] | null {
  if (Array.isArray(value)) {
    const records = value.filter(isPlainObject) as Fields[]
    if (records.length === 0) return null
    if (records.every(({ mapping }) => isPlainObject(mapping)))
      return records.map((one, i) => conversation(chatGptTurns(one), one, `${path}#${i}`))
    return records.every(isSlack) ? [conversation(records.map(slackTurn), {}, path)] : null
  }
  if (!isPlainObject(value)) return null
  const fields = value as Fields
  if (isPlainObject(fields['mapping'])) return [conversation(chatGptTurns(fields), fields, path)]
  const list = (fields['chats'] as Fields | undefined)?.['list']
  const chats = (Array.isArray(list) ? list : [fields]).filter(isTelegram)
  return chats.length === 0
    ? null
    : chats.map((chat, i) =>
        conversation(
          (chat['messages'] as Fields[]).map(telegramTurn),
          chat,
          chats.length === 1 ? path : `${path}#${i}`,
        ),
      )
}

export function conversation(
  turns: readonly Said[],
  about: Fields,
  fallback: string,
): DocumentInput {
  const said = turns.filter(({ text }) => text.trim() !== '')
  const title = about['title'] ?? about['name']
  const days = said.map(({ when }) => when.slice(0, 10)).filter((day) => /^\d{4}-/.test(day))
  const id = about['conversation_id']
  return {
    id: typeof id === 'string' && id !== '' ? id : fallback,
    ...(typeof title === 'string' && title !== '' ? { title } : {}),
    text: said
      .map(({ who, when, text }) => `${when === '' ? '' : `[${when}] `}${who}: ${text.trim()}`)
      .join('\n\n'),
    metadata: {
      kind: 'chat',
      people: [...new Set(said.map(({ who }) => who))],
      ...(days.length === 0 ? {} : { from: days[0]!, to: days.at(-1)! }),
    },
  }
}

/** The branch that was open last, from its first message; without it all, as they lie. */
function chatGptTurns(conversation: Fields): Said[] {
  const mapping = new Map(Object.entries(conversation['mapping'] as Record<string, Fields>))
  const nodes: Fields[] = []
  const seen = new Set<unknown>()
  for (let at = conversation['current_node']; typeof at === 'string' && !seen.has(at);) {
    seen.add(at)
    const node = mapping.get(at)
    if (node === undefined) break
    nodes.unshift(node)
    at = node['parent']
  }
  return (nodes.length === 0 ? [...mapping.values()] : nodes).flatMap((node) => {
    const message = node['message'] as Fields | null | undefined
    const parts = (message?.['content'] as Fields | undefined)?.['parts']
    const who = (message?.['author'] as Fields | undefined)?.['role']
    if (!Array.isArray(parts) || who === 'system' || who === 'tool') return []
    const text = parts.filter((part) => typeof part === 'string').join('\n')
    return [{ who: String(who ?? 'unknown'), when: timeOf(message!['create_time']), text }]
  })
}

function isSlack({ ts, text }: Fields): boolean {
  return typeof ts === 'string' && /^\d{9,11}\.\d+$/.test(ts) && typeof text === 'string'
}

function slackTurn({ ts, text, user, username, user_profile: profile }: Fields): Said {
  const { real_name: real, display_name: shown } = (profile ?? {}) as Fields
  const who = [real, shown, username, user].find((name) => typeof name === 'string' && name !== '')
  const plain = (text as string)
    .replace(/<(https?:[^|<>]{0,500})\|([^<>]{0,500})>/g, '$2')
    .replace(/<([^<>]{0,500})>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
  return { who: (who as string | undefined) ?? 'unknown', when: timeOf(Number(ts)), text: plain }
}

function isTelegram(chat: unknown): chat is Fields {
  if (!isPlainObject(chat)) return false
  const { messages } = chat as Fields
  return (
    Array.isArray(messages) &&
    messages.length > 0 &&
    messages.every((one) => isPlainObject(one) && 'text' in one && 'date' in one)
  )
}

/** A text is a string, or a list of strings and of entities with a text. */
function telegramTurn({ from, actor, date, text }: Fields): Said {
  const parts: readonly unknown[] = Array.isArray(text) ? text : [text]
  const words = parts.map((part) =>
    typeof part === 'string' ? part : String((part as Fields | null)?.['text'] ?? ''),
  )
  return {
    who: String(from ?? actor ?? 'unknown'),
    when: String(date).replace('T', ' ').slice(0, 16),
    text: words.join(''),
  }
}

/** Seconds since 1970 as `2024-05-01 12:03`, in UTC; '' for what is no time. */
function timeOf(seconds: unknown): string {
  return typeof seconds === 'number' && seconds > 0 && seconds < 1e11
    ? new Date(seconds * 1000).toISOString().replace('T', ' ').slice(0, 16)
    : ''
}
