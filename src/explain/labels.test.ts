import { expect, it } from 'vitest'
import { openTestEngine } from '../testing/open_test_engine.ts'
import { withoutPairs } from './labels.ts'

it.each([
  ['上海大学', '他在上海大学学习。', '上海大学在哪里？'],
  ['東京大学', '東京大学は東京都にある。', '東京大学はどこですか'],
  ['トヨタ', '彼はトヨタで働く。', 'トヨタとは何ですか'],
  ['서울대학교', '서울대학교는 서울시에 있다.', '서울대학교는 어디에 있나?'],
])('%s is shown as it is written, never as pairs of letters', async (name, text, question) => {
  const engine = await openTestEngine([
    { id: 'a', text },
    { id: 'b', text: `Ada Lund saw ${name} in Malmö.` },
  ])
  const [found] = await engine.resolveEntities([name]),
    { nodes } = await engine.subgraph({ limit: 50 }),
    { debug, reasoning } = await engine.retrieve(question)
  expect(found?.label).toBe(name)
  expect(nodes.map(({ label }) => label)).toContain(name)
  expect(debug.seeds.map(({ label }) => label)).toEqual([name])
  expect(reasoning[0]?.nodes[0]?.label).toBe(name)
})

it('puts pairs together where they overlap and keeps other words apart', () => {
  for (const [plain, written] of [
    ['上海 海大 大学', '上海大学'],
    ['ada lund', 'ada lund'],
    ['ada ab bc', 'ada ab bc'],
    ['上海 北京', '上海 北京'],
    ['sony 株式 式会 会社', 'sony 株式会社'],
  ] as const)
    expect(withoutPairs(plain)).toBe(written)
})
