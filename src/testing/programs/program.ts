/** Engines in other threads, processes and containers, for tests of what lies between programs. */
import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'
import { build } from 'esbuild'

export type ProgramKind = 'thread' | 'process' | 'container'

/** What a program opens; `dims` of its embedder, null for none. */
export interface Setting {
  readonly directory: string
  readonly corpus: string
  readonly dims: number | null
}

export interface Ask {
  readonly id: number
  readonly call: string
  readonly args: readonly unknown[]
}

/** The value of a call, or the code of its error. Id 0 tells that the engine is open, or why not. */
export interface Answer {
  readonly id: number
  readonly value?: unknown
  readonly code?: string
  readonly message?: string
}

export interface Program {
  readonly kind: ProgramKind
  /** What the call gave, or `{ code, message }`; `{ code: 'gone' }` once the program has ended. */
  call(call: string, ...args: unknown[]): Promise<Answer>
  /** Stops it where it is, and lets it go on; a process alone can be. */
  freeze(): void
  thaw(): void
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>
  /** The orderly way: the engine is closed first. */
  close(): Promise<void>
}

/** Why programs of a kind cannot be started here; null where they can. */
export function unavailable(kind: ProgramKind): string | null {
  if (kind !== 'container') return null
  const tried = spawnSync('unshare', [...CONTAINER, 'true'])
  return tried.status === 0 ? null : 'this system does not let us unshare a space of processes'
}

/** A space of process numbers of its own, as a container has. */
const CONTAINER = ['--pid', '--fork', '--mount-proc', '--kill-child']

let bundled: Promise<string> | null = null

/** One file of the package and the program, so that many programs start quickly. */
function bundle(): Promise<string> {
  const root = join(import.meta.dirname, '../../..'),
    outfile = join(root, `.cache/testing/program-${process.pid}.mjs`)
  bundled ??= build({
    entryPoints: [join(import.meta.dirname, 'program_main.ts')],
    outfile,
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20' },
    ...{ packages: 'external', logLevel: 'error' },
  }).then(() => {
    process.on('exit', () => {
      rmSync(outfile, { force: true })
    })
    return outfile
  })
  return bundled
}

interface Line {
  send(ask: Ask): void
  signal(name: NodeJS.Signals): void
  end(): Promise<void>
}

/** Starts a program; it is ended with the test. `{ code }` of an engine that did not open is thrown. */
export async function startProgram(kind: ProgramKind, setting: Setting): Promise<Program> {
  const script = await bundle(),
    waiting = new Map<number, (answer: Answer) => void>(),
    opened = new Promise<Answer>((resolve) => waiting.set(0, resolve))
  let gone = false,
    count = 0
  const hear = (answer: Answer): void => {
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  }
  const ended = (): void => {
    gone = true
    for (const id of waiting.keys()) hear({ id, code: 'gone' })
  }
  const line =
    kind === 'thread'
      ? thread(script, setting, hear, ended)
      : child(kind, script, setting, hear, ended)
  const program: Program = {
    kind,
    call: (call, ...args) =>
      new Promise((resolve) => {
        const id = ++count
        if (gone) {
          resolve({ id, code: 'gone' })
          return
        }
        waiting.set(id, resolve)
        line.send({ id, call, args })
      }),
    freeze: () => {
      line.signal('SIGSTOP')
    },
    thaw: () => {
      line.signal('SIGCONT')
    },
    kill: () => line.end(),
    close: async () => {
      await program.call('close')
      await line.end()
    },
  }
  onTestFinished(() => line.end())
  const { code, message } = await opened
  if (code !== undefined) throw Object.assign(new Error(message), { code })
  return program
}

function thread(
  script: string,
  setting: Setting,
  hear: (answer: Answer) => void,
  ended: () => void,
): Line {
  const worker = new Worker(script, { workerData: setting })
  worker.on('message', hear)
  worker.on('exit', ended)
  return {
    send: (ask) => {
      worker.postMessage(ask)
    },
    signal: () => {
      throw new Error('A thread cannot be frozen.')
    },
    end: async () => {
      await worker.terminate()
    },
  }
}

function child(
  kind: ProgramKind,
  script: string,
  setting: Setting,
  hear: (answer: Answer) => void,
  ended: () => void,
): Line {
  const command = [process.execPath, script, JSON.stringify(setting)],
    [file, ...args] = kind === 'container' ? ['unshare', ...CONTAINER, ...command] : command
  const started = spawn(file!, args, { stdio: ['pipe', 'pipe', 'inherit'] }),
    exit = new Promise<void>((resolve) => {
      started.on('exit', () => {
        ended()
        resolve()
      })
    })
  createInterface({ input: started.stdout }).on('line', (text) => {
    hear(JSON.parse(text) as Answer)
  })
  started.stdin.on('error', () => undefined) // it ended just now
  return {
    send: (ask) => {
      started.stdin.write(`${JSON.stringify(ask)}\n`)
    },
    signal: (name) => {
      started.kill(name)
    },
    end: async () => {
      started.kill('SIGKILL')
      await exit
    },
  }
}
