/** Checks of model and runtime files: entries, server answers, lengths, hashes. */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { FileEntry } from './manifests.ts'

export function checkEntry(entry: FileEntry): void {
  const parts = entry.path.split('/')
  const pathOk =
    entry.path !== '' &&
    !/[\\?#:]/.test(entry.path) &&
    !parts.some((part) => part === '' || part === '.' || part === '..')
  if (
    pathOk &&
    /^[0-9a-f]{64}$/.test(entry.sha256) &&
    Number.isSafeInteger(entry.bytes) &&
    entry.bytes > 0 &&
    entry.bytes <= LIMITS.modelFileBytes
  )
    return
  throw new HubmeshError(
    'model/integrity',
    `The manifest entry ${JSON.stringify(entry.path.slice(0, 200))} is refused: it needs a ` +
      `relative path, a size from 1 to ${LIMITS.modelFileBytes} bytes and a lower-case hex ` +
      'SHA-256.',
    { details: { file: entry.path.slice(0, 200) } },
  )
}

export function checkAnswer(response: Response, entry: FileEntry, url: URL): void {
  const details = { file: entry.path, url: shown(url), status: response.status }
  if (response.status !== 200) {
    throw new HubmeshError(
      'model/fetch',
      `The server answered ${response.status} instead of the file ${shown(url)}. Copy the ` +
        `model and runtime files to where the page is served from (\`hubmesh assets DIR\`).`,
      { details, retryable: response.status >= 500 || response.status === 429 },
    )
  }
  if ((response.headers.get('content-type') ?? '').toLowerCase().startsWith('text/html')) {
    throw new HubmeshError(
      'model/fetch',
      `The server answered ${shown(url)} with an HTML page: the file is missing there and a ` +
        `fallback page was sent. Copy the model and runtime files (\`hubmesh assets DIR\`).`,
      { details },
    )
  }
}

export async function checkHash(
  bytes: Uint8Array<ArrayBuffer>,
  entry: FileEntry,
  where: string,
): Promise<void> {
  const subtle = (globalThis as { readonly crypto?: { readonly subtle?: SubtleCrypto } }).crypto
    ?.subtle
  if (subtle === undefined) {
    throw new HubmeshError(
      'model/integrity',
      `${where} cannot be verified: this page has no WebCrypto. Serve it over https or from localhost.`,
      { details: { file: entry.path } },
    )
  }
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes))
  let hex = ''
  for (const byte of digest) hex += byte.toString(16).padStart(2, '0')
  if (bytes.length === entry.bytes && hex === entry.sha256) return
  throw new HubmeshError(
    'model/integrity',
    `${where} is not the file of the manifest: its SHA-256 is ${hex}, expected ` +
      `${entry.sha256}. Nothing of it was used; copy the file again.`,
    { details: { file: entry.path, found: hex, expected: entry.sha256 } },
  )
}

export function wrongLength(entry: FileEntry, where: URL | string, found: number): HubmeshError {
  const name = typeof where === 'string' ? where : shown(where)
  return new HubmeshError(
    'model/integrity',
    `${name} has ${found > entry.bytes ? 'more than the' : `${found} bytes instead of the`} ` +
      `${entry.bytes} bytes of the manifest. Nothing of it was used; copy the file again.`,
    { details: { file: entry.path, expected: entry.bytes, found } },
  )
}

/** Without what may be private: query, fragment, user. */
export function shown(url: URL): string {
  return `${url.origin}${url.pathname}`
}
