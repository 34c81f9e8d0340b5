/**
 * The servers of the fixture apps: one folder each, under a prefix, with the policy that the app is
 * meant to run under.
 */
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'

const TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript'],
  ['.mjs', 'text/javascript'],
  ['.css', 'text/css'],
  ['.json', 'application/json'],
  ['.wasm', 'application/wasm'],
])

/**
 * Only the own origin, nothing inline: what a careful page sends. `also` widens one directive each.
 */
export function policy(also = {}) {
  const directives = {
    'default-src': "'none'",
    'script-src': "'self' 'wasm-unsafe-eval'",
    'worker-src': "'self'",
    'connect-src': "'self'",
    'img-src': "'self' data:",
    'style-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  }
  return Object.entries({ ...directives, ...also })
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}

/** `csp` null sends none; `cors` lets other origins read; `html` replaces in pages. */
export async function serve(folder, { prefix = '/', csp = policy(), cors = false, port = 0 } = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (csp !== null)
      response.setHeader('content-security-policy', typeof csp === 'function' ? csp() : csp)
    if (cors) response.setHeader('access-control-allow-origin', '*')
    const rest = pathname.startsWith(prefix)
      ? decodeURIComponent(pathname.slice(prefix.length))
      : null
    const file = rest === null ? '' : normalize(join(folder, rest === '' ? 'index.html' : rest))
    const stat = file.startsWith(normalize(folder + sep))
      ? statSync(file, { throwIfNoEntry: false })
      : undefined
    if (stat?.isFile() !== true) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found')
      return
    }
    response.writeHead(200, {
      'content-type': TYPES.get(extname(file)) ?? 'application/octet-stream',
      'content-length': stat.size,
    })
    createReadStream(file).pipe(response)
  })
  await new Promise((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    origin: `http://127.0.0.1:${String(server.address().port)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}
