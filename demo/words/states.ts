/** Sentences that say how things stand: storage, network, meaning, an answer. */
import type { EngineStatus, Omission, Progress, RetrieveResult } from '../../src/index.ts'
import { bytes, grouped, percent } from './format.ts'
import { rate, timeLeft } from './pace.ts'
import { words } from './words.ts'

export type Tone = 'plain' | 'good' | 'warn'
export interface Sentence {
  readonly tone: Tone
  readonly text: string
}

/** From this share of the quota on, the page warns. */
const NEARLY_FULL = 0.9

export function storageWords(storage: EngineStatus['storage']): readonly Sentence[] {
  const t = words().states
  const out: Sentence[] = []
  if (storage.kind === 'memory') out.push({ tone: 'warn', text: t.memory })
  else if (storage.persisted === true)
    out.push({
      tone: 'good',
      text: t.persisted,
    })
  else if (storage.persisted === false)
    out.push({
      tone: 'plain',
      text: t.bestEffort,
    })
  else
    out.push({
      tone: 'plain',
      text: t.unknown,
    })
  const { usageBytes: used, quotaBytes: quota } = storage
  if (used !== null && quota !== null && quota > 0) {
    const full = used / quota >= NEARLY_FULL
    out.push({
      tone: full ? 'warn' : 'plain',
      text: full ? t.full(used, quota) : t.used(used, quota),
    })
  } else if (used !== null) out.push({ tone: 'plain', text: t.usedOnly(used) })
  return out
}

export type Offline =
  | { readonly state: 'unsupported' | 'off' | 'installing' | 'ready' | 'failed' }
  | { readonly state: 'keeping'; readonly kept: number; readonly total: number }

export function offlineWords(offline: Offline, online: boolean): Sentence {
  const t = words().states.offline,
    prefix = online ? '' : t.prefix
  switch (offline.state) {
    case 'ready':
      return { tone: 'good', text: online ? t.ready : t.readyOffline }
    case 'keeping':
      return { tone: 'plain', text: prefix + t.keeping(offline.kept, offline.total) }
    case 'failed':
    case 'unsupported':
      return { tone: 'warn', text: prefix + t[offline.state] }
    case 'installing':
    case 'off':
      return { tone: 'plain', text: prefix + t[offline.state] }
  }
}

/** What an agent in the browser is offered of the open corpus. */
export type AgentAccess =
  | { readonly state: 'missing' | 'off' | 'closed' | 'failed' }
  | { readonly state: 'offered'; readonly tools: number }

export function agentWords(access: AgentAccess): Sentence {
  const t = words().states.agents
  if (access.state === 'offered') return { tone: 'good', text: t.offered(access.tools) }
  return { tone: access.state === 'failed' ? 'warn' : 'plain', text: t[access.state] }
}

/**
 * How far a phase is, and how fast: bytes of an archive on its way, files or documents else. An
 * archive whose size is not told counts what has come.
 */
export function progressFigures({ phase, done, total, rate: speed }: Progress): string {
  if (phase === 'fetching') return done >= total ? bytes(done) : `${bytes(done)} of ${bytes(total)}`
  return `${grouped(done)} of ${grouped(total)}${speed > 0 ? `, ${rate(speed)}` : ''}`
}

/**
 * Part of the first bar that fetching or reading takes; saving and indexing follow, group by group,
 * and share the rest.
 */
const READING = 20

/** How far an addition is, in whole percent; it never goes back when a phase ends. */
export function addedPercent({ phase, done, total }: Progress): number {
  const share = total > 0 ? Math.min(1, done / total) : 0
  return Math.floor(
    phase === 'fetching' || phase === 'reading'
      ? READING * share
      : READING + (100 - READING) * share,
  )
}

/**
 * What a screen reader is told of a bar that went on: each quarter once, so that it is not talked
 * over. Null in between.
 */
export function quarterWords(label: string, before: number, now: number): string | null {
  const quarter = Math.floor(now / 25)
  return quarter > Math.floor(before / 25) && quarter < 4
    ? words().states.quarter(label, quarter * 25)
    : null
}

/** The same of the vectors, whose end is told too. */
export function vectorNews(before: EngineStatus | null, now: EngineStatus): string | null {
  if (
    before === null ||
    before.corpus !== now.corpus ||
    now.passages === 0 ||
    now.passagesWithVectors <= before.passagesWithVectors
  )
    return null
  const t = words().states.meaning
  if (now.passagesWithVectors === now.passages) return t.all
  return quarterWords(
    t.label,
    percent(before.passagesWithVectors, before.passages),
    percent(now.passagesWithVectors, now.passages),
  )
}

/** The line under the bar of meaning. */
export function vectorWords(status: EngineStatus): Sentence {
  const t = words().states.meaning,
    { embedding, passages, passagesWithVectors: done } = status
  if (passages === 0) return { tone: 'plain', text: t.none }
  if (done >= passages) {
    // An archive brings vectors with it; questions still need the model.
    if (embedding.state === 'loading') return { tone: 'plain', text: t.loadingQuestions }
    if (embedding.state === 'failed') return { tone: 'warn', text: t.failedQuestions }
    return { tone: 'good', text: t.all }
  }
  if (embedding.state === 'failed')
    return {
      tone: 'warn',
      text: embedding.error?.code === 'store/evicted' ? t.stopped : t.stoppedSaved,
    }
  if (embedding.state !== 'running') return { tone: 'plain', text: t[embedding.state] }
  const speed = embedding.rate > 0 ? rate(embedding.rate) : t.first
  return {
    tone: 'plain',
    text: embedding.secondsLeft === null ? speed : t.left(speed, timeLeft(embedding.secondsLeft)),
  }
}

/**
 * How the engine begins to say that meaning took no part; a failed model's own message, with its
 * addresses, follows.
 */
const WITHOUT_MODEL = 'Ranked by names and words only: '

/**
 * What a reader must know before trusting an answer, most important first. The engine says in
 * `debug.warnings` what did not take part; the page adds what to do when nothing is found, that no
 * name was known, and how far the vectors are.
 */
export function answerNotes(result: RetrieveResult): readonly Sentence[] {
  const { debug, sources } = result,
    t = words().states.notes
  const out: Sentence[] = []
  if (debug.passages > 0 && sources.length === 0) out.push({ tone: 'warn', text: t.nothing })
  else if (sources.length > 0 && sources.every((source) => source.score <= 0))
    out.push({ tone: 'warn', text: t.noMatch })
  else if (sources.length > 0 && debug.seeds.length === 0)
    out.push({ tone: 'plain', text: debug.tier === 'full' ? t.noNameFull : t.noNameText })
  for (const name of debug.unknownSeeds) out.push({ tone: 'warn', text: t.notAName(name) })
  for (const warning of debug.warnings)
    out.push({
      tone: 'plain',
      text:
        warning.startsWith(WITHOUT_MODEL) && warning !== `${WITHOUT_MODEL}meaning is not ready yet.`
          ? t.noModel
          : warning,
    })
  if (debug.tier === 'text' && debug.passagesWithVectors < debug.passages)
    out.push({ tone: 'plain', text: t.soFar(debug.passagesWithVectors, debug.passages) })
  return out
}

/** True where asking again would bring a better answer than the one shown. */
export function couldImprove(
  { debug }: Pick<RetrieveResult, 'debug'>,
  { passages, passagesWithVectors: now, embedding: { state } }: EngineStatus,
): boolean {
  if (now === 0 || state === 'loading' || state === 'failed' || state === 'off') return false
  // Not at every vector: once meaning takes part at all, and once it is complete.
  if (debug.tier === 'text') return state !== 'paused'
  return now > debug.passagesWithVectors && now >= passages
}

export function omissionWords(reason: Omission['reason']): string {
  return words().omissions[reason]
}

/** Parts of a score, in the order in which the bar stacks them. */
export const PARTS = ['meaning', 'words', 'graph', 'title', 'bridge'] as const

/** A stage of `debug.timings` in plain words; one the page does not know keeps its own name. */
export function stageWords(stage: string): string {
  return words().stageNames[stage] ?? stage
}
