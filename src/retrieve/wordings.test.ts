import { expect, it } from 'vitest'
import { Wordings } from './wordings.ts'

const LONG =
  'the quick brown fox jumps over the lazy dog and then over the fence of the neighbour, '

it('texts of one wording are told apart from others that begin alike', () => {
  const said = new Wordings()
  expect(said.add(`${LONG}twice`)).toBe(true)
  expect(said.add(`${LONG}once`)).toBe(true)
  expect(said.add(`${LONG}thrice`)).toBe(true)
  expect(said.add(`${LONG.toUpperCase()}  TWICE (2)!`)).toBe(false)
  expect(said.add(`7. ${LONG}Once`)).toBe(false)
  expect(said.add('')).toBe(true)
  expect(said.add('42')).toBe(false)
  expect(said.add('43 — ')).toBe(false)
})

it('letters that become letters of ASCII in small count as these', () => {
  const said = new Wordings()
  expect(said.add('273 \u212a')).toBe(true)
  expect(said.add('kelvin')).toBe(true)
  expect(said.add('5 k')).toBe(false)
})
