/**
 * The package as it is published: built when its sources are newer, packed once, installed once in
 * a folder of its own.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SOURCES = [
  'src',
  'workers',
  'scripts/build/build.mjs',
  'scripts/build/build_library.ts',
  'scripts/build/build_inline.ts',
  'tsconfig.build.json',
  'package.json',
]
const INSTALL = [
  'install',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--loglevel=error',
]

/** Builds `dist` when it is missing or older than what it is made from. */
export function ensureBuilt() {
  const made =
    statSync(join(ROOT, 'dist/types/worker.d.ts'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (made > Math.max(...SOURCES.map((source) => newest(join(ROOT, source))))) return
  console.log('The package is built, as its sources are newer.')
  run(process.execPath, [join(ROOT, 'scripts/build/build.mjs')], ROOT)
}

/** Packs into `folder`; gives the tarball's path. */
export function pack(folder) {
  ensureBuilt()
  mkdirSync(folder, { recursive: true })
  for (const old of readdirSync(folder).filter((name) => name.endsWith('.tgz')))
    rmSync(join(folder, old))
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder, '--loglevel=error'], ROOT)
  const [name] = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
  if (name === undefined) throw new Error('npm pack made no tarball.')
  return join(folder, name)
}

/**
 * As a user installs it, with the packages they install beside it. The folder may hold an earlier
 * install, which is then added to.
 */
export function install(folder, packages) {
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, 'package.json')))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  // A registry that does not answer at once is asked again by npm itself.
  run('npm', [...INSTALL, ...packages], folder)
}

/** Runs to the end; throws with what was printed when it fails. */
export function run(command, args, cwd, env = {}) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: 1_200_000,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, ...env },
  })
  if (error !== undefined) throw error
  if (status !== 0)
    throw new Error(
      `${command} ${args.join(' ')} ended with ${String(status)}:\n${`${stdout}\n${stderr}`.trim().slice(-4000)}`,
    )
  return stdout
}

/** Runs named checks one after the other, all of them, and prints the sum last. */
export async function runChecks(checks) {
  let passed = 0,
    failed = 0
  for (const [name, check] of checks) {
    const started = performance.now()
    try {
      const said = await check()
      passed++
      const lines = typeof said === 'string' && said !== '' ? said.split('\n') : []
      console.log([`ok     ${name} (${seconds(started)})`, ...lines].join('\n       '))
    } catch (error) {
      failed++
      console.log(`FAILED ${name} (${seconds(started)})\n${String(error?.stack ?? error)}`)
    }
  }
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(
    0,
    ...readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  )
}
