import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runCommandLine } from '../src/cli/run.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = ['README.md', ...readdirSync(`${root}docs`).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)]
const read = (page: string): string => readFileSync(`${root}${page}`, 'utf8')
const fences = (page: string, language: string): string[] => read(page).split('```').filter((_, i) => i % 2 === 1).filter((block) => block.startsWith(`${language}\n`)).map((block) => block.slice(language.length + 1))

async function help(command: string): Promise<string> {
  let out = ''
  await runCommandLine([command, '--help'], { stdout: { write: (text) => { out += text } }, stderr: { write: () => undefined } }, new AbortController().signal)
  return out
}

it('every snippet of JSON in the pages is JSON', () => {
  const snippets = pages.flatMap((page) => fences(page, 'json'))
  expect(snippets.length).toBeGreaterThan(4)
  for (const snippet of snippets) expect(() => JSON.parse(snippet) as unknown, snippet).not.toThrow()
})

it('every command line in the pages names a command and options that there are', async () => {
  const wrong: string[] = [], lines = pages.flatMap((page) => [...fences(page, 'sh').join('\n').split('\n'), ...fences(page, 'json')])
  let seen = 0
  for (const line of lines) {
    const found = /hubmesh"?,? "?(index|query|inspect|corpora|mcp|assets|bench|[a-z]+) ?(.*)/.exec(line.replace(/#.*$/, ''))
    if (found === null || !/(^|["\s])hubmesh"?,? /.test(line) || /npm install/.test(line)) continue
    seen++
    const [, command, rest] = found, text = await help(command!)
    if (text === '') wrong.push(line)
    for (const [flag] of rest!.matchAll(/(?<=[\s"])--?[a-z][a-z-]*/g)) if (!text.includes(flag)) wrong.push(`${flag} of ${line}`)
  }
  expect(seen).toBeGreaterThan(10)
  expect(wrong).toEqual([])
})

it('every page that a page links to is there, and the README links to all of them', () => {
  for (const page of pages) {
    for (const [, target] of read(page).matchAll(/\]\(([^)#:]+\.md)\)/g)) expect(existsSync(`${root}${page.startsWith('docs/') ? 'docs/' : ''}${target!}`), `${target!} of ${page}`).toBe(true)
  }
  for (const page of pages.slice(1)) expect(read('README.md'), page).toContain(`(${page})`)
})
