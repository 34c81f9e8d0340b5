import { describe, expect, it } from 'vitest'
import { startOnce } from './ready.ts'

describe('the start of a worker', () => {
  it('serves once, however often its entry is evaluated', () => {
    const said: unknown[] = [],
      scope = { postMessage: (message: unknown) => void said.push(message) }
    let served = 0
    for (let i = 0; i < 3; i++)
      startOnce('engine', scope, () => {
        served++
      })
    startOnce('embed', scope, () => {
      served += 10
    })
    expect(served).toBe(11)
    expect(said).toMatchObject([
      { hubmesh: 'ready', role: 'engine' },
      { hubmesh: 'ready', role: 'embed' },
    ])
  })
})
