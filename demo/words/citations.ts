/** A written answer as one text for the Markdown parser, its citations as marks to find again. */
import type { AnswerPart } from '../../src/entries/chat.ts'

type Citing = Extract<AnswerPart, { type: 'citation' }>

/** Characters of the private use area, which a model's own text loses. */
const OPEN = '\ue000'
const CLOSE = '\ue001'
const PRIVATE = /[\ue000\ue001]/g
const MARK = /\ue000(\d+)\ue001/

export interface CitedText {
  readonly text: string
  readonly citations: readonly Citing[]
}

export function citedText(parts: readonly AnswerPart[]): CitedText {
  const citations: Citing[] = []
  let text = ''
  for (const part of parts) {
    if (part.type === 'text') text += part.text.replace(PRIVATE, '')
    else {
      text += `${OPEN}${citations.length}${CLOSE}`
      citations.push(part)
    }
  }
  return { text, citations }
}

/** A stretch of such a text: strings, and the citations between them. */
export function partsOf(text: string, citations: readonly Citing[]): readonly (string | Citing)[] {
  return text.split(MARK).flatMap((piece, i): (string | Citing)[] => {
    if (i % 2 === 0) return piece === '' ? [] : [piece]
    const part = citations[Number(piece)]
    return part === undefined ? [] : [part]
  })
}
