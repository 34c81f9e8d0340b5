/**
 * Keeps snapshots of the text tier in storage, so that a reload need not read every document.
 * Derived: dropping one costs only time.
 */
import { isHubmeshError } from '../base/errors.ts'
import { now } from '../base/platform.ts'
import { stamped, unstamped } from '../lexical/index_rules.ts'
import type { TextIndex } from '../graph/text_index.ts'
import type { Mutex } from '../base/mutex.ts'
import type { CorpusStorage } from '../store/storage.ts'
import type { Corpus } from '../corpus/corpus.ts'

const NAME = 'text'
/**
 * Passages that are read anew in about a second: what was removed must leave no word in what is
 * kept. More of them are read in slices, behind the questions.
 */
const REBUILD_PASSAGES = 10_000
/**
 * Saved once nothing has changed for this long, and no more often than a tenth of the time would be
 * spent on it.
 */
const QUIET_MS = 2000,
  SHARE = 10

/**
 * The index as it was kept, null where it was not, and the generation of the corpus before it was
 * read.
 */
export interface KeptText {
  readonly text: TextIndex | null
  readonly generation: number
}

const DAMAGED = 'The stored index was damaged and has been built anew.'

export class Snapshots {
  private timer: ReturnType<typeof setTimeout> | null = null
  private lastCost = 0
  private lastSaved = -Infinity
  private dirty = false
  private closed = false
  /** Why the index could not be kept, for `status`. */
  warning: string | null = null

  constructor(
    private readonly corpus: Corpus,
    private readonly storage: CorpusStorage,
    private readonly writeQueue: Mutex,
  ) {}

  /**
   * Begins to read the text tier as it was kept, and to lay it out, while the browser brings the
   * documents.
   */
  read(): Promise<KeptText> {
    const { generation } = this.storage
    const reading = this.storage.readDerived(NAME).then((bytes) => ({
      text: bytes && this.laidOut(unstamped(bytes)),
      generation,
    }))
    reading.catch(() => undefined) // the consumer observes the rejection
    return reading
  }

  /**
   * Takes what was read, given that the documents are in the table in the order of their ids; false
   * where it has to be built.
   */
  restore({ text, generation }: KeptText): boolean {
    // another tab has written in between: what was kept may be of other documents
    if (!text || generation !== this.storage.generation) return false
    return (
      this.whole(() => {
        this.corpus.takeText(text)
        return true
      }) ?? false
    )
  }

  /** An index by the present rules; null for one of others, or a damaged one. */
  private laidOut(bytes: Uint8Array | null): TextIndex | null {
    return bytes && this.whole(() => this.corpus.readText(bytes))
  }

  /** What `work` gives; null, and a word in `warning`, where the index turns out to be damaged. */
  private whole<T>(work: () => T): T | null {
    try {
      return work()
    } catch (error) {
      if (!isHubmeshError(error) || error.code !== 'index/corrupt') throw error
      this.warning = DAMAGED
      return null
    }
  }

  /** To be called after documents have changed. */
  changed(): void {
    this.dirty = true
    if (this.timer !== null) clearTimeout(this.timer)
    const wait = Math.max(QUIET_MS, this.lastSaved + this.lastCost * SHARE - now())
    this.timer = setTimeout(() => {
      this.timer = null
      void this.keep()
    }, wait)
    ;(this.timer as { unref?: () => void }).unref?.() // a Node program need not wait for it
  }

  /** Saves now what is not saved; to be called when no write is under way. */
  async close(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer)
    if (this.dirty) await this.writeQueue.run(() => this.save())
    this.closed = true
  }

  private async keep(): Promise<void> {
    if (this.closed || !this.dirty) return
    if (!this.corpus.text.settled) {
      this.changed()
      return
    } // names are still being looked up: later
    const started = now(),
      large = this.corpus.remembers && this.corpus.table.passages > REBUILD_PASSAGES
    // late: what changed the documents meanwhile has called changed()
    if (large && !(await this.corpus.rebuildInSlices(() => this.closed))) {
      this.lastSaved = now()
      this.lastCost = this.lastSaved - started
      return
    }
    await this.writeQueue.run(() => this.save())
    this.lastCost = now() - started
  }

  private async save(): Promise<void> {
    if (this.closed || !this.dirty || !this.corpus.text.settled) return
    const started = now()
    this.dirty = false
    if (this.corpus.remembers) {
      if (this.corpus.table.passages > REBUILD_PASSAGES) {
        this.warning =
          'Documents were removed, and the index must not be kept with their words in it: the ' +
          'next opening builds it anew.'
        return
      }
      this.corpus.rebuildText()
    }
    try {
      await this.storage.writeDerived(
        NAME,
        stamped(this.corpus.text.snapshot(this.corpus.table.order())),
      )
      this.warning = null
    } catch (error) {
      // another tab writes, or there is no room: the next opening reads the documents instead
      const { code = 'unknown', details = {} } = isHubmeshError(error) ? error : {}
      const space =
        typeof details['neededBytes'] === 'number'
          ? `: ${details['neededBytes']} bytes needed, ${details['availableBytes'] ?? 'an unknown number'} free`
          : ''
      this.warning = `The index could not be kept (${code}${space}); the next opening will take longer.`
    }
    this.lastSaved = now()
    this.lastCost = this.lastSaved - started
  }
}
