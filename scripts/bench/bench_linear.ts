/**
 * The clock's side of linear time: every reader of foreign text over one repeated unit, at a size
 * and at twice it. `npm run bench:linear`, with `--size UNITS` (default half a megabyte) and
 * `--only NAME`. Tests count steps; this prints milliseconds, and refuses to judge them.
 */
import { pathological, UNITS } from '../../src/testing/pathological.ts'
import { loadScanners } from '../../src/testing/scanners.ts'

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(name)
  return at < 0 ? undefined : process.argv[at + 1]
}
const size = Number(option('--size') ?? 512 * 1024),
  only = option('--only')
if (!Number.isSafeInteger(size) || size < 1024)
  throw new RangeError('--size takes a whole number of at least 1024.')

/** The units whose readers have been slow somewhere else; `--only` goes through all of them. */
const USUAL = [
  'letters',
  'capitals',
  'spaces',
  'dots',
  'double quotes',
  'Han',
  'combining marks',
  'sentences of one letter',
  'names',
  'broken links',
  'open elements',
  'forged fences',
]
const units = only === undefined ? USUAL : [...UNITS.keys()]

/** The least of three, as a collection of garbage falls into one of them. */
const time = async (run: () => unknown): Promise<number> => {
  let least = Infinity
  for (let i = 0; i < 3; i++) {
    const start = performance.now()
    await run()
    least = Math.min(least, performance.now() - start)
  }
  return least
}
console.log(
  `${'reader'.padEnd(32)} ${'slowest text'.padEnd(26)} ${`${String(size)} units`.padStart(16)} ` +
    `${`${String(2 * size)} units`.padStart(16)}  ratio`,
)
for (const scanner of await loadScanners()) {
  if (only !== undefined && !scanner.name.includes(only)) continue
  let worst = { unit: '', once: 0, twice: 0 }
  for (const name of units) {
    const unit = UNITS.get(name)!
    await scanner.run(pathological(unit, 4096))
    const once = await time(() => scanner.run(pathological(unit, size))),
      twice = await time(() => scanner.run(pathological(unit, 2 * size)))
    if (twice > worst.twice) worst = { unit: name, once, twice }
  }
  console.log(
    `${scanner.name.padEnd(32)} ${worst.unit.padEnd(26)} ` +
      `${`${worst.once.toFixed(1)} ms`.padStart(16)} ` +
      `${`${worst.twice.toFixed(1)} ms`.padStart(16)}  ${(worst.twice / worst.once).toFixed(2)}`,
  )
}
