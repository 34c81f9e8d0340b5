/**
 * Offers the open corpus to an agent in the browser (WebMCP): read-only, while it is open and a
 * person allows it.
 */
import { registerWebMcpTools, type Engine } from '../../src/index.ts'
import { browserHasAgents } from '../platform/models.ts'
import { saveSettings } from '../platform/settings.ts'
import type { AgentAccess } from '../words/states.ts'
import type { Store } from './state.ts'

export class Agents {
  private readonly store: Store
  private readonly has: () => boolean
  private readonly register: typeof registerWebMcpTools
  private offer: { readonly engine: Engine; readonly stop: AbortController } | null = null

  constructor(
    store: Store,
    has: () => boolean = browserHasAgents,
    register: typeof registerWebMcpTools = registerWebMcpTools,
  ) {
    this.store = store
    this.has = has
    this.register = register
  }

  /** Follows the open corpus from now on; a browser without WebMCP is told of, and left alone. */
  start(): void {
    if (!this.has()) {
      this.store.set({ agents: { state: 'missing' } })
      return
    }
    this.store.subscribe(() => {
      this.follow()
    })
    this.follow()
  }

  allow(agents: boolean): void {
    const settings = { ...this.store.state.settings, agents }
    saveSettings(settings)
    this.store.set({ settings })
  }

  private follow(): void {
    const { engine, settings, agents } = this.store.state,
      wanted = settings.agents ? engine : null
    if (wanted === (this.offer?.engine ?? null)) {
      const rest = settings.agents ? 'closed' : 'off'
      if (wanted === null && agents.state !== rest) this.tell({ state: rest })
      return
    }
    this.offer?.stop.abort()
    const offer = wanted === null ? null : { engine: wanted, stop: new AbortController() }
    this.offer = offer
    if (offer === null) {
      this.follow()
      return
    }
    const tell = (access: AgentAccess): void => {
      if (this.offer === offer) this.tell(access)
    }
    this.register(offer.engine, { signal: offer.stop.signal }).then(
      ({ length }) => {
        tell(length === 0 ? { state: 'missing' } : { state: 'offered', tools: length })
      },
      () => {
        tell({ state: 'failed' })
      },
    )
  }

  private tell(agents: AgentAccess): void {
    this.store.set({ agents })
  }
}
