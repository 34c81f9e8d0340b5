/**
 * Owns what the page can do without a network: keeps the page's own files, version by version.
 * Refuses: other origins, and answering anything but GET. The build writes the list of files into the next line.
 */
const BUILD = { version: 'unbuilt', shell: [], assets: {} }

const SHELL = `hubmesh-shell-${BUILD.version}`
// Large files change rarely: they stay over versions, each under its digest, so only a file that changed is fetched again.
const ASSETS = 'hubmesh-assets'
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
  const page = request.mode === 'navigate'
  const key = page ? address('index.html') : url.origin + url.pathname
  const shell = await (await caches.open(SHELL)).match(key)
  if (shell) return shell
  const name = url.pathname.slice(scope.pathname.length)
  if (!Object.hasOwn(BUILD.assets, name)) return fetch(request)
  const cache = await caches.open(ASSETS)
  const kept = await cache.match(assetKey(name))
  if (kept) return kept
  const response = await fetch(request)
  if (response.status === 200) await cache.put(assetKey(name), response.clone())
  return response
}

async function keepAssets(client) {
  const cache = await caches.open(ASSETS)
  const tell = (kept, failed) => client?.postMessage({ type: 'assets', kept, total: names.length, failed })
  let kept = 0
  for (const name of names) {
    try {
      if (!(await cache.match(assetKey(name)))) await cache.put(assetKey(name), await fetchFresh(address(name)))
    } catch {
      tell(kept, true)
      return
    }
    tell(++kept, false)
  }
  if (names.length === 0) tell(0, false)
}

async function dropStaleAssets() {
  const cache = await caches.open(ASSETS)
  const current = new Set(names.map(assetKey))
  for (const request of await cache.keys()) if (!current.has(request.url)) await cache.delete(request)
}

async function fetchFresh(url) {
  const response = await fetch(url, { cache: 'no-cache' })
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  return response
}

function address(name) {
  return new URL(name, scope).href
}

function assetKey(name) {
  return `${address(name)}?${BUILD.assets[name]}`
}
