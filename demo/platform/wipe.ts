/**
 * What the page stored besides its collections: settings, conversations, offline files. Other pages
 * of the same host keep theirs.
 */
export async function wipeSite(): Promise<void> {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith('hubmesh-')) localStorage.removeItem(key)
  } catch {
    // Refused storage holds nothing.
  }
  try {
    for (const name of await caches.keys())
      if (name.startsWith('hubmesh-')) await caches.delete(name)
    await (await navigator.serviceWorker.getRegistration())?.unregister()
  } catch {
    // The same.
  }
}
