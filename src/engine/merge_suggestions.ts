/** Names that may be one, ordered for a person: places on both sides, shared neighbours. */
import type { Corpus } from '../corpus/corpus.ts'
import { compareIds } from '../base/compare_ids.ts'
import { roundScore } from '../base/math.ts'
import type { Embedder } from '../embed/embedder.ts'
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import { mergeCandidates } from '../graph/merge_candidates.ts'
import type { MergeCandidate } from '../graph/name_pairs.ts'
import { NEIGHBOUR_PASSAGES, neighboursOf, Pace, slotsOf } from '../graph/neighbours.ts'
import { LIMITS } from '../base/limits.ts'
import { yieldToEvents } from '../base/platform.ts'
import { checkOptions } from '../base/options.ts'
import { whole } from '../base/options.ts'
import type {
  MergeReason,
  MergeSuggestion,
  NamePlace,
  SuggestedName,
  SuggestMergesOptions,
} from '../types.ts'
import { cosineOfUnits, toUnitVector } from '../vector/unit_vector.ts'
import { labelOf } from '../explain/labels.ts'
import { MentionReader } from '../explain/mentions.ts'

const MOST_PLACES = 3
const MOST_SHARED = 5
/** What one shared neighbour says, in the likeliest case. */
const COMPANY = 0.5
/** Below it a pair is not worth a look. */
const LEAST_SCORE = 0.4
/** Cosine from which two names mean the same to an embedder; see EmbeddingLinker. */
const LEAST_COSINE = 0.6
const MOST_EMBEDDED = 100
/** Times that a corpus which changes meanwhile is read anew. */
const ATTEMPTS = 3

interface Draft {
  readonly a: number
  readonly b: number
  readonly reasons: readonly MergeReason[]
  readonly shared: readonly number[]
  readonly score: number
}

/**
 * `embedder`, where it is ready, compares the meaning of the likeliest names too. Rejects with
 * `aborted`, as the embedder does, and with `index/stale` where the corpus changes faster than it
 * is read.
 */
export async function suggestMerges(
  corpus: Corpus,
  generation: () => number,
  embedder: Embedder | null,
  options: SuggestMergesOptions,
): Promise<MergeSuggestion[]> {
  checkOptions<SuggestMergesOptions>('suggestMerges()', options, { limit: true, signal: true })
  const { signal } = options,
    limit = whole('limit', options.limit ?? 20, 1, LIMITS.mergeSuggestions)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { text } = corpus,
      began = generation(),
      moved = (): boolean => corpus.text !== text || generation() !== began || !text.settled
    if (!text.settled) text.settle()
    const way = draftsOf(corpus)
    let step = way.next()
    while (!step.done && !moved()) {
      throwIfAborted(signal)
      await yieldToEvents()
      if (!moved()) step = way.next()
    }
    if (!step.done || moved()) continue
    let drafts = order(step.value, corpus)
    if (embedder) {
      const near = drafts.slice(0, Math.min(MOST_EMBEDDED, 2 * limit)),
        labels = near.flatMap(({ a, b }) => [a, b]).map((name) => labelled(name, corpus))
      const cosines = await meanings(labels, embedder, signal)
      if (moved()) continue
      drafts = order(
        near.map((draft, i) =>
          cosines[i]! >= LEAST_COSINE
            ? weighed({
                ...draft,
                reasons: [
                  ...draft.reasons,
                  { kind: 'meaning', value: roundScore(Math.min(1, cosines[i]!)) },
                ],
              })
            : draft,
        ),
        corpus,
      )
    }
    const reader = new MentionReader(text, corpus.table)
    return drafts.slice(0, limit).map((draft) => described(draft, corpus, reader))
  }
  throw new HubmeshError(
    'index/stale',
    'The corpus changed while its names were compared. Ask again when ready("settled") has resolved.',
    { retryable: true },
  )
}

function* draftsOf(corpus: Corpus): Generator<void, Draft[]> {
  return yield* likely(yield* mergeCandidates(corpus.text), corpus)
}

/** Candidates with what stands beside both, those that say enough. */
function* likely(candidates: readonly MergeCandidate[], corpus: Corpus): Generator<void, Draft[]> {
  const strength = ({ reasons }: MergeCandidate): number =>
    Math.max(...reasons.map(({ value }) => value))
  const looked = candidates
    .map((candidate, i) => ({ candidate, i }))
    .sort((x, y) => strength(y.candidate) - strength(x.candidate) || x.i - y.i)
    .slice(0, LIMITS.mergeCandidates)
  const { text, table } = corpus,
    out: Draft[] = [],
    pace = new Pace()
  const near = (name: number): Set<number> =>
    neighboursOf(name, text, slotsOf(name, text).sort(table.compare).slice(0, NEIGHBOUR_PASSAGES))
  for (const {
    candidate: { a, b, reasons },
  } of looked) {
    const x = near(a),
      y = near(b),
      shared = [...x].filter((name) => name !== b && y.has(name))
    const least = Math.max(1, Math.min(x.size, y.size)),
      company = COMPANY * Math.min(1, shared.length / least + (shared.length > 1 ? 0.25 : 0))
    const told =
      reasons.some(({ kind }) => kind === 'neighbours') || shared.length === 0
        ? reasons
        : [...reasons, { kind: 'neighbours' as const, value: roundScore(company) }]
    const draft = weighed({ a, b, reasons: told, shared })
    if (draft.score >= LEAST_SCORE && isSpeltSo(draft, corpus)) out.push(draft)
    if (pace.spent(x.size + y.size)) yield
  }
  return out
}

/** Each reason is taken as a chance of its own that the two are one. */
function weighed(draft: Omit<Draft, 'score'>): Draft {
  const reasons = [...draft.reasons].sort((x, y) => y.value - x.value || (x.kind < y.kind ? -1 : 1))
  return {
    ...draft,
    reasons,
    score: roundScore(1 - reasons.reduce((left, { value }) => left * (1 - value), 1)),
  }
}

/** Letters that are an acronym are written large somewhere. */
function isSpeltSo({ a, b, reasons }: Draft, corpus: Corpus): boolean {
  if (reasons[0]?.kind !== 'acronym') return true
  const { text } = corpus,
    short = text.nameText(a).length < text.nameText(b).length ? a : b,
    label = labelled(short, corpus)
  return label === label.toUpperCase()
}

function labelled(name: number, { text, table }: Corpus): string {
  return labelOf(name, text, table, new MentionReader(text, table))
}

function order(drafts: readonly Draft[], { text }: Corpus): Draft[] {
  const key = ({ a, b }: Draft): string => `${text.nameText(a)}\n${text.nameText(b)}`
  return [...drafts].sort((x, y) => y.score - x.score || compareIds(key(x), key(y)))
}

/** Cosine of each two names that follow each other. */
async function meanings(
  labels: readonly string[],
  embedder: Embedder,
  signal: AbortSignal | undefined,
): Promise<number[]> {
  const unique = [...new Set(labels)],
    made =
      unique.length === 0
        ? []
        : await embedder.embed(unique, { kind: 'passage', ...(signal ? { signal } : {}) })
  const units = new Map(unique.map((label, i) => [label, toUnitVector(made[i]!, made[i]!.length)]))
  return Array.from({ length: labels.length / 2 }, (_, i) => {
    const a = units.get(labels[2 * i]!)!,
      b = units.get(labels[2 * i + 1]!)!
    return cosineOfUnits(a, 0, b, 0, a.length)
  })
}

function described(
  { a, b, reasons, shared, score }: Draft,
  corpus: Corpus,
  reader: MentionReader,
): MergeSuggestion {
  const { text } = corpus,
    beside = new Set(shared)
  // the one they would be known by: the longer, as a merge without `into` has it
  const [first, second] = text.nameText(b).length > text.nameText(a).length ? [b, a] : [a, b]
  const rarest = shared
    .map((name) => ({ name, text: text.nameText(name) }))
    .sort(
      (x, y) =>
        text.graph.documentFrequency(x.name) - text.graph.documentFrequency(y.name) ||
        compareIds(x.text, y.text),
    )
  return {
    names: [
      suggested(first, second, beside, corpus, reader),
      suggested(second, first, beside, corpus, reader),
    ],
    score,
    reasons,
    shared: rarest.slice(0, MOST_SHARED).map((one) => one.text),
  }
}

function suggested(
  name: number,
  other: number,
  beside: ReadonlySet<number>,
  corpus: Corpus,
  reader: MentionReader,
): SuggestedName {
  const { text, table } = corpus,
    slots = slotsOf(name, text).sort(table.compare)
  const company = (slot: number): number =>
    text.graph.mentions.values(slot).filter((mention) => beside.has(mention >>> 1)).length
  const places = slots
    .slice(0, NEIGHBOUR_PASSAGES)
    .map((slot, i) => ({ slot, i, company: company(slot) }))
    .sort((x, y) => y.company - x.company || x.i - y.i)
    .flatMap(({ slot }): NamePlace[] => {
      // inside the longer name a shorter one says nothing of itself
      const all = reader.of(slot),
        wider = all.filter((mention) => mention.name === other)
      const mention = all.find(
        (one) =>
          one.name === name &&
          !wider.some(
            (held) =>
              held.inTitle === one.inTitle && held.start <= one.start && held.end >= one.end,
          ),
      )
      if (!mention) return []
      const entry = table.entry(slot),
        sentence = reader.sentenceAround(slot, mention)
      return [
        {
          documentId: entry.id,
          start: mention.start,
          end: mention.end,
          inTitle: mention.inTitle,
          text: (mention.inTitle ? entry.title : entry.text).slice(mention.start, mention.end),
          sentence: { ...sentence, text: entry.text.slice(sentence.start, sentence.end) },
        },
      ]
    })
  return {
    name: text.nameText(name),
    label: labelOf(name, text, table, reader),
    passages: text.graph.documentFrequency(name),
    places: places.slice(0, MOST_PLACES),
  }
}
