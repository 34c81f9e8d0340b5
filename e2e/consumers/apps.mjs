/**
 * The making of the fixture apps, each by the README's steps alone: install, `hubmesh assets`, the
 * bundler's own command.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { install, ROOT, run } from '../../scripts/build/package/pack.mjs'

const SOURCES = join(ROOT, 'e2e/consumers')

/**
 * The apps' folders, below `folder`, from the one install of the tarball that was made in `base`.
 */
export function makeApps(folder, base) {
  /** A copy of a fixture with the package installed, and what else it installs. */
  const app = (name, packages = [], as = name) => {
    const at = join(folder, as)
    // Hard links: an install is half a gigabyte, and no app changes a file of it.
    mkdirSync(at, { recursive: true })
    run(
      'cp',
      [
        '-al',
        join(base, 'node_modules'),
        join(base, 'package.json'),
        join(base, 'package-lock.json'),
        `${at}/`,
      ],
      folder,
    )
    // npm writes these two anew, which a hard link would carry to the others.
    for (const file of ['package.json', 'package-lock.json'])
      run('cp', ['--remove-destination', join(base, file), join(at, file)], folder)
    cpSync(join(SOURCES, name), at, { recursive: true })
    cpSync(join(SOURCES, 'shared'), at, { recursive: true })
    if (packages.length > 0) install(at, packages)
    return at
  }
  const bin = (at, path, args, env) =>
    run(process.execPath, [join(at, 'node_modules', path), ...args], at, env)
  /** `npx hubmesh assets DIR` */
  const assets = (at, to) => bin(at, 'hubmesh/dist/node/cli.js', ['assets', to])
  return { app, bin, assets }
}

/**
 * Starts a server of a bundler's own; gives its end. It is a process group, so that what it started
 * ends with it.
 */
export async function background(at, args, url, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: at,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      said += String(data)
    })
  const kill = (signal) => {
    try {
      process.kill(-child.pid, signal)
    } catch {
      // It ended by itself.
    }
  }
  const end = () => {
    kill('SIGKILL')
  }
  process.once('exit', end)
  const started = performance.now()
  for (;;) {
    if (child.exitCode !== null || performance.now() - started > 120_000) {
      end()
      throw new Error(`${args.join(' ')} does not serve ${url}:\n${said.slice(-3000)}`)
    }
    const answer = await fetch(url).catch(() => null)
    if (answer !== null) return { end, said: () => said }
    await new Promise((resolve) => {
      setTimeout(resolve, 100)
    })
  }
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => {
        resolve(port)
      })
    })
  })
}
