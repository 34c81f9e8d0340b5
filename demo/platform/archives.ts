/**
 * Owns archives as files: handing one over to be saved. Refuses: fetching one; the engine does, and
 * checks what comes.
 */

/** Saves a file where the browser saves downloads. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob),
    link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has its own hold on the blob once it began.
  setTimeout(() => {
    URL.revokeObjectURL(address)
  }, 60_000)
}
