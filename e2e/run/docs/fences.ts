/**
 * Fenced blocks of the documentation, and how each is run. A comment on the line above a block says
 * so, which no reader of the rendered page sees:
 *
 *     <!-- test: page -->      (js) in a page of a browser; a `text` block behind it is its output
 *     <!-- test: node -->      (js, ts) in Node
 *     <!-- test: run -->       (sh) in a folder of its own; `says` is part of its output
 *     <!-- test: client -->    (json) settings of an MCP client, by which one connects
 *     <!-- test: shown="why" -->   is not run, and why not
 *
 * More marks: `given=name,name` (what the text around a block assumes, see givens.ts),
 * `prints="…"` (output that the page does not show), `under=trusted` (a page under Trusted Types),
 * `under=elsewhere` (a page that may reach other origins), `at=clone` (commands of this repository),
 * `adds="…"` (options that make the last command shorter), `serves=URL` (runs until it is ended).
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
const ROOT_PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md']
const FENCE = /^(\s*)(`{3,}|~{3,})(.*)$/
const COMMENT = /^<!-- test: (.*) -->$/

/**
 * The pages in the root and every page below `docs/`, relative to `root`. The README's translations
 * hold its blocks as they are (scripts/check/readmes.test.ts), so they need no run of their own.
 */
export function pagesOf(root: string): string[] {
  const below = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
  return [...ROOT_PAGES, ...below.map((name) => `docs/${name.replaceAll('\\', '/')}`)]
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
    const comment = COMMENT.exec(lines[i - 1] ?? '')?.[1] ?? '',
      marks = readMarks(comment)
    if (!/^[a-z]*$/.test(info)) faults.push(`${String(line)} says more than its language: ${info}`)
    else if (marks === null)
      faults.push(`${String(line)} has marks that cannot be read: ${comment}`)
    else fences.push({ line, language: info, marks, code: lines.slice(i + 1, end).join('\n') })
    i = end
  }
  for (const [i, text] of lines.entries())
    if (text.startsWith('<!-- test:') && !(lines[i + 1] ?? '').startsWith('```'))
      faults.push(`${String(i + 1)} is a mark without a block below it`)
  return { fences, faults }
}

/** `name`, `name=word`, `name="words"`, in which \n and \" stand for themselves as in JSON. */
function readMarks(text: string): ReadonlyMap<string, string> | null {
  const marks = new Map<string, string>()
  let rest = text.trim()
  while (rest !== '') {
    const [whole, name, , quoted, word] =
      /^([a-z]+)(=(?:("(?:[^"\\]|\\.)*")|([^\s"]+)))?(?=\s|$)/.exec(rest) ?? []
    if (whole === undefined || name === undefined || marks.has(name)) return null
    marks.set(name, quoted === undefined ? (word ?? '') : (JSON.parse(quoted) as string))
    rest = rest.slice(whole.length).trimStart()
  }
  return marks
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
