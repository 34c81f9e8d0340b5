/** A stretch of a document as its kind of file is read: rendered where it has markup, with marks. */
import type { JSX } from 'preact'
import type { Mark } from '../words/marks.ts'
import { Markdown, markupOf } from './markdown.tsx'
import { MarkedText } from './marked_text.tsx'

/** `text` lies at `base` of its document; marks are offsets into the document. */
export function PassageText({
  documentId,
  text,
  base,
  marks,
}: {
  readonly documentId: string
  readonly text: string
  readonly base: number
  readonly marks: readonly Mark[]
}): JSX.Element {
  const markup = markupOf(documentId)
  if (markup === null) return <MarkedText text={text} base={base} marks={marks} />
  return (
    <Markdown
      text={text}
      markup={markup}
      show={(part) =>
        part.exact ? (
          <MarkedText text={part.text} base={base + part.start} marks={marks} />
        ) : (
          part.text
        )
      }
    />
  )
}
