/** Additions: their turn, what each came to, and what is made again when a person says so. */
import type { AddInput, AddOptions, AddResult, Engine, Rejection } from '../../src/index.ts'
import { isArchive } from '../platform/intake.ts'
import { isAborted, problemOf, type Problem } from '../words/problems.ts'
import { addedPercent, quarterWords } from '../words/states.ts'
import { words } from '../words/words.ts'
import { EMPTY_ASK, type AddReport, type State, type Store } from './state.ts'

export interface Addition {
  readonly corpus: string
  /** What is added, in a few words. */
  readonly label: string
  /** Gives documents, or an archive, or the address of one. */
  readonly read: (signal: AbortSignal) => Promise<AddInput | Blob | URL>
  /** The corpus is begun for it, and ends again where nothing comes of it. */
  readonly begins?: boolean
  /** Called once it is in. */
  readonly added?: () => void
  /** Of a drop: how much was left aside, and what could not be opened. */
  readonly leftAside?: number
  readonly unreadable?: readonly Rejection[]
}

/** What was shown before an addition began a corpus. */
export type Before = Pick<State, 'corpus' | keyof typeof EMPTY_ASK>

/** Where documents go. */
export interface Shelf {
  /** Opens the corpus; gives null once it is told why it cannot be. */
  readonly enter: (corpus: string) => Promise<Engine | null>
  /** Called after each addition, whatever it came to. */
  readonly filled: (engine: Engine) => Promise<void>
  /** Ends a corpus that was begun in vain, and shows what was there before. */
  readonly takeBack: (engine: Engine, before: Before, why: Problem | null) => Promise<void>
}

export class Additions {
  private readonly store: Store
  private readonly shelf: Shelf
  /** Ends with the last thing that was asked for. */
  private line: Promise<unknown> = Promise.resolve()
  private running: { readonly addition: Addition; readonly control: AbortController } | null = null
  private readonly waiting = new Set<Addition>()
  /** Since the page last had nothing to add. */
  private failed: Addition[] = []

  constructor(store: Store, shelf: Shelf) {
    this.store = store
    this.shelf = shelf
  }

  get idle(): boolean {
    return this.running === null && this.waiting.size === 0
  }

  /**
   * Does something once all that was asked for before is done, so that one corpus at a time is
   * opened, filled or deleted.
   */
  inLine<T>(act: () => Promise<T>): Promise<T> {
    const done = this.line.then(act)
    this.line = done.catch(() => undefined)
    return done
  }

  /**
   * What is dropped while another addition is under way waits for its turn, and neither is lost.
   */
  async take(addition: Addition): Promise<void> {
    if (this.idle) {
      // A person who comes back to an idle page is told of the new addition alone.
      this.failed = []
      this.store.set({ reports: [], corpusProblem: null })
    }
    this.waiting.add(addition)
    this.tellWaiting()
    await this.inLine(async () => {
      if (!this.waiting.delete(addition)) return
      const control = new AbortController()
      this.running = { addition, control }
      this.tellWaiting()
      this.store.set({
        adding: { label: addition.label, progress: null, cancelling: false },
        announcement: words().report.adding(addition.label),
      })
      const before = this.shown(),
        engine = await this.shelf.enter(addition.corpus)
      const came = engine !== null && (await this.add(engine, addition, control.signal)),
        begun = engine !== null && addition.begins === true && came !== true
      if (!engine) this.failed.push(addition)
      this.running = null
      this.store.set({ adding: null })
      if (begun) await this.shelf.takeBack(engine, before, came === false ? null : came)
      else if (engine) await this.shelf.filled(engine)
      if (came === true) addition.added?.()
    })
  }

  /** What else fills the open corpus: in its turn, told and cancelled as an addition is. */
  alongside<T>(
    corpus: string,
    label: string,
    act: (options: Pick<AddOptions, 'onProgress' | 'signal'>) => Promise<T>,
  ): Promise<T> {
    const control = new AbortController(),
      addition: Addition = { corpus, label, read: () => Promise.resolve([]) }
    return this.inLine(async () => {
      this.running = { addition, control }
      this.store.set({
        adding: { label, progress: null, cancelling: false },
        announcement: words().report.adding(label),
      })
      try {
        return await act(this.progressOf(addition, control.signal))
      } finally {
        this.running = null
        this.store.set({ adding: null })
      }
    })
  }

  /** Retries what could not be added, in its order, so that it need not be dropped again. */
  async again(): Promise<boolean> {
    const failed = this.failed.splice(0)
    await Promise.all(failed.map((addition) => this.take(addition)))
    return failed.length > 0
  }

  /** Tells of what needs no corpus. */
  tell(report: AddReport): void {
    this.store.set({ reports: [...(this.idle ? [] : this.store.state.reports), report] })
  }

  /** Takes effect at the next document that is whole; what is saved by then stays. */
  cancel(): void {
    this.running?.control.abort()
    const { adding } = this.store.state
    if (adding) this.store.set({ adding: { ...adding, cancelling: true } })
  }

  /** Nothing more comes into a corpus that is to be deleted. */
  drop(corpus: string): void {
    for (const addition of this.waiting)
      if (addition.corpus === corpus) this.waiting.delete(addition)
    this.failed = this.failed.filter((addition) => addition.corpus !== corpus)
    this.tellWaiting()
    if (this.running?.addition.corpus === corpus) this.cancel()
  }

  private shown(): Before {
    const { state } = this.store
    const before = { corpus: state.corpus } as { -readonly [Key in keyof Before]: Before[Key] }
    for (const key of Object.keys(EMPTY_ASK) as (keyof typeof EMPTY_ASK)[])
      Object.assign(before, { [key]: state[key] })
    return { ...before, asking: false }
  }

  /**
   * True where the corpus holds something of it afterwards; what is in the way where the corpus was
   * begun for it, as it is told once that corpus is gone.
   */
  private async add(
    engine: Engine,
    addition: Addition,
    signal: AbortSignal,
  ): Promise<boolean | Problem> {
    const { label, leftAside = 0, unreadable = [] } = addition
    const report = (came: Partial<AddReport>): void => {
      const rejected = [...unreadable, ...(came.rejected ?? [])],
        none = { label, added: 0, unchanged: 0, replaced: 0, leftAside, noted: [] }
      this.store.set({ reports: [...this.store.state.reports, { ...none, ...came, rejected }] })
    }
    try {
      const options: AddOptions = {
        onConflict: 'replace',
        onInvalid: 'skip',
        ...this.progressOf(addition, signal),
      }
      const {
        added,
        unchanged,
        replaced,
        rejected,
        warnings = [],
      } = await take(engine, await addition.read(signal), options)
      report({
        added: added.length,
        unchanged: unchanged.length,
        replaced: replaced.length,
        rejected,
        noted: warnings,
      })
      // The next status may be a while off, and until then the page would call the corpus empty.
      this.store.set({
        status: await engine.status(),
        announcement: words().report.youCanAsk(added.length + replaced.length),
      })
      return added.length + unchanged.length + replaced.length > 0
    } catch (error) {
      const problem = problemOf(error)
      if (problem.remedy !== 'none') this.failed.push(addition)
      // What comes next opens its own corpus, and this must not be forgotten by it.
      const told = this.waiting.size > 0 && !isAborted(error)
      if (told) report({ rejected: [{ name: label, code: problem.code, reason: problem.message }] })
      // what was saved before it failed, or was cancelled, is said to be there and stays
      if (addition.begins === true && (await engine.status().catch(() => null))?.documents === 0)
        return told ? false : problem
      if (!told) this.store.set({ corpusProblem: problem })
      return addition.begins === true
    }
  }

  private progressOf(
    addition: Addition,
    signal: AbortSignal,
  ): Required<Pick<AddOptions, 'onProgress' | 'signal'>> {
    const { label } = addition
    return {
      signal,
      onProgress: (progress) => {
        if (this.running?.addition !== addition) return
        const before = this.store.state.adding?.progress ?? null,
          news = quarterWords(
            words().report.addingShort(label),
            before === null ? 0 : addedPercent(before),
            addedPercent(progress),
          )
        this.store.set({
          adding: { label, progress, cancelling: signal.aborted },
          ...(news === null ? {} : { announcement: news }),
        })
      },
    }
  }

  private tellWaiting(): void {
    this.store.set({ waiting: this.waiting.size })
  }
}

/**
 * An address of another origin was consented to, and the page's policy holds it to those
 * it may ask.
 */
function take(
  engine: Engine,
  input: AddInput | Blob | URL,
  options: AddOptions,
): Promise<AddResult> {
  if (input instanceof URL) return engine.import(input, { ...options, crossOrigin: true })
  const archive = input instanceof Blob && !(input instanceof File && !isArchive(input))
  return archive ? engine.import(input, options) : engine.add(input as AddInput, options)
}
