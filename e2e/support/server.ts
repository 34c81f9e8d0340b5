/**
 * The servers of the browser tests: folders under prefixes, on 127.0.0.1, with the page's own
 * policy on every answer.
 */
import { createReadStream, statSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize, sep } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { pageHeaders, strictPolicy } from '../../demo/build/csp.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Mount {
  /** Begins and ends with a slash. */
  readonly prefix: string
  readonly folder: string
}

export interface TestServer {
  readonly origin: string
  /** Pathnames asked for, in order. */
  readonly asked: string[]
  /** Breaches of the policy that browsers reported, of pages and of workers alike, in words. */
  readonly breaches: string[]
  /** Stops answering, as when the network is gone. */
  close(): Promise<void>
}

/** Other bytes for a file, or nothing for the file as it is. */
export type Alteration = (pathname: string, file: string) => Buffer | undefined

/** True where it answers by itself, as a server does that announces more than it has. */
export type Answer = (pathname: string, response: ServerResponse) => boolean

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript'],
  ['.mjs', 'text/javascript'],
  ['.css', 'text/css'],
  ['.json', 'application/json'],
  ['.wasm', 'application/wasm'],
  ['.svg', 'image/svg+xml'],
  ['.webmanifest', 'application/manifest+json'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.jsonl', 'text/plain; charset=utf-8'],
])

/** Where browsers send their reports: a worker's breach fires no event that a page could hear. */
const REPORTS = '/policy-breach'

/**
 * Serves the first mount whose prefix fits; `port` 0 takes any. `alter` may spoil what is sent, as
 * a hostile server would. `policy` null sends no headers, as a static host does.
 */
export async function serveFolders(
  mounts: readonly Mount[],
  port = 0,
  alter?: Alteration,
  policy: string | null = strictPolicy(),
  answer?: Answer,
): Promise<TestServer> {
  const asked: string[] = [],
    breaches: string[] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (pathname === REPORTS) {
      void text(request).then(
        (report) => {
          breaches.push(wordsOf(report))
        },
        () => {
          breaches.push('a report that cannot be read')
        },
      )
      response.writeHead(204).end()
      return
    }
    asked.push(pathname)
    if (policy !== null)
      for (const [name, value] of Object.entries(pageHeaders(`${policy}; report-uri ${REPORTS}`)))
        response.setHeader(name, value)
    if (answer?.(pathname, response) === true) return
    const file = fileFor(mounts, decodeURIComponent(pathname))
    if (file === null) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found')
      return
    }
    const type = TYPES.get(extname(file)) ?? 'application/octet-stream'
    const altered = alter?.(pathname, file)
    if (altered) {
      response
        .writeHead(200, { 'content-type': type, 'content-length': altered.length })
        .end(altered)
      return
    }
    response.writeHead(200, { 'content-type': type, 'content-length': statSync(file).size })
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    asked,
    breaches,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

/** What a report says: the directive, what was blocked, where. */
function wordsOf(report: string): string {
  try {
    const { 'csp-report': fields } = JSON.parse(report) as {
      'csp-report': Readonly<Record<string, unknown>>
    }
    return ['violated-directive', 'blocked-uri', 'script-sample', 'source-file', 'document-uri']
      .map((name) => String(fields[name] ?? ''))
      .join(' ')
  } catch {
    return `a report of ${String(report.length)} characters`
  }
}

function fileFor(mounts: readonly Mount[], pathname: string): string | null {
  const mount = mounts.find(({ prefix }) => pathname.startsWith(prefix))
  if (mount === undefined) return null
  const rest = pathname.slice(mount.prefix.length)
  const file = normalize(join(mount.folder, rest === '' ? 'index.html' : rest))
  if (!file.startsWith(normalize(mount.folder + sep))) return null
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : null
}

/** The built page. */
export const servePage = (port?: number): Promise<TestServer> =>
  serveFolders([{ prefix: '/', folder: join(ROOT, 'dist-demo') }], port)

/**
 * An app of a few lines over the script-tag build, so that the API can be driven without the page.
 */
export const serveApi = (port?: number): Promise<TestServer> =>
  serveFolders(
    [
      { prefix: '/hubmesh/', folder: join(ROOT, 'dist/browser') },
      { prefix: '/models/', folder: join(ROOT, 'public/models') },
      { prefix: '/ort/', folder: join(ROOT, 'node_modules/onnxruntime-web/dist') },
      { prefix: '/archives/', folder: join(ROOT, '.cache/e2e') },
      { prefix: '/samples/', folder: join(ROOT, 'public/samples') },
      { prefix: '/', folder: join(ROOT, 'e2e/fixtures') },
    ],
    port,
  )
