import { expect, it } from 'vitest'
import { IteratedSystem, namesToAsk, SECOND_HOPS } from './iterated_system.ts'
import type { BenchSystem, RankedAnswer, RankSettings } from './system.ts'

const IDS = Array.from({ length: 12 }, (_, i) => `p${i}`)

function answerOf(
  ids: readonly string[],
  names: readonly string[] = ['ed wood', 'tim burton'],
): RankedAnswer {
  return {
    ids,
    scores: ids.map(() => 1),
    seeds: ['ed wood'],
    paths: (most) =>
      [
        { ids: ['p0', 'p1'], names, named: names.map(() => true) },
        { ids: [], names: ['late'], named: [true] },
      ].slice(0, most),
    subjects: (most) => ['ed wood', 'glen', 'glen', 'far'].slice(0, most),
    timings: { rank: 2 },
  }
}

/** Ranks `far` first once names are handed to it. */
function spy(names?: readonly string[]): { system: BenchSystem; asked: RankSettings[] } {
  const asked: RankSettings[] = []
  return {
    asked,
    system: {
      name: 'spy',
      index: () => Promise.resolve(),
      rank(_question, _vector, count, settings = {}) {
        asked.push(settings)
        const all = settings.injected ? ['far', ...IDS] : IDS
        return Promise.resolve(
          answerOf(
            all.filter((id) => !(settings.excluded ?? []).includes(id)).slice(0, count),
            names,
          ),
        )
      },
    },
  }
}

it(
  'the names of the best path that the question did not hold are handed back, and what they ' +
    'find follows the first seven',
  async () => {
    const { system, asked } = spy()
    const answer = await new IteratedSystem(system, SECOND_HOPS[0]).rank('?', null, 10)
    expect(asked).toEqual([{}, { injected: ['tim burton'] }])
    expect(answer.ids).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'far', 'p7', 'p8'])
    expect(answer.timings).toEqual({ rank: 4 })
  },
)

it('the passages kept are shut out where the hop asks past them', async () => {
  const { system, asked } = spy()
  await new IteratedSystem(system, SECOND_HOPS[1]).rank('?', null, 10)
  expect(asked[1]).toEqual({ injected: ['tim burton'], excluded: IDS.slice(0, 7) })
})

it('subjects are those of the first three passages, each once and none of the question', () => {
  expect(namesToAsk(answerOf(IDS), SECOND_HOPS[2])).toEqual(['glen'])
})

it('an answer without a new name stands as it is', async () => {
  const { system, asked } = spy(['ed wood'])
  expect((await new IteratedSystem(system, SECOND_HOPS[0]).rank('?', null, 10)).ids).toEqual(
    IDS.slice(0, 10),
  )
  expect(asked).toHaveLength(1)
})
