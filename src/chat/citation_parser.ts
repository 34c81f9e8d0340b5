/**
 * Owns finding citations in an answer that comes piece by piece. Refuses: changing a character of
 * it, and citations of blocks that do not exist: they are reported as unknown. Brackets in code
 * (`a[3]` between backticks) are text.
 */
import { LIMITS } from '../base/limits.ts'
import { readNumbers } from './citations.ts'
import type { Citation } from './citations.ts'

/**
 * A stretch of an answer; all texts joined are the answer. Offsets are UTF-16 units into the
 * answer.
 */
export type AnswerPart =
  | { readonly type: 'text'; readonly text: string; readonly start: number; readonly end: number }
  | {
      readonly type: 'citation'
      /** As written, with its brackets. */
      readonly text: string
      readonly start: number
      readonly end: number
      readonly citations: readonly Citation[]
      /** Numbers written here that no block of the context has. */
      readonly unknown: readonly number[]
    }

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['[', ']'],
  ['【', '】'],
])

/**
 * Takes an answer in pieces of any size, and gives the same parts for every way of cutting it, but
 * for where texts are split. Linear time.
 */
export class CitationParser {
  readonly #known: ReadonlyMap<number, Citation>
  readonly #out: AnswerPart[] = []
  /** Text that is not handed out yet, and its place in the answer. */
  #text = ''
  #at = 0
  /** An open bracket and what followed it, while that may become a citation. */
  #bracket = ''
  /** Backticks in a row just read. */
  #ticks = 0
  /** Backticks that opened the code we are in; 0 outside. */
  #code = 0
  #lineEnds = 0

  constructor(known: ReadonlyMap<number, Citation>) {
    this.#known = known
  }

  /** The parts that are certain now. */
  push(piece: string): readonly AnswerPart[] {
    for (const character of piece) this.#read(character)
    this.#flush()
    return this.#out.splice(0)
  }

  /** What was held back; call it once, when the answer is over. */
  end(): readonly AnswerPart[] {
    this.#giveUp()
    this.#flush()
    return this.#out.splice(0)
  }

  #read(character: string): void {
    if (character === '`') {
      this.#giveUp()
      this.#ticks++
      this.#text += character
      return
    }
    if (this.#ticks > 0) this.#endOfTicks()
    // Code between one or two backticks ends with its paragraph at the latest, as a lone backtick
    // is only that.
    this.#lineEnds = character === '\n' ? this.#lineEnds + 1 : 0
    if (this.#lineEnds > 1 && this.#code < 3) this.#code = 0
    if (this.#bracket !== '') {
      if (character === CLOSERS.get(this.#bracket[0]!)) return this.#close(character)
      if (isInside(character) && this.#bracket.length < LIMITS.citationChars) {
        this.#bracket += character
        return
      }
      this.#giveUp()
    }
    if (CLOSERS.has(character) && this.#code === 0) this.#bracket = character
    else this.#text += character
  }

  #endOfTicks(): void {
    if (this.#code === 0) this.#code = this.#ticks
    else if (this.#ticks === this.#code || (this.#code >= 3 && this.#ticks > this.#code))
      this.#code = 0
    this.#ticks = 0
  }

  #close(closer: string): void {
    const written = this.#bracket + closer
    const read = readNumbers(this.#bracket.slice(this.#bracket[1] === '^' ? 2 : 1), this.#known)
    this.#bracket = ''
    if (read === null) {
      this.#text += written
      return
    }
    this.#flush()
    this.#out.push({
      type: 'citation',
      text: written,
      start: this.#at,
      end: this.#at + written.length,
      ...read,
    })
    this.#at += written.length
  }

  #giveUp(): void {
    this.#text += this.#bracket
    this.#bracket = ''
  }

  #flush(): void {
    if (this.#text === '') return
    this.#out.push({
      type: 'text',
      text: this.#text,
      start: this.#at,
      end: this.#at + this.#text.length,
    })
    this.#at += this.#text.length
    this.#text = ''
  }
}

/** Parts of a whole answer; neighbouring texts are one. */
export function parseCitations(
  answer: string,
  known: ReadonlyMap<number, Citation>,
): readonly AnswerPart[] {
  const parser = new CitationParser(known)
  return [...parser.push(answer), ...parser.end()].reduce<AnswerPart[]>((joined, part) => {
    const last = joined.at(-1)
    if (part.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { ...last, text: last.text + part.text, end: part.end }
    else joined.push(part)
    return joined
  }, [])
}

function isInside(character: string): boolean {
  return (
    (character >= '0' && character <= '9') ||
    character === ' ' ||
    character === ',' ||
    character === ';' ||
    character === '-' ||
    character === '–' ||
    character === '^'
  )
}
