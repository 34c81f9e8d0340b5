/** Order of ids: UTF-16 code units, as IndexedDB orders string keys, in every engine and locale. */
export function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
