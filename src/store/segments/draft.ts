/** The next manifest in the making: segments written ahead in bounded steps, then one switch. */
import { append } from '../../base/grown.ts'
import { HubmeshError, isHubmeshError, throwIfAborted } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { yieldToEvents } from '../../base/platform.ts'
import type { Sealer } from '../encryption/sealer.ts'
import type { Backend } from './backend.ts'
import type { KeptRecord } from '../storage.ts'
import { encodeManifest, type Manifest, type NamedEntry } from './manifest.ts'
import {
  makeSegment,
  segmentBytes,
  wholeHead,
  type Parts,
  type Segment,
  type SegmentEntry,
  type SegmentKind,
} from './segment.ts'

/** A manifest and its text: what a switch must find in force. */
export interface Current {
  readonly manifest: Manifest
  readonly text: string
}

export interface DraftOptions {
  /** Ends the draft before its switch. */
  readonly signal?: AbortSignal | undefined
  /** About how many bytes the call writes, for `store/quota`. */
  readonly needed?: number
  /** The switch takes the layout before away. */
  readonly dropLegacy?: boolean
}

export class Draft {
  private pending: Segment[] = []
  private pendingBytes = 0
  private readonly ahead: string[] = []
  private readonly removed = new Set<string>()
  private needed: number

  constructor(
    private readonly backend: Backend,
    private readonly sealer: Sealer | null,
    /** What is in force; text null for a corpus that has none yet. */
    private readonly before: { readonly manifest: Manifest; readonly text: string | null },
    private readonly options: DraftOptions = {},
  ) {
    this.needed = options.needed ?? 0
  }

  /** Bytes added so far, as stored. */
  bytes = 0

  async add(kind: SegmentKind, parts: Parts): Promise<SegmentEntry> {
    const segment = await makeSegment(kind, parts, this.sealer),
      size = segmentBytes(segment.entry)
    this.pending.push(segment)
    this.pendingBytes += size
    this.bytes += size
    this.needed = Math.max(this.needed, this.bytes)
    if (this.pendingBytes > LIMITS.writeAheadBytes) {
      await this.writeAhead()
      await yieldToEvents()
    }
    throwIfAborted(this.options.signal)
    return segment.entry
  }

  /** The next manifest will not hold this one. */
  drop(entry: SegmentEntry): void {
    this.removed.add(entry.name)
  }

  keeps = ({ name }: SegmentEntry): boolean => !this.removed.has(name)

  /** Makes the change current as one step. */
  async publish(change: Partial<Manifest>): Promise<Current> {
    throwIfAborted(this.options.signal)
    const { manifest, text: before } = this.before
    const next: Manifest = { ...manifest, ...change, revision: manifest.revision + 1 }
    const text = encodeManifest(next, this.sealer)
    this.needed = Math.max(this.needed, this.bytes + text.length)
    await this.told(() =>
      this.backend.switch({
        before,
        next,
        text,
        add: this.pending,
        remove: [...this.removed],
        needed: this.needed,
        dropLegacy: this.options.dropLegacy === true,
      }),
    )
    return { manifest: next, text }
  }

  /** Removes what was written ahead; false where it could not: the next write sweeps it. */
  async discard(): Promise<boolean> {
    try {
      if (this.ahead.length > 0) await this.backend.remove(this.ahead)
      return true
    } catch {
      return false
    }
  }

  private async writeAhead(): Promise<void> {
    const some = this.pending
    this.pending = []
    this.pendingBytes = 0
    append(
      this.ahead,
      some.map(({ entry }) => entry.name),
    )
    await this.told(() => this.backend.write(some, this.before.text, this.needed))
  }

  /** A refusal for want of room names the bytes of the whole call. */
  private async told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!isHubmeshError(error) || error.code !== 'store/quota') throw error
      const needed = error.details['neededBytes']
      if (typeof needed === 'number' && needed >= this.needed) throw error
      throw new HubmeshError(
        'store/quota',
        error.message.replace(String(needed), String(this.needed)),
        { cause: error, details: { ...error.details, neededBytes: this.needed } },
      )
    }
  }
}

/** Named records after some were replaced; a kept one without bytes is taken out. */
export async function namedRecords(
  draft: Draft,
  kind: 'k' | 'x',
  before: readonly NamedEntry[],
  records: readonly KeptRecord[],
): Promise<readonly NamedEntry[]> {
  const names = new Set(records.map(({ name }) => name)),
    next = before.filter(({ as }) => !names.has(as))
  for (const { as, entry } of before) if (names.has(as)) draft.drop(entry)
  for (const { name, bytes } of records)
    if (bytes.length > 0 || kind === 'x')
      next.push({ as: name, entry: await draft.add(kind, { head: wholeHead(bytes), body: bytes }) })
  return next
}
