import { expect, it } from 'vitest'
import { hashedVector } from '../embed/hashing.ts'
import { PlannerSystem } from './planner_system.ts'

it('the ranking of the Python package takes its turn in the bench', async () => {
  const passages = [
    { id: 'a', title: 'Ed Wood', text: 'Ed Wood is a film by Tim Burton.' },
    { id: 'b', title: 'Tim Burton', text: 'Tim Burton was born in Burbank.' },
    { id: 'c', title: 'Soil', text: 'Compost feeds the soil.' },
  ]
  const vectors = passages.map(({ title, text }) => hashedVector(`${title}. ${text}`, 64)),
    system = new PlannerSystem()
  await system.index(passages, vectors)
  const answer = await system.rank('Who made Ed Wood?', hashedVector('Who made Ed Wood?', 64), 2)
  expect(answer.ids[0]).toBe('a')
  expect(answer.ids).toHaveLength(2)
  expect(answer.seeds).toContain('Ed Wood')
  const without = await system.rank('Who made Ed Wood?', hashedVector('Who made Ed Wood?', 64), 2, {
    excluded: ['a'],
  })
  expect(without.ids).not.toContain('a')
  await expect(new PlannerSystem().index(passages, null)).rejects.toMatchObject({
    code: 'input/invalid',
  })
})
