/** Addresses by what can be done with them, as apps have schemes of their own. */

/** Schemes that name code, data or a file, of which a page fetches nothing beside itself. */
const NO_PLACES: ReadonlySet<string> = new Set(['javascript:', 'data:', 'blob:', 'file:', 'about:'])

/** Whether files can lie there: `https:` and, of apps, `tauri:`, `capacitor:`, `moz-extension:`. */
export function isPlace(url: URL): boolean {
  return url.host !== '' && !NO_PLACES.has(url.protocol)
}

/** The origin, also of a scheme for which `URL.origin` is the text `null`. */
export function originOf({ protocol, host }: URL): string {
  return `${protocol}//${host}`
}
