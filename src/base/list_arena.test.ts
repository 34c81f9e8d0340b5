import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ListArena } from './list_arena.ts'

const read = (arena: ListArena, list: number): number[] => [
  ...arena.data.subarray(arena.offset(list), arena.offset(list) + arena.length(list)),
]

it('behaves as a map of arrays under any pushes, removals and clearings', () => {
  const action = fc.record({
    list: fc.nat(40),
    value: fc.nat(9),
    what: fc.constantFrom('push', 'push', 'push', 'remove', 'clear'),
  })
  fc.assert(
    fc.property(fc.array(action, { maxLength: 400 }), (actions) => {
      const arena = new ListArena(1, 1),
        model = new Map<number, number[]>()
      for (const { list, value, what } of actions) {
        const values = model.get(list) ?? []
        model.set(list, values)
        if (what === 'push') {
          arena.push(list, value)
          values.push(value)
        } else if (what === 'clear') {
          arena.clear(list)
          values.length = 0
        } else {
          const at = values.indexOf(value)
          expect(arena.removeWhere(list, (v) => v === value)).toBe(at >= 0)
          if (at >= 0) values.splice(at, 1)
        }
      }
      for (const [list, values] of model)
        expect(read(arena, list).sort()).toEqual([...values].sort())
    }),
  )
})

it('the buffer stays within a small factor of what it holds', () => {
  const arena = new ListArena()
  for (let i = 0; i < 100_000; i++) arena.push(i % 317, i)
  expect(arena.data.length).toBeLessThan(100_000 * 4)
})
