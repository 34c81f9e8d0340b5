import { describe, expect, it } from 'vitest'
import { canonicalize } from './canonicalize.ts'

describe('canonicalize', () => {
  it('gives the golden values of hubmesh 0.4.2', () => {
    expect(canonicalize("Scott Derrickson's")).toBe('scott derrickson s')
    expect(canonicalize('U.S.A.')).toBe('u s a')
    expect(canonicalize('  Café—Noir  ')).toBe('café noir')
    expect(canonicalize('AC/DC')).toBe('ac dc')
    expect(canonicalize("O'Neill & Co.")).toBe('o neill co')
  })

  it('keeps names of other scripts and empties what has no word in it', () => {
    expect(canonicalize('कोलकाता')).toBe('कोलकाता')
    expect(canonicalize('「東京」')).toBe('東京')
    expect(canonicalize('—!?')).toBe('')
    expect(canonicalize('__proto__')).toBe('__proto__')
  })

  it('changes nothing the second time', () => {
    for (const name of ['İstanbul', 'ẞ', "O'Neill & Co.", '\ud800x'])
      expect(canonicalize(canonicalize(name))).toBe(canonicalize(name))
  })
})
