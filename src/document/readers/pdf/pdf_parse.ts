/**
 * pdf.js (through unpdf) where it can be ended: in Node a thread watched for memory and time, since
 * a few kilobytes can unpack to gigabytes. In a page it runs in the engine's own worker.
 */
import { orAborted } from '../../../base/signals.ts'
import type * as Threads from 'node:worker_threads'
import { HubmeshError, throwIfAborted } from '../../../base/errors.ts'
import { LIMITS } from '../../../base/limits.ts'
import { isNode, nodeBuiltin } from '../../../base/platform.ts'
import type { ReadLimits } from '../reader.ts'

/** A run of text where it stands on its page; y grows upwards, units of 1/72 inch. */
export interface PdfItem {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface RawPdf {
  readonly title: string
  readonly author: string
  readonly outline: readonly { readonly title: string; readonly depth: number }[]
  readonly pages: readonly { readonly width: number; readonly items: readonly PdfItem[] }[]
}

export interface PdfLimits extends ReadLimits {
  readonly signal?: AbortSignal | undefined
}

/** Between two looks at the memory, ms: a parser fills some tens of megabytes in that time. */
const LOOK_MS = 25

/**
 * Rejects with `input/too-large` where the parser takes more memory or time than it may,
 * `input/invalid` where it fails, `aborted`.
 */
export async function parsePdf(bytes: Uint8Array, limits: PdfLimits = {}): Promise<RawPdf> {
  const copy = Uint8Array.from(bytes)
  const threads = isNode() ? nodeBuiltin<typeof Threads>('node:worker_threads') : null
  if (threads !== null) return inThread(threads, copy, limits)
  const library = await import('unpdf')
  const raw = await extract(library as unknown as Library, copy, () => {
    throwIfAborted(limits.signal)
  }).catch((error: unknown) => {
    throwIfAborted(limits.signal)
    throw failure(error instanceof Error ? error.name : '')
  })
  return raw
}

interface Library {
  getDocumentProxy(bytes: Uint8Array, options: object): Promise<PdfDocument>
}
interface PdfOutline {
  readonly title: string
  readonly items: readonly PdfOutline[]
}
interface PdfDocument {
  readonly numPages: number
  getMetadata(): Promise<{ readonly info: Readonly<Record<string, unknown>> }>
  getOutline(): Promise<readonly PdfOutline[] | null>
  getPage(number: number): Promise<{
    readonly view: readonly number[]
    getTextContent(): Promise<{
      readonly items: readonly {
        readonly str?: string
        readonly transform: readonly number[]
        readonly width: number
        readonly height: number
      }[]
    }>
    cleanup(): void
  }>
}

/** Handed to the thread as text, so it uses nothing from outside and names no inner function. */
async function extract(library: Library, bytes: Uint8Array, check: () => void): Promise<RawPdf> {
  const options = { verbosity: 0, isEvalSupported: false }
  const document = await library.getDocumentProxy(bytes, options)
  const meta = await document.getMetadata().catch(() => null)
  const waiting = ((await document.getOutline().catch(() => null)) ?? []).map((item) => ({
    item,
    depth: 0,
  }))
  const outline = []
  while (waiting.length > 0 && outline.length < 5000) {
    const { item, depth } = waiting.shift()!
    outline.push({ title: item.title, depth })
    if (depth < 5) waiting.unshift(...item.items.map((one) => ({ item: one, depth: depth + 1 })))
  }
  const pages = []
  for (let number = 1; number <= document.numPages; number++) {
    check()
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    pages.push({
      width: page.view[2]! - page.view[0]!,
      items: items
        .filter((one) => typeof one.str === 'string' && one.str.trim() !== '')
        .map((one) => ({
          text: one.str!,
          x: one.transform[4]!,
          y: one.transform[5]!,
          width: one.width,
          height: one.height || Math.abs(one.transform[3]!) || 10,
        })),
    })
    page.cleanup()
  }
  const said = (meta?.info ?? {}) as { Title?: unknown; Author?: unknown }
  return { title: String(said.Title ?? ''), author: String(said.Author ?? ''), outline, pages }
}

async function inThread(
  { Worker }: typeof Threads,
  bytes: Uint8Array,
  limits: PdfLimits,
): Promise<RawPdf> {
  const mostMemory = limits.mostMemoryBytes ?? LIMITS.officeMemoryBytes,
    mostMs = limits.mostMs ?? LIMITS.officeMs,
    memory = `${mostMemory} bytes of memory`,
    before = process.memoryUsage.rss(),
    started = performance.now()
  const worker = new Worker(
    `const { parentPort, workerData: { module, bytes } } = require('node:worker_threads')
const extract = ${extract.toString()}
import(module).then((library) => extract(library, bytes, () => undefined)).then(
  (raw) => parentPort.postMessage({ raw }),
  (error) => parentPort.postMessage({ name: String(error && error.name) }))`,
    {
      eval: true,
      workerData: { module: import.meta.resolve('unpdf'), bytes },
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(mostMemory / 2 ** 20) },
      stdout: true,
      stderr: true,
    },
  )
  let failed: (error: HubmeshError) => void
  const broken = new Promise<never>((_, reject) => {
    failed = reject
  })
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() - before > mostMemory) failed(tooMuch(memory))
    else if (performance.now() - started > mostMs) failed(tooMuch(`${mostMs / 1000} seconds`))
  }, LOOK_MS)
  try {
    return await orAborted(Promise.race([broken, answerOf(worker, memory)]), limits.signal)
  } finally {
    clearInterval(timer)
    await worker.terminate()
  }
}

function answerOf(worker: Threads.Worker, memory: string): Promise<RawPdf> {
  return new Promise((resolve, reject) => {
    worker.once('message', (answer: { readonly raw: RawPdf } | { readonly name: string }) => {
      if ('raw' in answer) resolve(answer.raw)
      else reject(failure(answer.name))
    })
    worker.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch(memory) : failure(''))
    })
    worker.once('exit', () => {
      reject(failure(''))
    })
  })
}

/** By the name of pdf.js' error; its message may quote the file. */
function failure(name: string): HubmeshError {
  return new HubmeshError(
    'input/invalid',
    name === 'PasswordException'
      ? 'the file is locked with a password; save it without one.'
      : 'the file is damaged or no PDF; save it again from the program that made it.',
  )
}

function tooMuch(what: string): HubmeshError {
  return new HubmeshError(
    'input/too-large',
    `reading the file took more than ${what}; it is larger inside than it looks, or made to be. ` +
      'Leave it out, or save it anew from its own program.',
  )
}
