/** Signals of an answer and their calibration. */

/** What tells a question that the documents answer from one that they do not; all about [0, 1]. */
export interface Signals {
  readonly cosine: number
  readonly secondCosine: number
  readonly bestCosine: number
  readonly sentenceCosine: number
  readonly quoteCosine: number
  readonly passageTerms: number
  readonly sentenceTerms: number
  readonly contextTerms: number
  readonly linkTerms: number
  readonly firstTerms: number
  readonly firstPassageTerms: number
  readonly pairs: number
  readonly unknown: number
  readonly kind: number
  readonly nearKind: number
  readonly seeds: number
  readonly seedsInTitle: number
  readonly named: number
  readonly gate: number
  readonly needsTwo: number
  readonly peak: number
  readonly size: number
  readonly length: number
}

export interface TierCalibration {
  readonly constant: number
  readonly weights: Readonly<Record<keyof Signals, number>>
  /** Confidence below which nothing was found, and from which something was. */
  readonly none: number
  readonly found: number
}
