import { expect, it } from 'vitest'
import type { registerWebMcpTools } from '../../src/index.ts'
import type { Engine } from '../../src/types.ts'
import { DEFAULTS, type Settings } from '../platform/settings.ts'
import { Agents } from './agents.ts'
import { Store } from './state.ts'

const engineOf = (corpus: string): Engine => ({ corpus }) as Engine

/** A browser that takes tools for a corpus, and gives them back when told to. */
function browser(takes: (corpus: string) => boolean = () => true): {
  readonly held: Set<string>
  readonly register: typeof registerWebMcpTools
} {
  const held = new Set<string>()
  return {
    held,
    register: (engine, { signal } = {}) => {
      if (!takes(engine.corpus)) return Promise.reject(new Error('taken'))
      held.add(engine.corpus)
      signal?.addEventListener('abort', () => {
        held.delete(engine.corpus)
      })
      return Promise.resolve(['retrieve', 'get_document'])
    },
  }
}

function pageWith(settings: Partial<Settings> = {}): Store {
  const store = new Store()
  store.set({ settings: { ...DEFAULTS, ...settings } })
  return store
}

it('an agent is offered the corpus that is open, and no other', async () => {
  const store = pageWith(),
    { held, register } = browser()
  new Agents(store, () => true, register).start()
  expect(store.state.agents).toEqual({ state: 'closed' })
  store.set({ engine: engineOf('films') })
  await expect.poll(() => store.state.agents).toEqual({ state: 'offered', tools: 2 })
  store.set({ engine: null })
  expect([store.state.agents, [...held]]).toEqual([{ state: 'closed' }, []])
  store.set({ engine: engineOf('letters') })
  store.set({ engine: engineOf('notes') })
  await expect.poll(() => store.state.agents).toEqual({ state: 'offered', tools: 2 })
  expect([...held]).toEqual(['notes'])
})

it('a person may forbid it and allow it again', async () => {
  const store = pageWith({ agents: false }),
    { held, register } = browser(),
    agents = new Agents(store, () => true, register)
  store.set({ engine: engineOf('films') })
  agents.start()
  expect([store.state.agents, held.size]).toEqual([{ state: 'off' }, 0])
  agents.allow(true)
  await expect.poll(() => store.state.agents).toEqual({ state: 'offered', tools: 2 })
  agents.allow(false)
  expect([store.state.agents, held.size]).toEqual([{ state: 'off' }, 0])
})

it('a browser without WebMCP is asked nothing, and one that refuses is told of', async () => {
  const without = pageWith(),
    asked = browser()
  new Agents(without, () => false, asked.register).start()
  without.set({ engine: engineOf('films') })
  expect([without.state.agents, asked.held.size]).toEqual([{ state: 'missing' }, 0])
  const refused = pageWith()
  new Agents(refused, () => true, browser(() => false).register).start()
  refused.set({ engine: engineOf('films') })
  await expect.poll(() => refused.state.agents).toEqual({ state: 'failed' })
})
