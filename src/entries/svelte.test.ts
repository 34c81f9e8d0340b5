// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Hubmesh } from './svelte.ts'
import { hubmesh } from './svelte.ts'

const desk = vi.hoisted(() => ({ log: [] as string[] }))

vi.mock('../rpc/create_engine.ts', async () => {
  const { loggedEngine } = await import('../testing/logged_engine.ts')
  return {
    createEngine: async (options: { corpus: string; signal?: AbortSignal }) =>
      loggedEngine(options, desk.log),
  }
})

beforeEach(() => {
  desk.log = []
})

describe('the store of hubmesh/svelte', () => {
  it('opens with the first subscriber, closes with the last, and opens again', async () => {
    const store = hubmesh({ corpus: 'films', storage: 'memory' })
    expect(desk.log).toEqual([])
    const seen: Hubmesh[] = [],
      run = (state: Hubmesh): void => {
        seen.push(state)
      }
    const first = store.subscribe(run),
      second = store.subscribe(run)
    await vi.waitFor(() => {
      expect(seen.at(-1)?.status?.documents).toBe(0)
    })
    first()
    first()
    expect(desk.log).toEqual(['open films'])
    second()
    await vi.waitFor(() => {
      expect(desk.log).toEqual(['open films', 'close films'])
    })
    const again = store.subscribe(run)
    expect(seen.at(-1)).toEqual({ engine: null, status: null, error: null })
    await vi.waitFor(() => {
      expect(seen.at(-1)?.engine?.corpus).toBe('films')
    })
    again()
  })
})
