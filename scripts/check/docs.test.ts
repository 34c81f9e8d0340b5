import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
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

it('every block of every page is marked as run, or with a reason', () => {
  const read = marked.map((page) => readBlocks(root, page))
  expect(read.flatMap(({ faults }) => faults)).toEqual([])
  expect(read.flatMap(({ blocks }) => blocks).length).toBeGreaterThan(40)
})

it('every npm script that a block names is there', () => {
  const { scripts } = JSON.parse(read('package.json')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const named = marked
    .flatMap((page) => [
      ...fences(page, 'sh'),
      ...[...read(page).matchAll(/`(npm [^`]+)`/g)].map(([, command]) => command!),
    ])
    .flatMap((code) =>
      [
        ...code.matchAll(
          /^npm (?:run )?(?!ci|install|run |pack|outdated|audit|sbom|publish)([a-z:]+)/gm,
        ),
      ].map(([, name]) => name!),
    )
  expect(named.length).toBeGreaterThan(30)
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

it('every page and picture that a page links to exists, and the README leads to all of them', () => {
  const links = (page: string): string[] =>
    [...read(page).matchAll(/\]\(([^)#:]+\.(?:md|svg|png))\)/g)].map(([, target]) =>
      posix.join(posix.dirname(page), target!),
    )
  const reached = new Set(['README.md'])
  for (const page of reached)
    for (const target of links(page)) {
      expect(existsSync(`${root}${target}`), `${target} of ${page}`).toBe(true)
      if (target.endsWith('.md')) reached.add(target)
    }
  expect(marked.filter((page) => !reached.has(page))).toEqual([])
})

it('the drawing of the rooms has those of check_rooms.mjs, in their order', () => {
  const [, list] = /ROOMS = \[([^\]]*)\]/.exec(read('scripts/check/check_rooms.mjs'))!,
    rooms = [...list!.matchAll(/'([^']+)'/g)].map(([, room]) => room!),
    [drawing] = fences('docs/architecture.md', 'text')
  expect(rooms.length).toBeGreaterThan(20)
  expect(drawing!.split('\n').map((line) => line.split(' ')[0])).toEqual(rooms)
})

it('every package in package.json stands in docs/decisions/dependencies.md with its reason', () => {
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(
    read('package.json'),
  ) as Readonly<
    Record<'dependencies' | 'devDependencies' | 'peerDependencies', Record<string, string>>
  >
  expect(dependencies ?? {}, 'the package installs alone').toEqual({})
  const reasons = read('docs/decisions/dependencies.md')
  for (const name of Object.keys({ ...devDependencies, ...peerDependencies }))
    if (!name.startsWith('@types/')) expect(reasons, name).toContain(`\`${name}\``)
})

it('every source that CONTRIBUTING and the architecture name exists', () => {
  const missing = ['CONTRIBUTING.md', 'docs/architecture.md', 'docs/development.md'].flatMap(
    (page) =>
      [...read(page).matchAll(/`((?:src|scripts|e2e|demo|workers|docs)\/[\w./]*)`/g)]
        .map(([, path]) => path!)
        .filter((path) => !existsSync(`${root}${path}`) && !path.includes('NAME'))
        .map((path) => `${path} of ${page}`),
  )
  expect(missing).toEqual([])
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
