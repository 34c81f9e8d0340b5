/** Owns the order of ids: UTF-16 code units, as IndexedDB orders string keys. Refuses: locales. */

export function byUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
