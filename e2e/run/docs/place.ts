/**
 * The folder in which a page's blocks run, one after the other, with a home of its own, and its
 * shell. The built package stands for the published one: `hubmesh` is on the path, and `npm install
 * … hubmesh` links it; every other word goes to npm itself.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

export interface Place {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

/**
 * Milliseconds a block may take; far above what any takes on a machine that does other things too.
 */
const LONGEST = 180_000

export function makePlace(root: string): Place {
  const folder = mkdtempSync(join(tmpdir(), 'hubmesh-docs-')),
    bin = join(folder, 'bin'),
    path = process.env['PATH'] ?? ''
  for (const name of ['bin', 'home']) mkdirSync(join(folder, name))
  const program = (name: string, lines: readonly string[]): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${lines.join('\n')}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  program('hubmesh', [`exec '${process.execPath}' '${join(root, 'dist/node/cli.js')}' "$@"`])
  program('npm', [
    'case "$*" in',
    `'install --ignore-scripts hubmesh') mkdir -p node_modules/.bin && ln -sfn '${root}' ` +
      `node_modules/hubmesh && cp '${join(bin, 'hubmesh')}' node_modules/.bin/hubmesh && echo ` +
      `'added 1 package' ;;`,
    `*) PATH='${path}' exec npm "$@" ;;`,
    'esac',
  ])
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  return {
    folder,
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${path}`,
      HOME: join(folder, 'home'),
      QDRANT_KEY: 'key',
      NO_COLOR: '1',
      npm_config_update_notifier: 'false',
      npm_config_offline: 'true',
    },
  }
}

export function removePlace(place: Place): void {
  rmSync(place.folder, { recursive: true, force: true })
}

/**
 * Runs to the end; gives what was printed to both streams as it came, or to stdout alone. Rejects
 * with it where the program fails or is too slow.
 */
export function run(
  command: string,
  args: readonly string[],
  place: Place,
  { cwd = place.folder, stdoutAlone = false, longest = LONGEST } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = start(command, args, place, cwd),
      said: string[] = [],
      out: string[] = []
    let late = false
    const timer = setTimeout(() => {
      late = true
      end(child)
    }, longest)
    child.stdout?.on('data', (chunk: string) => {
      out.push(chunk)
      said.push(chunk)
    })
    child.stderr?.on('data', (chunk: string) => {
      said.push(chunk)
    })
    child.on('error', reject)
    child.on('close', (status) => {
      clearTimeout(timer)
      if (status === 0) resolve((stdoutAlone ? out : said).join('').trim())
      else
        reject(
          new Error(
            `it ${late ? 'did not end in time' : `ended with ${String(status)}`}: ${said.join('').slice(-2000)}`,
          ),
        )
    })
  })
}

export function shell(code: string, place: Place, cwd = place.folder): Promise<string> {
  return run('sh', ['-e', '-c', code], place, { cwd })
}

/** Starts what serves until it is told to end; resolves when `url` answers, whatever it says. */
export async function serve(code: string, place: Place, url: string): Promise<() => Promise<void>> {
  const child = start('sh', ['-e', '-c', code], place, place.folder),
    gone = new Promise<void>((resolve) => {
      child.on('close', () => {
        resolve()
      })
    })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: string) => {
      said += chunk
    })
  const until = Date.now() + LONGEST
  for (;;) {
    if (
      await fetch(url).then(
        async (answer) => {
          await answer.body?.cancel()
          return true
        },
        () => false,
      )
    )
      break
    if (child.exitCode !== null || Date.now() > until) {
      end(child)
      throw new Error(`nothing answers at ${url}: ${said.slice(-2000)}`)
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 100)
    })
  }
  return async () => {
    end(child)
    await gone
  }
}

/** A group of its own, so that what it starts ends with it. */
function start(command: string, args: readonly string[], place: Place, cwd: string): ChildProcess {
  const child = spawn(command, args, {
    cwd,
    env: place.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout?.setEncoding('utf8')
  child.stderr?.setEncoding('utf8')
  return child
}

function end(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It ended just now.
  }
}
