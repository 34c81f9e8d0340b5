/** What may be given as an archive: bytes, a file, a stream, an answer of `fetch`, an address. */
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { ArchiveSource, ImportOptions } from '../types.ts'
import type { ArchiveInput } from './byte_source.ts'
import { byteSource } from './byte_source.ts'
import { fetchArchive } from './fetch_archive.ts'

/**
 * The address among the sources, absolute; null for the others. Throws `input/invalid` for a string
 * that is none.
 */
export function addressOf(archive: ArchiveSource, base?: string): URL | null {
  if (archive instanceof URL) return archive
  if (typeof archive !== 'string') return null
  try {
    return new URL(archive, base)
  } catch (error) {
    throw new HubmeshError(
      'input/invalid',
      'import() was given a string that is not an address. Pass the address of an archive, or the archive as a Blob.',
      { cause: error, details: { field: 'archive' } },
    )
  }
}

/**
 * Something whose bytes can be read; an address is fetched, with progress in bytes under the phase
 * `fetching`. Rejects as `fetchArchive` does.
 */
export async function openArchive(
  archive: ArchiveSource,
  options: ImportOptions,
): Promise<ArchiveInput> {
  const { onProgress, signal, crossOrigin } = options
  const address = addressOf(archive)
  if (address !== null) {
    const started = performance.now()
    return fetchArchive(address, {
      origin: ownOrigin(),
      ...(crossOrigin === undefined ? {} : { crossOrigin }),
      ...(signal ? { signal } : {}),
      ...(onProgress
        ? {
            onProgress: (loaded: number, total: number | null) => {
              const rate = (loaded * 1000) / Math.max(1, performance.now() - started)
              onProgress({
                phase: 'fetching',
                done: loaded,
                total: total ?? loaded,
                rate,
                secondsLeft: total === null ? null : (total - loaded) / rate,
              })
            },
          }
        : {}),
    })
  }
  if (archive instanceof Uint8Array || archive instanceof Blob || archive instanceof ReadableStream)
    return archive
  return bodyOf(archive)
}

/** The bytes of a stream or an answer as a Blob, never more than an archive may have. */
export async function streamBlob(
  archive: ArchiveSource,
  signal: AbortSignal | undefined,
): Promise<Blob> {
  const source = byteSource(archive instanceof ReadableStream ? archive : bodyOf(archive), signal)
  const parts: Uint8Array<ArrayBuffer>[] = []
  try {
    for (let part = await source.some(); part !== null; part = await source.some()) parts.push(part)
  } finally {
    await source.cancel()
  }
  throwIfAborted(signal)
  return new Blob(parts)
}

function bodyOf(archive: unknown): ReadableStream<Uint8Array> {
  if (!(typeof Response === 'function' && archive instanceof Response)) {
    throw new HubmeshError(
      'input/invalid',
      'import() takes an archive as a Blob, bytes, a stream, an answer of fetch() or an address.',
      { details: { field: 'archive' } },
    )
  }
  if (!archive.ok)
    throw new HubmeshError(
      'remote/unavailable',
      `The answer that import() was given has status ${archive.status}; an archive comes with 200.`,
      { details: { status: archive.status } },
    )
  if (archive.body === null || archive.bodyUsed)
    throw new HubmeshError(
      'input/invalid',
      'The answer that import() was given has no body that could still be read. Pass it before reading it.',
      { details: { field: 'archive', bytes: LIMITS.archiveBytes } },
    )
  return archive.body
}

/** A page's, also inside its workers; null in Node, where no origin is one's own. */
function ownOrigin(): string | null {
  const { origin } = globalThis as { readonly origin?: unknown }
  return typeof origin === 'string' && origin !== 'null' ? origin : null
}
