/** Owns archives as files: fetching one by its address, and handing one over to be saved. Refuses: addresses that this page may not fetch from. */
import { connectedOrigins, mayFetch } from './models.ts'

/** Fetches an archive. Rejects with an error that has a code and says what the server answered. */
export async function fetchArchive(address: string, signal: AbortSignal, onProgress: (done: number, total: number | null) => void): Promise<Blob> {
  const url = new URL(address, location.href)
  if (!mayFetch(url, location.origin, connectedOrigins())) throw failure('input/invalid', `This page may not fetch from ${url.origin}: its security policy allows its own address only. Download the archive and open the file instead.`)
  let response: Response
  try {
    response = await fetch(url, { signal })
  } catch (error) {
    if (signal.aborted) throw error
    throw failure('remote/unavailable', `The archive could not be fetched: ${url.origin} does not answer.`)
  }
  if (response.status !== 200 || response.body === null) throw failure('remote/unavailable', `The archive could not be fetched: ${url.origin} answered ${String(response.status)} for ${url.pathname}.`)
  const length = Number(response.headers.get('content-length') ?? ''), total = Number.isFinite(length) && length > 0 ? length : null
  const parts: Blob[] = []
  let done = 0
  const reader = response.body.getReader()
  for (;;) {
    const step = await reader.read()
    if (step.done) return new Blob(parts)
    // A blob lets the browser keep what has come out of the page's memory.
    parts.push(new Blob([step.value]))
    done += step.value.byteLength
    onProgress(done, total)
  }
}

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

/** Saves a file where the browser saves downloads. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob), link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has its own hold on the blob once it began.
  setTimeout(() => { URL.revokeObjectURL(address) }, 60_000)
}
