/**
 * Whether a corpus is encrypted and by which keys, as its record says. A plain corpus with a key is
 * rejected, and the other way round.
 */
import { HubmeshError } from '../../base/errors.ts'
import {
  lockNew,
  rewrap,
  unlock,
  type Encryption,
  type EncryptionHeader,
  type Unlocked,
} from './encryption.ts'
import type { Sealer } from './sealer.ts'

export class Sealing {
  private readonly option: Encryption | undefined
  private fresh: Promise<Unlocked> | null = null
  private current: { readonly corpus: string; readonly sealer: Promise<Sealer> } | null = null

  constructor(option: Encryption | undefined) {
    this.option = option
  }

  /** The header for a corpus that is about to be begun; undefined for a plain one. */
  async header(): Promise<EncryptionHeader | undefined> {
    if (this.option === undefined) return undefined
    this.fresh ??= lockNew(this.option)
    return (await this.fresh).header
  }

  /**
   * What seals the records of a corpus; null for a plain one. Rejects with `store/locked`, or
   * `input/conflict` where a plain one was given a key.
   */
  async of(record: { readonly encryption?: EncryptionHeader } | null): Promise<Sealer | null> {
    if (record === null) return null
    const header = record.encryption
    if (header === undefined) {
      if (this.option === undefined) return null
      throw new HubmeshError(
        'input/conflict',
        'The corpus was begun without encryption, and a key was given. Nothing was changed. ' +
          'Export it, and import it into a new corpus with the key.',
        { details: { option: 'encryption' } },
      )
    }
    if (this.current?.corpus !== header.corpus) {
      const sealer = this.open(header)
      this.current = { corpus: header.corpus, sealer }
      sealer.catch(() => {
        this.current = null
      })
    }
    return await this.current!.sealer
  }

  /**
   * The header by which another key opens the corpus. Rejects with `corpus/not-found` where nothing
   * is encrypted.
   */
  async rewrapped(
    record: { readonly encryption?: EncryptionHeader },
    to: Encryption,
  ): Promise<EncryptionHeader> {
    if (record.encryption === undefined || this.option === undefined)
      throw new HubmeshError(
        'corpus/not-found',
        'There is no encrypted corpus whose key could be changed. Begin one with the option encryption.',
      )
    return await rewrap(record.encryption, this.option, to)
  }

  private async open(header: EncryptionHeader): Promise<Sealer> {
    const fresh = await this.fresh
    return fresh?.header.corpus === header.corpus
      ? fresh.sealer
      : (await unlock(header, this.option)).sealer
  }
}
