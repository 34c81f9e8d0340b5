/** Chats as WhatsApp exports them: lines of date, time, name and text. */
import type { Said } from './chats.ts'

/**
 * With a comma, which logs do not have: `[12.03.24, 18:05:11] Ada: text` and
 * `12/03/2024, 6:05 PM - Ada: text`.
 */
const HEAD = new RegExp(
  /^\u200e?\[?(\d{1,4})([./-])(\d{1,2})\2(\d{1,4}), /.source +
    /(\d{1,2})[:.](\d{2})(?:[:.]\d{2})?[ \u202f]?([ap]\.?m\.?)?\]?(?: -)? /.source,
  'i',
)
/** Lines looked at, and the share of them that must be heads of messages. */
const LOOKED_AT = 40,
  SHARE = 0.3

interface Head {
  readonly match: RegExpExecArray
  readonly rest: string
}

/** The messages, without the program's own lines; null for a text that is no such export. */
export function whatsAppTurns(text: string): Said[] | null {
  const lines = text.split(/\r?\n/),
    first = lines.filter((line) => line.trim() !== '').slice(0, LOOKED_AT),
    heads = first.filter((line) => HEAD.test(line)).length
  if (heads < 2 || heads < SHARE * first.length || !HEAD.test(first[0]!)) return null
  const found = lines.map(headOf),
    monthFirst = isMonthFirst(found.filter((head) => head !== null)),
    turns: { who: string; when: string; text: string }[] = []
  let open = false
  lines.forEach((line, i) => {
    const head = found[i] ?? null
    if (head === null) {
      if (open) turns.at(-1)!.text += `\n${line}`
      return
    }
    const colon = head.rest.indexOf(': ')
    open = colon > 0 && colon <= 60
    if (!open) return // "Ada added Bo": of the program
    turns.push({
      who: head.rest.slice(0, colon).replace(/^~?[\u200e\u202f ]*/, ''),
      when: whenOf(head.match, monthFirst),
      text: head.rest.slice(colon + 2).replaceAll('\u200e', ''),
    })
  })
  return turns.length === 0 ? null : turns
}

function headOf(line: string): Head | null {
  const match = HEAD.exec(line.slice(0, 80))
  return match === null ? null : { match, rest: line.slice(match[0].length) }
}

/** True or false where the dates tell, null where each could be either. */
function isMonthFirst(heads: readonly Head[]): boolean | null {
  const any = (part: number): boolean => heads.some(({ match }) => Number(match[part]) > 12)
  if (heads.some(({ match }) => match[2] === '.')) return false
  const dayFirst = any(1),
    monthFirst = any(3)
  return dayFirst === monthFirst ? null : monthFirst
}

/** `2024-03-12 18:05`; the date as written where day and month cannot be told apart. */
function whenOf(
  [, a = '', sign = '', b = '', c = '', hour = '', minute = '', half]: RegExpExecArray,
  monthFirst: boolean | null,
): string {
  const hours =
      half === undefined
        ? Number(hour)
        : (Number(hour) % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0),
    time = `${String(hours).padStart(2, '0')}:${minute}`
  const iso = (year: string, month: string, day: string): string =>
    `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')} ${time}`
  if (a.length === 4) return iso(a, b, c)
  if (monthFirst === null) return `${a}${sign}${b}${sign}${c} ${time}`
  return monthFirst ? iso(c, a, b) : iso(c, b, a)
}
