/**
 * Weights of the quotes, fit on the training questions of HotpotQA and MuSiQue and on MuSiQue's
 * single steps: how a sentence answers one fact, how it ends a chain of two, and which of the two a
 * question asks for. By feature of sentences.ts.
 */
import type { Feature } from './features.ts'

export type SentenceWeights = Readonly<Record<Feature, number>>

export const ONE_FACT: SentenceWeights = {
  score: 3.03,
  rank: 0.88,
  cosine: 2.67,
  terms: 2.21,
  termsWithTitle: 2.11,
  termsNotInTitle: -0.12,
  pairs: 0.05,
  kind: 2.71,
  kindUnknown: 0,
  newName: 0.68,
  first: 0.18,
  place: -0.87,
  length: -0.13,
  seeds: 0.28,
  seedsInTitle: 2.08,
  previousTerms: -0.15,
  bridge: 0.43,
  option: -0.33,
  questionMark: 0,
  rank1: 0.01,
  short: -0.27,
  passageTerms: 1.35,
  passageBest: 1.8,
  bestTerms: 1.07,
  rank1PassageTerms: -0.37,
  contextTerms: 1.24,
  nearKind: 0.38,
  twoWordName: 1.79,
  copula: 0.24,
  logScore: 1.28,
  cosineBelowBest: 2.67,
  termsInPassageTerms: 0,
  kindWithTerms: 0,
}

export const TWO_FACTS: SentenceWeights = {
  score: 2.53,
  rank: 2.92,
  cosine: 0.4,
  terms: 0.5,
  termsWithTitle: 1.66,
  termsNotInTitle: 3.46,
  pairs: -0.5,
  kind: 2.6,
  kindUnknown: 0,
  newName: 1.62,
  first: 1,
  place: -0.2,
  length: 0.09,
  seeds: -1.22,
  seedsInTitle: -0.61,
  previousTerms: -0.43,
  bridge: 0.61,
  option: -0.37,
  questionMark: -0.03,
  rank1: -2.49,
  short: -0.17,
  passageTerms: -2.48,
  passageBest: -2.92,
  bestTerms: 0.74,
  rank1PassageTerms: 1.45,
  contextTerms: -0.44,
  nearKind: 0.95,
  twoWordName: 0.55,
  copula: 0.13,
  logScore: 4.85,
  cosineBelowBest: 0.4,
  termsInPassageTerms: -0.78,
  kindWithTerms: -1.63,
}

/** Log odds that two facts are needed. */
export const FACTS_GATE = {
  constant: -0.76,
  passageTerms: -1.62,
  termsWithTitle: -1.44,
  length: 5.25,
  secondScore: 0.56,
  clauses: 3.51,
  cosine: -0.51,
  bridge: 1.73,
  terms: -1.99,
  firstPassageTerms: -0.72,
} as const

/** Of the cosine of question and sentence, for one fact and for two. */
export const SENTENCE_COSINE = { oneFact: 7, twoFacts: 0 } as const
