/**
 * Owns the fenced blocks of the documentation and the marks behind their language, which say how
 * each is run:
 *
 *     js page | js node | ts node    in a page of a browser, or in Node; a `text` block behind it is what it prints
 *     sh run                         in a folder of its own; `says` is in what it prints
 *     json client                    settings of an MCP client, by which one connects
 *     ANY shown="why"                is not run, and why not
 *
 * with `given=name,name` for what the words around a block speak of, `prints="…"` where what is
 * printed stands nowhere on the page, `under=trusted` for a page under Trusted Types and
 * `under=elsewhere` for one that may reach other origins, `at=clone` for commands of this
 * repository, `adds="…"` for options that make the last command shorter to run, `serves=URL` for
 * one that runs until it is told to end. Refuses: a block without a mark, marks it does not know,
 * and a reason that is none.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface Fence {
  /** Where it opens, from 1. */
  readonly line: number
  /** Empty where none is named. */
  readonly language: string
  /** A mark without a value has an empty one. */
  readonly marks: ReadonlyMap<string, string>
  readonly code: string
}

export type Way = 'page' | 'node' | 'run' | 'client'

/** A block that runs. */
export interface Block {
  /** Page and line. */
  readonly name: string
  readonly way: Way
  readonly marks: ReadonlyMap<string, string>
  readonly given: readonly string[]
  readonly code: string
  /** All that it prints; null where nothing says so. `…` stands for anything within it. */
  readonly prints: string | null
  /** A part of what it prints. */
  readonly says: string | null
}

const WAYS: ReadonlyMap<string, readonly Way[]> = new Map([
  ['js', ['page', 'node']],
  ['ts', ['node']],
  ['sh', ['run']],
  ['json', ['client']],
])
const EXTRAS: Readonly<Record<Way, readonly string[]>> = {
  page: ['given', 'prints', 'under'],
  node: ['given', 'prints'],
  run: ['given', 'says', 'at', 'adds', 'serves'],
  client: ['given'],
}
const FENCE = /^(\s*)(`{3,}|~{3,})(.*)$/

/** README.md, CHANGELOG.md and every page below `docs/`, relative to `root`. */
export function pagesOf(root: string): string[] {
  const below = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
  return ['README.md', 'CHANGELOG.md', ...below.map((name) => `docs/${name.replaceAll('\\', '/')}`)]
}

export function readBlocks(
  root: string,
  page: string,
): { readonly blocks: readonly Block[]; readonly faults: readonly string[] } {
  return blocksOf(page, readFileSync(join(root, page), 'utf8'))
}

/** The blocks of a page that run, and what is wrong with its fences, in words. */
export function blocksOf(
  page: string,
  markdown: string,
): { readonly blocks: readonly Block[]; readonly faults: readonly string[] } {
  const { fences, faults } = fencesOf(markdown),
    blocks: Block[] = [],
    wrong = faults.map((fault) => `${page}:${fault}`)
  let output: Fence | undefined
  for (const [i, fence] of fences.entries()) {
    if (fence === output) continue
    const way = (WAYS.get(fence.language) ?? []).find((name) => fence.marks.has(name)),
      next = fences[i + 1],
      place = `${page}:${String(fence.line)}`
    output =
      way !== undefined && way !== 'client' && next?.language === 'text' && next.marks.size === 0
        ? next
        : undefined
    const fault = faultOf(fence, way, output !== undefined)
    if (fault !== null) wrong.push(`${place} ${fault}`)
    else if (way !== undefined) {
      const given = (fence.marks.get('given') ?? '').split(',').filter((name) => name !== '')
      blocks.push({
        name: place,
        way,
        marks: fence.marks,
        given,
        code: fence.code,
        prints: output?.code.trim() ?? fence.marks.get('prints') ?? null,
        says: fence.marks.get('says') ?? null,
      })
    }
  }
  return { blocks, faults: wrong }
}

function faultOf(
  { language, marks }: Fence,
  way: Way | undefined,
  followed: boolean,
): string | null {
  const reason = marks.get('shown')
  if (reason !== undefined) {
    if (marks.size > 1) return 'is marked as shown, and more'
    return reason.includes(' ') ? null : 'is marked as shown, without a reason'
  }
  if (way === undefined)
    return (
      'is not marked: a ' +
      `${language === '' ? 'block without a language' : `${language} block`} takes ` +
      `${[...(WAYS.get(language) ?? []), 'shown="why it cannot run"'].join(', ')}`
    )
  const unknown = [...marks.keys()].find((name) => name !== way && !EXTRAS[way].includes(name))
  if (unknown !== undefined) return `is marked ${unknown}, which ${way} does not take`
  if (marks.has('prints') && followed) return 'says twice what it prints'
  if (way === 'run' && !followed && !marks.has('says'))
    return 'runs, and nothing says what it prints: a text block behind it, or says="…"'
  return null
}

/**
 * Every fence at the beginning of a line; others are faults, as a reader of Markdown may see a
 * block where this does not.
 */
export function fencesOf(markdown: string): {
  readonly fences: readonly Fence[]
  readonly faults: readonly string[]
} {
  const fences: Fence[] = [],
    faults: string[] = [],
    lines = markdown.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const found = FENCE.exec(lines[i]!),
      line = i + 1
    if (found === null) continue
    const [, indent, ticks, info] = found as unknown as [string, string, string, string]
    if (indent !== '' || ticks !== '```') {
      faults.push(
        `${String(line)} opens a block otherwise than by three backticks at the beginning of the line`,
      )
      continue
    }
    const end = lines.indexOf('```', i + 1)
    if (end < 0) {
      faults.push(`${String(line)} opens a block that nothing closes`)
      break
    }
    const read = readInfo(info)
    if (read === null) faults.push(`${String(line)} has marks that cannot be read: ${info}`)
    else fences.push({ line, ...read, code: lines.slice(i + 1, end).join('\n') })
    i = end
  }
  return { fences, faults }
}

/**
 * The language, then marks: `name`, `name=word`, `name="words"`, in which \n and \" stand for
 * themselves as in JSON.
 */
function readInfo(
  info: string,
): { readonly language: string; readonly marks: ReadonlyMap<string, string> } | null {
  const marks = new Map<string, string>(),
    language = /^[a-z]*/.exec(info)![0]
  let rest = info.slice(language.length).trimStart()
  while (rest !== '') {
    const [whole, name, , quoted, word] =
      /^([a-z]+)(=(?:("(?:[^"\\]|\\.)*")|([^\s"]+)))?(?=\s|$)/.exec(rest) ?? []
    if (whole === undefined || name === undefined || marks.has(name)) return null
    marks.set(name, quoted === undefined ? (word ?? '') : (JSON.parse(quoted) as string))
    rest = rest.slice(whole.length).trimStart()
  }
  return { language, marks }
}

/** True where `text` is `pattern`, in which each `…` stands for anything. */
export function fits(text: string, pattern: string): boolean {
  const pieces = pattern.split('…'),
    first = pieces[0]!,
    last = pieces.at(-1)!
  if (pieces.length === 1) return text === pattern
  return (
    text.startsWith(first) &&
    text.endsWith(last) &&
    text.length >= first.length + last.length &&
    contains(text.slice(first.length, text.length - last.length), pieces.slice(1, -1).join('…'))
  )
}

/** True where the parts of `pattern` between its `…` stand in `text`, in their order. */
export function contains(text: string, pattern: string): boolean {
  let from = 0
  for (const piece of pattern.split('…')) {
    const at = text.indexOf(piece, from)
    if (at < 0) return false
    from = at + piece.length
  }
  return true
}
