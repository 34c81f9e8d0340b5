import { expect, it } from 'vitest'
import { drawChart, shortNumber } from './charts.ts'

const chart = {
  title: 'A <figure>',
  unit: 'ms',
  lines: [
    {
      name: 'page & worker',
      points: [
        [1000, 1],
        [4000, null],
        [72_000, 27],
      ] as const,
    },
    {
      name: 'bound',
      points: [
        [1000, 30],
        [72_000, 30],
      ] as const,
      faint: true,
    },
  ],
}

it('the same figures give the same bytes, with every name as text', () => {
  const svg = drawChart(chart)
  expect(drawChart(chart)).toBe(svg)
  expect(svg).toContain('A &lt;figure&gt; (ms)')
  expect(svg).toContain('page &amp; worker')
  expect(svg).not.toContain('NaN')
  expect(svg.match(/<circle/g)).toHaveLength(2)
  expect(svg).toContain('prefers-color-scheme:dark')
})

it('a larger value stands higher, on both scales, and all within the picture', () => {
  for (const logarithmic of [false, true]) {
    const heights = [...drawChart({ ...chart, logarithmic }).matchAll(/cy="([\d.]+)"/g)].map(
      ([, y]) => Number(y),
    )
    expect(heights[1]!).toBeLessThan(heights[0]!)
    for (const height of heights) {
      expect(height).toBeGreaterThanOrEqual(40)
      expect(height).toBeLessThanOrEqual(260)
    }
  }
})

it('numbers are written short', () => {
  expect([0, 0.25, 7.58, 940, 1000, 2500, 36_450, 72_000].map(shortNumber)).toEqual([
    '0',
    '0.25',
    '7.58',
    '940',
    '1k',
    '2.5k',
    '36k',
    '72k',
  ])
})
