import { describe, expect, it } from 'vitest'
import { namesReport } from './names_bench.ts'

describe('bench names', () => {
  it('finds the panel of every kind whole, and tells which sets are not there', async () => {
    const lines = await namesReport('/no/such/folder')
    expect(lines.find((line) => line.includes('of the repository'))).toMatch(/: 75 of 75; \d+$/)
    expect(lines.filter((line) => line.includes('not measured'))).toHaveLength(5)
    expect(lines.some((line) => line.includes('together'))).toBe(false)
  })
})
