/** Where a name, or a pair of names, stands in a text letter by letter as whole words. */
import { sentenceSpans } from '../chunk/sentence_spans.ts'
import { UNSPACED_SCRIPTS } from '../lexical/words.ts'
import type { Span } from '../types.ts'

export interface PairEvidence extends Span {
  /** The sentence around both names, or the sentences from one to the other. */
  readonly sentence: Span
}

const LETTER = /[\p{L}\p{N}\p{M}]/u
/** Scripts without spaces: there, a name may begin and end inside a run of letters. */
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'u')

/** One text, looked at by many names; each is searched once. */
export class TextEvidence {
  private readonly text: string
  private readonly found = new Map<string, readonly number[]>()
  private sentences: readonly Span[] | null = null

  constructor(text: string) {
    this.text = text
  }

  /** Where the name first stands; null where it does not. */
  first(name: string): Span | null {
    const start = this.starts(name)[0]
    return start === undefined ? null : { start, end: start + name.length }
  }

  /**
   * The span over fewest sentences, of those the shortest, of those the first, that holds both
   * names side by side; null where one of them is missing.
   */
  pair(subject: string, object: string): PairEvidence | null {
    const a = this.starts(subject),
      b = this.starts(object)
    let best: (Span & { readonly across: number }) | null = null
    const offer = (x: number, y: number): void => {
      // One name inside the other is no second mention.
      if (x < y + object.length && y < x + subject.length) return
      const start = Math.min(x, y),
        end = Math.max(x + subject.length, y + object.length)
      const across = this.sentenceAt(end - 1) - this.sentenceAt(start)
      if (
        !best ||
        across < best.across ||
        (across === best.across && end - start < best.end - best.start)
      )
        best = { start, end, across }
    }
    // For each mention of the subject, the object's nearest before and behind; an overlapping one
    // moves the look one further.
    let next = 0
    for (const x of a) {
      while (next < b.length && b[next]! < x) next++
      for (let i = Math.max(0, next - 2); i < Math.min(b.length, next + 2); i++) offer(x, b[i]!)
    }
    const found = best as Span | null
    return found && { start: found.start, end: found.end, sentence: this.sentenceOf(found) }
  }

  private starts(name: string): readonly number[] {
    const known = this.found.get(name)
    if (known) return known
    const starts: number[] = []
    for (
      let at = name === '' ? -1 : this.text.indexOf(name);
      at >= 0;
      at = this.text.indexOf(name, at + name.length)
    )
      if (this.isWhole(at, at + name.length)) starts.push(at)
    this.found.set(name, starts)
    return starts
  }

  private isWhole(start: number, end: number): boolean {
    return (
      !joined(this.before(start), this.text.codePointAt(start)) &&
      !joined(this.before(end), this.text.codePointAt(end))
    )
  }

  private before(at: number): number | undefined {
    const low = this.text.charCodeAt(at - 1)
    return low >= 0xdc00 && low <= 0xdfff && at >= 2
      ? this.text.codePointAt(at - 2)
      : at > 0
        ? low
        : undefined
  }

  private sentenceOf({ start, end }: Span): Span {
    const first = this.spans[this.sentenceAt(start)],
      last = this.spans[this.sentenceAt(end - 1)]
    return { start: Math.min(start, first?.start ?? start), end: Math.max(end, last?.end ?? end) }
  }

  /**
   * Number of the last sentence that begins at or before an offset, by halving; -1 before the
   * first.
   */
  private sentenceAt(at: number): number {
    let low = 0,
      high = this.spans.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.spans[middle]!.start <= at) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  private get spans(): readonly Span[] {
    return (this.sentences ??= sentenceSpans(this.text))
  }
}

function joined(left: number | undefined, right: number | undefined): boolean {
  if (left === undefined || right === undefined) return false
  const a = String.fromCodePoint(left),
    b = String.fromCodePoint(right)
  return LETTER.test(a) && LETTER.test(b) && !UNSPACED.test(a) && !UNSPACED.test(b)
}
