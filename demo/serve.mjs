/**
 * The one command of the README: in an empty clone it installs what is missing (without install
 * scripts), builds the page and serves it, on this machine only. `--connect ORIGIN`, as often as
 * needed, lets the page talk to a model server or fetch archives there: it widens the page's policy,
 * and the page says so. `--port N` serves at another port, `--open` opens the page.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { portOf, portProblem } from './build/port.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

function run(command, args) {
  // npm is a script on Windows, which spawn reaches only through a shell.
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (done.status !== 0) process.exit(done.status ?? 1)
}

function end(words) {
  console.error(words)
  process.exit(1)
}

/** Asked before anything is installed or built, so that a page that cannot be served fails at once. */
async function freePort() {
  try {
    const port = portOf(process.argv.slice(2)),
      problem = await portProblem(port)
    return problem === null ? port : end(problem)
  } catch (error) {
    return end(error.message)
  }
}

const port = await freePort()

if (
  !existsSync(join(root, 'node_modules', 'vite')) ||
  !existsSync(join(root, 'node_modules', 'preact'))
) {
  console.log(
    'Installing what the page is built with, once. This takes a minute or a few, as the network goes.',
  )
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
}

process.env.HUBMESH_DEMO_CONNECT =
  process.argv
    .flatMap((arg, i, args) => (arg === '--connect' ? [args[i + 1] ?? ''] : []))
    .join(' ') ||
  (process.env.HUBMESH_DEMO_CONNECT ?? '')

const { build, preview } = await import('vite')
const configFile = join(root, 'vite.config.ts')
console.log('Building the page.')
await build({ configFile, logLevel: 'warn' })
const server = await preview({
  configFile,
  preview: { port, ...(process.argv.includes('--open') ? { open: true } : {}) },
}).catch(async (error) => {
  // Something else may have come while the page was built.
  const problem = await portProblem(port)
  if (problem === null) throw error
  return end(problem)
})
console.log(`hubmesh demo: ${server.resolvedUrls?.local[0] ?? 'served'}  (stop with Ctrl+C)`)
