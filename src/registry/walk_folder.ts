/**
 * Which files of folders are read: those a reader knows, not hidden, not ignored by git. Symbolic
 * links are not followed.
 */
import { append } from '../base/grown.ts'
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { READABLE_EXTENSIONS } from '../document/extensions.ts'
import type { FileLike } from '../document/readers/reader.ts'
import type { OpenFolder } from '../engine/adding/list_folder.ts'
import { HubmeshError, throwIfAborted } from '../base/errors.ts'

export interface WalkOptions {
  /** Also hidden files, node_modules and what git ignores. Default false. */
  readonly all?: boolean
  readonly signal?: AbortSignal
}

export interface WalkedFile extends FileLike {
  /** ms since 1970. */
  readonly modified: number
}

export interface Walked {
  /** In order of their names; `name` is the path within its folder, with forward slashes. */
  readonly files: readonly WalkedFile[]
  /** Files that no reader knows. */
  readonly otherFiles: number
  /** The first hundred of them, by path. */
  readonly otherNames: readonly string[]
  /** Files and folders that git ignores. */
  readonly ignored: number
}

const MOST_NAMED = 100

interface Counts {
  otherFiles: number
  readonly otherNames: string[]
  ignored: number
}

/** Rules of one .gitignore, for paths below its folder. */
interface Rules {
  readonly folder: string
  readonly rules: Ignore
}

/**
 * Files and folders by path. Several folders: names begin with the folder's. A file that is named
 * is taken whatever it is. Rejects with `input/invalid` for a path that is not there.
 */
export async function walkPaths(
  paths: readonly string[],
  options: WalkOptions = {},
): Promise<Walked> {
  const files: WalkedFile[] = [],
    counts: Counts = { otherFiles: 0, otherNames: [], ignored: 0 }
  const folders = paths.filter((path) => existsSync(path)).length > 1
  for (const path of paths) {
    const info = await stat(path).catch((cause: unknown) => {
      throw new HubmeshError('input/invalid', `${JSON.stringify(path)} is not there.`, {
        cause,
        details: { path },
      })
    })
    if (info.isDirectory()) {
      const prefix = folders ? `${basename(resolve(path))}/` : ''
      await walk(
        resolve(path),
        '',
        prefix,
        options.all === true ? [] : await rulesAbove(resolve(path)),
        files,
        counts,
        options,
      )
    } else {
      const name = relative(process.cwd(), resolve(path))
      files.push(
        fileAt(
          resolve(path),
          name.startsWith('..') || isAbsolute(name) ? basename(path) : name.split(sep).join('/'),
          info,
        ),
      )
    }
  }
  return { files, ...counts }
}

async function walk(
  folder: string,
  inner: string,
  prefix: string,
  above: readonly Rules[],
  files: WalkedFile[],
  counts: Counts,
  options: WalkOptions,
): Promise<void> {
  throwIfAborted(options.signal)
  const rules = options.all === true ? above : [...above, ...(await rulesOf(folder))]
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )
  for (const entry of entries) {
    const path = join(folder, entry.name),
      isFolder = entry.isDirectory()
    if (!isFolder && !entry.isFile()) continue
    if (options.all !== true) {
      if (entry.name.startsWith('.') || (isFolder && entry.name === 'node_modules')) continue
      if (isIgnored(path, isFolder, rules)) {
        counts.ignored++
        continue
      }
    }
    const name = inner === '' ? entry.name : `${inner}/${entry.name}`
    if (isFolder) await walk(path, name, prefix, rules, files, counts, options)
    else if (isReadable(entry.name)) files.push(fileAt(path, prefix + name, await stat(path)))
    else if (counts.otherFiles++ < MOST_NAMED) counts.otherNames.push(prefix + name)
  }
}

/**
 * A deeper .gitignore may take back what a higher one ignores, so the deepest that has a word on
 * the path decides.
 */
function isIgnored(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  let ignored = false
  for (const { folder, rules: own } of rules) {
    const verdict = own.test(relative(folder, path).split(sep).join('/') + (isFolder ? '/' : ''))
    if (verdict.ignored) ignored = true
    else if (verdict.unignored) ignored = false
  }
  return ignored
}

async function rulesOf(folder: string): Promise<Rules[]> {
  const file = join(folder, '.gitignore')
  return existsSync(file) ? [{ folder, rules: ignore().add(await readFile(file, 'utf8')) }] : []
}

/** The rules of the folders above, up to that of the repository; none outside of one. */
async function rulesAbove(start: string): Promise<Rules[]> {
  const above: string[] = []
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) break
    if (dirname(folder) === folder) return []
    above.unshift(dirname(folder))
  }
  const found: Rules[] = []
  for (const folder of above) append(found, await rulesOf(folder))
  return found
}

function isReadable(name: string): boolean {
  const dot = name.lastIndexOf('.')
  return dot > 0 && READABLE_EXTENSIONS.includes(name.slice(dot + 1).toLowerCase())
}

function fileAt(
  path: string,
  name: string,
  { size, mtimeMs }: { readonly size: number; readonly mtimeMs: number },
): WalkedFile {
  return {
    ...{ name, size, modified: Math.floor(mtimeMs) },
    bytes: async () => new Uint8Array(await readFile(path)),
  }
}

/** The files of a folder as `sync` takes them; what git ignores is left out. */
export const openFolder: OpenFolder = async (path, signal) => {
  const { files, otherNames } = await walkPaths([path], signal ? { signal } : {})
  if (!(await stat(path)).isDirectory())
    throw new HubmeshError('input/invalid', `${JSON.stringify(path)} is a file; name its folder.`)
  const root = basename(resolve(path))
  return {
    root,
    files: files.map((file) => {
      const name = `${root}/${file.name}`
      return {
        ...{ path: name, size: file.size, modified: file.modified },
        open: () => Promise.resolve({ ...file, name }),
      }
    }),
    skipped: otherNames.map((name) => `${root}/${name}`),
  }
}
