import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LIMITS } from '../../base/limits.ts'
import type { VectorRow } from '../storage.ts'
import { checkRow, decodeBlock, decodeKeys, encodeBlock, encodeKeys } from './vector_block.ts'
import { VectorBlocks, type BlockPlan } from './vector_blocks.ts'

const DIMS = 3
const of = { identity: '["m","r","q8",3,"mean"]', dims: DIMS }
const row = (documentId: string, passage: number, value = passage, hash = 'h'): VectorRow => ({
  documentId,
  hash,
  passage,
  vector: Float32Array.of(value, 0.5, -1),
})

/** Blocks in a Map, with the plan's writes applied. */
function shelf(): {
  blocks: VectorBlocks
  stored: Map<number, Uint8Array>
  keep: (plan: BlockPlan) => void
  rows: () => Map<string, number>
} {
  const stored = new Map<number, Uint8Array>()
  const blocks = new VectorBlocks((block) => Promise.resolve(stored.get(block)))
  return {
    blocks,
    stored,
    keep: (plan) => {
      for (const block of plan.remove) stored.delete(block)
      for (const { block, bytes } of plan.add) {
        expect(stored.has(block)).toBe(false)
        stored.set(block, bytes)
      }
      blocks.apply(plan)
    },
    rows: () => {
      const rows = new Map<string, number>()
      for (const bytes of stored.values()) {
        for (const r of decodeBlock(bytes).rows) {
          const key = `${r.documentId}#${r.passage}`
          expect(rows.has(key), `${key} is stored twice`).toBe(false)
          rows.set(key, r.vector[0]!)
        }
      }
      return rows
    },
  }
}

it('decode of encode gives rows, identity and hashes back', () => {
  const rows = [row('a', 0), row('b\ud800', 1), row('a', 7), row('__proto__', 2, 4, 'other')]
  const { keys, rows: back } = decodeBlock(encodeBlock(of.identity, DIMS, rows))
  expect(back.map((r) => [r.documentId, r.hash, r.passage, ...r.vector])).toEqual(
    rows.map((r) => [r.documentId, r.hash, r.passage, ...r.vector]),
  )
  expect(keys.identity).toBe(of.identity)
  expect(decodeKeys(encodeKeys(of.identity, DIMS, rows))).toEqual(keys)
})

it('every flipped bit and every cut of a block is refused', () => {
  const bytes = encodeBlock(of.identity, DIMS, [row('a', 0), row('b', 1)])
  for (let at = 0; at < bytes.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const damaged = bytes.slice()
      damaged[at] = damaged[at]! ^ (1 << bit)
      expect(() => decodeBlock(damaged), `byte ${at} bit ${bit}`).toThrow(
        expect.objectContaining({ code: 'store/corrupt' }),
      )
    }
    expect(() => decodeBlock(bytes.slice(0, at))).toThrow(
      expect.objectContaining({ code: 'store/corrupt' }),
    )
  }
  for (const other of [undefined, null, 'text', {}, new Uint8Array(24), new ArrayBuffer(3)])
    expect(() => decodeBlock(other)).toThrow(expect.objectContaining({ code: 'store/corrupt' }))
})

it('a block that lies at an odd address is read all the same', () => {
  const bytes = encodeBlock(of.identity, DIMS, [row('a', 5)])
  const shifted = new Uint8Array(bytes.length + 1)
  shifted.set(bytes, 1)
  expect([...decodeBlock(shifted.subarray(1)).rows[0]!.vector]).toEqual([5, 0.5, -1])
})

it('any sequence of appends, replacements and removals leaves exactly the rows of a plain map', async () => {
  const step = fc.oneof(
    fc.record({
      append: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.nat(5)), {
        minLength: 1,
        maxLength: 6,
      }),
    }),
    fc.record({
      drop: fc.array(fc.constantFrom('a', 'b', 'c', '__proto__', 'unknown'), { maxLength: 3 }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { blocks, keep, rows } = shelf()
      const model = new Map<string, number>()
      let value = 0
      for (const change of steps) {
        if ('append' in change) {
          const append = change.append.map(([id, passage]) => row(id, passage, ++value))
          for (const r of append) model.set(`${r.documentId}#${r.passage}`, r.vector[0]!)
          keep(await blocks.plan({ append }, of))
        } else {
          for (const id of change.drop) for (let p = 0; p <= 5; p++) model.delete(`${id}#${p}`)
          keep(await blocks.plan({ drop: new Set(change.drop) }))
          for (const id of change.drop) expect(blocks.holds(id)).toBe(false)
        }
        expect([...rows()].sort()).toEqual([...model].sort())
      }
    }),
    { numRuns: 60 },
  )
})

it('thousands of small appends leave few blocks and rewrite each row a bounded number of times', async () => {
  const dims = 96
  const { blocks, stored, keep } = shelf()
  let written = 0
  const appends = 2000
  for (let i = 0; i < appends; i++) {
    const append = Array.from({ length: 8 }, (_, k) => ({
      documentId: `d${i}`,
      hash: 'h',
      passage: k,
      vector: new Float32Array(dims),
    }))
    const plan = await blocks.plan({ append }, { identity: 'wide', dims })
    written += plan.add.reduce((sum, { bytes }) => sum + bytes.length, 0)
    keep(plan)
  }
  const total = [...stored.values()].reduce((sum, bytes) => sum + bytes.length, 0)
  expect(total).toBeGreaterThan(LIMITS.vectorBlockBytes)
  expect(stored.size).toBeLessThan(3 * 8 + 4)
  expect(written / total).toBeLessThan(5)
})

it('a block that no longer reads is dropped when it is touched, and its neighbours stay', async () => {
  const { blocks, stored, keep, rows } = shelf()
  keep(await blocks.plan({ append: [row('a', 0)] }, of))
  keep(await blocks.plan({ append: [row('b', 0)] }, of))
  const [first] = [...stored.keys()]
  stored.set(first!, new Uint8Array(5))
  keep(await blocks.plan({ drop: new Set(['a']) }))
  expect([...rows().keys()]).toEqual(['b#0'])
})

it('a removal that touches much is cut into bounded steps', async () => {
  const dims = 1024
  const { blocks, keep, rows, stored } = shelf()
  for (let i = 0; i < 6; i++) {
    const append = Array.from({ length: 1000 }, (_, k) => ({
      documentId: k % 2 === 0 ? 'out' : `in${i}`,
      hash: 'h',
      passage: i * 1000 + k,
      vector: new Float32Array(dims),
    }))
    keep(await blocks.plan({ append }, { identity: 'wide', dims }))
  }
  const drop = new Set(['out'])
  expect(blocks.bytesTouchedBy(drop)).toBeGreaterThan(LIMITS.commitBytes)
  let steps = 0
  for await (const plan of blocks.stripInSteps(drop)) {
    expect(
      plan.remove.reduce((sum, block) => sum + stored.get(block)!.length, 0),
    ).toBeLessThanOrEqual(LIMITS.commitBytes)
    keep(plan)
    steps++
  }
  keep(await blocks.plan({ drop }))
  expect(steps).toBeGreaterThan(0)
  expect(rows().size).toBe(3000)
})

it('a vector of another length or with a component that is no number is refused by name', () => {
  expect(() => {
    checkRow(row('a', 0), DIMS)
  }).not.toThrow()
  for (const bad of [
    { ...row('a', 0), vector: Float32Array.of(1, 2) },
    row('a', 0, NaN),
    row('a', 0, Infinity),
    row('a', -1, 0),
    row('a', 0.5, 0),
  ]) {
    expect(() => {
      checkRow(bad, DIMS)
    }).toThrow(expect.objectContaining({ code: 'input/invalid' }))
  }
})
