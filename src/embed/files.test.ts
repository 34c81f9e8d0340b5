import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { LIMITS } from '../base/limits.ts'
import type { CacheLike, FileNotice } from './file_cache.ts'
import { VerifiedFiles } from './files.ts'
import type { FileManifest } from './manifests.ts'

const GOOD = new TextEncoder().encode('the bytes of a model, all of them')
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const manifest: FileManifest = {
  name: 'test',
  files: [{ path: 'onnx/m.onnx', bytes: GOOD.length, sha256: sha256(GOOD) }],
}
const base = 'https://page.example/models/test/'
const code = (expected: string, extra: object = {}) =>
  expect.objectContaining({ code: expected, ...extra })

/** A server that answers each request with the next of the given answers, the last one for ever. */
function server(...answers: (() => Response | Promise<Response>)[]) {
  const asked: { url: string; cache: RequestCache | undefined }[] = []
  const fetch = ((input: string, init?: RequestInit) => {
    asked.push({ url: input, cache: init?.cache })
    return Promise.resolve(answers[Math.min(asked.length, answers.length) - 1]!())
  }) as typeof globalThis.fetch
  return { fetch, asked }
}

/** Cache Storage in a Map. */
function memoryCache(): CacheLike & { readonly entries: Map<string, Uint8Array<ArrayBuffer>> } {
  const entries = new Map<string, Uint8Array<ArrayBuffer>>()
  return {
    entries,
    match: (key) => Promise.resolve(entries.has(key) ? new Response(entries.get(key)!) : undefined),
    put: async (key, response) => {
      entries.set(key, new Uint8Array(await response.arrayBuffer()))
    },
    delete: (key) => Promise.resolve(entries.delete(key)),
    keys: () => Promise.resolve([...entries.keys()].map((url) => ({ url }))),
  }
}

const ok =
  (bytes: Uint8Array<ArrayBuffer> = GOOD, init: ResponseInit = {}) =>
  () =>
    new Response(bytes, init)
const flipped = (): Uint8Array<ArrayBuffer> => {
  const bytes = GOOD.slice()
  bytes[7]! ^= 1
  return bytes
}

afterEach(() => {
  vi.useRealTimers()
})

describe('reading a listed file over http', () => {
  it('gives its bytes, asks for its own address only, and reports progress up to its size', async () => {
    const { fetch, asked } = server(ok())
    const seen: number[] = []
    const files = new VerifiedFiles({
      manifest,
      base: 'https://page.example/models/test',
      fetch,
      cache: null,
    })
    expect(
      await files.read('onnx/m.onnx', {
        onProgress: (progress) => {
          seen.push(progress.loadedBytes)
        },
      }),
    ).toEqual(GOOD)
    expect(asked).toEqual([{ url: `${base}onnx/m.onnx`, cache: 'default' }])
    expect(seen.at(-1)).toBe(GOOD.length)
  })

  it('refuses a file that is not listed, without asking for it', async () => {
    const { fetch, asked } = server(ok())
    const files = new VerifiedFiles({ manifest, base, fetch, cache: null })
    await expect(files.read('onnx/other.onnx')).rejects.toEqual(code('model/integrity'))
    expect(asked).toEqual([])
  })

  it.each([
    ['one byte is another', flipped()],
    ['the end is missing', GOOD.slice(0, -1)],
    ['there is a byte too much', new Uint8Array([...GOOD, 0])],
    [
      'the file is padded with zeros instead of its end',
      new Uint8Array([...GOOD.slice(0, -4), 0, 0, 0, 0]),
    ],
    ['the body is empty', new Uint8Array()],
  ])('refuses it when %s, and keeps nothing', async (_name, bytes) => {
    const cache = memoryCache()
    const { fetch, asked } = server(ok(bytes))
    await expect(
      new VerifiedFiles({ manifest, base, fetch, cache }).read('onnx/m.onnx'),
    ).rejects.toEqual(code('model/integrity', { retryable: false }))
    expect(cache.entries.size).toBe(0)
    expect(asked.map(({ cache: mode }) => mode)).toEqual(['default', 'reload'])
  })

  it('gets past a damaged copy in the HTTP cache by asking the server itself', async () => {
    const { fetch } = server(ok(flipped()), ok())
    expect(
      await new VerifiedFiles({ manifest, base, fetch, cache: null }).read('onnx/m.onnx'),
    ).toEqual(GOOD)
  })

  it.each([
    [404, false],
    [403, false],
    [206, false],
    [429, true],
    [503, true],
  ])('names the status %i and says whether trying again may help', async (status, retryable) => {
    const { fetch } = server(ok(GOOD, { status }))
    const read = new VerifiedFiles({ manifest, base, fetch, cache: null }).read('onnx/m.onnx')
    await expect(read).rejects.toEqual(
      code('model/fetch', {
        retryable,
        message: expect.stringContaining(String(status)) as string,
      }),
    )
  })

  it('recognises the page that a server sends in place of a missing file', async () => {
    const { fetch } = server(ok(GOOD, { headers: { 'content-type': 'text/html; charset=utf-8' } }))
    await expect(
      new VerifiedFiles({ manifest, base, fetch, cache: null }).read('onnx/m.onnx'),
    ).rejects.toEqual(
      code('model/fetch', { message: expect.stringContaining('HTML page') as string }),
    )
  })

  it('tries a download that broke off once more, past the HTTP cache, before it gives up', async () => {
    const { fetch, asked } = server(() => Promise.reject(new TypeError('failed')), ok())
    expect(
      await new VerifiedFiles({ manifest, base, fetch, cache: null }).read('onnx/m.onnx'),
    ).toEqual(GOOD)
    expect(asked.map(({ cache: mode }) => mode)).toEqual(['default', 'no-store'])
  })

  it('calls a connection refused twice retryable, and succeeds on the next read', async () => {
    const refused = () => Promise.reject(new TypeError('failed'))
    const { fetch } = server(refused, refused, ok())
    const files = new VerifiedFiles({ manifest, base, fetch, cache: null })
    await expect(files.read('onnx/m.onnx')).rejects.toEqual(
      code('model/fetch', { retryable: true }),
    )
    expect(await files.read('onnx/m.onnx')).toEqual(GOOD)
  })

  it('calls a connection that drops in the middle retryable, and keeps nothing', async () => {
    const cache = memoryCache()
    const broken = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            controller.enqueue(GOOD.slice(0, 9))
            controller.error(new TypeError('socket closed'))
          },
        }),
      )
    await expect(
      new VerifiedFiles({ manifest, base, fetch: server(broken).fetch, cache }).read('onnx/m.onnx'),
    ).rejects.toEqual(code('model/fetch', { retryable: true }))
    expect(cache.entries.size).toBe(0)
  })

  it('stops reading as soon as there is more than the file has', async () => {
    let pulled = 0
    let cancelled = false
    const endless = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            pulled++
            controller.enqueue(new Uint8Array(16))
          },
          cancel() {
            cancelled = true
          },
        }),
      )
    await expect(
      new VerifiedFiles({ manifest, base, fetch: server(endless).fetch, cache: null }).read(
        'onnx/m.onnx',
      ),
    ).rejects.toEqual(code('model/integrity'))
    expect(cancelled).toBe(true)
    expect(pulled).toBeLessThan(12)
  })

  it('gives up on a server that stays silent', async () => {
    vi.useFakeTimers()
    const silent = ((_url: string, init: RequestInit) =>
      new Promise((_resolve, reject) => {
        init.signal!.addEventListener('abort', () => {
          reject(new DOMException('stopped', 'AbortError'))
        })
      })) as unknown as typeof fetch
    const read = new VerifiedFiles({ manifest, base, fetch: silent, cache: null }).read(
      'onnx/m.onnx',
    )
    const outcome = expect(read).rejects.toEqual(code('model/fetch', { retryable: true }))
    await vi.advanceTimersByTimeAsync(LIMITS.downloadStallMs)
    await outcome
  })

  it('rejects with aborted when the caller cancels, before and during the download', async () => {
    const controller = new AbortController()
    const hanging = ((_url: string, init: RequestInit) =>
      new Promise((_resolve, reject) => {
        init.signal!.addEventListener('abort', () => {
          reject(new DOMException('stopped', 'AbortError'))
        })
        controller.abort()
      })) as unknown as typeof fetch
    const files = new VerifiedFiles({ manifest, base, fetch: hanging, cache: null })
    await expect(files.read('onnx/m.onnx', { signal: controller.signal })).rejects.toEqual(
      code('aborted'),
    )
    await expect(files.read('onnx/m.onnx', { signal: AbortSignal.abort() })).rejects.toEqual(
      code('aborted'),
    )
  })
})

describe('the cache of verified files', () => {
  it('answers the second read without the network', async () => {
    const cache = memoryCache()
    const { fetch, asked } = server(ok(), () => {
      throw new TypeError('offline')
    })
    await new VerifiedFiles({ manifest, base, fetch, cache }).read('onnx/m.onnx')
    expect(await new VerifiedFiles({ manifest, base, fetch, cache }).read('onnx/m.onnx')).toEqual(
      GOOD,
    )
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['flipped', flipped()],
    ['short', GOOD.slice(1)],
    ['long', new Uint8Array([...GOOD, 1])],
  ])('removes a %s entry, fetches the file again and says so', async (_name, damaged) => {
    const cache = memoryCache()
    const notices: FileNotice[] = []
    const { fetch, asked } = server(ok())
    const files = new VerifiedFiles({
      manifest,
      base,
      fetch,
      cache,
      onNotice: (notice) => {
        notices.push(notice)
      },
    })
    await files.read('onnx/m.onnx')
    const [key] = cache.entries.keys()
    cache.entries.set(key!, damaged)
    expect(await files.read('onnx/m.onnx')).toEqual(GOOD)
    expect(asked).toHaveLength(2)
    expect(cache.entries.get(key!)).toEqual(GOOD)
    expect(notices.map((notice) => notice.code)).toEqual(['model/integrity'])
  })

  it('runs from memory when there is no room, and tells the bytes', async () => {
    const cache = memoryCache()
    const notices: FileNotice[] = []
    const full: CacheLike = {
      ...cache,
      put: () => Promise.reject(new DOMException('full', 'QuotaExceededError')),
    }
    const files = new VerifiedFiles({
      manifest,
      base,
      fetch: server(ok()).fetch,
      cache: full,
      onNotice: (notice) => {
        notices.push(notice)
      },
    })
    expect(await files.read('onnx/m.onnx')).toEqual(GOOD)
    expect(notices).toEqual([
      { code: 'store/quota', message: expect.stringContaining(`${GOOD.length} bytes`) as string },
    ])
  })

  it('runs without a cache that cannot be read', async () => {
    const notices: FileNotice[] = []
    const broken: CacheLike = {
      ...memoryCache(),
      match: () => Promise.reject(new DOMException('no', 'SecurityError')),
    }
    const files = new VerifiedFiles({
      manifest,
      base,
      fetch: server(ok()).fetch,
      cache: broken,
      onNotice: (notice) => {
        notices.push(notice)
      },
    })
    expect(await files.read('onnx/m.onnx')).toEqual(GOOD)
    expect(notices.map((notice) => notice.code)).toEqual(['store/unavailable'])
  })

  it('drops the copy of an older build when the file changes', async () => {
    const cache = memoryCache()
    await new VerifiedFiles({ manifest, base, fetch: server(ok()).fetch, cache }).read(
      'onnx/m.onnx',
    )
    const newer = new TextEncoder().encode('another build of the model')
    const next: FileManifest = {
      name: 'test',
      files: [{ path: 'onnx/m.onnx', bytes: newer.length, sha256: sha256(newer) }],
    }
    await new VerifiedFiles({ manifest: next, base, fetch: server(ok(newer)).fetch, cache }).read(
      'onnx/m.onnx',
    )
    expect([...cache.entries.values()]).toEqual([newer])
  })
})

describe('a manifest', () => {
  const entry = manifest.files[0]!
  it.each([
    ['an empty hash', { ...entry, sha256: '' }],
    ['a hash in capitals', { ...entry, sha256: entry.sha256.toUpperCase() }],
    ['a path that climbs', { ...entry, path: '../m.onnx' }],
    ['an absolute path', { ...entry, path: '/m.onnx' }],
    ['another scheme', { ...entry, path: 'data:text/plain,x' }],
    ['a backslash', { ...entry, path: 'onnx\\m.onnx' }],
    ['no size', { ...entry, bytes: 0 }],
    ['a size beyond the limit', { ...entry, bytes: LIMITS.modelFileBytes + 1 }],
  ])('with %s is refused', (_name, bad) => {
    expect(
      () => new VerifiedFiles({ manifest: { name: 'bad', files: [bad] }, base, cache: null }),
    ).toThrow(code('model/integrity'))
  })
})

describe('reading a directory in Node', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hubmesh-files-'))
  const flat: FileManifest = {
    name: 'flat',
    files: [{ path: 'm.onnx', bytes: GOOD.length, sha256: sha256(GOOD) }],
  }
  afterEach(() => {
    rmSync(join(directory, 'm.onnx'), { force: true })
  })
  afterAll(() => {
    rmSync(directory, { recursive: true, force: true })
  })

  it('gives the bytes, by path and by file URL', async () => {
    writeFileSync(join(directory, 'm.onnx'), GOOD)
    expect(await new VerifiedFiles({ manifest: flat, base: directory }).read('m.onnx')).toEqual(
      GOOD,
    )
    expect(
      await new VerifiedFiles({ manifest: flat, base: pathToFileURL(`${directory}/`) }).read(
        'm.onnx',
      ),
    ).toEqual(GOOD)
  })

  it('refuses changed and truncated files, and names a missing one', async () => {
    const files = new VerifiedFiles({ manifest: flat, base: directory })
    await expect(files.read('m.onnx')).rejects.toEqual(code('model/fetch'))
    writeFileSync(join(directory, 'm.onnx'), flipped())
    await expect(files.read('m.onnx')).rejects.toEqual(code('model/integrity'))
    writeFileSync(join(directory, 'm.onnx'), GOOD.slice(2))
    await expect(files.read('m.onnx')).rejects.toEqual(code('model/integrity'))
  })
})
