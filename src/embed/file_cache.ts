/**
 * Keeps verified files in Cache Storage, so that a page runs offline. A hit is checked like a
 * download; a damaged entry is fetched again; a full or missing cache is reported and survived.
 */
import { isHubmeshError } from '../base/errors.ts'
import type { FileEntry } from './manifests.ts'

/** A problem survived, for `status()`. */
export interface FileNotice {
  readonly code: 'store/quota' | 'store/unavailable' | 'model/integrity' | 'worker/start-failed'
  readonly message: string
}

/** The parts of Cache that are used. */
export interface CacheLike {
  match(key: string): Promise<Response | undefined>
  put(key: string, response: Response): Promise<void>
  delete(key: string): Promise<boolean>
  keys?(): Promise<readonly { readonly url: string }[]>
}

const CACHE_NAME = 'hubmesh-files'

export class FileCache {
  private opened: Promise<CacheLike | null> | null = null

  constructor(
    private readonly given: CacheLike | undefined,
    private readonly notice: (notice: FileNotice) => void,
  ) {}

  /** The verified bytes, or undefined without a usable entry. `check` throws for a damaged body. */
  async read<T>(
    url: URL,
    entry: FileEntry,
    check: (response: Response) => Promise<T>,
  ): Promise<T | undefined> {
    const cache = await this.open()
    if (cache === null) return undefined
    const key = keyOf(url, entry)
    let response: Response | undefined
    try {
      response = await cache.match(key)
    } catch (error) {
      this.tell(
        'store/unavailable',
        `The browser's cache cannot be read (${nameOf(error)}); ${entry.path} is fetched from the server.`,
      )
      return undefined
    }
    if (response === undefined) return undefined
    try {
      return await check(response)
    } catch (error) {
      const damaged = isHubmeshError(error) && error.code === 'model/integrity'
      this.tell(
        damaged ? 'model/integrity' : 'store/unavailable',
        `The cached copy of ${entry.path} was ${damaged ? 'damaged' : 'unreadable'} and has ` +
          'been removed; it is fetched again.',
      )
      await cache.delete(key).catch(() => false)
      return undefined
    }
  }

  /** A failure is reported, never thrown. */
  async write(url: URL, entry: FileEntry, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const cache = await this.open()
    if (cache === null) return
    const key = keyOf(url, entry)
    try {
      await removeOlder(cache, key)
      await cache.put(
        key,
        new Response(bytes, {
          headers: {
            'content-type': 'application/octet-stream',
            'content-length': String(bytes.length),
          },
        }),
      )
    } catch (error) {
      const quota = nameOf(error) === 'QuotaExceededError'
      const free = quota ? await freeBytes() : null
      this.tell(
        quota ? 'store/quota' : 'store/unavailable',
        quota
          ? `The browser has no room to keep ${entry.path} (${bytes.length} ` +
              `bytes${free === null ? '' : `, ${free} free`}); it runs from memory and will be ` +
              'downloaded again next time.'
          : `The browser's cache refused ${entry.path} (${nameOf(error)}); it runs from memory ` +
              'and will be downloaded again next time.',
      )
      await cache.delete(key).catch(() => false)
    }
  }

  private open(): Promise<CacheLike | null> {
    this.opened ??= this.openOnce()
    return this.opened
  }

  private async openOnce(): Promise<CacheLike | null> {
    if (this.given !== undefined) return this.given
    const storage = (globalThis as { readonly caches?: CacheStorage }).caches
    try {
      if (storage !== undefined) return await storage.open(CACHE_NAME)
      this.tell(
        'store/unavailable',
        'This page has no Cache Storage; model files are downloaded each time.',
      )
    } catch (error) {
      this.tell(
        'store/unavailable',
        `Cache Storage cannot be opened (${nameOf(error)}); model files are downloaded each time.`,
      )
    }
    return null
  }

  private tell(code: FileNotice['code'], message: string): void {
    this.notice({ code, message })
  }
}

/** Other content, other key: a page of an older build never meets a newer file. */
function keyOf(url: URL, entry: FileEntry): string {
  const key = new URL(url)
  key.search = `?sha256=${entry.sha256}`
  key.hash = ''
  return key.href
}

/** Entries of the same address with another hash belong to older builds. */
async function removeOlder(cache: CacheLike, key: string): Promise<void> {
  const address = key.split('?', 1)[0]!
  for (const { url } of (await cache.keys?.()) ?? []) {
    if (url !== key && url.split('?', 1)[0] === address) await cache.delete(url)
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

async function freeBytes(): Promise<number | null> {
  try {
    const estimate = await (
      globalThis as { readonly navigator?: { readonly storage?: StorageManager } }
    ).navigator?.storage?.estimate?.()
    return estimate?.quota === undefined || estimate.usage === undefined
      ? null
      : Math.max(0, estimate.quota - estimate.usage)
  } catch {
    return null
  }
}
