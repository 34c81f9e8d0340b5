/**
 * What speaks for a route: log odds, fit on the training questions of HotpotQA and MuSiQue and on
 * the first steps of MuSiQue's chains, so that the likeliest route passes the gold documents and
 * ends at the one that holds the answer.
 */
export const ROUTE_WEIGHTS = {
  /** It starts at the document about its seed. */
  titled: 0.81,
  /** Logarithms: of the score of its first passage and of those after it over the best one's. */
  start: 1.79,
  next: 1.03,
  /** Of the strength of each link, at most 0. */
  link: 2.03,
  /** Share of the question's terms that its passages hold together. */
  covered: 2.06,
  /** Of the terms it holds so far, the share that each next passage lacks: a step forward. */
  left: 1.75,
  /**
   * Logarithm of the share of the short answer's likelihood in its last passage: of a single fact,
   * and of the end of a chain.
   */
  oneFact: 0.2,
  twoFacts: 0.43,
  /** Logarithm of the probability that a single fact is asked for, or a chain. */
  facts: 0.81,
  /**
   * Terms near the question word, by which the answer is asked for: those that the last passage has
   * beyond the first, and the difference of the two.
   */
  askedNew: 1.68,
  askedMore: 0.47,
  /** Of two documents or more, of three or more, of four. */
  longer: [0, 1.31, -1.8, -1.27],
} as const
