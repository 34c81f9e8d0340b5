/**
 * Owns the sentences that say how things stand: storage, network, vectors, an answer. Refuses:
 * sounding better than it is.
 */
import type {
  EngineStatus,
  Omission,
  Progress,
  Rejection,
  RetrieveResult,
} from '../../src/index.ts'
import { bytes, counted, grouped, percent, rate, timeLeft } from './format.ts'

export type Tone = 'plain' | 'good' | 'warn'
export interface Sentence {
  readonly tone: Tone
  readonly text: string
}

/** From this share of the quota on, the page warns. */
const NEARLY_FULL = 0.9

export function storageWords(storage: EngineStatus['storage']): readonly Sentence[] {
  const out: Sentence[] = []
  if (storage.kind === 'memory')
    out.push({ tone: 'warn', text: 'In memory only: gone when this tab closes.' })
  else if (storage.persisted === true)
    out.push({
      tone: 'good',
      text: 'Saved on this device, for keeps: the browser promised not to clear it.',
    })
  else if (storage.persisted === false)
    out.push({
      tone: 'plain',
      text: 'Saved on this device, best effort: the browser may clear it when space runs short.',
    })
  else
    out.push({
      tone: 'plain',
      text: 'Saved on this device. This browser does not say whether it may clear it.',
    })
  const { usageBytes: used, quotaBytes: quota } = storage
  if (used !== null && quota !== null && quota > 0) {
    const full = used / quota >= NEARLY_FULL
    out.push({
      tone: full ? 'warn' : 'plain',
      text: full
        ? `Nearly full: ${bytes(used)} of ${bytes(quota)} used. Delete a corpus to make room.`
        : `${bytes(used)} used of ${bytes(quota)}.`,
    })
  } else if (used !== null) out.push({ tone: 'plain', text: `${bytes(used)} used.` })
  return out
}

export type Offline =
  | { readonly state: 'unsupported' | 'off' | 'installing' | 'ready' | 'failed' }
  | { readonly state: 'keeping'; readonly kept: number; readonly total: number }

export function offlineWords(offline: Offline, online: boolean): Sentence {
  const prefix = online ? '' : 'You are offline. '
  switch (offline.state) {
    case 'ready':
      return {
        tone: 'good',
        text: online ? 'Works offline.' : 'You are offline; everything works.',
      }
    case 'keeping':
      return {
        tone: 'plain',
        text: `${prefix}Getting ready for offline use: ${offline.kept} of ${offline.total} files.`,
      }
    case 'installing':
      return { tone: 'plain', text: `${prefix}Getting ready for offline use.` }
    case 'failed':
      return {
        tone: 'warn',
        text: `${prefix}Not ready for offline use: a file could not be kept. It is tried again on the next visit.`,
      }
    case 'unsupported':
      return { tone: 'warn', text: `${prefix}This browser cannot keep the page for offline use.` }
    case 'off':
      return { tone: 'plain', text: `${prefix}Offline use is part of the built page.` }
  }
}

/** What an agent in the browser is offered of the open corpus. */
export type AgentAccess =
  | { readonly state: 'missing' | 'off' | 'closed' | 'failed' }
  | { readonly state: 'offered'; readonly tools: number }

export function agentWords(access: AgentAccess): Sentence {
  switch (access.state) {
    case 'missing':
      return {
        tone: 'plain',
        text: 'Not in this browser: it has no WebMCP, by which its agents could ask this page.',
      }
    case 'off':
      return { tone: 'plain', text: 'No agent is offered anything.' }
    case 'closed':
      return { tone: 'plain', text: 'Offered as soon as a corpus is open.' }
    case 'failed':
      return {
        tone: 'warn',
        text: 'The browser did not take the tools, so no agent can ask this page.',
      }
    case 'offered':
      return {
        tone: 'good',
        text:
          `Offered to agents in this browser: ${counted(access.tools, 'tool')} that read ` +
          'the open corpus. An agent may pass on what it reads.',
      }
  }
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
    ? `${label}: ${quarter * 25} percent.`
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
  if (now.passagesWithVectors === now.passages) return 'All passages have vectors.'
  return quarterWords(
    'Vectors',
    percent(before.passagesWithVectors, before.passages),
    percent(now.passagesWithVectors, now.passages),
  )
}

/** The line under the bar of the vectors. */
export function vectorWords(status: EngineStatus): Sentence {
  const { embedding, passages, passagesWithVectors: done } = status
  if (passages === 0) return { tone: 'plain', text: 'No passages yet.' }
  if (done >= passages) {
    // An archive brings vectors with it; questions still need the model.
    if (embedding.state === 'loading')
      return {
        tone: 'plain',
        text: 'All passages have vectors. The language model that reads questions is loading.',
      }
    if (embedding.state === 'failed')
      return {
        tone: 'warn',
        text: 'All passages have vectors, but the language model that reads questions is not there.',
      }
    return { tone: 'good', text: 'All passages have vectors: meaning counts everywhere.' }
  }
  switch (embedding.state) {
    case 'loading':
      return { tone: 'plain', text: 'Loading the language model.' }
    case 'running': {
      const speed = embedding.rate > 0 ? rate(embedding.rate) : 'The first vectors are being made'
      return {
        tone: 'plain',
        text:
          embedding.secondsLeft === null
            ? speed
            : `${speed}, ${timeLeft(embedding.secondsLeft)} left`,
      }
    }
    case 'paused':
      return { tone: 'plain', text: 'Paused. What is done is saved.' }
    case 'failed':
      return {
        tone: 'warn',
        text:
          embedding.error?.code === 'store/evicted'
            ? 'Stopped.'
            : 'Stopped. What is done is saved.',
      }
    case 'off':
      return { tone: 'plain', text: 'No language model: names and words rank alone.' }
    case 'idle':
      return { tone: 'plain', text: 'Waiting.' }
    case 'following':
      return { tone: 'plain', text: 'Another tab of this page is working on them.' }
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
  const { debug, sources } = result
  const out: Sentence[] = []
  if (debug.passages > 0 && sources.length === 0)
    out.push({
      tone: 'warn',
      text: 'Nothing was found. Try other words, add a name, or include an excluded document.',
    })
  else if (sources.length > 0 && sources.every((source) => source.score <= 0))
    out.push({
      tone: 'warn',
      text: 'Nothing in this corpus matches the question: what follows is no answer, only the first documents.',
    })
  else if (sources.length > 0 && debug.seeds.length === 0) {
    out.push({
      tone: 'plain',
      text:
        debug.tier === 'full'
          ? 'No name of the question is known here: ranked by words and meaning only.'
          : 'No name of the question is known here: ranked by words only.',
    })
  }
  for (const name of debug.unknownSeeds)
    out.push({ tone: 'warn', text: `“${name}” is not a name of this corpus.` })
  for (const warning of debug.warnings)
    out.push({
      tone: 'plain',
      text:
        warning.startsWith(WITHOUT_MODEL) && warning !== `${WITHOUT_MODEL}meaning is not ready yet.`
          ? `${WITHOUT_MODEL}the language model is not there. Its bar in the corpus column says why.`
          : warning,
    })
  if (debug.tier === 'text' && debug.passagesWithVectors < debug.passages) {
    out.push({
      tone: 'plain',
      text:
        `${grouped(debug.passagesWithVectors)} of ${counted(debug.passages, 'passage')} ` +
        `${debug.passages === 1 ? 'has a vector' : 'have vectors'} so far.`,
    })
  }
  return out
}

/**
 * What asking again would bring, as the words of its button; null where the answer shown would come
 * out no better.
 */
export function againWords(
  { debug }: Pick<RetrieveResult, 'debug'>,
  { passagesWithVectors: now, embedding: { state } }: EngineStatus,
): string | null {
  if (now === 0 || state === 'loading' || state === 'failed' || state === 'off') return null
  if (now > debug.passagesWithVectors) return `Ask again with ${counted(now, 'vector')}`
  // What is paused does not tell whether its model is there.
  return debug.tier === 'text' && state !== 'paused' ? 'Ask again, with meaning' : null
}

const REASONS: Readonly<Record<Omission['reason'], string>> = {
  budget: 'did not fit into the budget',
  duplicate: 'says the same as a passage already in',
  'document-share': 'its document already fills its share of the budget',
  'nothing-new': 'adds nothing new',
  relevance: 'is hardly about the question',
}

export function omissionWords(reason: Omission['reason']): string {
  return REASONS[reason]
}

/** Plain words for what a score is made of, in the order in which the bar stacks them. */
export const PARTS = [
  { key: 'meaning', name: 'Meaning', words: 'says something close to the question' },
  { key: 'words', name: 'Words', words: 'holds words of the question' },
  { key: 'graph', name: 'Graph', words: 'is reached from the names of the question' },
  { key: 'title', name: 'Title', words: 'its document is about a name in the question' },
  {
    key: 'bridge',
    name: 'Bridge',
    words: 'shares a rare name with a best passage and covers what that one lacks',
  },
] as const

/** Why a file or record was not taken. Its name stands above, so it is not said again. */
export function rejectionWords({ name, reason }: Pick<Rejection, 'name' | 'reason'>): string {
  const named = [`${JSON.stringify(name)}: `, `document ${JSON.stringify(name)}: `].find((start) =>
    reason.startsWith(start),
  )
  return named === undefined ? reason : reason.slice(named.length)
}

const STAGES: ReadonlyMap<string, string> = new Map([
  ['embed', 'Question to vector'],
  ['rank', 'Names, walk and ranking'],
  ['explain', 'Evidence and paths'],
  ['pack', 'Packing'],
])

/** A stage of `debug.timings` in plain words; one the page does not know keeps its own name. */
export function stageWords(stage: string): string {
  return STAGES.get(stage) ?? stage
}

/** How rare a name is. */
export function rarityWords(passages: number): string {
  if (passages <= 0) return 'in no passage'
  return `in ${counted(passages, 'passage')}`
}
