/** Marked pieces as text nodes and marks; nothing of the text is markup. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { markedPieces, type Mark } from '../words/marks.ts'

/** `text` lies at `base` of its document; marks are offsets into the document. */
export function MarkedText({
  text,
  base,
  marks,
}: {
  readonly text: string
  readonly base: number
  readonly marks: readonly Mark[]
}): JSX.Element {
  const pieces = useMemo(() => markedPieces(text, base, marks), [text, base, marks])
  return (
    <>
      {pieces.map((piece) =>
        piece.kinds.length === 0 ? (
          piece.text
        ) : (
          <mark
            key={piece.start}
            data-start={piece.start}
            class={piece.kinds.map((kind) => `m-${kind}`).join(' ')}
          >
            {piece.text}
          </mark>
        ),
      )}
    </>
  )
}
