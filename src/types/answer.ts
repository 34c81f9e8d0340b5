/** The answer to a question: quotes, sources, packed context, and how it came about. */
import type { Tier } from './asking.ts'
import type { Metadata, Span } from './documents.ts'
import type { ReasoningPath } from './paths.ts'

/** Where a passage's score comes from; the parts add up to `score` (within 1e-9). */
export interface ScoreContributions {
  /** Cosine of question and passage. */
  readonly meaning: number
  /** BM25 of the question's words. */
  readonly words: number
  /** Random walk from the question's names over the entity graph. */
  readonly graph: number
  /** Its document is about a name in the question. */
  readonly title: number
  /**
   * A sentence of one of the best passages leads to it by a name, and it covers words of the
   * question that one lacks.
   */
  readonly bridge: number
}

/** A span of a document that shows why it is here. */
export interface Evidence extends Span {
  readonly text: string
  readonly kind: 'name' | 'term' | 'sentence'
}

/** Where a text stands in its document. */
export interface Place {
  /**
   * The headings above it from the outermost, `Fees > Guests`, without the document's title; left
   * out where there are none.
   */
  readonly section?: string
  /** Page of a paged document, from 1; left out where the document has no pages. */
  readonly page?: number
  /** Row of a table that was read row by row, from 1 below its header. */
  readonly row?: number
}

/** What stands over the text of a document from an offset on. */
export interface Label {
  readonly start: number
  /** The headings, as in `Place`; '' for none. */
  readonly section: string
  /** The header row of the table that goes on here, cells parted by bars; '' for none. */
  readonly header: string
}

/** A ranked passage. `text === document.text.slice(start, end)`. */
export interface Source extends Place {
  /** From 1. */
  readonly rank: number
  readonly documentId: string
  readonly title: string
  /** Position of the passage in its document, from 0. */
  readonly passage: number
  readonly start: number
  readonly end: number
  readonly text: string
  /** Rounded to 1e-9. */
  readonly score: number
  readonly contributions: ScoreContributions
  /**
   * Cosine of question and passage in [-1, 1]; null where the passage has no vector yet or the
   * question none.
   */
  readonly cosine: number | null
  /** Best sentence first in reading order; offsets into the document's text. */
  readonly evidence: readonly Evidence[]
  readonly metadata: Metadata
  /** What stands over its parts, from its first character on; left out where nothing does. */
  readonly labels?: readonly Label[]
}

/**
 * Sentences of a document that answer. `text === document.text.slice(start, end)`. Its place is that
 * of the highlight.
 */
export interface Quote extends Span, Place {
  readonly documentId: string
  readonly title: string
  readonly text: string
  /** The part that answers: offsets into the document's text, within [start, end]; never empty. */
  readonly highlight: Span
}

/** The short answer: quotes of the documents, no generated text. */
export interface Answer {
  /**
   * `found`: the quotes hold an answer. `unsure`: they are the nearest and may not answer. `none`:
   * probably not in the documents; the quotes are the nearest and `reasoning` is empty.
   */
  readonly state: 'found' | 'unsure' | 'none'
  /** That the documents hold an answer, in [0, 1]; calibrated for each tier. */
  readonly confidence: number
  /** Best first: at most three, of one or two sentences each, at most 60 words in all. */
  readonly quotes: readonly Quote[]
}

/** A numbered block of the packed context; its place is that of its first piece. */
export interface ContextBlock extends Place {
  /** The number shown as `[n]`, from 1; also the rank order of packing. */
  readonly n: number
  readonly documentId: string
  readonly title: string
  /**
   * Ranks of the passages whose text is in this block; those up to `topK` are among the sources,
   * the context may reach further down.
   */
  readonly ranks: readonly number[]
  /** Offsets into the document's text of each piece, in reading order. */
  readonly spans: readonly Span[]
  readonly text: string
  readonly tokens: number
}

/** A ranked passage that is not in the context, and why. */
export interface Omission {
  readonly rank: number
  readonly documentId: string
  readonly passage: number
  readonly reason: 'budget' | 'duplicate' | 'document-share' | 'nothing-new' | 'relevance'
}

/** A name of the question that the corpus knows. */
export interface SeedReport {
  readonly name: string
  readonly label: string
  /** Passages that mention it. */
  readonly passages: number
  readonly origin: 'question' | 'injected' | 'fuzzy'
  /** Part of the restart distribution, in (0, 1]. */
  readonly weight: number
}

export interface RetrieveDebug {
  /** The question as it was read: completed from `history` where it leaned on it. */
  readonly question: string
  /** Which tier answered: `full` used the question's vector. */
  readonly tier: Tier
  readonly mode: 'graph' | 'hybrid' | 'kg' | 'knn'
  readonly passages: number
  readonly passagesWithVectors: number
  readonly seeds: readonly SeedReport[]
  /** Names given as `seedEntities` that the corpus does not know. */
  readonly unknownSeeds: readonly string[]
  readonly excludedDocuments: readonly string[]
  /** Trust in the graph for this question, in [0, 1]. */
  readonly gate: number
  /**
   * `candidates`: passages that walk, titles and bridges put forward, one by each of them counting
   * once for each.
   */
  readonly walk: {
    readonly pushes: number
    readonly touchedEdges: number
    readonly residual: number
    readonly candidates: number
  }
  /** Milliseconds of each stage; outside the determinism promise. */
  readonly timings: Readonly<Record<string, number>>
  readonly warnings: readonly string[]
  /** Why `reasoning` is empty; null where it is not. */
  readonly noReasoning: string | null
  /** Generation of the corpus that was answered from. */
  readonly generation: number
}

export interface RetrieveResult {
  readonly answer: Answer
  readonly context: string
  readonly contextTokens: number
  readonly blocks: readonly ContextBlock[]
  readonly omitted: readonly Omission[]
  readonly sources: readonly Source[]
  /** The path to the answer first; where it is empty, `debug.noReasoning` says why. */
  readonly reasoning: readonly ReasoningPath[]
  readonly debug: RetrieveDebug
}
