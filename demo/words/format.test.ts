import { describe, expect, it } from 'vitest'
import { bytes, counted, grouped, milliseconds, moment, percent, straightened } from './format.ts'
import { rate, timeLeft } from './pace.ts'

describe('numbers on the page', () => {
  it('groups digits by three', () => {
    expect([0, 999, 1000, 1234567, -5200].map(grouped)).toEqual([
      '0',
      '999',
      '1,000',
      '1,234,567',
      '-5,200',
    ])
  })

  it('lets no name in a sentence turn what follows it', () => {
    expect(straightened('“\u202egpj.exe” mentions \u2067Ada\u2069, שלום')).toBe(
      '“gpj.exe” mentions Ada, שלום',
    )
  })

  it('puts the noun in the right number', () => {
    expect(counted(1, 'passage')).toBe('1 passage')
    expect(counted(2, 'corpus', 'corpora')).toBe('2 corpora')
  })

  it('writes sizes with two digits and never 1000 of a unit', () => {
    expect([0, 999, 1000, 12_400_000, 999_600, 2_300_000_000].map(bytes)).toEqual([
      '0 bytes',
      '999 bytes',
      '1.0 kB',
      '12 MB',
      '1.0 MB',
      '2.3 GB',
    ])
  })

  it('says time left no finer than it is known', () => {
    expect([0.2, 1, 42, 125, 7300].map(timeLeft)).toEqual([
      'less than a second',
      '1 second',
      '42 seconds',
      'about 2 minutes',
      'about 2 hours',
    ])
  })

  it('reaches 100 percent only when all is done', () => {
    expect([percent(0, 0), percent(9999, 10000), percent(5, 5), percent(1, 3)]).toEqual([
      0, 99, 100, 33,
    ])
  })

  it('writes rates, stages and moments', () => {
    expect([rate(4.26), rate(12.4), rate(1240)]).toEqual([
      '4.3 a second',
      '12 a second',
      '1,240 a second',
    ])
    expect([milliseconds(0.42), milliseconds(12.4), milliseconds(1234)]).toEqual([
      '0.4 ms',
      '12 ms',
      '1.2 s',
    ])
    expect(moment(new Date(2026, 10, 29, 4, 5).getTime())).toBe('29 Nov 2026, 04:05')
  })
})
