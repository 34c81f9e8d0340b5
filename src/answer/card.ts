/**
 * The short answer: which sentences of the best passages answer, what of them is marked, and how
 * likely the documents hold an answer. Extractive: a mixture of two linear models over sentences,
 * one for a single fact and one for the end of a chain of two.
 */
import { ln, roundScore } from '../base/math.ts'
import type { Answer, Quote } from '../types.ts'
import { highlightOf } from './highlight.ts'
import { sideBySide, type Feature } from '../sentences/features.ts'
import { likelihoods, MOST_WORDS, type ScoredSentences } from '../sentences/scores.ts'
import { CALIBRATION } from './calibration.ts'
import { chooseQuotes, type Run } from './choice.ts'
import { confidenceOf, stateOf, type Signals } from './state.ts'

/** Sentences that begin so are quoted with the one before. */
const PRONOUN_FIRST = new RegExp(
  '^(?:he|she|it|they|his|her|its|their|this|these|that|those|er|sie|es|sein|seine|ihre?|dies\\w*)\\b|' +
    '^[\u4ed6\u5979\u5b83\u8fd9\u90a3\u5f7c]|^\u305d[\u308c\u306e\u3053]|^\u3053[\u308c\u306e]',
  'i',
)

/**
 * `cosines` of question and compared sentences; null in the text tier. `gate`: the ranking's trust
 * in the graph.
 */
export function answerOf(
  draft: ScoredSentences,
  cosines: readonly number[] | null,
  gate: number,
): { readonly answer: Answer; readonly signals: Signals } {
  const { sentences, request } = draft,
    likely = likelihoods(draft, cosines),
    runs = chooseQuotes(draft, likely),
    chosen = runs.map((run) => run.reduce((a, b) => (likely[b]! > likely[a]! ? b : a))),
    signals = signalsOf(draft, cosines, chosen, likely, gate),
    tier = request.passages[0]?.cosine == null ? 'text' : 'full',
    confidence = sentences.length === 0 ? 0 : confidenceOf(signals, CALIBRATION[tier])
  return {
    answer: {
      state: stateOf(confidence, tier),
      confidence: roundScore(confidence),
      quotes: quotesOf(runs, draft, likely),
    },
    signals,
  }
}

/** A pronoun at its beginning brings the sentence before where it fits. */
function quotesOf(
  runs: readonly Run[],
  draft: ScoredSentences,
  likely: readonly number[],
): Quote[] {
  const { sentences } = draft,
    used = new Set(runs.flat())
  let left = MOST_WORDS - [...used].reduce((sum, i) => sum + sentences[i]!.words, 0)
  return runs.map((run) => {
    const first = run[0]!,
      before = sentences[first - 1],
      sentence = sentences[first]!
    const wanted =
      run.length === 1 &&
      before !== undefined &&
      sideBySide(before, sentence) &&
      !used.has(first - 1) &&
      before.words <= left &&
      PRONOUN_FIRST.test(sentence.text)
    if (!wanted) return quoteOf(run, run, draft, likely)
    used.add(first - 1)
    left -= before.words
    return quoteOf([first - 1, ...run], run, draft, likely)
  })
}

/** `marked`: the sentences that answer; the others stand there to be understood. */
function quoteOf(
  members: Run,
  marked: Run,
  { sentences, request }: ScoredSentences,
  likely: readonly number[],
): Quote {
  const passage = request.passages[sentences[members[0]!]!.passage]!,
    from = sentences[members[0]!]!.start,
    to = sentences[members.at(-1)!]!.end,
    // the part nearest to the question's words, of sentences that answer before one for context
    [mark] = members
      .map((i) => {
        const { text, asked, start } = sentences[i]!
        return {
          ...highlightOf(text, request.question.text, request.kind, asked),
          base: passage.start + start,
          order: marked.includes(i) ? -likely[i]! : 1,
        }
      })
      .sort((x, y) => Math.min(0, x.cost) - Math.min(0, y.cost) || x.order - y.order)
  return {
    documentId: passage.documentId,
    title: passage.title,
    start: passage.start + from,
    end: passage.start + to,
    text: passage.text.slice(from, to),
    highlight: { start: mark!.base + mark!.start, end: mark!.base + mark!.end },
  }
}

function signalsOf(
  { sentences, request, needsTwo, compared }: ScoredSentences,
  cosines: readonly number[] | null,
  chosen: readonly number[],
  likely: readonly number[],
  gate: number,
): Signals {
  const known = 1 - request.terms.unknown,
    most = (feature: Feature): number =>
      Math.max(0, ...sentences.map(({ features }) => features[feature])),
    first = chosen.length > 0 ? sentences[chosen[0]!]! : null,
    alike = (i: number): number => cosines?.[compared.indexOf(i)] ?? 0
  return {
    cosine: request.passages[0]?.cosine ?? 0,
    secondCosine: request.passages[1]?.cosine ?? 0,
    bestCosine: Math.max(0, ...request.passages.map(({ cosine }) => cosine ?? 0)),
    sentenceCosine: Math.max(0, ...(cosines ?? [])),
    quoteCosine: first ? alike(chosen[0]!) : 0,
    passageTerms: known * most('passageTerms'),
    sentenceTerms: known * most('termsWithTitle'),
    contextTerms: known * most('contextTerms'),
    linkTerms: known * most('linkTerms'),
    firstTerms: known * (first?.features.termsWithTitle ?? 0),
    firstPassageTerms: known * (first?.features.passageTerms ?? 0),
    pairs: most('pairs'),
    unknown: request.terms.unknown,
    kind: first ? Math.max(first.features.kind, first.features.kindUnknown) : 0,
    nearKind: first?.features.nearKind ?? 0,
    seeds: most('seeds'),
    seedsInTitle: most('seedsInTitle'),
    named: request.seeds.size > 0 ? 1 : 0,
    gate,
    needsTwo,
    peak: first ? likely[chosen[0]!]! : 0,
    size: Math.min(1, ln(1 + request.index.size) / 11),
    length: Math.min(1, request.question.words.length / 30),
  }
}
