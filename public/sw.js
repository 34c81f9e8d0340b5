/**
 * Owns what the page can do without a network: keeps the page's own files, version by version.
 * Refuses: other origins, and answering anything but GET. The build writes the list of files into the next line.
 */
const BUILD = { version: 'unbuilt', shell: [], later: [], assets: {} }

const SHELL = `hubmesh-shell-${BUILD.version}`
// Large files stay over versions, each under its digest, so only a file that changed is fetched again. Name and key are those
// under which the engine keeps the files it verified, so that a model is stored once.
const ASSETS = 'hubmesh-files'
const names = Object.keys(BUILD.assets)
const scope = new URL(self.registration.scope)

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(SHELL).then(async (cache) => {
      for (const name of BUILD.shell) await cache.put(address(name), await fetchFresh(address(name)))
    }),
  )
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name.startsWith('hubmesh-shell-') && name !== SHELL) await caches.delete(name)
      await dropStaleAssets()
      await self.clients.claim()
    })(),
  )
})

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url)
  if (event.request.method !== 'GET' || url.origin !== scope.origin || event.request.headers.has('range')) return
  event.respondWith(answer(event.request, url))
})

/** Messages of the page: keep the large files too, and say how far that is. */
self.addEventListener('message', (event) => {
  if (event.data?.type === 'keep-assets') event.waitUntil(keepAssets(event.source))
})

async function answer(request, url) {
  const key = url.pathname === scope.pathname ? address('index.html') : url.origin + url.pathname
  const shell = await (await caches.open(SHELL)).match(key)
  if (shell) return shell
  const name = url.pathname.slice(scope.pathname.length)
  if (!Object.hasOwn(BUILD.assets, name)) return fetch(request)
  const kept = await (await caches.open(ASSETS)).match(assetKey(name))
  return kept ? typed(kept, name) : fetch(request)
}

/** The engine keeps plain bytes; a browser runs a module only under its own type. */
function typed(response, name) {
  const type = name.endsWith('.mjs') ? 'text/javascript' : name.endsWith('.wasm') ? 'application/wasm' : response.headers.get('content-type')
  return new Response(response.body, { headers: { 'content-type': type ?? 'application/octet-stream' } })
}

async function keepAssets(client) {
  const cache = await caches.open(ASSETS)
  const total = BUILD.later.length + names.length
  const tell = (kept, failed) => client?.postMessage({ type: 'assets', kept, total, failed })
  let kept = 0
  const shell = await caches.open(SHELL)
  for (const name of BUILD.later) {
    try {
      if (!(await shell.match(address(name)))) await shell.put(address(name), await fetchFresh(address(name)))
    } catch {
      tell(kept, true)
      return
    }
    tell(++kept, false)
  }
  for (const name of names) {
    try {
      if (!(await cache.match(assetKey(name)))) await cache.put(assetKey(name), await fetchFresh(address(name), 'no-store'))
    } catch {
      tell(kept, true)
      return
    }
    tell(++kept, false)
  }
  if (total === 0) tell(0, false)
}

/** Other contents of the listed files belong to older builds; what is not listed is the engine's own. */
async function dropStaleAssets() {
  const cache = await caches.open(ASSETS)
  const current = new Map(names.map((name) => [address(name), assetKey(name)]))
  for (const { url } of await cache.keys()) {
    const key = current.get(url.split('?', 1)[0])
    if (key !== undefined && key !== url) await cache.delete(url)
  }
}

/** Large files pass the HTTP cache by: the engine may be asking for the same one, and a copy in there would be a second one. */
async function fetchFresh(url, mode = 'no-cache') {
  const response = await fetch(url, { cache: mode })
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  return response
}

function address(name) {
  return new URL(name, scope).href
}

function assetKey(name) {
  return `${address(name)}?sha256=${BUILD.assets[name]}`
}
