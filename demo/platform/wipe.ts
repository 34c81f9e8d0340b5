/** What the site stored besides its collections: settings, conversations, offline files. */
export async function wipeSite(): Promise<void> {
  try {
    localStorage.clear()
    sessionStorage.clear()
  } catch {
    // Refused storage holds nothing.
  }
  try {
    for (const name of await caches.keys()) await caches.delete(name)
    for (const registration of await navigator.serviceWorker.getRegistrations())
      await registration.unregister()
  } catch {
    // The same.
  }
}
