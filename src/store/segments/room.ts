/** What a full disk leaves to do: derived data go first, and a reserve serves removals. */
import { isHubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { CorpusState } from './corpus_state.ts'
import { segmentBytes } from './segment.ts'

/** Only a removal may use the reserve, and derived data are not dropped for others of their kind. */
export type WriteKind = 'data' | 'removal' | 'derived'

/** A write tries whole at first; `sparing` asks it to do with the room of one segment. */
export type Attempt = (sparing: boolean) => Promise<void>

export const isFull = (error: unknown): boolean =>
  isHubmeshError(error) && error.code === 'store/quota'

/** Segments are at most a quarter larger than a full one, but for those of one document alone. */
const MOST = LIMITS.segmentBytes * 1.25

export class Room {
  /** Bytes of the reserve; null while not known. */
  private reserved: number | null = null

  constructor(
    private readonly state: CorpusState,
    /** Drops derived data; false where there are none. */
    private readonly shed: () => Promise<boolean>,
  ) {}

  /** Another program may have used the reserve. */
  forget(): void {
    this.reserved = null
  }

  /** Without room it is tried once more, with what `kind` may use; a removal then goes sparingly. */
  async attempt(kind: WriteKind, work: Attempt): Promise<void> {
    try {
      await work(false)
      return
    } catch (error) {
      if (!isFull(error) || kind === 'derived') throw error
      const given = kind === 'removal' && (await this.release()),
        shed = await this.shed().catch(() => false)
      if (!given && !shed && kind !== 'removal') throw error
    }
    try {
      await work(false)
    } catch (error) {
      if (!isFull(error) || kind !== 'removal') throw error
      await work(true)
    }
  }

  /**
   * Keeps free what a removal needs, one segment and two manifests, also after a call that writes
   * `more` bytes to segments, or `kept` to one record. Rejects with `store/quota`.
   */
  async reserve(more = 0, kept = 0): Promise<void> {
    const { manifest, text } = this.state.current!
    let largest = Math.max(Math.min(MOST, more), kept)
    for (const entry of [...manifest.segments, ...manifest.vectors])
      if (segmentBytes(entry) <= MOST) largest = Math.max(largest, segmentBytes(entry))
    for (const { entry } of manifest.kept) largest = Math.max(largest, segmentBytes(entry))
    const need = LIMITS.reserveBytes + largest + 2 * text.length
    this.reserved ??= await this.state.backend.reserved()
    if (this.reserved >= need) return
    try {
      // in steps, so that a growing corpus does not write it at every addition
      await this.take(2 ** Math.ceil(Math.log2(need)), more + kept)
    } catch (error) {
      if (!isFull(error)) throw error
      await this.take(need, more + kept)
    }
  }

  private async take(bytes: number, beside: number): Promise<void> {
    // random, because a disk may compress what it keeps
    const random = new Uint8Array(bytes)
    for (let at = 0; at < bytes; at += 65_536)
      crypto.getRandomValues(random.subarray(at, at + 65_536))
    await this.state.backend.reserve(random, bytes + beside)
    this.reserved = bytes
  }

  /** Gives the reserve up; false where there was none. */
  private async release(): Promise<boolean> {
    const { backend } = this.state,
      had = (await backend.reserved()) > 0
    if (had) await backend.reserve(null, 0)
    this.reserved = 0
    return had
  }
}
