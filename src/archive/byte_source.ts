/**
 * Reads bytes from an array, a Blob or a stream by length; up to a cap, and never allocates for
 * bytes that have not come.
 */
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'

export type ArchiveInput = Uint8Array | Blob | ReadableStream<Uint8Array>

/** Bytes given at a time where the caller asks for no number. */
const SOME_BYTES = 1024 * 1024

export interface ByteSource {
  /** Exactly so many bytes, or `archive/invalid` where fewer are left. */
  take(length: number): Promise<Uint8Array>
  /** What is at hand, whatever its length; null at the end. */
  some(): Promise<Uint8Array<ArrayBuffer> | null>
  atEnd(): Promise<boolean>
  /** Lets go of a stream that is not read to its end. */
  cancel(): Promise<void>
}

function truncated(): HubmeshError {
  return new HubmeshError(
    'archive/invalid',
    'This is not a whole hubmesh archive: it ends too early. Get the file again from where it was made.',
  )
}

function checkSize(bytes: number, cap: number): void {
  if (bytes > cap)
    throw new HubmeshError(
      'archive/too-large',
      `This archive has more than ${cap} bytes, which is the most that is read.`,
      { details: { bytes, cap } },
    )
}

/**
 * True for inputs that can be read twice, so that all of it can be checked before anything is used.
 */
export function isRereadable(input: ArchiveInput): input is Uint8Array | Blob {
  return !(input instanceof ReadableStream)
}

export function byteSource(
  input: ArchiveInput,
  signal?: AbortSignal,
  cap: number = LIMITS.archiveBytes,
): ByteSource {
  if (input instanceof ReadableStream) return streamSource(input.getReader(), signal, cap)
  const size = input instanceof Uint8Array ? input.length : input.size
  checkSize(size, cap)
  let at = 0
  return {
    async take(length) {
      throwIfAborted(signal)
      if (length > size - at) throw truncated()
      at += length
      if (input instanceof Uint8Array) return input.subarray(at - length, at)
      try {
        return new Uint8Array(await input.slice(at - length, at).arrayBuffer())
      } catch (error) {
        throw new HubmeshError(
          'archive/invalid',
          'The file of the archive cannot be read. It may have been moved or changed; choose it again.',
          { cause: error },
        )
      }
    },
    async some() {
      return at === size ? null : (await this.take(Math.min(SOME_BYTES, size - at))).slice()
    },
    atEnd: () => Promise.resolve(at === size),
    cancel: () => Promise.resolve(),
  }
}

function streamSource(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal | undefined,
  cap: number,
): ByteSource {
  let chunks: Uint8Array[] = []
  let held = 0
  let total = 0
  /** False at the end of the stream. */
  const more = async (): Promise<boolean> => {
    throwIfAborted(signal)
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw new HubmeshError(
        'archive/invalid',
        'The stream of the archive broke off. Start the import again.',
        { cause: error, retryable: true },
      )
    })
    if (done) return false
    total += value.length
    checkSize(total, cap)
    chunks.push(value)
    held += value.length
    return true
  }
  return {
    async take(length) {
      while (held < length) if (!(await more())) throw truncated()
      const bytes = new Uint8Array(length)
      let filled = 0
      let used = 0
      while (filled < length) {
        const chunk = chunks[used]!
        const part = chunk.subarray(0, length - filled)
        bytes.set(part, filled)
        filled += part.length
        if (part.length < chunk.length) chunks[used] = chunk.subarray(part.length)
        else used++
      }
      chunks = chunks.slice(used)
      held -= length
      return bytes
    },
    async some() {
      while (held === 0) if (!(await more())) return null
      const bytes = chunks.shift()!
      held -= bytes.length
      return bytes.slice()
    },
    async atEnd() {
      while (held === 0) if (!(await more())) return true
      return false
    },
    async cancel() {
      await reader.cancel().catch(() => undefined)
    },
  }
}
