/**
 * Which sentences are quoted: a knapsack of 60 words and three quotes, each of one sentence or two
 * that stand side by side, by how likely each sentence answers. Exact, by dynamic programming.
 */
import { sideBySide, type Sentence } from '../sentences/features.ts'
import { fits, MOST_WORDS, type ScoredSentences } from '../sentences/scores.ts'

const MOST_QUOTES = 3
/** Likeliest sentences that are tried. */
const TRIED = 40
/** A sentence less likely than this part of the likeliest adds nothing. */
const LEAST_PART = 0.005
/** Worth of a sentence about one of the two that a question names to choose between. */
const OPTION_WORTH = 0.5

/** A quote: numbers of its one or two sentences, in reading order. */
export type Run = readonly number[]

interface State {
  readonly worth: number
  readonly words: number
  readonly runs: readonly Run[]
}

/** Best first; empty where nothing fits. */
export function chooseQuotes(draft: ScoredSentences, likely: readonly number[]): Run[] {
  const worth = worths(draft, likely),
    tried = candidates(draft.sentences, likely, worth)
  // by quotes and words; `open` are those whose last run may take the sentence that follows
  let closed = new Map<number, State>([[0, { worth: 0, words: 0, runs: [] }]]),
    open = new Map<number, State>()
  for (const i of tried) {
    const { words } = draft.sentences[i]!,
      next = merged(closed, open),
      starting = new Map<number, State>()
    for (const state of next.values())
      if (state.runs.length < MOST_QUOTES)
        put(starting, extended(state, [...state.runs, [i]], words, worth[i]!))
    for (const state of open.values()) {
      const last = state.runs.at(-1)!
      if (last[0] !== i - 1 || !sideBySide(draft.sentences[i - 1]!, draft.sentences[i]!)) continue
      put(next, extended(state, [...state.runs.slice(0, -1), [i - 1, i]], words, worth[i]!))
    }
    closed = next
    open = starting
  }
  let best: State = { worth: -1, words: 0, runs: [] }
  for (const state of merged(closed, open).values()) if (state.worth > best.worth) best = state
  const value = (run: Run): number => run.reduce((sum, i) => sum + likely[i]!, 0)
  return [...best.runs].sort((a, b) => value(b) - value(a) || a[0]! - b[0]!)
}

/** In reading order: the likeliest that may add evidence. */
function candidates(
  sentences: readonly Sentence[],
  likely: readonly number[],
  worth: readonly number[],
): number[] {
  const able = [...likely.keys()]
      .filter((i) => fits(sentences[i]!))
      .sort((a, b) => worth[b]! - worth[a]! || a - b),
    top = able[0]
  if (top === undefined) return []
  return able
    .slice(0, TRIED)
    .filter(
      (i) => i === top || (isEvidence(sentences[i]!) && likely[i]! >= LEAST_PART * likely[top]!),
    )
    .sort((a, b) => a - b)
}

/** Has a word of the question, stands beside one that has, or is linked with another passage. */
function isEvidence({ features }: Sentence): boolean {
  return features.contextTerms > 0 || features.linkedFrom > 0 || features.linksTo > 0
}

/** How likely each answers; of "A or B?" the best sentence about A and about B are both wanted. */
function worths({ sentences, request }: ScoredSentences, likely: readonly number[]): number[] {
  const out = [...likely]
  for (const option of request.kind.options) {
    let best = -1
    for (const [i, sentence] of sentences.entries()) {
      const about =
        sentence.text.toLowerCase().includes(option) ||
        request.passages[sentence.passage]!.title.toLowerCase().includes(option)
      if (about && fits(sentence) && (best < 0 || likely[i]! > likely[best]!)) best = i
    }
    if (best >= 0) out[best]! += OPTION_WORTH
  }
  return out
}

function extended(state: State, runs: readonly Run[], words: number, worth: number): State {
  return { worth: state.worth + worth, words: state.words + words, runs }
}

/** Keeps the better of the states with as many quotes and words, the earlier of equals. */
function put(states: Map<number, State>, state: State): void {
  if (state.words > MOST_WORDS) return
  const key = state.runs.length * (MOST_WORDS + 1) + state.words,
    known = states.get(key)
  if (known === undefined || known.worth < state.worth) states.set(key, state)
}

function merged(a: ReadonlyMap<number, State>, b: ReadonlyMap<number, State>): Map<number, State> {
  const out = new Map(a)
  for (const state of b.values()) put(out, state)
  return out
}
