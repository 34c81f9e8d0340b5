/** Owns what the page knows at a moment, and who hears of a change. Refuses: knowing how anything came about. */
import type { Engine, EngineStatus, Progress, Rejection, RetrieveResult } from '../../src/index.ts'
import { loadSettings, type Settings } from '../platform/settings.ts'
import type { CorpusEntry } from '../platform/engine.ts'
import type { Problem } from '../words/problems.ts'
import type { Offline } from '../words/states.ts'

/** What an addition came to. */
export interface AddReport {
  /** What was added, in a few words. */
  readonly label: string
  readonly added: number
  readonly unchanged: number
  readonly replaced: number
  readonly leftAside: number
  readonly rejected: readonly Rejection[]
}

/** A name that a person added to steer the walk. */
export interface SeedChoice {
  readonly label: string
  /** Canonical name; null where the corpus does not know it. */
  readonly name: string | null
  readonly passages: number
}

export interface State {
  /** `opening` also while another corpus is opened. */
  readonly boot: 'opening' | 'ready' | 'failed'
  readonly corpora: readonly CorpusEntry[]
  readonly corpus: string | null
  readonly engine: Engine | null
  readonly status: EngineStatus | null
  readonly adding: { readonly label: string; readonly progress: Progress | null; readonly cancelling: boolean } | null
  /** Additions that wait for the one under way. */
  readonly waiting: number
  /** One for each addition since the page last had none under way, in their order. */
  readonly reports: readonly AddReport[]
  readonly corpusProblem: Problem | null
  readonly askProblem: Problem | null
  readonly question: string
  /** The question that `answer` belongs to. */
  readonly asked: string
  readonly asking: boolean
  readonly answer: RetrieveResult | null
  readonly injected: readonly SeedChoice[]
  /** Names of the question that were taken out, by canonical name. */
  readonly removedSeeds: readonly string[]
  /** All names found in the question before any was taken out. */
  readonly foundSeeds: readonly RetrieveResult['debug']['seeds'][number][]
  readonly excluded: readonly { readonly id: string; readonly title: string }[]
  readonly suggestions: readonly string[]
  readonly hubs: readonly string[]
  readonly settings: Settings
  readonly offline: Offline
  readonly online: boolean
  /** The document shown whole. */
  readonly opened: { readonly id: string; readonly at: number | null } | null
  /** What a screen reader is told. */
  readonly announcement: string
}

export const EMPTY_ASK = { askProblem: null, question: '', asked: '', asking: false, answer: null, injected: [], removedSeeds: [], foundSeeds: [], excluded: [] } satisfies Partial<State>

export class Store {
  #state: State = {
    boot: 'opening', corpora: [], corpus: null, engine: null, status: null, adding: null, waiting: 0, reports: [], corpusProblem: null, ...EMPTY_ASK,
    suggestions: [], hubs: [], settings: loadSettings(), offline: { state: 'off' }, online: true, opened: null, announcement: '',
  }
  readonly #listeners = new Set<() => void>()

  get state(): State {
    return this.#state
  }

  set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
