/**
 * Owns running a parser of office files where it can be ended: in a thread of its own, watched for
 * memory and time, since a few kilobytes of such a file can unpack to gigabytes inside the parser.
 * Refuses: trusting a parser to stop, and its words, which may quote the file.
 */
import { Worker } from 'node:worker_threads'
import { abortedError, HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'

export type OfficeKind = 'pdf' | 'docx'

export interface OfficeResult {
  /** Of a pdf its pages; of a docx one text of HTML. */
  readonly parts: readonly string[]
}

export interface OfficeWorkerOptions {
  readonly signal?: AbortSignal | undefined
  /** Bytes the process may grow by meanwhile; default LIMITS.officeMemoryBytes. */
  readonly mostMemoryBytes?: number | undefined
  /** Default LIMITS.officeMs. */
  readonly mostMs?: number | undefined
}

/** Between two looks at the memory, ms: a parser fills some tens of megabytes in that time. */
const LOOK_MS = 25

/**
 * Handed over as text, so that it needs no file of its own in whatever this is bundled into; the
 * parsers are found where this module would find them.
 */
const PROGRAM = `
const { parentPort, workerData: { kind, module, bytes } } = require('node:worker_threads')
const readers = {
  async pdf({ extractText, getDocumentProxy }) {
    const { text } = await extractText(await getDocumentProxy(bytes, { verbosity: 0, isEvalSupported: false }), { mergePages: false })
    return text
  },
  async docx(library) {
    const mammoth = library.default ?? library
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }, { externalFileAccess: false, convertImage: mammoth.images.imgElement(async () => ({ src: '' })) })
    return [value]
  },
}
import(module).then((library) => readers[kind](library)).then((parts) => parentPort.postMessage({ parts }), () => parentPort.postMessage(null))
`

/**
 * Rejects with `input/too-large` where the parser takes more memory or time than it may,
 * `input/invalid` where it fails, `aborted`.
 */
export async function readInWorker(
  kind: OfficeKind,
  module: string,
  bytes: Uint8Array,
  options: OfficeWorkerOptions = {},
): Promise<OfficeResult> {
  const { signal } = options,
    mostMemory = options.mostMemoryBytes ?? LIMITS.officeMemoryBytes,
    mostMs = options.mostMs ?? LIMITS.officeMs
  const before = process.memoryUsage.rss(),
    started = performance.now()
  const worker = new Worker(PROGRAM, {
    eval: true,
    workerData: { kind, module, bytes: Uint8Array.from(bytes) },
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(mostMemory / 2 ** 20) },
    stdout: true,
    stderr: true,
  })
  let timer: ReturnType<typeof setInterval> | undefined, stop: (() => void) | undefined
  try {
    return await new Promise<OfficeResult>((resolve, reject) => {
      const tooMuch = (what: string): void => {
        reject(
          new HubmeshError(
            'input/too-large',
            `Reading the file took more than ${what}; it is larger inside than it looks, or ` +
              'made to be. Leave it out, or save it anew from its own program.',
          ),
        )
      }
      timer = setInterval(() => {
        if (process.memoryUsage.rss() - before > mostMemory)
          tooMuch(`${String(mostMemory)} bytes of memory`)
        else if (performance.now() - started > mostMs) tooMuch(`${String(mostMs / 1000)} seconds`)
      }, LOOK_MS)
      stop = () => {
        reject(abortedError(signal))
      }
      if (signal?.aborted === true) stop()
      signal?.addEventListener('abort', stop)
      worker.once('message', (answer: OfficeResult | null) => {
        if (answer === null)
          reject(
            new HubmeshError(
              'input/invalid',
              'The file cannot be read; it may be damaged or locked with a password.',
            ),
          )
        else resolve(answer)
      })
      worker.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
          tooMuch(`${String(mostMemory)} bytes of memory`)
        else
          reject(
            new HubmeshError('input/invalid', 'The file cannot be read; its parser broke off.'),
          )
      })
      worker.once('exit', () => {
        reject(
          new HubmeshError(
            'input/invalid',
            'The file cannot be read; its parser ended without an answer.',
          ),
        )
      })
    })
  } finally {
    clearInterval(timer)
    if (stop) signal?.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
