/**
 * Paths through names and documents, of an answer and between two names; a span of text backs every
 * step.
 */
import type { Span } from './documents.ts'

export interface PathNode {
  readonly kind: 'entity' | 'document'
  /** Canonical name of an entity, or a document id. */
  readonly id: string
  readonly label: string
}

/** What a document states of two names, where a step follows it. */
export interface StepRelation {
  readonly subject: string
  readonly predicate: string
  readonly object: string
  /** `given` by `addRelations`, or read off a `heading`, a `link` or a `list`. */
  readonly origin: 'given' | 'heading' | 'link' | 'list'
}

/**
 * One edge of a path, with the text that carries it: `document.text.slice(start, end) === text`.
 */
export interface PathStep {
  /**
   * `mentions`; `titled` where the document is about the name; `similar` between neighbours in kNN
   * mode; else what the document states: a given predicate, `links to`, `under heading`, `listed
   * under`.
   */
  readonly predicate: 'mentions' | 'titled' | 'similar' | (string & {})
  /** There where the predicate is that of a relation. */
  readonly relation?: StepRelation
  readonly documentId: string
  /**
   * The mention itself; of a given relation the range from one name to the other, of a link its
   * label, of a heading or an item its words. For `titled`, the span is of the title and `inTitle`
   * is true.
   */
  readonly start: number
  readonly end: number
  readonly text: string
  readonly inTitle: boolean
  /** The sentence around the mention, offsets into the document's text. */
  readonly sentence: Span & { readonly text: string }
}

/** seed -> document -> entity -> document …; `steps[i]` joins `nodes[i]` and `nodes[i + 1]`. */
export interface ReasoningPath {
  /**
   * How likely this is the path to the answer, of all that were weighed: in (0, 1], best first. With
   * the Python planner the share of the walk's mass that it carries.
   */
  readonly score: number
  readonly nodes: readonly PathNode[]
  readonly steps: readonly PathStep[]
  /** The path in words. */
  readonly sentence: string
}

export interface RouteBetween {
  readonly hops: number
  readonly nodes: readonly PathNode[]
  readonly steps: readonly PathStep[]
}
