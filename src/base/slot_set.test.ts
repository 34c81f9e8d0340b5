import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SlotSet } from './slot_set.ts'

it('it holds what a Set holds, and gives the lowest', () => {
  const step = fc.record({ add: fc.boolean(), slot: fc.oneof(fc.nat(12), fc.nat(5000)) })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const set = new SlotSet(),
        oracle = new Set<number>()
      for (const { add, slot } of steps) {
        if (add) {
          set.add(slot)
          oracle.add(slot)
        } else {
          set.delete(slot)
          oracle.delete(slot)
        }
        expect([set.size, set.has(slot), set.lowest()]).toEqual([
          oracle.size,
          oracle.has(slot),
          oracle.size === 0 ? -1 : Math.min(...oracle),
        ])
      }
      const copy = set.copy(),
        order: number[] = []
      for (let slot = copy.lowest(); slot >= 0; slot = copy.lowest()) {
        order.push(slot)
        copy.delete(slot)
      }
      expect(order).toEqual([...oracle].sort((a, b) => a - b))
      expect(set.size).toBe(oracle.size)
    }),
  )
})
