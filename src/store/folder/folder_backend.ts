/**
 * A corpus in a folder of Node: segments as files that are never changed, and a manifest of a new
 * name for each revision, created exclusively.
 */
import { HubmeshError, isHubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { nodeBuiltin } from './node_builtin.ts'
import type { StorageUsage } from '../storage.ts'
import type { Backend, LegacyCorpus, Switch } from '../segments/backend.ts'
import { randomName, type Parts, type Segment, type SegmentEntry } from '../segments/segment.ts'
import {
  bytesOf,
  createExclusively,
  dirname,
  join,
  makeDirectory,
  namesIn,
  readBytes,
  refuseLink,
  replaceDurably,
  removeFile,
  syncDirectory,
  writeDurably,
} from './files.ts'
import { isFull } from '../segments/room.ts'
import { Lease } from './lease.ts'
import { watchFolder } from './watch_folder.ts'
import { isLegacyFile, isLegacyLocked, readLegacy, writeStub } from './legacy.ts'

const { rename } = nodeBuiltin('node:fs/promises')

const MANIFEST = /^manifest-(\d{16})$/
const SEGMENT = /^[dvkx]-[0-9a-f]{24}\.seg$/
const RESERVE = 'RESERVE'
/** Files written at a time. */
const WRITES_AT_ONCE = 4

const manifestFile = (revision: number): string => `manifest-${String(revision).padStart(16, '0')}`
const segmentFile = (name: string): string => `${name}.seg`

/** Revisions that a folder has a manifest of, the highest first. */
function revisionsOf(names: readonly string[]): number[] {
  return names
    .flatMap((name) => {
      const digits = MANIFEST.exec(name)?.[1]
      return digits === undefined ? [] : [Number(digits)]
    })
    .sort((a, b) => b - a)
}

export class FolderBackend implements Backend {
  readonly kind = 'directory'
  readonly warnings: readonly string[] = []
  private readonly lease: Lease
  private unwatch: () => void = () => undefined
  private closed = false

  constructor(readonly place: string) {
    this.lease = new Lease(place)
  }

  async manifests(): Promise<readonly string[]> {
    await refuseLink(this.place)
    for (;;) {
      const [revision] = revisionsOf(await namesIn(this.place))
      if (revision === undefined) return []
      const bytes = await readBytes(join(this.place, manifestFile(revision)))
      // gone: there is a newer one by now
      if (bytes !== null) return [new TextDecoder().decode(bytes)]
    }
  }

  async hasSegments(): Promise<boolean> {
    return (await namesIn(this.place)).some((name) => SEGMENT.test(name) || isLegacyFile(name))
  }

  legacy(): Promise<LegacyCorpus | null> {
    return readLegacy(this.place)
  }

  head(entry: SegmentEntry): Promise<Uint8Array | null> {
    return readBytes(join(this.place, segmentFile(entry.name)), entry.head)
  }

  async segments(entries: readonly SegmentEntry[]): Promise<readonly (Parts | null)[]> {
    return await Promise.all(
      entries.map(async ({ name, body }) => {
        const bytes = await readBytes(join(this.place, segmentFile(name)))
        return bytes && { body: bytes.subarray(0, body), head: bytes.subarray(body) }
      }),
    )
  }

  get locked(): boolean {
    return this.lease.held
  }

  async lock(): Promise<void> {
    if (this.lease.held) return
    await makeDirectory(this.place)
    await refuseLink(this.place)
    if (await isLegacyLocked(this.place))
      throw new HubmeshError(
        'writer/not-leader',
        `An older version of this program writes to ${this.place}. Close it there.`,
        { details: { place: this.place }, retryable: true },
      )
    try {
      await this.lease.take()
    } catch (error) {
      // a disk without room for the lease has room once the reserve is given back
      if (!isFull(error) || (await this.reserved()) === 0) throw error
      await this.reserve(null, 0)
      await this.lease.take()
    }
  }

  async lockPatiently(onWait: () => void): Promise<void> {
    for (let told = false; !this.closed;) {
      try {
        await this.lock()
        return
      } catch (error) {
        if (!isHubmeshError(error) || error.code !== 'writer/not-leader') throw error
        if (!told) onWait()
        told = true
        await new Promise((resolve) => {
          setTimeout(resolve, LIMITS.leaseBeatMs * 2).unref()
        })
      }
    }
    throw new HubmeshError(
      'store/closed',
      `The storage of ${this.place} was closed while it waited to become the writer.`,
    )
  }

  async unlock(): Promise<void> {
    await this.lease.release()
  }

  async write(segments: readonly Segment[], _before: string | null, needed: number): Promise<void> {
    for (let from = 0; from < segments.length; from += WRITES_AT_ONCE) {
      // all are over before a failure is told: none comes to lie there after it was cleared
      const written = await Promise.allSettled(
        segments
          .slice(from, from + WRITES_AT_ONCE)
          .map(({ entry, head, body }) =>
            writeDurably(join(this.place, segmentFile(entry.name)), [body, head], needed),
          ),
      )
      for (const one of written) if (one.status === 'rejected') throw one.reason as Error
    }
  }

  async switch({ before, next, text, add, remove, needed, dropLegacy }: Switch): Promise<void> {
    const names = add.map(({ entry }) => entry.name)
    try {
      await this.write(add, before, needed)
      if (add.length > 0) await syncDirectory(this.place)
      if (before === null && !dropLegacy) await writeStub(this.place)
      await this.fence(before, next.revision)
      if (!(await createExclusively(this.place, manifestFile(next.revision), text, needed)))
        throw this.lost()
      const newest = revisionsOf(await namesIn(this.place))[0]!
      if (newest !== next.revision) {
        // that name was free because a newer manifest had already replaced another of it
        await removeFile(join(this.place, manifestFile(next.revision)))
        throw this.lost()
      }
    } catch (error) {
      await this.remove(names).catch(() => undefined)
      throw error
    }
    if (dropLegacy) await writeStub(this.place)
    for (const name of await namesIn(this.place)) {
      const [revision] = revisionsOf([name])
      if (
        (revision !== undefined && revision < next.revision) ||
        (dropLegacy && isLegacyFile(name))
      )
        await removeFile(join(this.place, name))
    }
    await this.remove(remove)
  }

  /** No other manifest was made since: the lease keeps writers apart, this is the fencing check. */
  private async fence(before: string | null, revision: number): Promise<void> {
    const [newest] = revisionsOf(await namesIn(this.place))
    if (newest === undefined && before !== null)
      throw new HubmeshError(
        'store/evicted',
        `${this.place} was deleted while it was open. Nothing was written. Add the documents again.`,
        { details: { place: this.place } },
      )
    if (newest === undefined ? before !== null : newest !== revision - 1) throw this.lost()
    if (newest === undefined) return
    const bytes = await readBytes(join(this.place, manifestFile(newest)))
    if (bytes === null || new TextDecoder().decode(bytes) !== before) throw this.lost()
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) await removeFile(join(this.place, segmentFile(name)))
  }

  async sweep(keep: ReadonlySet<string>): Promise<void> {
    const names = await namesIn(this.place),
      newest = revisionsOf(names)[0]
    for (const name of names) {
      const [revision] = revisionsOf([name])
      const stale =
        (SEGMENT.test(name) && !keep.has(name.slice(0, -4))) ||
        (revision !== undefined && revision !== newest) ||
        // drafts of leases are another's, who asks for this one just now
        (name.endsWith('.tmp') && !name.startsWith('LEASE')) ||
        isLegacyFile(name)
      if (stale) await removeFile(join(this.place, name))
    }
  }

  reserved(): Promise<number> {
    return bytesOf(join(this.place, RESERVE))
  }

  async reserve(bytes: Uint8Array | null, needed: number): Promise<void> {
    if (bytes === null) await removeFile(join(this.place, RESERVE))
    else await replaceDurably(this.place, RESERVE, bytes, needed)
  }

  follow(onChange: (what: 'documents' | 'vectors') => void): void {
    this.unwatch = watchFolder(this.place, (name) => {
      if ((name === null || MANIFEST.test(name)) && !this.lease.held) onChange('documents')
    })
  }

  announce(): void {
    // the new manifest tells
  }

  async usage(): Promise<StorageUsage> {
    let usageBytes = 0
    for (const file of await namesIn(this.place))
      usageBytes += await bytesOf(join(this.place, file))
    return { persisted: true, usageBytes, quotaBytes: null }
  }

  async destroy(): Promise<void> {
    await removeFolder(this.place)
  }

  async close(): Promise<void> {
    this.closed = true
    this.unwatch()
    await this.lease.release()
  }

  private lost(): HubmeshError {
    return new HubmeshError(
      'writer/lost',
      `Another program has become the writer of ${this.place}. Nothing was written; the next ` +
        'write asks for the lease again.',
      { details: { place: this.place }, retryable: true },
    )
  }
}

/** Removes a corpus as one step: it is moved out of the way before its files go. */
export async function removeFolder(place: string): Promise<void> {
  const aside = join(dirname(place), `.hubmesh-deleted-${randomName()}`)
  try {
    await rename(place, aside)
    await syncDirectory(dirname(place))
  } catch {
    await removeFile(place)
    return
  }
  await removeFile(aside)
}
