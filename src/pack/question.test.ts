import { expect, it } from 'vitest'
import { readAsked } from './question.ts'

it.each([
  ['When was the bridge built?', true],
  ['The director of Ed Wood was born in what year?', true],
  ['how many bones does an adult have', true],
  ['Which century saw the first press?', true],
  ['Who ruled when the wall fell?', false],
  ['What is the capital of France?', false],
  ['How does the gate open?', false],
  ['Tim Burton', false],
  ['', false],
  ['いつ建てられましたか', false],
])('%j asks for a number: %s', (question, expected) =>
  expect(readAsked(question).wantsNumber).toBe(expected),
)
