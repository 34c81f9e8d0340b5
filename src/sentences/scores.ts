/**
 * How likely each sentence of the best passages holds the answer: a mixture of two linear models,
 * one for a single fact and one for the end of a chain of two.
 */
import { exp } from '../base/math.ts'
import type { Tier } from '../types.ts'
import { readSentences, type Feature, type Sentence } from './features.ts'
import { questionKind, type QuestionKind } from './question_kind.ts'
import { QuestionTerms } from './question_terms.ts'
import type { SentenceRequest } from './raw_sentences.ts'
import { FACTS_GATE, SENTENCE_WEIGHTS, type Model } from './weights.ts'

/** Passages whose sentences may answer. */
export const ANSWER_PASSAGES = 10
/** Sentences that are compared with the question by meaning: one run of the model each. */
export const COMPARED_SENTENCES = 20
/** A sentence longer than a whole answer is never quoted. */
export const MOST_WORDS = 60
const FEATURES = Object.keys(SENTENCE_WEIGHTS.text.oneFact.features) as (keyof Model['features'])[]

export interface ScoredSentences {
  readonly request: SentenceRequest
  readonly sentences: readonly Sentence[]
  readonly tier: Tier
  /** Log weights of each sentence under both models. */
  readonly oneFact: readonly number[]
  readonly twoFacts: readonly number[]
  /** Probability that two facts are needed. */
  readonly needsTwo: number
  /** Sentences to compare with the question, best first. */
  readonly compared: readonly number[]
}

export function scoreSentences(
  request: Omit<SentenceRequest, 'kind' | 'terms'>,
  maker: { readonly terms?: QuestionTerms; readonly kind?: QuestionKind } = {},
): ScoredSentences {
  const full: SentenceRequest = {
    ...request,
    kind: maker.kind ?? questionKind(request.question.text),
    terms: maker.terms ?? new QuestionTerms(request.question, request.index),
  }
  const sentences = readSentences(full),
    tier = full.passages[0]?.cosine == null ? 'text' : 'full',
    weights = SENTENCE_WEIGHTS[tier],
    oneFact = sentences.map((sentence) => weighed(sentence, weights.oneFact)),
    twoFacts = sentences.map((sentence) => weighed(sentence, weights.twoFacts)),
    needsTwo = needsTwoFacts(full, sentences, tier),
    likely = mixture(oneFact, twoFacts, needsTwo)
  const compared = [...likely.keys()]
    .filter((i) => fits(sentences[i]!))
    .sort((a, b) => likely[b]! - likely[a]! || a - b)
    .slice(0, COMPARED_SENTENCES)
  return { request: full, sentences, tier, oneFact, twoFacts, needsTwo, compared }
}

/** Where the answer stands, as far as words tell: shares of the likelihood by passage. */
export interface AnswerShares {
  /** Of a single fact, and of the end of a chain. */
  readonly oneFact: readonly number[]
  readonly twoFacts: readonly number[]
  /** Probability that a chain is asked for. */
  readonly needsTwo: number
}

export function answerShares({
  sentences,
  request,
  oneFact,
  twoFacts,
  needsTwo,
}: ScoredSentences): AnswerShares {
  const byPassage = (logs: readonly number[]): number[] => {
    const shares = request.passages.map(() => 0)
    softmax(logs).forEach((share, i) => (shares[sentences[i]!.passage]! += share))
    return shares
  }
  return { oneFact: byPassage(oneFact), twoFacts: byPassage(twoFacts), needsTwo }
}

/** The texts to embed, in the order in which `likelihoods` takes their cosines. */
export function comparedTexts({ compared, sentences, request }: ScoredSentences): string[] {
  return compared.map((i) => {
    const { text, passage } = sentences[i]!,
      { title } = request.passages[passage]!
    return title === '' ? text : `${title}. ${text}`
  })
}

function weighed({ features }: Sentence, weights: Model): number {
  let sum = 0
  for (const feature of FEATURES) sum += weights.features[feature] * features[feature]
  return sum
}

/** Not by its length: long questions of one fact are as common as short ones of two. */
function needsTwoFacts(
  { question, passages }: SentenceRequest,
  sentences: readonly Sentence[],
  tier: Tier,
): number {
  const most = (feature: Feature, of = sentences): number =>
      Math.max(0, ...of.map(({ features }) => features[feature])),
    clauses = question.text
      .toLowerCase()
      .slice(6)
      .match(/\b(?:of|that|which|who|whose|where|when|by|in which|'s)\b/g),
    first = sentences.filter(({ passage }) => passage === 0),
    gate = FACTS_GATE[tier]
  const z =
    gate.constant +
    gate.passageTerms * most('passageTerms') +
    gate.termsWithTitle * most('termsWithTitle') +
    gate.secondScore * (passages[1] ? passages[1].score / Math.max(1e-9, passages[0]!.score) : 0) +
    gate.clauses * ((clauses?.length ?? 0) / 4) +
    gate.cosine * (passages[0]?.cosine ?? 0) +
    gate.bridge * most('bridge') +
    gate.terms * most('terms') +
    gate.firstPassageTerms * most('termsWithTitle', first) +
    gate.linkTerms * most('linkTerms')
  return 1 / (1 + exp(-z))
}

function softmax(logs: readonly number[]): number[] {
  const top = Math.max(...logs),
    parts = logs.map((x) => exp(x - top)),
    sum = parts.reduce((a, b) => a + b, 0)
  return parts.map((x) => x / sum)
}

function mixture(
  oneFact: readonly number[],
  twoFacts: readonly number[],
  needsTwo: number,
): number[] {
  const one = softmax(oneFact),
    two = softmax(twoFacts)
  return one.map((x, i) => (1 - needsTwo) * x + needsTwo * two[i]!)
}

/**
 * Of each sentence, adding up to 1. `cosines`: of the question and the compared sentences; the
 * others count as the least alike of them.
 */
export function likelihoods(draft: ScoredSentences, cosines: readonly number[] | null): number[] {
  const { sentences, oneFact, twoFacts, needsTwo, compared, tier } = draft
  if (cosines === null || cosines.length === 0) return mixture(oneFact, twoFacts, needsTwo)
  const least = Math.min(...cosines),
    known = new Map(compared.map((i, at) => [i, cosines[at]!])),
    alike = sentences.map((_, i) => known.get(i) ?? least),
    beside = (i: number, other: number): number =>
      sentences[other]?.passage === sentences[i]!.passage ? alike[other]! : alike[i]!,
    add = (logs: readonly number[], weights: Model): number[] =>
      logs.map(
        (x, i) =>
          x +
          weights.sentenceCosine * alike[i]! +
          weights.previousCosine * beside(i, i - 1) +
          weights.nextCosine * beside(i, i + 1),
      )
  const { oneFact: one, twoFacts: two } = SENTENCE_WEIGHTS[tier]
  return mixture(add(oneFact, one), add(twoFacts, two), needsTwo)
}

export function fits({ words }: Sentence): boolean {
  return words > 0 && words <= MOST_WORDS
}
