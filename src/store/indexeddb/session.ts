/**
 * Owns what the writer of a database knows by heart: its epoch, who is stored and lies in which
 * block, what was left half-written. What grows with the corpus is read when a change needs it.
 * Refuses: to be used after another became the writer; the epoch sees to that.
 */
import { isHubmeshError } from '../../base/errors.ts'
import { write, type Fence } from './commit.ts'
import type { CorpusRecord } from './corpus_record.ts'
import { versionRange } from './documents.ts'
import { versionOf } from './sealed.ts'
import { evicted, type IdbState } from './state.ts'
import { StoredDocuments } from './stored.ts'
import type { Sealer } from '../encryption/sealer.ts'
import { decodeBlock, decodeKeys } from '../records/vector_block.ts'
import { VectorBlocks, type BlockPlan } from '../records/vector_blocks.ts'

/** Where `meta` lists documents whose parts are written and whose record is not. */
export const STAGED_KEY = 'staged'
export type Staged = readonly (readonly [id: string, version: number])[]

export interface WriterSession {
  readonly fence: Fence
  /** Null for a plain corpus. */
  readonly sealer: Sealer | null
  /** By the keys of the documents: their ids, or what stands for them. */
  readonly stored: StoredDocuments
  /** Read when first asked for, and not again. */
  readonly blocks: () => Promise<VectorBlocks>
  /** No vectors are left. */
  clearBlocks(): void
  /** Blocks that do not read; they go with the next change of vectors. */
  readonly damagedBlocks: Set<number>
}

/**
 * Becomes the writer: raises the epoch, reads what a writer must know, and sweeps what a crash
 * left.
 */
export async function beginSession(
  state: IdbState,
): Promise<{ readonly session: WriterSession; readonly record: CorpusRecord }> {
  const { connection, reader, record: known, defaults, faults } = state
  const encryption = await state.sealing.header()
  const record = await write(connection, {
    stores: [],
    fence: null,
    bytes: 4096,
    ...(faults === undefined ? {} : { faults }),
    plan: (_writer, found) => {
      if (known !== null && found?.instance !== known.instance) throw evicted(connection.name)
      return found === null
        ? {
            instance: newInstance(),
            generation: 0,
            documents: 0,
            writerEpoch: 1,
            settings: defaults,
            ...(encryption === undefined ? {} : { encryption }),
          }
        : { ...found, writerEpoch: found.writerEpoch + 1 }
    },
  })
  const sealer = await state.sealing.of(record)
  const fence: Fence = { instance: record.instance, epoch: record.writerEpoch }
  const damagedBlocks = new Set<number>()
  let blocks: VectorBlocks | null = null
  const readBlocks = async (): Promise<VectorBlocks> => {
    const read = createBlocks(state, sealer)
    for (const block of await enterBlocks(state, read, sealer)) damagedBlocks.add(block)
    return read
  }
  const session: WriterSession = {
    fence,
    sealer,
    stored: new StoredDocuments(reader),
    damagedBlocks,
    blocks: async () => {
      blocks ??= await readBlocks()
      return blocks
    },
    clearBlocks: () => {
      blocks = createBlocks(state, sealer)
      damagedBlocks.clear()
    },
  }
  return { session, record: (await sweepStaged(state, session)) ?? record }
}

/** Blocks whose bytes come from the store of vectors. */
function createBlocks({ reader }: IdbState, sealer: Sealer | null): VectorBlocks {
  return new VectorBlocks(
    async (block) =>
      await openBlock(
        sealer,
        block,
        await reader(
          ['vectors'],
          async (transaction) => (await transaction.objectStore('vectors').get(block)) as unknown,
        ),
      ),
  )
}

/**
 * A stored block as `decodeBlock` takes it. Rejects with `store/corrupt` where it does not open.
 */
export async function openBlock(
  sealer: Sealer | null,
  block: IDBValidKey,
  value: unknown,
): Promise<unknown> {
  return sealer === null || value === undefined
    ? value
    : await sealer.open(`vectors ${String(block)}`, value)
}

/**
 * Fills the directory from the key entries, and from the blocks themselves where an entry is
 * missing or damaged.
 */
async function enterBlocks(
  state: IdbState,
  blocks: VectorBlocks,
  sealer: Sealer | null,
): Promise<Set<number>> {
  const { reader } = state
  const damaged = new Set<number>()
  const { numbers, keys, entries } = await reader(
    ['vectors', 'block_keys'],
    async (transaction) => {
      const [blockNumbers, keyNumbers, values] = await Promise.all([
        transaction.objectStore('vectors').getAllKeys(),
        transaction.objectStore('block_keys').getAllKeys(),
        transaction.objectStore('block_keys').getAll() as Promise<unknown[]>,
      ])
      return { numbers: blockNumbers, keys: keyNumbers, entries: values }
    },
  )
  const entryOf = new Map(keys.map((key, i) => [key, entries[i]]))
  for (const number of numbers) {
    if (typeof number !== 'number') continue
    blocks.startAfter(number)
    const entry = await decodeEntry(entryOf.get(number), number, sealer)
    if (entry !== null) {
      blocks.enter(number, entry.bytes, entry.keys)
      continue
    }
    try {
      const value = await reader(
        ['vectors'],
        async (transaction) => (await transaction.objectStore('vectors').get(number)) as unknown,
      )
      blocks.enter(
        number,
        (value as ArrayBuffer).byteLength,
        decodeBlock(await openBlock(sealer, number, value)).keys,
      )
    } catch (error) {
      if (!isHubmeshError(error) || error.code !== 'store/corrupt') throw error
      damaged.add(number)
      state.quarantine({ id: `vectors ${number}`, reason: error.message })
    }
  }
  return damaged
}

async function decodeEntry(
  value: unknown,
  block: number,
  sealer: Sealer | null,
): Promise<{ readonly bytes: number; readonly keys: ReturnType<typeof decodeKeys> } | null> {
  if (typeof value !== 'object' || value === null || !('bytes' in value) || !('keys' in value))
    return null
  const { bytes, keys } = value
  if (typeof bytes !== 'number' || !(keys instanceof Uint8Array)) return null
  try {
    return {
      bytes,
      keys: decodeKeys(sealer === null ? keys : await sealer.open(`block_keys ${block}`, keys)),
    }
  } catch {
    return null
  }
}

/** The writes of a block plan, as values of the two stores. */
export async function blockWrites(plan: BlockPlan, sealer: Sealer | null): Promise<BlockWrites> {
  const add: BlockWrites['add'][number][] = []
  for (const { block, bytes, keys } of plan.add) {
    const value = sealer === null ? bytes : await sealer.seal(`vectors ${block}`, bytes)
    add.push({
      block,
      value: value.buffer,
      entry: {
        bytes: value.length,
        keys: sealer === null ? keys : await sealer.seal(`block_keys ${block}`, keys),
      },
    })
  }
  return {
    remove: plan.remove,
    add,
    bytes: add.reduce((sum, { entry }) => sum + entry.bytes + entry.keys.length, 0),
  }
}

export interface BlockWrites {
  readonly remove: readonly number[]
  readonly add: readonly {
    readonly block: number
    readonly value: ArrayBuffer
    readonly entry: { readonly bytes: number; readonly keys: Uint8Array }
  }[]
  readonly bytes: number
}

/**
 * Deletes the parts of documents whose record was never written. Gives the record when anything was
 * swept.
 */
export async function sweepStaged(
  { connection, reader, faults }: IdbState,
  session: WriterSession,
): Promise<CorpusRecord | null> {
  const found = await reader(['documents'], async (transaction) => {
    const staged = decodeStaged((await transaction.objectStore('meta').get(STAGED_KEY)) as unknown)
    const orphans: [string, number][] = []
    for (const [id, version] of staged) {
      if (versionOf((await transaction.objectStore('documents').get(id)) as unknown) !== version)
        orphans.push([id, version])
    }
    return { some: staged.length > 0, orphans }
  })
  if (!found.some) return null
  return await write(connection, {
    stores: ['parts'],
    fence: session.fence,
    bytes: 1024,
    ...(faults === undefined ? {} : { faults }),
    plan: (writer, record) => {
      for (const [id, version] of found.orphans) writer.delete('parts', versionRange(id, version))
      writer.delete('meta', STAGED_KEY)
      return record!
    },
  })
}

function decodeStaged(value: unknown): Staged {
  if (!Array.isArray(value)) return []
  return value.filter(
    (entry): entry is [string, number] =>
      Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number',
  )
}

/** 128 random bits in hex; outside the determinism promise, never shown, never ranked by. */
function newInstance(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
