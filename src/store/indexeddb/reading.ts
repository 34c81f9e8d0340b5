/**
 * Owns reading all documents of a corpus in IndexedDB: from their copy while that is whole, else
 * from their records. Refuses: documents missing without a word.
 */
import { LIMITS } from '../../base/limits.ts'
import { compareIds } from '../../base/compare_ids.ts'
import { readDocuments } from './document_pages.ts'
import { readPacked, writePacked } from './packed.ts'
import { readSealed } from './sealed.ts'
import type { IdbState } from './state.ts'
import type { IdbWriter } from './writer.ts'
import type { QuarantinedRecord, StoredDocument } from '../storage.ts'

export class IdbDocuments {
  /** Documents that were committed and not found when the records were last read. */
  #gone = 0

  constructor(
    private readonly state: IdbState,
    private readonly writer: IdbWriter,
  ) {}

  /** In order of id, in batches of bounded bytes. */
  async *all(): AsyncGenerator<readonly StoredDocument[]> {
    const sealer = await this.state.sealer(),
      { generation, record } = this.state
    const packed = readPacked(
      this.state.reader,
      generation,
      sealer === null ? (record?.documents ?? 0) : 0,
    )
    let last = '',
      next = await packed.next()
    for (; next.done !== true; next = await packed.next()) {
      last = next.value.at(-1)!.id
      yield next.value
    }
    if (next.value) return
    // what the copy lacks lies in the records, as all of it does
    for await (const page of this.#records()) {
      const rest = last === '' ? page : page.filter(({ id }) => compareIds(last, id) < 0)
      if (rest.length > 0) yield rest
    }
  }

  /** Copies them; false where there is no copy afterwards, as of encrypted ones. */
  async pack(): Promise<boolean> {
    const sealer = await this.state.sealer(),
      { generation, record } = this.state
    if (sealer !== null || record === null || record.documents < LIMITS.packedDocuments)
      return false
    return await writePacked(this.#records(), generation, async (bytes, put) => {
      // beside a copy that lacks what is damaged or gone the next opening would not tell
      if (this.state.quarantined.length > 0 || this.#gone > 0) return false
      return await this.writer.putDerived(generation, bytes, put)
    })
  }

  /** As they lie, one by one. */
  async *#records(): AsyncGenerator<readonly StoredDocument[]> {
    const sealer = await this.state.sealer()
    const before = this.state.record
    let seen = 0
    const damaged = new Map<string, QuarantinedRecord>()
    const report = (record: QuarantinedRecord): void => {
      damaged.set(record.id, record)
      this.state.quarantine(record)
    }
    for await (const page of sealer === null
      ? readDocuments(this.state.reader, report)
      : readSealed(this.state.reader, sealer, report)) {
      seen += page.length
      yield page
    }
    this.#gone =
      before !== null && before.generation === this.state.generation
        ? before.documents - seen - damaged.size
        : 0
    if (this.#gone > 0)
      this.state.warnings.add(
        `${this.#gone} documents that were committed are gone from the database. Add them again.`,
      )
  }
}
