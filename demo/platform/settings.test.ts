import { describe, expect, it } from 'vitest'
import { DEFAULTS, note, parseSettings, remember, writeSettings } from './settings.ts'

describe('settings', () => {
  it('come back as they were written', () => {
    const settings = note(remember({ ...DEFAULTS, budget: 500, topK: 20, corpus: '__proto__' }, '__proto__', 'Who?'), '__proto__', { documents: 3, passages: 9 }, 1234)
    expect(parseSettings(writeSettings(settings))).toEqual(settings)
  })

  it.each([null, '', '{', '[]', '"x"', '{"budget":"2000","topK":-1,"corpus":7,"history":[1,["a"],["b",[1]]]}', '{"budget":1e99}'])('take defaults for what is missing or wrong: %s', (stored) => {
    const { budget, topK, corpus } = parseSettings(stored)
    expect({ budget, topK, corpus }).toEqual({ budget: 2000, topK: 10, corpus: null })
  })

  it('keep the moment of a corpus until its documents change', () => {
    const first = note(DEFAULTS, 'a', { documents: 1, passages: 2 }, 10)
    expect(note(first, 'a', { documents: 1, passages: 2 }, 99)).toBe(first)
    expect(note(first, 'a', { documents: 2, passages: 4 }, 99).notes.get('a')?.changed).toBe(99)
  })

  it('remember the last questions once each, latest first', () => {
    let settings = DEFAULTS
    for (const question of ['a', 'b', 'a', 'c', 'd', 'e', 'f', 'g']) settings = remember(settings, 'x', question)
    expect(settings.history.get('x')).toEqual(['g', 'f', 'e', 'd', 'c', 'a'])
  })
})
