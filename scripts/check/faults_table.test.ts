import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { titlesOf } from './test_titles.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8')
const rows = read('docs/faults.md')
  .split('\n')
  .filter((line) => /^\| [SN]?\d/.test(line))
  .map((line) => line.slice(2, -2).split(' | '))

it('the table of faults has every fault and every threat once, each of three cells', () => {
  expect(rows.map(([row]) => row)).toEqual([
    ...Array.from({ length: 75 }, (_, i) => String(i + 1)),
    'S1',
    'S2',
    'S2a',
    ...Array.from({ length: 25 }, (_, i) => `S${String(i + 3)}`),
    ...Array.from({ length: 14 }, (_, i) => `N${String(i + 1)}`),
  ])
  expect(rows.filter((row) => row.length !== 3 || row.some((cell) => cell.trim() === ''))).toEqual(
    [],
  )
})

it('every row names a test that there is, or a limit with its reason', () => {
  const wrong: string[] = []
  let named = 0
  for (const [row, , shown] of rows) {
    const tests = [...shown!.matchAll(/`([^`]+\.ts)` “([^”]+)”/g)]
    if (tests.length === 0 && !/^Stated limit: .{20,}/.test(shown!))
      wrong.push(`${row!}: neither a test nor a limit`)
    for (const [, path, title] of tests) {
      named++
      if (!existsSync(`${root}${path!}`)) wrong.push(`${row!}: ${path!} is not there`)
      else if (
        !titlesOf(`${root}${path!}`).some(
          (one) => one.startsWith(title!) || (one.includes('${') && one.includes(title!)),
        )
      )
        wrong.push(`${row!}: no test of ${path!} is called “${title!}”`)
    }
    if ([...shown!.matchAll(/“/g)].length !== [...shown!.matchAll(/`[^`]+\.ts` “/g)].length)
      wrong.push(`${row!}: a title without its file`)
  }
  expect(wrong).toEqual([])
  expect(named).toBeGreaterThan(110)
})
