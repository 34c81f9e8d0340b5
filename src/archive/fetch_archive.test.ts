import { describe, expect, it } from 'vitest'
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { fetchArchive } from './fetch_archive.ts'

const OWN = 'https://page.example'
const refusal = (code: string, part = '') =>
  expect.objectContaining({ code, message: expect.stringContaining(part) as string })
const answering = (make: () => Response) => {
  const asked: { url: string; init: RequestInit | undefined }[] = []
  return {
    asked,
    fetch: ((url: URL, init?: RequestInit) => {
      asked.push({ url: String(url), init })
      return Promise.resolve(make())
    }) as typeof fetch,
  }
}
const bytes = (count: number) => new Uint8Array(count).fill(7)
const read = async (stream: ReadableStream<Uint8Array>) =>
  new Uint8Array(
    await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer(),
  )

describe('fetching an archive', () => {
  it('gives the bytes as they come, and tells how many of how many', async () => {
    const { fetch, asked } = answering(
      () =>
        new Response(
          new ReadableStream({
            start(controller) {
              for (const size of [3, 4]) controller.enqueue(bytes(size))
              controller.close()
            },
          }),
          { headers: { 'content-length': '7' } },
        ),
    )
    const told: [number, number | null][] = []
    const stream = await fetchArchive(new URL('/site.hubmesh', OWN), {
      origin: OWN,
      fetch,
      onProgress: (loaded, total) => {
        told.push([loaded, total])
      },
    })
    expect(await read(stream)).toEqual(bytes(7))
    expect(told).toEqual([
      [3, 7],
      [7, 7],
    ])
    expect(asked[0]!.init).toMatchObject({ mode: 'same-origin' })
  })

  it('announces no total where the answer is compressed on the way, or says nothing', async () => {
    for (const headers of [{ 'content-length': '3', 'content-encoding': 'gzip' }, {}]) {
      const told: (number | null)[] = []
      await read(
        await fetchArchive(new URL(OWN), {
          origin: OWN,
          fetch: answering(() => new Response(bytes(9), { headers })).fetch,
          onProgress: (_loaded, total) => {
            told.push(total)
          },
        }),
      )
      expect(told.at(-1)).toBeNull()
    }
  })

  it('asks another origin only when it is told to, and then without credentials', async () => {
    const { fetch, asked } = answering(() => new Response(bytes(1)))
    const address = new URL('https://elsewhere.example/a.hubmesh?token=secret')
    await expect(fetchArchive(address, { origin: OWN, fetch })).rejects.toEqual(
      refusal('input/invalid', 'crossOrigin'),
    )
    expect(asked).toEqual([])
    await fetchArchive(address, { origin: OWN, crossOrigin: true, fetch })
    expect(asked[0]!.init).toMatchObject({ mode: 'cors', credentials: 'omit' })
    await fetchArchive(address, { origin: null, fetch })
    expect(asked).toHaveLength(2)
  })

  it.each([
    [
      'a missing file',
      () => new Response('not here', { status: 404 }),
      'remote/unavailable',
      'status 404',
    ],
    [
      'a server in trouble',
      () => new Response('', { status: 503 }),
      'remote/unavailable',
      'status 503',
    ],
    [
      'a web page in its place',
      () =>
        new Response('<!doctype html>', {
          headers: { 'content-type': 'text/html; charset=utf-8' },
        }),
      'archive/invalid',
      'web page',
    ],
    [
      'more than is ever read',
      () =>
        new Response(bytes(1), { headers: { 'content-length': String(LIMITS.archiveBytes + 1) } }),
      'archive/too-large',
      'at most',
    ],
  ] as const)('names %s', async (_name, make, code, part) => {
    const error: unknown = await fetchArchive(new URL('/a.hubmesh?key=secret', OWN), {
      origin: OWN,
      fetch: answering(make).fetch,
    }).catch((thrown: unknown) => thrown)
    expect(error).toEqual(refusal(code, part))
    expect((error as HubmeshError).message).not.toContain('secret')
  })

  it('names a server that does not answer, an abort, and an address that is none of the web', async () => {
    const failing = (() => Promise.reject(new TypeError('Failed to fetch'))) as typeof fetch
    await expect(fetchArchive(new URL(OWN), { origin: OWN, fetch: failing })).rejects.toEqual(
      refusal('remote/unavailable', 'connect-src'),
    )
    const controller = new AbortController()
    const waiting = ((_url: URL, init?: RequestInit) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => {
          reject(new DOMException('', 'AbortError'))
        })
      })) as typeof fetch
    const call = fetchArchive(new URL(OWN), {
      origin: OWN,
      signal: controller.signal,
      fetch: waiting,
    })
    controller.abort()
    await expect(call).rejects.toEqual(refusal('aborted'))
    await expect(
      fetchArchive(new URL('file:///etc/a.hubmesh'), { origin: null, fetch: failing }),
    ).rejects.toEqual(refusal('input/invalid', 'not fetched from'))
  })
})
