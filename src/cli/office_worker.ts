/**
 * Runs a parser in a thread watched for memory and time: a few kilobytes can unpack to gigabytes.
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
    const document = await getDocumentProxy(bytes, { verbosity: 0, isEvalSupported: false })
    const { text } = await extractText(document, { mergePages: false })
    return text
  },
  async docx(library) {
    const mammoth = library.default ?? library
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
    const { value } = await mammoth.convertToHtml({ buffer }, { externalFileAccess: false, convertImage })
    return [value]
  },
}
import(module)
  .then((library) => readers[kind](library))
  .then((parts) => parentPort.postMessage({ parts }), () => parentPort.postMessage(null))
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
  const before = process.memoryUsage.rss(),
    started = performance.now(),
    mostMemory = options.mostMemoryBytes ?? LIMITS.officeMemoryBytes,
    mostMs = options.mostMs ?? LIMITS.officeMs
  const worker = new Worker(PROGRAM, {
    eval: true,
    workerData: { kind, module, bytes: Uint8Array.from(bytes) },
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(mostMemory / 2 ** 20) },
    stdout: true,
    stderr: true,
  })
  const memory = `${String(mostMemory)} bytes of memory`
  let failed: (error: HubmeshError) => void
  const broken = new Promise<never>((_, reject) => {
    failed = reject
  })
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() - before > mostMemory) failed(tooMuch(memory))
    else if (performance.now() - started > mostMs)
      failed(tooMuch(`${String(mostMs / 1000)} seconds`))
  }, LOOK_MS)
  const stop = (): void => {
    failed(abortedError(options.signal))
  }
  if (options.signal?.aborted === true) stop()
  options.signal?.addEventListener('abort', stop)
  try {
    return await Promise.race([broken, answerOf(worker, memory)])
  } finally {
    clearInterval(timer)
    options.signal?.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

function answerOf(worker: Worker, memory: string): Promise<OfficeResult> {
  return new Promise((resolve, reject) => {
    worker.once('message', (answer: OfficeResult | null) => {
      if (answer !== null) resolve(answer)
      else reject(unreadable('it may be damaged or locked with a password'))
    })
    worker.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? tooMuch(memory)
          : unreadable('its parser broke off'),
      )
    })
    worker.once('exit', () => {
      reject(unreadable('its parser ended without an answer'))
    })
  })
}

function unreadable(why: string): HubmeshError {
  return new HubmeshError('input/invalid', `The file cannot be read; ${why}.`)
}

function tooMuch(what: string): HubmeshError {
  return new HubmeshError(
    'input/too-large',
    `Reading the file took more than ${what}; it is larger inside than it looks, or made to be. ` +
      'Leave it out, or save it anew from its own program.',
  )
}
