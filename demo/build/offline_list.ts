/** Files that the service worker keeps: those the page asks for. */
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Plugin } from 'vite'

/** The line of public/sw.js that the build replaces. */
const PLACEHOLDER = "const BUILD = { version: 'unbuilt', shell: [], later: [], assets: {} }"

/**
 * Folders whose files are large or optional: kept after the first visit, not before the page can
 * start.
 */
const LATER = ['models/', 'ort/', 'samples/']

/**
 * Scripts that the page needs only with a model, a file of a certain kind or a name to type: kept
 * after it can start, as large files are.
 */
const LATER_SCRIPTS = /^assets\/(?:transformers|three|embed\.worker|html|csv|records|decode)[.-]/

/**
 * Parts of the library that this page never loads: other token counters, the HNSW index, storage of
 * Node.
 */
const UNUSED = /^assets\/(?:o200k|cl100k|GptEncoding|hnsw|directory_storage)/

export interface OfflineList {
  readonly version: string
  readonly shell: readonly string[]
  /** Kept under the same version as the shell, but not before the page can start. */
  readonly later: readonly string[]
  /** Name to its hex SHA-256. */
  readonly assets: Readonly<Record<string, string>>
}

/**
 * Splits the built files into what the page needs to start and what follows; the version is a
 * digest of all contents.
 */
export function sortFiles(files: ReadonlyMap<string, string>): OfflineList {
  const names = [...files.keys()]
    .filter((name) => name !== 'sw.js' && !name.endsWith('.map') && !UNUSED.test(name))
    .sort()
  const digest = createHash('sha256')
  for (const name of names) digest.update(`${name}\n${files.get(name) ?? ''}\n`)
  const large = (name: string): boolean => LATER.some((folder) => name.startsWith(folder)),
    later = (name: string): boolean => LATER_SCRIPTS.test(name)
  return {
    version: digest.digest('hex').slice(0, 16),
    shell: names.filter((name) => !large(name) && !later(name)),
    later: names.filter(later),
    assets: Object.fromEntries(names.filter(large).map((name) => [name, files.get(name) ?? ''])),
  }
}

/** Writes the list into the built service worker, so that every build has a worker of its own. */
export function offlineList(): Plugin {
  let outDir = ''
  return {
    name: 'hubmesh-demo-offline-list',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir
    },
    async closeBundle() {
      const files = new Map<string, string>()
      for (const entry of await readdir(outDir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue
        const file = join(entry.parentPath, entry.name)
        files.set(
          relative(outDir, file).split(sep).join('/'),
          createHash('sha256')
            .update(await readFile(file))
            .digest('hex'),
        )
      }
      const worker = join(outDir, 'sw.js')
      const source = await readFile(worker, 'utf8')
      if (!source.includes(PLACEHOLDER))
        throw new Error(`public/sw.js has lost the line the build replaces: ${PLACEHOLDER}`)
      await writeFile(
        worker,
        source.replace(PLACEHOLDER, `const BUILD = ${JSON.stringify(sortFiles(files))}`),
      )
    },
  }
}
