import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runCommandLine } from '../../src/cli/run.ts'
import * as page from '../../src/index.ts'
import * as mcp from '../../src/mcp/index.ts'
import * as node from '../../src/node.ts'
import { titlesOf } from './test_titles.ts'
import * as stores from '../../src/entries/stores.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8')
const values = new Map<string, unknown>([
  ...Object.entries(page),
  ...Object.entries(node),
  ...Object.entries(mcp),
  ...Object.entries(stores),
])
/** Types leave nothing at run time, so their names are looked for where they are exported. */
const typeTexts = [
  'src/compat/planner/index.ts',
  'src/llm/index.ts',
  'src/entries/pieces.ts',
  'src/mcp/index.ts',
  'src/entries/stores.ts',
  'src/index.ts',
]
  .map(read)
  .join('\n')
const engineMethods = new Set(
  [
    ...read('src/types/engine.ts')
      .split('export interface Engine<')[1]!
      .matchAll(/^ {2}(\w+)\(/gm),
  ].map((found) => found[1]!),
)

const rows = read('docs/features.md')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '))
  .filter(([first]) => first !== 'in Python' && first !== 'fault')
const codeIn = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map((found) => found[1]!)

async function help(words: readonly string[]): Promise<string> {
  let out = ''
  await runCommandLine(
    [...words, '--help'],
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

it('the table of features has its rows, each of three cells', () => {
  expect(rows.length).toBeGreaterThan(60)
  expect(rows.filter((row) => row.length !== 3)).toEqual([])
})

it('every name, method, option and command in it exists', async () => {
  const commands = await help([]),
    mcpHelp = await help(['mcp']),
    wrong: string[] = []
  for (const [, here] of rows) {
    for (const code of codeIn(here!)) {
      const method = /^(\w+)\.(\w+)\(\)$/.exec(code),
        command = /^hubmesh (\w+)$/.exec(code)
      if (method) {
        const [, owner, name] = method,
          owned = values.get(owner!) as
            { readonly prototype?: Readonly<Record<string, unknown>> } | undefined
        if (
          owner === 'Engine'
            ? !engineMethods.has(name!)
            : typeof owned?.prototype?.[name!] !== 'function'
        )
          wrong.push(code)
      } else if (command) {
        if (!commands.includes(`  ${command[1]!} `)) wrong.push(code)
      } else if (code.startsWith('--')) {
        if (!mcpHelp.includes(code)) wrong.push(code)
      } else if (code.startsWith('$')) {
        if (!(await help(['mcp'])).includes(code)) wrong.push(code)
      } else if (code.includes('/')) {
        if (!existsSync(`${root}${code}`)) wrong.push(code)
      } else if (
        /^\w{2,}$/.test(code) &&
        code !== 'Intl' &&
        !values.has(code) &&
        !new RegExp(`\\b${code}\\b`).test(typeTexts)
      )
        wrong.push(code)
    }
  }
  expect(wrong).toEqual([])
})

it('every test it names exists, by file and title', () => {
  const wrong: string[] = []
  for (const [row, , shown] of rows) {
    let file = ''
    for (const [, code, title] of shown!.matchAll(/`([^`]+)`|“([^”]+)”/g)) {
      if (code !== undefined) {
        file = /\.(test|spec|contract)\.ts$/.test(code) ? code : file
        if (code.includes('/') && !existsSync(`${root}${code}`)) wrong.push(`${row!}: no ${code}`)
      } else if (
        file === '' ||
        !existsSync(`${root}${file}`) ||
        !titlesOf(`${root}${file}`).some((one) => one.includes(title!))
      )
        wrong.push(`${row!}: ${file} has no “${title!}”`)
    }
    if (file === '' && !/\*\*no\*\*|golden values above/.test(row! + shown!))
      wrong.push(`${row!}: no test`)
  }
  expect(wrong).toEqual([])
})
