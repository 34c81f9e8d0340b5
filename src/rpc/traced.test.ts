import { describe, expect, it, vi } from 'vitest'
import { createEngine } from '../node.ts'
import type { EngineEvent } from '../types.ts'

const SECRET = 'Zorblax'

describe('onEvent', () => {
  it('hears of every call with its time, its counts and the code of its failure', async () => {
    const events: EngineEvent[] = []
    const engine = await createEngine({ corpus: 'traced', onEvent: (event) => events.push(event) })
    await engine.add([{ id: 'a', text: `${SECRET} lives in Oslo.` }])
    const { sources } = await engine.retrieve(`Where does ${SECRET} live?`)
    await engine.retrieve(' ').catch(() => undefined)
    await engine.close()
    expect(events.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'hubmesh.add ok',
      'hubmesh.retrieve ok',
      'hubmesh.retrieve error',
    ])
    expect(events[1]!.attributes).toMatchObject({
      'hubmesh.corpus': 'traced',
      'hubmesh.sources': sources.length,
      'hubmesh.tier': 'text',
      'hubmesh.rank_ms': expect.any(Number) as number,
    })
    expect(events[2]!.attributes).toMatchObject({ 'error.type': 'input/invalid' })
    for (const { duration } of events) expect(duration).toBeGreaterThanOrEqual(0)
    expect(JSON.stringify(events)).not.toContain(SECRET)
  })

  it('a listener that throws harms no call', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const engine = await createEngine({
      corpus: 'traced',
      onEvent: () => {
        throw new Error('mine')
      },
    })
    expect((await engine.add(['Oslo.'])).added).toHaveLength(1)
    expect(told).toHaveBeenCalledOnce()
    told.mockRestore()
    await engine.close()
  })
})
