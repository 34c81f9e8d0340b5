/**
 * Proximity: the share of the question's neighbouring terms that stand together in a passage, after
 * the sequential dependence model (Metzler and Croft, 2005).
 *
 * BM25 cannot tell "renew a licence" from a page that renews one thing and licenses another.
 */
import type { PassageWords } from '../graph/passage_reader.ts'
import type { TextIndex } from '../graph/text_index.ts'
import type { Question } from './question.ts'

/** Words from one term to the other: in the question's order side by side, or near in any order. */
const SIDE_BY_SIDE = 2,
  NEAR = 8
/** What near is worth against side by side. */
const NEAR_SHARE = 0.5

export class Proximity {
  /** Place in the question of each of its terms. */
  private readonly places: ReadonlyMap<number, number>
  /** Worth of the pair that ends at each place: the idf of its more common term. */
  private readonly worths: readonly number[]
  private readonly total: number

  constructor(
    { distinct }: Pick<Question, 'distinct'>,
    private readonly index: TextIndex,
  ) {
    const { lexical } = index
    this.places = new Map(distinct.map((term, at) => [term, at]))
    this.worths = distinct.map((term, at) =>
      at === 0 ? 0 : Math.min(lexical.idf(distinct[at - 1]!), lexical.idf(term)),
    )
    this.total = this.worths.reduce((a, b) => a + b, 0)
  }

  /** In [0, 1]: 1 where all neighbours stand side by side, each pair weighed by its idf. */
  of({ ids }: PassageWords): number {
    const { worths, total, places, index } = this
    if (total === 0) return 0
    const last = new Int32Array(worths.length).fill(-NEAR - 1),
      found = new Float64Array(worths.length)
    const meet = (pair: number, share: number): void => {
      if (share > found[pair]!) found[pair] = share
    }
    for (let at = 0; at < ids.length; at++) {
      const word = ids[at]!,
        place = word < 0 ? undefined : places.get(index.vocabulary.termOf(word))
      if (place === undefined) continue
      if (place > 0) {
        const apart = at - last[place - 1]!
        if (apart <= NEAR) meet(place, apart <= SIDE_BY_SIDE ? 1 : NEAR_SHARE)
      }
      if (place + 1 < worths.length && at - last[place + 1]! <= NEAR) meet(place + 1, NEAR_SHARE)
      last[place] = at
    }
    let sum = 0
    for (let pair = 1; pair < worths.length; pair++) sum += worths[pair]! * found[pair]!
    return sum / total
  }
}
