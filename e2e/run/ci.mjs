/**
 * What continuous integration runs: the README's test command, then the heavier tiers one after the
 * other, each an npm script that ends with `N passed, N failed`. Its own last line is the sum.
 */
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const TOTAL_MINUTES = 85
/**
 * Name of the npm script, the minutes after which it is ended, how often it may be run. The heavier
 * tiers drive browsers that others made through kills, cold installs and three drivers: a second
 * run is allowed there, and told in the sum. The README's command has one.
 */
const TIERS = [
  ['test', 20, 1],
  ['test:package', 12, 2],
  ['test:docs', 10, 2],
  ['test:demo', 10, 2],
  ['test:faults', 20, 2],
  ['test:engines', 12, 2],
  ['test:consumers', 25, 2],
]

const began = Date.now()
const total = { passed: 0, failed: 0 }
const lines = []
for (const [tier, minutes, times] of TIERS) {
  let result = { passed: 0, failed: 1, why: 'no time was left to start it' }
  for (let time = 1; time <= times; time++) {
    const left = TOTAL_MINUTES - (Date.now() - began) / 60_000
    if (left < 1) break
    console.log(`\n==== npm run ${tier}${time > 1 ? `, once more: ${result.failed} failed` : ''}`)
    result = await run(tier, Math.min(minutes, left))
    if (result.failed === 0) {
      if (time > 1) result.why = `at run ${time}`
      break
    }
  }
  total.passed += result.passed
  total.failed += result.failed
  lines.push(
    `${result.failed === 0 ? 'ok    ' : 'FAILED'} npm run ${tier}: ${result.passed} passed, ` +
      `${result.failed} failed${result.why ? ` (${result.why})` : ''}, ${result.seconds ?? 0} s`,
  )
}
console.log(`\n${lines.join('\n')}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)

/** Runs one script, shows what it prints, and reads its closing line. */
function run(tier, minutes) {
  return new Promise((resolve) => {
    const start = Date.now()
    // A group of its own, so that what the tier started ends with it.
    const child = spawn('npm', ['run', '--silent', tier], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    })
    let tail = ''
    let ended = false
    const timer = setTimeout(() => {
      ended = true
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        /* it ended just now */
      }
    }, minutes * 60_000)
    child.stdout.on('data', (chunk) => {
      process.stdout.write(chunk)
      tail = (tail + chunk).slice(-20_000)
    })
    child.on('close', (status) => {
      clearTimeout(timer)
      const seconds = Math.round((Date.now() - start) / 1000)
      const found = [...tail.matchAll(/^(\d+) passed, (\d+) failed/gm)].at(-1)
      const passed = Number(found?.[1] ?? 0)
      const failed = Number(found?.[2] ?? 0)
      if (ended)
        resolve({
          passed,
          failed: failed + 1,
          seconds,
          why: `ended after ${minutes.toFixed(0)} minutes`,
        })
      else if (!found)
        resolve({ passed: 0, failed: 1, seconds, why: 'it printed no "N passed, N failed"' })
      else if (status !== 0 && failed === 0)
        resolve({ passed, failed: 1, seconds, why: `it ended with status ${status}` })
      else resolve({ passed, failed, seconds })
    })
  })
}
