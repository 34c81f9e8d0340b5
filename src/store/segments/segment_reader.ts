/** Reading of segments while another may rewrite them: by the manifest in force, and again. */
import { LIMITS } from '../../base/limits.ts'
import { yieldToEvents } from '../../base/platform.ts'
import type { CorpusState } from './corpus_state.ts'
import { entriesOf, type Manifest, type NamedEntry } from './manifest.ts'
import {
  isWhole,
  openBody,
  openHead,
  segmentBytes,
  type Parts,
  type SegmentEntry,
} from './segment.ts'

/** Segments are asked for so many bytes at a time, and again ahead. */
const READ_BYTES = 4 * LIMITS.segmentBytes

export class SegmentReader {
  constructor(private readonly state: CorpusState) {}

  /** Reads segments of the manifest in force, until none is missing because it has changed. */
  async readAll(
    which: (manifest: Manifest) => readonly SegmentEntry[],
    take: (entry: SegmentEntry, parts: Parts | null) => Promise<void>,
  ): Promise<Manifest> {
    const done = new Set<string>()
    for (;;) {
      const manifest = (await this.state.reload())!
      let changed = false
      for await (const [entry, parts] of this.batches(
        which(manifest).filter(({ name }) => !done.has(name)),
      )) {
        if (parts === null && (await this.isGone(entry))) {
          changed = true
          continue
        }
        await take(entry, parts)
        done.add(entry.name)
        await yieldToEvents()
      }
      if (!changed) return manifest
    }
  }

  /** Segments with their bytes, the next batch asked for while one is worked on. */
  async *batches(
    entries: readonly SegmentEntry[],
  ): AsyncGenerator<readonly [SegmentEntry, Parts | null]> {
    let at = 0
    const ask = (): {
      readonly some: readonly SegmentEntry[]
      readonly parts: Promise<readonly (Parts | null)[]>
    } => {
      const from = at
      for (let bytes = 0; at < entries.length && (bytes === 0 || bytes < READ_BYTES); at++)
        bytes += segmentBytes(entries[at]!)
      const some = entries.slice(from, at),
        parts = this.state.backend.segments(some)
      parts.catch(() => undefined) // the consumer observes the rejection
      return { some, parts }
    }
    for (let next = ask(); next.some.length > 0;) {
      const { some } = next,
        parts = await next.parts
      next = ask()
      for (let i = 0; i < some.length; i++) yield [some[i]!, parts[i]!]
    }
  }

  /** True where a segment is missing because a later manifest no longer names it. */
  async isGone({ name }: SegmentEntry): Promise<boolean> {
    const manifest = await this.state.reload()
    if (manifest !== null && entriesOf(manifest).some((entry) => entry.name === name)) {
      this.state.quarantine({ id: name, reason: 'it is gone from the storage' })
      return false
    }
    return true
  }

  async record(
    which: (manifest: Manifest) => readonly NamedEntry[],
    name: string,
  ): Promise<Uint8Array | null> {
    const sealer = await this.state.sealer()
    for (;;) {
      const { manifest } = this.state,
        entry = manifest && which(manifest).find(({ as }) => as === name)?.entry
      if (!entry) return null
      const [parts] = await this.state.backend.segments([entry])
      if (!parts && (await this.isGone(entry))) continue
      const bytes = await this.state.orDamaged(entry, async () => {
        if (!parts) return null
        const body = await openBody(entry, parts.body, sealer)
        return isWhole(await openHead(entry, parts.head, sealer), body) ? body : null
      })
      this.state.release(entry.name)
      if (bytes === null && entry.name.startsWith('k'))
        this.state.quarantine({ id: `kept ${name}`, reason: 'its checksum does not match' })
      return bytes
    }
  }
}
