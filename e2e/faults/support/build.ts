/** Which build the fault tests run: one made of the sources as they are. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT, serveFolders } from '../../support/server.ts'
import type { Alteration, TestServer } from '../../support/server.ts'

const SOURCES = ['src', 'workers', 'e2e/faults/fixtures']

/**
 * The folder with `hubmesh/` and `inside/`; made once for each state of the sources, some seconds.
 */
export async function faultBuild(): Promise<string> {
  const digest = createHash('sha256').update(readFileSync(join(ROOT, 'vite.config.ts')))
  for (const folder of SOURCES) {
    const files = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
    for (const file of files) digest.update(file).update(readFileSync(file))
  }
  const folder = join(ROOT, '.cache', 'faults', digest.digest('hex').slice(0, 16))
  if (existsSync(folder)) return folder
  const part = `${folder}.${String(process.pid)}`
  await promisify(execFile)(process.execPath, [join(ROOT, 'e2e/faults/support/build.mjs'), part])
  // Somebody else may have been quicker with the same sources.
  if (existsSync(folder)) rmSync(part, { recursive: true })
  else renameSync(part, folder)
  return folder
}

/**
 * The fixture app of the browser tests, over that build; `/faults/` is the page with the storage's
 * inside. `alter` spoils what is sent.
 */
export const serveFaults = (
  build: string,
  port?: number,
  alter?: Alteration,
): Promise<TestServer> =>
  serveFolders(
    [
      { prefix: '/hubmesh/', folder: join(build, 'hubmesh') },
      { prefix: '/inside/', folder: join(build, 'inside') },
      { prefix: '/faults/', folder: join(ROOT, 'e2e/faults/fixtures') },
      { prefix: '/models/', folder: join(ROOT, 'public/models') },
      { prefix: '/ort/', folder: join(ROOT, 'node_modules/onnxruntime-web/dist') },
      { prefix: '/', folder: join(ROOT, 'e2e/fixtures') },
    ],
    port,
    alter,
  )
