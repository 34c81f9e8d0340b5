/** Plain text and Markdown: the text as it stands, so that every span is a span of the file. */
import { plainHeading } from '../../chunk/outline.ts'
import { closesFence, fenceLength, isUnderline, lineKind } from '../../chunk/lines.ts'
import type { Json } from '../../types.ts'
import { isPlainObject } from '../metadata.ts'
import { conversation } from './chats/chats.ts'
import { decodeText } from './decode.ts'
import { oneDocument, unreadable, type Reader } from './reader.ts'
import { define } from './records.ts'
import { whatsAppTurns } from './chats/whatsapp.ts'

/**
 * Longest heading taken as a title, UTF-16 units: longer ones are prose that happens to begin with
 * `#`.
 */
const TITLE_CHARS = 300
/** Lines looked at for a title. */
const TITLE_LINES = 400

/** Front matter longer than this is not read as such, UTF-16 units. */
const FRONT_CHARS = 65_536

/**
 * One document; its text as it stands, without unreadable data (see `withoutData`). A chat as
 * WhatsApp exports it becomes a conversation.
 */
export const readText: Reader = async (file, context) => {
  const text = await decodeText(await file.bytes(), file.path, context)
  const chat = file.path.endsWith('.txt') ? whatsAppTurns(text) : null
  if (chat !== null) return [conversation(chat, {}, file.path)]
  return oneDocument(file.path, '', withoutData(text))
}

/** Source code: its text, its file's name as title. Minified code is refused. */
export const readCode: Reader = async (file, context) => {
  const text = await decodeText(await file.bytes(), file.path, context)
  const longest = longestLine(text)
  if (longest > MINIFIED_LINE)
    throw unreadable(
      file.path,
      `a line has ${longest} characters, so the code is minified or generated`,
      'add the source it was made from',
    )
  const name = file.path.slice(file.path.lastIndexOf('/') + 1)
  return oneDocument(file.path, name, text, { kind: 'code' })
}

/**
 * One document. Its title is the front matter's `title`, else the first heading; the other scalars
 * and lists of the front matter are metadata, `tags` joined by the `#tags` of the text.
 */
export const readMarkdown: Reader = async (file, context) => {
  const text = withoutData(await decodeText(await file.bytes(), file.path, context))
  const front = await frontMatter(text)
  const tags = [...new Set([...listOf(front['tags'] ?? front['tag']), ...hashTags(text)])]
  const own = front['title']
  const title = typeof own === 'string' && own !== '' ? own : markdownTitle(text)
  const { title: _, tag: __, ...rest } = front
  return oneDocument(file.path, title, text, tags.length === 0 ? rest : { ...rest, tags })
}

/** Scalars and lists of scalars between `---` lines at the start; {} where there are none. */
async function frontMatter(text: string): Promise<Record<string, Json>> {
  const found = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(
    text.slice(0, FRONT_CHARS),
  )
  if (found === null) return {}
  const { load, CORE_SCHEMA } = await import('js-yaml')
  const out: Record<string, Json> = {}
  try {
    const value: unknown = load(found[1]!, { schema: CORE_SCHEMA, maxAliases: 0, maxDepth: 16 })
    if (!isPlainObject(value)) return {}
    for (const [key, field] of Object.entries(value)) {
      const scalars = Array.isArray(field) ? field.every(isScalar) : isScalar(field)
      if (scalars && field !== null && field !== '') define(out, key, field)
    }
  } catch {
    return {} // a rule that happens to stand first, or YAML that is broken: it is text then
  }
  return out
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
}

function listOf(value: Json | undefined): string[] {
  if (typeof value === 'string') return value.split(/[,\s]+/).filter((tag) => tag !== '')
  return Array.isArray(value) ? value.map(String) : []
}

/** `#tag` and `#tag/inner` at the start of a word, with a letter in them. */
function hashTags(text: string): string[] {
  const tags = text.matchAll(/(?:^|[\s(])#([\p{L}\p{N}_/-]{2,64})(?=$|[\s.,;:!?)])/gu)
  return [...tags].map(([, tag]) => tag!).filter((tag) => /\p{L}/u.test(tag) && !isColour(tag))
}

function isColour(tag: string): boolean {
  return /^(?:[\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/i.test(tag)
}

/** A line of code is rarely longer, UTF-16 units. */
const MINIFIED_LINE = 5000
/** Characters of base64 in one run that no text has. */
const BASE64_RUN = 200

function longestLine(text: string): number {
  let longest = 0
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at),
      end = newline < 0 ? text.length : newline
    longest = Math.max(longest, end - at)
    at = end + 1
  }
  return longest
}

/**
 * Leaves out what cannot be read: `data:` addresses, with the line of a reference that is nothing
 * else, and long runs of base64.
 */
export function withoutData(text: string): string {
  if (!/[A-Za-z0-9+/=_-]{80}/.test(text)) return text
  return text
    .replace(/^\[[^\]\n]{1,80}\]: *<?data:[^\n]*\n?/gm, '')
    .replace(/data:[a-z0-9.+/-]{1,80};base64,[A-Za-z0-9+/=_-]+/gi, '')
    .replace(/(?:[A-Za-z0-9+/_-]{60,}={0,2}\r?\n?)+/g, (run) =>
      run.length >= BASE64_RUN && /\d/.test(run) && /[A-Z]/.test(run) && /[a-z]/.test(run)
        ? ''
        : run,
    )
}

/** The first heading of many a changelog: a release is not what the file is. */
const RELEASE = /^\[?v?\d+\.\d+|^\[?unreleased\b/i

/** Gives the title of a Markdown text, or '' where it has none. Reads the first 400 lines. */
export function markdownTitle(text: string): string {
  let inFront = false
  let fenceMark = ''
  let fence = 0
  let above = ''
  let at = 0
  for (let n = 0; n < TITLE_LINES && at < text.length; n++) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(at, Math.min(end, at + TITLE_CHARS + 16)).trim()
    const whole = end - at <= TITLE_CHARS + 16
    at = end + 1
    if (n === 0 && line === '---') {
      inFront = true
    } else if (inFront) {
      if (line === '---' || line === '...') inFront = false
      else if (line.startsWith('title:')) {
        const title = unquote(line.slice('title:'.length).trim())
        if (title !== '' && whole) return title
      }
    } else if (fence > 0) {
      if (closesFence(line, 0, line.length, fenceMark, fence)) fence = 0
    } else {
      const kind = lineKind(line, 0, line.length)
      if (kind === 'fence') {
        fenceMark = line.charAt(0)
        fence = fenceLength(line, 0, line.length)
      } else if (kind === 'heading' && whole) {
        const title = plainHeading(line)
        if (title !== '' && !RELEASE.test(title)) return title
      } else if (kind === 'rule' && above !== '' && isUnderline(line, 0, line.length)) {
        return plainHeading(above)
      }
      above = kind === 'prose' && whole ? line : ''
    }
  }
  return ''
}

function unquote(value: string): string {
  const quote = value.charAt(0)
  return (quote === '"' || quote === "'") && value.length > 1 && value.endsWith(quote)
    ? value.slice(1, -1).trim()
    : value
}
