/** A real Chroma server for tests, as it comes inside the npm package chromadb. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { once } from 'node:events'

export interface ChromaServer {
  readonly url: string
  readonly version: string
  /** Ends the process at once, as a crash would. */
  kill(): Promise<void>
  /** Starts it again on the same port and files. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** The server, or why there is none on this platform. */
export async function startChroma(): Promise<ChromaServer | { readonly missing: string }> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('chromadb')), '..', 'cli.mjs')
  const folder = mkdtempSync(join(tmpdir(), 'hubmesh-chroma-')),
    port = await freePort(),
    url = `http://127.0.0.1:${port}`
  let said = '',
    running: ReturnType<typeof spawn> | null = null
  const start = async (): Promise<boolean> => {
    const child = spawn(
      process.execPath,
      [cli, 'run', '--path', folder, '--host', '127.0.0.1', '--port', String(port)],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    running = child
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString('utf8')
      })
    const ended = once(child, 'exit').then(() => false)
    // The port is open a moment after the process says so; ask until it answers.
    const answers = (async () => {
      for (let i = 0; i < 600 && child.exitCode === null; i++) {
        try {
          if ((await fetch(`${url}/api/v2/heartbeat`)).ok) return true
        } catch {
          await new Promise((resolve) => {
            setTimeout(resolve, 50)
          })
        }
      }
      return false
    })()
    return await Promise.race([ended, answers])
  }
  const kill = async (): Promise<void> => {
    if (running && running.exitCode === null && running.signalCode === null) {
      const gone = once(running, 'exit')
      running.kill('SIGKILL')
      await gone
    }
  }
  const close = async (): Promise<void> => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  }
  if (!(await start())) {
    await close()
    return {
      missing: said.split('\n').find((line) => line.includes('Error')) ?? 'it did not start',
    }
  }
  const version = (await (await fetch(`${url}/api/v2/version`)).json()) as string
  return {
    url,
    version,
    kill,
    close,
    restart: async () => {
      if (!(await start())) throw new Error(`Chroma did not start again: ${said.slice(-300)}`)
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
