/** The sample corpus with vectors for tests that need it at once. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './server.ts'

/** Path of the archive; made once for each build of the package, about 40 s. */
export async function sampleArchive(): Promise<string> {
  const digest = createHash('sha256')
  for (const file of ['dist/node/index.js', 'public/samples/hotpotqa_train100/corpus.jsonl'])
    digest.update(readFileSync(join(ROOT, file)))
  const folder = join(ROOT, '.cache', 'e2e')
  const archive = join(folder, `sample-${digest.digest('hex').slice(0, 16)}.hubmesh`)
  if (existsSync(archive)) return archive
  mkdirSync(folder, { recursive: true })
  // In a process of its own: one process can run the native runtime or the page's, and tests
  // compare with the page's.
  await promisify(execFile)(process.execPath, [
    join(ROOT, 'e2e/support/build_archive.mjs'),
    `${archive}.part`,
  ])
  renameSync(`${archive}.part`, archive)
  return archive
}
