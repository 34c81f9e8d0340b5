/**
 * Takes the library's index file in and out as bytes.
 *
 * hnswlib-wasm reads and writes its index only as a file of its private virtual file system; the
 * one way through is its synchronisation with IndexedDB. So during a synchronous call it sees
 * another IndexedDB, of one file in memory, and a timer and a console of its own; nothing else can
 * run meanwhile and see them.
 */
import type { HnswHandle, HnswModule } from 'hnswlib-wasm/dist/hnswlib-317962d7.js'
import { withReplaced } from './replace_globals.ts'

const FILE = 'index.bin'
const PATH = `/hnswlib-index/${FILE}`
const REGULAR_FILE = 0o100666

interface Entry {
  readonly timestamp: Date
  readonly mode: number
  readonly contents: Uint8Array | Int8Array
}

type Listener = (event: { target: { result: unknown } }) => void

interface Transaction {
  readonly objectStore: () => unknown
  oncomplete?: () => void
}

/** A request that succeeds as soon as `onsuccess` is set. */
class Answer {
  readonly result: unknown
  onerror: unknown = null
  onupgradeneeded: unknown = null

  constructor(result: unknown) {
    this.result = result
  }

  set onsuccess(listener: Listener) {
    listener({ target: this })
  }
}

export class HnswFiles {
  private entry: Entry | null = null
  private transactions: Transaction[] = []

  constructor(private readonly library: HnswModule) {}

  write(handle: HnswHandle): Uint8Array {
    this.entry = null
    this.apart(() => {
      this.prepare()
    })
    this.apart(() => {
      handle.writeIndex(FILE)
    })
    const written = this.entry as Entry | null
    if (!written) throw new Error('the library wrote no index file')
    const { buffer, byteOffset, byteLength } = written.contents
    const bytes = new Uint8Array(buffer, byteOffset, byteLength).slice()
    this.clear()
    return bytes
  }

  /** The bytes must have passed checkHnswFile: the library trusts them. */
  read(handle: HnswHandle, bytes: Uint8Array, maxElements: number): void {
    this.apart(() => {
      this.prepare()
    })
    this.entry = { timestamp: new Date(1), mode: REGULAR_FILE, contents: bytes }
    this.apart(() => {
      this.library.EmscriptenFileSystemManager.syncFS(true, undefined)
    })
    this.apart(() => {
      handle.readIndex(FILE, maxElements)
    })
    this.clear()
  }

  private prepare(): void {
    const files = this.library.EmscriptenFileSystemManager
    if (!files.isInitialized()) files.initializeFileSystem('IDBFS')
  }

  /** The file is as large as the index. */
  private clear(): void {
    this.entry = null
    this.apart(() => {
      this.library.EmscriptenFileSystemManager.syncFS(true, undefined)
    })
  }

  private database(): unknown {
    const store = {
      index: () => ({
        openKeyCursor: () => ({
          set onsuccess(listener: Listener) {
            const end = (): void => {
              listener({ target: { result: null } })
            }
            const entry = current()
            if (entry)
              listener({
                target: { result: { primaryKey: PATH, key: entry.timestamp, continue: end } },
              })
            else end()
          },
        }),
      }),
      get: () => new Answer(current()),
      put: (entry: Entry, path: string) => {
        if (path === PATH) this.entry = entry
        return new Answer(undefined)
      },
      delete: () => {
        this.entry = null
        return new Answer(undefined)
      },
    }
    const current = (): Entry | null => this.entry
    return {
      transaction: () => {
        const transaction: Transaction = { objectStore: () => store }
        this.transactions.push(transaction)
        return transaction
      },
    }
  }

  private apart(run: () => void): void {
    const timers: (() => void)[] = []
    const indexedDB = { open: () => new Answer(this.database()) }
    const setTimeout = (callback: () => void): number => timers.push(callback)
    const quiet = (): void => undefined
    withReplaced(
      { global: { indexedDB, setTimeout }, console: { log: quiet, error: quiet } },
      () => {
        try {
          run()
          // A transaction is complete once its requests are answered; the library then sets a
          // timer.
          for (const transaction of this.transactions.splice(0)) transaction.oncomplete?.()
          for (const timer of timers.splice(0)) timer()
        } finally {
          this.transactions = []
        }
      },
    )
  }
}
