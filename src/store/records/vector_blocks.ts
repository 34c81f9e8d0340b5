/**
 * Owns which vectors lie in which block, and plans every change: rows appended, rows gone, small
 * blocks merged. Refuses: to read or write anything itself; a plan counts only once `apply` is
 * called after its commit.
 *
 * Blocks grow by tiers: eight of one size become one of the next, so that a row is rewritten a
 * bounded number of times (three, from 25 kB appends to 4 MB) however small the appends are.
 */
import { isHubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { VectorRow } from '../storage.ts'
import {
  decodeBlock,
  decodeKeys,
  encodeBlock,
  encodeKeys,
  rowBytes,
  type BlockKeys,
} from './vector_block.ts'

export interface NewBlock {
  readonly block: number
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly keys: Uint8Array<ArrayBuffer>
}

/** What a transaction has to do. */
export interface BlockPlan {
  readonly remove: readonly number[]
  readonly add: readonly NewBlock[]
}

export interface BlockChange {
  /** Documents whose rows go. */
  readonly drop?: ReadonlySet<string>
  readonly append?: readonly VectorRow[]
}

interface Entry {
  readonly keys: BlockKeys
  readonly bytes: number
}

const TIER_WIDTH = 8

/** 0 below 64 kB, 1 below 512 kB, 2 below half a block; full blocks are left alone. */
export function tierOf(bytes: number): number {
  if (bytes >= LIMITS.vectorBlockBytes / 2) return Number.POSITIVE_INFINITY
  return bytes < 64 * 1024 ? 0 : bytes < 512 * 1024 ? 1 : 2
}

export class VectorBlocks {
  readonly #read: (block: number) => Promise<unknown>
  readonly #entries = new Map<number, Entry>()
  /**
   * Of each document the block its vectors lie in, or several: most have one, for which no list is
   * made.
   */
  readonly #holders = new Map<string, number | readonly number[]>()
  #next = 1

  /** `read` gives a block's bytes, or undefined when it is gone. */
  constructor(read: (block: number) => Promise<unknown>) {
    this.#read = read
  }

  get blocks(): readonly number[] {
    return [...this.#entries.keys()].sort((a, b) => a - b)
  }

  /** Takes a block into the directory. */
  enter(block: number, bytes: number, keys: BlockKeys): void {
    this.#entries.set(block, { keys, bytes })
    for (const id of keys.ids) {
      this.#holders.set(
        id,
        this.#holders.has(id)
          ? [...this.#blocksOf(id).filter((other) => other !== block), block]
          : block,
      )
    }
    this.#next = Math.max(this.#next, block + 1)
  }

  /** Numbers given to new blocks start here: above any that is still stored. */
  startAfter(block: number): void {
    this.#next = Math.max(this.#next, block + 1)
  }

  holds(id: string): boolean {
    return this.#holders.has(id)
  }

  /** Bytes of these blocks; none for one that is not here. */
  bytesOf(blocks: readonly number[]): number {
    return blocks.reduce((sum, block) => sum + (this.#entries.get(block)?.bytes ?? 0), 0)
  }

  /** Bytes of the blocks that would be rewritten if these documents went. */
  bytesTouchedBy(drop: ReadonlySet<string>): number {
    return [...this.#touched(drop)].reduce((sum, block) => sum + this.#entries.get(block)!.bytes, 0)
  }

  /**
   * Splits a removal so that each part rewrites at most one transaction's worth of blocks; every
   * part but the last may leave documents without vectors, never vectors without documents.
   */
  async *stripInSteps(drop: ReadonlySet<string>): AsyncGenerator<BlockPlan> {
    while (this.bytesTouchedBy(drop) > LIMITS.commitBytes) {
      let bytes = 0
      const some: number[] = []
      for (const block of this.#touched(drop)) {
        if (some.length > 0 && bytes + this.#entries.get(block)!.bytes > LIMITS.commitBytes) break
        bytes += this.#entries.get(block)!.bytes
        some.push(block)
      }
      yield await this.#rewrite(some, (row) => drop.has(row.documentId), [], undefined)
    }
  }

  /**
   * Reads the blocks concerned and says what to write. `identity` and `dims` are those of appended
   * rows.
   */
  async plan(
    change: BlockChange,
    of?: { readonly identity: string; readonly dims: number },
  ): Promise<BlockPlan> {
    const drop = change.drop ?? new Set<string>()
    const append = change.append ?? []
    const replaced = new Map<string, Set<number>>()
    const appended = new Map<string, VectorRow>()
    for (const row of append) appended.set(`${row.passage} ${row.documentId}`, row)
    for (const row of appended.values()) {
      const passages = replaced.get(row.documentId)
      if (passages === undefined) replaced.set(row.documentId, new Set([row.passage]))
      else passages.add(row.passage)
    }
    const touched = this.#touched(drop)
    for (const [id, passages] of replaced) {
      for (const block of this.#blocksOf(id))
        if (holdsAny(this.#entries.get(block)!.keys, id, passages)) touched.add(block)
    }
    const gone = (row: VectorRow): boolean =>
      drop.has(row.documentId) || (replaced.get(row.documentId)?.has(row.passage) ?? false)
    return await this.#rewrite([...touched], gone, [...appended.values()], of)
  }

  /** Brings the directory up to a plan that has been committed. */
  apply(plan: BlockPlan): void {
    for (const block of plan.remove) this.#forget(block)
    for (const { block, bytes, keys } of plan.add) this.enter(block, bytes.length, decodeKeys(keys))
  }

  async #rewrite(
    touched: readonly number[],
    gone: (row: VectorRow) => boolean,
    append: readonly VectorRow[],
    of: { readonly identity: string; readonly dims: number } | undefined,
  ): Promise<BlockPlan> {
    const remove = [...touched]
    const add: NewBlock[] = []
    const encode = (identity: string, dims: number, rows: readonly VectorRow[]): void => {
      const limit = Math.max(1, Math.floor(LIMITS.vectorBlockBytes / rowBytes(dims)))
      for (let from = 0; from < rows.length; from += limit) {
        const some = rows.slice(from, from + limit)
        add.push({
          block: this.#next++,
          bytes: encodeBlock(identity, dims, some),
          keys: encodeKeys(identity, dims, some),
        })
      }
    }
    for (const block of touched) {
      const { identity, dims } = this.#entries.get(block)!.keys
      encode(
        identity,
        dims,
        (await this.#rowsOf(block)).filter((row) => !gone(row)),
      )
    }
    if (of === undefined || append.length === 0) return { remove, add }
    let rows = [...append]
    for (
      let merged = this.#mergeable(rows.length * rowBytes(of.dims), of, remove);
      merged.length > 0;
      merged = this.#mergeable(rows.length * rowBytes(of.dims), of, remove)
    ) {
      const older: VectorRow[] = []
      for (const block of merged)
        older.push(...(await this.#rowsOf(block)).filter((row) => !gone(row)))
      rows = [...older, ...rows]
      remove.push(...merged)
    }
    encode(of.identity, of.dims, rows)
    return { remove, add }
  }

  /** The blocks of the tier that a new block of so many bytes would complete. */
  #mergeable(bytes: number, of: { readonly identity: string }, taken: readonly number[]): number[] {
    const tier = tierOf(bytes)
    if (tier === Number.POSITIVE_INFINITY) return []
    const peers = this.blocks.filter((block) => {
      const entry = this.#entries.get(block)!
      return (
        tierOf(entry.bytes) <= tier && entry.keys.identity === of.identity && !taken.includes(block)
      )
    })
    return peers.length >= TIER_WIDTH - 1 ? peers : []
  }

  async #rowsOf(block: number): Promise<readonly VectorRow[]> {
    try {
      return decodeBlock(await this.#read(block)).rows
    } catch (error) {
      if (isHubmeshError(error) && error.code === 'store/corrupt') return []
      throw error
    }
  }

  #touched(drop: ReadonlySet<string>): Set<number> {
    const touched = new Set<number>()
    for (const id of drop) for (const block of this.#blocksOf(id)) touched.add(block)
    return touched
  }

  #blocksOf(id: string): readonly number[] {
    const blocks = this.#holders.get(id)
    return blocks === undefined ? [] : typeof blocks === 'number' ? [blocks] : blocks
  }

  #forget(block: number): void {
    for (const id of this.#entries.get(block)?.keys.ids ?? []) {
      const left = this.#blocksOf(id).filter((other) => other !== block),
        [only] = left
      if (only === undefined) this.#holders.delete(id)
      else this.#holders.set(id, left.length === 1 ? only : left)
    }
    this.#entries.delete(block)
  }
}

function holdsAny(keys: BlockKeys, id: string, passages: ReadonlySet<number>): boolean {
  for (let i = 0; i < keys.documentOf.length; i++) {
    if (passages.has(keys.passageOf[i]!) && keys.ids[keys.documentOf[i]!] === id) return true
  }
  return false
}
