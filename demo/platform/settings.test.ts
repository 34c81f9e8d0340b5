import { describe, expect, it } from 'vitest'
import { DEFAULTS, forget, note, parseSettings, remember, writeSettings } from './settings.ts'

describe('settings', () => {
  it('come back as they were written', () => {
    const settings = note(
      remember({ ...DEFAULTS, budget: 500, topK: 20, corpus: '__proto__' }, '__proto__', 'Who?'),
      '__proto__',
      { documents: 3, passages: 9 },
      1234,
    )
    expect(parseSettings(writeSettings(settings))).toEqual(settings)
  })

  it('keep the choice of a model and where a corpus came from, never a key', () => {
    const settings = {
      ...DEFAULTS,
      agents: false,
      keepThread: true,
      language: 'ja' as const,
      index: 'hnsw' as const,
      origins: new Map([['a', 'https://x.example/a.hubmesh']]),
      model: { kind: 'server' as const, url: '/v1', name: 'm', window: 8192, answer: 1024 },
    }
    expect(parseSettings(writeSettings(settings))).toEqual(settings)
    expect(
      parseSettings(
        '{"model":{"kind":"evil","url":7,"window":9,"answer":"512"},' +
          '"origins":[["a",1],2],"keepThread":"yes","language":"tlh","index":7}',
      ),
    ).toEqual(DEFAULTS)
    expect(
      parseSettings(
        writeSettings({ ...settings, model: { ...settings.model, key: 'secret' } as never }),
      ),
    ).toEqual(settings)
    expect(
      writeSettings({ ...settings, model: { ...settings.model, key: 'secret' } as never }),
    ).not.toContain('secret')
  })

  it('forget a corpus without a trace of it', () => {
    const settings = note(
      remember(
        {
          ...DEFAULTS,
          corpus: 'a',
          origins: new Map([
            ['a', '/x'],
            ['b', '/y'],
          ]),
        },
        'a',
        'Who?',
      ),
      'a',
      { documents: 1, passages: 1 },
      1,
    )
    expect(forget(settings, 'a')).toEqual({ ...DEFAULTS, origins: new Map([['b', '/y']]) })
  })

  it.each([
    null,
    '',
    '{',
    '[]',
    '"x"',
    '{"budget":"2000","topK":-1,"corpus":7,"history":[1,["a"],["b",[1]]]}',
    '{"budget":1e99}',
  ])('take defaults for what is missing or wrong: %s', (stored) => {
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
    for (const question of ['a', 'b', 'a', 'c', 'd', 'e', 'f', 'g'])
      settings = remember(settings, 'x', question)
    expect(settings.history.get('x')).toEqual(['g', 'f', 'e', 'd', 'c', 'a'])
  })
})
