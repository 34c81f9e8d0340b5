/** What the search for reasoning paths is asked, and what it finds. */
import type { PassageReader } from '../graph/passage_reader.ts'
import type { TextIndex } from '../graph/text_index.ts'
import type { Question } from '../retrieve/question.ts'
import type { RankedSlot } from '../retrieve/rank.ts'
import type { Seed } from '../retrieve/seeds.ts'
import type { AnswerShares } from '../sentences/scores.ts'

export interface Route {
  /** The seed's name, or -1 for a route that starts at a document. */
  readonly seed: number
  readonly slots: readonly number[]
  /** `names[i]` joins `slots[i]` and `slots[i + 1]`. */
  readonly names: readonly number[]
  /** Share of the likelihood of all routes that were weighed, in (0, 1]. */
  readonly score: number
}

export interface RouteRequest {
  readonly ranked: readonly RankedSlot[]
  readonly seeds: readonly Seed[]
  readonly question: Question
  readonly index: TextIndex
  readonly reader: PassageReader
  readonly answers: AnswerShares
  /** Whether two slots are passages of one document: links lead to other documents. */
  readonly same: (a: number, b: number) => boolean
  /** Routes wanted. */
  readonly most: number
}

/** A route under way: places among the best passages, and the names between them. */
export interface Draft {
  readonly seed: number
  readonly ranks: readonly number[]
  readonly names: readonly number[]
  readonly score: number
}
