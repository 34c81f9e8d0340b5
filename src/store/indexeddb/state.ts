/**
 * Owns what a storage over IndexedDB knows of its corpus, and the one way to read it. Refuses:
 * writing; and data of another corpus under the same name.
 */
import { HubmeshError } from '../../base/errors.ts'
import type { Connection } from './connection.ts'
import type { CorpusRecord } from './corpus_record.ts'
import type { FaultHook } from './fault_hook.ts'
import { read, type Reader } from './read.ts'
import type { Sealer } from '../encryption/sealer.ts'
import type { Sealing } from '../encryption/sealing.ts'
import type { CorpusSettings, QuarantinedRecord } from '../storage.ts'

export class IdbState {
  /** The corpus record as last seen; null while nothing was ever written. */
  record: CorpusRecord | null = null
  readonly warnings = new Set<string>()
  readonly #quarantined = new Map<string, QuarantinedRecord>()

  constructor(
    readonly corpus: string,
    readonly connection: Connection,
    /** Settings of a corpus that does not exist yet. */
    readonly defaults: CorpusSettings,
    readonly faults: FaultHook | undefined,
    readonly sealing: Sealing,
  ) {}

  get generation(): number {
    return this.record?.generation ?? 0
  }

  get settings(): CorpusSettings {
    return this.record?.settings ?? this.defaults
  }

  get quarantined(): readonly QuarantinedRecord[] {
    return [...this.#quarantined.values()]
  }

  quarantine(record: QuarantinedRecord): void {
    this.#quarantined.set(record.id, record)
  }

  /** A document that was written anew, or removed, is no longer damaged. */
  release(id: string): void {
    this.#quarantined.delete(id)
  }

  /**
   * What opens the records as they are now; null for a plain corpus. Rejects with `store/locked` or
   * `input/conflict`.
   */
  async sealer(): Promise<Sealer | null> {
    if (this.record === null) await this.reader([], () => Promise.resolve())
    return await this.sealing.of(this.record)
  }

  /**
   * Reads with the corpus record of the same moment, which must still be that of the corpus that
   * was opened.
   */
  readonly reader: Reader = async (stores, work) =>
    await read(
      this.connection,
      stores,
      async (transaction, record) => {
        if (record === undefined) throw this.damaged(0)
        if (this.record !== null && record?.instance !== this.record.instance)
          throw evicted(this.connection.name)
        if (record !== null && record.generation >= this.generation) this.record = record
        return await work(transaction, record)
      },
      this.faults === undefined ? {} : { faults: this.faults },
    )

  damaged(documents: number): HubmeshError {
    return new HubmeshError(
      'store/corrupt',
      `The record that describes corpus "${this.corpus}" is damaged or gone, beside ` +
        `${documents} documents. Nothing was changed. Delete the corpus and add its documents ` +
        'again.',
      { details: { corpus: this.corpus, documents } },
    )
  }
}

export function evicted(database: string): HubmeshError {
  return new HubmeshError(
    'store/evicted',
    `The data of ${database} were deleted while this page had them open. Create a new engine ` +
      'and add the documents again.',
    { details: { database } },
  )
}
