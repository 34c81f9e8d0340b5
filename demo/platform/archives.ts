/** Hands an archive over to be saved as a file. */

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
