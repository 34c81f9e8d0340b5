/** The page's state, and its listeners. */
import type { AnswerEnd, AnswerPart } from '../../src/entries/chat.ts'
import type {
  Answer,
  Engine,
  EngineStatus,
  Progress,
  ReadWarning,
  Rejection,
  RetrieveResult,
  Span,
} from '../../src/index.ts'
import { loadSettings, type Settings } from '../platform/settings.ts'
import type { CorpusEntry } from '../platform/engine.ts'
import type { Problem } from '../words/problems.ts'
import type { OpenLink, RefusedLink } from '../platform/links.ts'
import type { AgentAccess, Offline } from '../words/states.ts'

/** What an addition came to. */
export interface AddReport {
  /** What was added, in a few words. */
  readonly label: string
  readonly added: number
  readonly unchanged: number
  readonly replaced: number
  readonly leftAside: number
  readonly rejected: readonly Rejection[]
  /** Files that were taken, with what was assumed about them. */
  readonly noted: readonly ReadWarning[]
}

/** A name that a person added to steer the walk. */
export interface SeedChoice {
  readonly label: string
  /** Canonical name; null where the corpus does not know it. */
  readonly name: string | null
  readonly passages: number
}

/** An answer of a language model, as far as it has come. */
export interface Written {
  readonly state: 'preparing' | 'running' | 'done' | 'stopped' | 'failed'
  /** Who writes. */
  readonly by: string
  readonly parts: readonly AnswerPart[]
  /**
   * The answer of `retrieve` that its citations point into; null until it is packed for the model's
   * window.
   */
  readonly result: RetrieveResult | null
  readonly promptTokens: number
  readonly windowTokens: number
  readonly end: AnswerEnd | null
  readonly problem: Problem | null
}

/** A question kept to compare the next with. */
export interface Pinned {
  readonly question: string
  readonly answer: RetrieveResult
}

/** An earlier question of the thread. Of one that was kept from another visit, the card alone. */
export interface Turn {
  readonly id: number
  readonly question: string
  readonly card: Answer
  readonly answer: RetrieveResult | null
  readonly written: Written | null
}

/** What lies over the page. */
export type Dialog = 'settings' | 'share' | 'models' | 'wipe' | null

export type SideTab = 'document' | 'why' | 'graph' | 'developer'

/** A folder that the open corpus is kept in step with. */
export interface Synced {
  readonly folder: string
  readonly last: {
    readonly added: number
    readonly replaced: number
    readonly removed: number
  } | null
}

export interface State {
  /** `opening` also while another corpus is opened. */
  readonly boot: 'opening' | 'ready' | 'failed'
  readonly corpora: readonly CorpusEntry[]
  readonly corpus: string | null
  readonly engine: Engine | null
  readonly status: EngineStatus | null
  readonly adding: {
    readonly label: string
    readonly progress: Progress | null
    readonly cancelling: boolean
  } | null
  /** Additions that wait for the one under way. */
  readonly waiting: number
  /** One for each addition since the page last had none under way, in their order. */
  readonly reports: readonly AddReport[]
  readonly corpusProblem: Problem | null
  readonly askProblem: Problem | null
  readonly question: string
  /** Earlier questions, oldest first. */
  readonly turns: readonly Turn[]
  /** Number of the present question. */
  readonly turn: number
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
  readonly agents: AgentAccess
  readonly online: boolean
  readonly written: Written | null
  readonly pinned: Pinned | null
  /**
   * A link that asks to open an archive, until a person said yes or no; one that is refused, until
   * it was read.
   */
  readonly link: OpenLink | RefusedLink | null
  readonly exporting: boolean
  /** The corpus that is being deleted. */
  readonly deleting: string | null
  /** Files found so far in a drop that is looked through. */
  readonly found: number | null
  /** Corpora that held documents and are gone, besides the open one. */
  readonly gone: readonly string[]
  readonly dialog: Dialog
  readonly side: SideTab
  /** What lies over the thread where there is one column. */
  readonly sheet: 'shelf' | 'side' | null
  /** The name that the graph is centred on. */
  readonly centred: string | null
  readonly synced: Synced | null
  /** The open corpus is the example of a first visit, which is not saved. */
  readonly example: boolean
  /** Meaning waits until a person agrees to load its model on a metered connection. */
  readonly metered: boolean
  /** The browser offers to install the page. */
  readonly installable: boolean
  /** The document shown whole. */
  readonly opened: {
    readonly id: string
    /** Offset of the place. */
    readonly at: number | null
    /** What a quote marks there, whichever turn it is of. */
    readonly mark: Span | null
  } | null
  /** What a screen reader is told. */
  readonly announcement: string
}

export const EMPTY_ASK = {
  turns: [],
  turn: 0,
  askProblem: null,
  question: '',
  asked: '',
  asking: false,
  answer: null,
  injected: [],
  removedSeeds: [],
  foundSeeds: [],
  excluded: [],
  written: null,
  pinned: null,
} satisfies Partial<State>

/** While a corpus is opened, nothing of another is shown. */
export function opening(name: string): Partial<State> {
  return {
    boot: 'opening',
    corpus: name,
    engine: null,
    status: null,
    corpusProblem: null,
    suggestions: [],
    hubs: [],
    opened: null,
    centred: null,
    synced: null,
    example: false,
    metered: false,
    ...EMPTY_ASK,
  }
}

export class Store {
  private now: State = {
    boot: 'opening',
    corpora: [],
    corpus: null,
    engine: null,
    status: null,
    adding: null,
    waiting: 0,
    reports: [],
    corpusProblem: null,
    ...EMPTY_ASK,
    suggestions: [],
    hubs: [],
    settings: loadSettings(),
    offline: { state: 'off' },
    agents: { state: 'closed' },
    online: true,
    link: null,
    exporting: false,
    deleting: null,
    found: null,
    gone: [],
    dialog: null,
    side: 'why',
    sheet: null,
    centred: null,
    synced: null,
    example: false,
    metered: false,
    installable: false,
    opened: null,
    announcement: '',
  }
  private readonly listeners = new Set<() => void>()

  get state(): State {
    return this.now
  }

  set(change: Partial<State>): void {
    this.now = { ...this.now, ...change }
    for (const listener of this.listeners) listener()
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
}
