/**
 * How likely each sentence of the best passages holds the answer: a mixture of two linear models,
 * one for a single fact and one for the end of a chain of two.
 */
import { exp } from '../base/math.ts'
import { readSentences, type Feature, type Sentence, type SentenceRequest } from './features.ts'
import { questionKind, type QuestionKind } from './question_kind.ts'
import { QuestionTerms } from './question_terms.ts'
import {
  FACTS_GATE,
  ONE_FACT,
  SENTENCE_COSINE,
  TWO_FACTS,
  type SentenceWeights,
} from './weights.ts'

/** Passages whose sentences may answer. */
export const ANSWER_PASSAGES = 8
/** Sentences that are compared with the question by meaning: one run of the model each. */
export const COMPARED_SENTENCES = 16
/** A sentence longer than a whole answer is never quoted. */
export const MOST_WORDS = 60
const FEATURES = Object.keys(ONE_FACT) as Feature[]

export interface ScoredSentences {
  readonly request: SentenceRequest
  readonly sentences: readonly Sentence[]
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
    oneFact = sentences.map((sentence) => weighed(sentence, ONE_FACT)),
    twoFacts = sentences.map((sentence) => weighed(sentence, TWO_FACTS)),
    needsTwo = needsTwoFacts(full, sentences),
    likely = mixture(oneFact, twoFacts, needsTwo)
  const compared = [...likely.keys()]
    .filter((i) => fits(sentences[i]!))
    .sort((a, b) => likely[b]! - likely[a]! || a - b)
    .slice(0, COMPARED_SENTENCES)
  return { request: full, sentences, oneFact, twoFacts, needsTwo, compared }
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

function weighed({ features }: Sentence, weights: SentenceWeights): number {
  let sum = 0
  for (const feature of FEATURES) sum += weights[feature] * features[feature]
  return sum
}

function needsTwoFacts(
  { question, passages }: SentenceRequest,
  sentences: readonly Sentence[],
): number {
  const most = (feature: Feature, of = sentences): number =>
      Math.max(0, ...of.map(({ features }) => features[feature])),
    text = question.text.toLowerCase(),
    clauses = text.slice(6).match(/\b(?:of|that|which|who|whose|where|when|by|in which|'s)\b/g)
  const z =
    FACTS_GATE.constant +
    FACTS_GATE.passageTerms * most('passageTerms') +
    FACTS_GATE.termsWithTitle * most('termsWithTitle') +
    FACTS_GATE.length * Math.min(2, text.split(/\s+/).length / 20) +
    FACTS_GATE.secondScore *
      (passages[1] ? passages[1].score / Math.max(1e-9, passages[0]!.score) : 0) +
    FACTS_GATE.clauses * ((clauses?.length ?? 0) / 4) +
    FACTS_GATE.cosine * (passages[0]?.cosine ?? 0) +
    FACTS_GATE.bridge * most('bridge') +
    FACTS_GATE.terms * most('terms') +
    FACTS_GATE.firstPassageTerms *
      most(
        'termsWithTitle',
        sentences.filter(({ passage }) => passage === 0),
      )
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

/** Of each sentence, adding up to 1; those not compared count as the least alike of the compared. */
export function likelihoods(draft: ScoredSentences, cosines: readonly number[] | null): number[] {
  const { oneFact, twoFacts, needsTwo, compared } = draft
  if (cosines === null || cosines.length === 0) return mixture(oneFact, twoFacts, needsTwo)
  const least = Math.min(...cosines),
    alike = new Map(compared.map((i, at) => [i, cosines[at]!])),
    add = (logs: readonly number[], weight: number): number[] =>
      logs.map((x, i) => x + weight * (alike.get(i) ?? least))
  return mixture(
    add(oneFact, SENTENCE_COSINE.oneFact),
    add(twoFacts, SENTENCE_COSINE.twoFacts),
    needsTwo,
  )
}

export function fits({ words }: Sentence): boolean {
  return words > 0 && words <= MOST_WORDS
}
