/**
 * Finds citations in a streamed answer without changing a character of it. Numbers that no block
 * has are reported as unknown; brackets in code are text.
 */
import { LIMITS } from '../base/limits.ts'
import { readNumbers } from './citations.ts'
import type { Citation } from './citations.ts'

/** A stretch of an answer; all texts joined are the answer. Offsets are UTF-16 units into it. */
export type AnswerPart =
  | { readonly type: 'text'; readonly text: string; readonly start: number; readonly end: number }
  | {
      readonly type: 'citation'
      /** As written, with its brackets. */
      readonly text: string
      readonly start: number
      readonly end: number
      readonly citations: readonly Citation[]
      /** Numbers that no block of the context has. */
      readonly unknown: readonly number[]
    }

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['[', ']'],
  ['【', '】'],
])

/**
 * Pieces may be cut anywhere: the parts are the same but for where texts are split. Linear time.
 */
export class CitationParser {
  private readonly out: AnswerPart[] = []
  /** Text not returned yet, and its place in the answer. */
  private text = ''
  private at = 0
  /** An open bracket and what followed it, while it may become a citation. */
  private bracket = ''
  private ticks = 0
  /** Backticks that opened the code we are in; 0 outside. */
  private code = 0
  private lineEnds = 0

  constructor(private readonly known: ReadonlyMap<number, Citation>) {}

  /** The parts that are certain now. */
  push(piece: string): readonly AnswerPart[] {
    for (const character of piece) this.read(character)
    this.flush()
    return this.out.splice(0)
  }

  /** What was held back; call it once, at the end. */
  end(): readonly AnswerPart[] {
    this.giveUp()
    this.flush()
    return this.out.splice(0)
  }

  private read(character: string): void {
    if (character === '`') {
      this.giveUp()
      this.ticks++
      this.text += character
      return
    }
    if (this.ticks > 0) this.endOfTicks()
    // Inline code ends with its paragraph at the latest: a lone backtick is only that.
    this.lineEnds = character === '\n' ? this.lineEnds + 1 : 0
    if (this.lineEnds > 1 && this.code < 3) this.code = 0
    if (this.bracket !== '') {
      if (character === CLOSERS.get(this.bracket[0]!)) return this.close(character)
      if (isInside(character) && this.bracket.length < LIMITS.citationChars) {
        this.bracket += character
        return
      }
      this.giveUp()
    }
    if (CLOSERS.has(character) && this.code === 0) this.bracket = character
    else this.text += character
  }

  private endOfTicks(): void {
    if (this.code === 0) this.code = this.ticks
    else if (this.ticks === this.code || (this.code >= 3 && this.ticks > this.code)) this.code = 0
    this.ticks = 0
  }

  private close(closer: string): void {
    const written = this.bracket + closer
    const read = readNumbers(this.bracket.slice(this.bracket[1] === '^' ? 2 : 1), this.known)
    this.bracket = ''
    if (read === null) {
      this.text += written
      return
    }
    this.flush()
    this.out.push({
      type: 'citation',
      text: written,
      start: this.at,
      end: this.at + written.length,
      ...read,
    })
    this.at += written.length
  }

  private giveUp(): void {
    this.text += this.bracket
    this.bracket = ''
  }

  private flush(): void {
    if (this.text === '') return
    this.out.push({
      type: 'text',
      text: this.text,
      start: this.at,
      end: this.at + this.text.length,
    })
    this.at += this.text.length
    this.text = ''
  }
}

/** The parts of a whole answer. */
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
