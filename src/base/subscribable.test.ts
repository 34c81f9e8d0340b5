import { expect, it } from 'vitest'
import { Subscribable } from './subscribable.ts'

it('tells listeners in order until they leave', () => {
  const events = new Subscribable<[number]>(),
    heard: string[] = []
  const leave = events.subscribe((value) => {
    heard.push(`a${value}`)
    leave()
  })
  events.subscribe((value) => heard.push(`b${value}`))
  events.emit(1)
  events.emit(2)
  expect(heard).toEqual(['a1', 'b1', 'b2'])
  events.clear()
  expect(events.size).toBe(0)
})
