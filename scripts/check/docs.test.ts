import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runCommandLine } from '../../src/cli/run.ts'
import { ERROR_CODES } from '../../src/base/errors.ts'
import { fencesOf, pagesOf, readBlocks } from '../../e2e/run/docs/fences.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const marked = pagesOf(root),
  pages = marked.filter((page) => page !== 'CHANGELOG.md' && !page.startsWith('docs/guides/'))
const read = (page: string): string => readFileSync(`${root}${page}`, 'utf8')
const fences = (page: string, language: string): string[] =>
  fencesOf(read(page))
    .fences.filter((fence) => fence.language === language)
    .map(({ code }) => code)

async function help(command: string): Promise<string> {
  let out = ''
  await runCommandLine(
    [command, '--help'],
    {
      stdout: {
        write: (text) => {
          out += text
        },
      },
      stderr: { write: () => undefined },
    },
    new AbortController().signal,
  )
  return out
}

it('every block of every page says how it is run, or why it is not', () => {
  const read = marked.map((page) => readBlocks(root, page))
  expect(read.flatMap(({ faults }) => faults)).toEqual([])
  expect(read.flatMap(({ blocks }) => blocks).length).toBeGreaterThan(40)
})

it('every npm script that a block names is there', () => {
  const { scripts } = JSON.parse(read('package.json')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const named = marked
    .flatMap((page) => fences(page, 'sh'))
    .flatMap((code) =>
      [...code.matchAll(/^npm (?:run )?(?!ci|install|run )([a-z:]+)/gm)].map(([, name]) => name!),
    )
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

it('every snippet of JSON in the pages is JSON', () => {
  const snippets = pages.flatMap((page) => fences(page, 'json'))
  expect(snippets.length).toBeGreaterThan(4)
  for (const snippet of snippets)
    expect(() => JSON.parse(snippet) as unknown, snippet).not.toThrow()
})

it('every command line in the pages names a command and options that there are', async () => {
  const wrong: string[] = [],
    lines = pages.flatMap((page) => [
      ...fences(page, 'sh').join('\n').split('\n'),
      ...fences(page, 'json'),
    ])
  let seen = 0
  for (const line of lines) {
    const found = /hubmesh"?,? "?(index|query|inspect|corpora|mcp|assets|bench|[a-z]+) ?(.*)/.exec(
      line.replace(/#.*$/, ''),
    )
    if (found === null || !/(^|["\s])hubmesh"?,? /.test(line) || /npm install/.test(line)) continue
    seen++
    const [, command, rest] = found,
      text = await help(command!)
    if (text === '') wrong.push(line)
    for (const [flag] of rest!.matchAll(/(?<=[\s"])--?[a-z][a-z-]*/g))
      if (!text.includes(flag)) wrong.push(`${flag} of ${line}`)
  }
  expect(seen).toBeGreaterThan(10)
  expect(wrong).toEqual([])
})

it('every page that a page links to is there, and the README links to all of them', () => {
  for (const page of pages) {
    for (const [, target] of read(page).matchAll(/\]\(([^)#:]+\.md)\)/g))
      expect(
        existsSync(`${root}${page.startsWith('docs/') ? 'docs/' : ''}${target!}`),
        `${target!} of ${page}`,
      ).toBe(true)
  }
  for (const page of pages.slice(1)) expect(read('README.md'), page).toContain(`(${page})`)
})

it('every code of an error that a page names is in src/base/errors.ts', () => {
  const areas = new Set(
      ERROR_CODES.filter((code) => code.includes('/')).map((code) =>
        code.slice(0, code.indexOf('/')),
      ),
    ),
    unknown: string[] = []
  let seen = 0
  for (const page of marked) {
    // A code stands in quotes of either kind; a path has a dot or another slash.
    for (const [, code, area] of read(page).matchAll(/[`'"](([a-z]+)\/[a-z-]+)[`'"]/g)) {
      if (!areas.has(area!)) continue
      seen++
      if (!(ERROR_CODES as readonly string[]).includes(code!)) unknown.push(`${code!} of ${page}`)
    }
  }
  expect(seen).toBeGreaterThan(20)
  expect(unknown).toEqual([])
})
