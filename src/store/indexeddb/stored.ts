/**
 * Owns which documents a database holds, as far as its writer has asked: a change of a few looks up
 * those few, one of many reads all keys once. Refuses: to be used after another became the writer.
 */
import type { Reader } from './read.ts'

/**
 * Keys looked up one by one before all are read: some 30 µs each, as against some 3 in one sweep
 * over a corpus.
 */
const LOOKED_UP = 256

export class StoredDocuments {
  readonly #reader: Reader
  /** Of each key that was asked for, whether it is there. */
  readonly #known = new Map<string, boolean>()
  /** All keys, once they were read; then the only answer. */
  #all: Set<string> | null = null

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** Those of the keys that are stored. */
  async among(keys: readonly string[]): Promise<ReadonlySet<string>> {
    if (this.#all === null) await this.#ask(keys.filter((key) => !this.#known.has(key)))
    return new Set(keys.filter((key) => this.#all?.has(key) ?? this.#known.get(key) === true))
  }

  /** Brings it up to a commit. */
  apply(removed: readonly string[], put: readonly string[]): void {
    for (const key of removed) this.#set(key, false)
    for (const key of put) this.#set(key, true)
  }

  #set(key: string, present: boolean): void {
    if (this.#all === null) this.#known.set(key, present)
    else if (present) this.#all.add(key)
    else this.#all.delete(key)
  }

  async #ask(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    if (this.#known.size + keys.length > LOOKED_UP) {
      this.#all = await this.#reader(
        ['documents'],
        async (transaction) =>
          new Set(
            (await transaction.objectStore('documents').getAllKeys()).filter(
              (key) => typeof key === 'string',
            ),
          ),
      )
      this.#known.clear()
      return
    }
    const found = await this.#reader(
      ['documents'],
      async (transaction) =>
        await Promise.all(keys.map((key) => transaction.objectStore('documents').getKey(key))),
    )
    keys.forEach((key, i) => {
      this.#known.set(key, found[i] !== undefined)
    })
  }
}
