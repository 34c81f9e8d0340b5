/**
 * Fetches model and runtime files: bytes are returned only after their count and SHA-256 match the
 * manifest, on a cache hit as well.
 */
import { onAbort } from '../base/signals.ts'
import { isPlace } from '../base/addresses.ts'
import { abortedError, HubmeshError, isHubmeshError, throwIfAborted } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { nodeBuiltin } from '../base/platform.ts'
import { FileCache } from './file_cache.ts'
import type { CacheLike, FileNotice } from './file_cache.ts'
import { checkAnswer, checkEntry, checkHash, shown, wrongLength } from './file_checks.ts'
import type { FileEntry, FileManifest } from './manifests.ts'

export interface FileProgress {
  readonly file: string
  readonly loadedBytes: number
  readonly totalBytes: number
}

export interface VerifiedFilesOptions {
  readonly manifest: FileManifest
  /** Folder of the files: http(s) or file URL, a URL path of this page, or a directory in Node. */
  readonly base: string | URL
  readonly fetch?: typeof fetch
  /** Default Cache Storage where there is one; null for none. */
  readonly cache?: CacheLike | null
  /** Called for every problem survived. */
  readonly onNotice?: (notice: FileNotice) => void
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: FileProgress) => void) | undefined
}

interface Directory {
  readonly path: string
}

type NodeFs = {
  readonly promises: {
    stat(path: string): Promise<{ size: number }>
    readFile(path: string, options: { signal?: AbortSignal }): Promise<Uint8Array>
  }
}

export class VerifiedFiles {
  private readonly manifest: FileManifest
  private readonly base: URL | Directory
  private readonly fetch: typeof fetch
  private readonly cache: FileCache | null

  /**
   * Throws `input/invalid` for an unusable base, `model/integrity` for a manifest without hashes.
   */
  constructor(options: VerifiedFilesOptions) {
    this.manifest = options.manifest
    for (const entry of options.manifest.files) checkEntry(entry)
    this.base = resolveBase(options.base)
    this.fetch = options.fetch ?? ((input, init) => fetch(input, init))
    this.cache =
      this.base instanceof URL && options.cache !== null
        ? new FileCache(options.cache, options.onNotice ?? (() => undefined))
        : null
  }

  /**
   * The bytes of a listed file. Rejects with `model/integrity` (not listed, other length or hash),
   * `model/fetch` (unreachable, an HTTP error, a page instead of a file; retryable) or `aborted`.
   */
  async read(path: string, options: ReadOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    throwIfAborted(options.signal)
    const entry = this.manifest.files.find((file) => file.path === path)
    if (entry === undefined) {
      throw new HubmeshError(
        'model/integrity',
        `The file ${path} is not listed in the manifest of ${this.manifest.name}; unlisted ` +
          'files are never loaded. List it with its size and SHA-256.',
        { details: { file: path } },
      )
    }
    return this.base instanceof URL
      ? this.readUrl(entry, new URL(entry.path, this.base), options)
      : readDirectory(entry, this.base, options)
  }

  private async readUrl(
    entry: FileEntry,
    url: URL,
    options: ReadOptions,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const cached = await this.cache?.read(url, entry, (response) =>
      checkedBody(response, entry, url, options),
    )
    if (cached !== undefined) return cached
    let bytes: Uint8Array<ArrayBuffer>
    try {
      bytes = await this.download(entry, url, 'default', options)
    } catch (error) {
      const again = secondTry(error)
      if (again === null) throw error
      bytes = await this.download(entry, url, again, options)
    }
    await this.cache?.write(url, entry, bytes)
    return bytes
  }

  private async download(
    entry: FileEntry,
    url: URL,
    cache: RequestCache,
    options: ReadOptions,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { signal } = options
    const stop = new AbortController()
    const unlisten = onAbort(signal, () => {
      stop.abort(signal?.reason)
    })
    let stalled = false
    const stall = (): void => {
      stalled = true
      stop.abort()
    }
    let timer = setTimeout(stall, LIMITS.downloadStallMs)
    const onProgress = (progress: FileProgress): void => {
      clearTimeout(timer)
      timer = setTimeout(stall, LIMITS.downloadStallMs)
      options.onProgress?.(progress)
    }
    try {
      throwIfAborted(signal)
      const response = await this.fetch(url.href, {
        signal: stop.signal,
        cache,
        credentials: 'same-origin',
      })
      checkAnswer(response, entry, url)
      return await checkedBody(response, entry, url, { onProgress })
    } catch (error) {
      if (signal?.aborted === true) throw abortedError(signal)
      if (isHubmeshError(error)) throw error
      const why = stalled
        ? `sent nothing for ${LIMITS.downloadStallMs / 1000} s`
        : 'could not be reached or broke off'
      throw new HubmeshError(
        'model/fetch',
        `The server of ${shown(url)} ${why}. Check the connection and that the file is served, then try again.`,
        { cause: error, details: { file: entry.path, url: shown(url), stalled }, retryable: true },
      )
    } finally {
      clearTimeout(timer)
      unlisten()
    }
  }
}

/**
 * Cache mode of a second try, null for none. The HTTP cache may hold a damaged copy: ask the
 * server. It may also break off an answer that it cannot keep (a large file asked for twice in a
 * private window): bypass it.
 */
function secondTry(error: unknown): RequestCache | null {
  if (!isHubmeshError(error)) return null
  if (error.code === 'model/integrity') return 'reload'
  return error.code === 'model/fetch' && error.details['stalled'] === false ? 'no-store' : null
}

function resolveBase(base: string | URL): URL | Directory {
  const text = String(base)
  const isUrl = base instanceof URL || /^[a-z][a-z0-9+.-]+:\/\//i.test(text)
  const fileUrl = nodeBuiltin<{ fileURLToPath(url: string): string }>('node:url')
  if (fileUrl !== null && (!isUrl || text.startsWith('file:')))
    return { path: isUrl ? fileUrl.fileURLToPath(text) : text }
  try {
    const url = new URL(
      text,
      isUrl
        ? undefined
        : (globalThis as { readonly location?: { readonly href: string } }).location?.href,
    )
    if (isPlace(url)) {
      if (!url.pathname.endsWith('/')) url.pathname += '/'
      return url
    }
  } catch {
    /* reported below, with what was given */
  }
  throw new HubmeshError(
    'input/invalid',
    `The folder ${JSON.stringify(text.slice(0, 200))} of model files is neither an address that can be ` +
      'fetched nor, in Node, a directory. Give an absolute one; a page opened as a file has to be ' +
      'served, by any static server, or opened by an app with a scheme of its own.',
  )
}

/** Reads exactly the manifest's length, never more, and checks the hash. */
async function checkedBody(
  response: Response,
  entry: FileEntry,
  url: URL,
  options: ReadOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(entry.bytes)
  let loaded = 0
  const reader = response.body?.getReader()
  if (reader === undefined) throw wrongLength(entry, url, 0)
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    if (loaded + value.length > entry.bytes) {
      await reader.cancel().catch(() => undefined)
      throw wrongLength(entry, url, loaded + value.length)
    }
    bytes.set(value, loaded)
    loaded += value.length
    options.onProgress?.({ file: entry.path, loadedBytes: loaded, totalBytes: entry.bytes })
  }
  if (loaded !== entry.bytes) throw wrongLength(entry, url, loaded)
  await checkHash(bytes, entry, shown(url))
  return bytes
}

async function readDirectory(
  entry: FileEntry,
  directory: Directory,
  options: ReadOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const fs = nodeBuiltin<NodeFs>('node:fs')!
  const path = `${directory.path.replace(/[\\/]$/, '')}/${entry.path}`
  let bytes: Uint8Array
  try {
    const { size } = await fs.promises.stat(path)
    if (size !== entry.bytes) throw wrongLength(entry, path, size)
    bytes = await fs.promises.readFile(
      path,
      options.signal === undefined ? {} : { signal: options.signal },
    )
  } catch (error) {
    if (options.signal?.aborted === true) throw abortedError(options.signal)
    if (isHubmeshError(error)) throw error
    throw new HubmeshError(
      'model/fetch',
      `The file ${path} cannot be read. Check the model's directory and its permissions.`,
      { cause: error, details: { file: entry.path } },
    )
  }
  const owned = new Uint8Array(bytes)
  await checkHash(owned, entry, path)
  options.onProgress?.({ file: entry.path, loadedBytes: entry.bytes, totalBytes: entry.bytes })
  return owned
}
