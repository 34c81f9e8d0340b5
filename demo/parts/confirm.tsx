/** A second word before what cannot be undone; the safe answer has the focus. */
import type { ComponentChildren, JSX } from 'preact'
import { words } from '../words/words.ts'

export interface ConfirmProps {
  /** What a screen reader is asked. */
  readonly question: string
  readonly words: string
  readonly yes: string
  readonly confirm: () => void
  readonly cancel: () => void
  /** Another way out, as saving first. */
  readonly children?: ComponentChildren
}

export function Confirm({
  question,
  words: text,
  yes,
  confirm,
  cancel,
  children,
}: ConfirmProps): JSX.Element {
  return (
    <div class="confirm" role="group" aria-label={question}>
      <span class="small">{text}</span>
      {children}
      <button type="button" class="small-button danger" onClick={confirm}>
        {yes}
      </button>
      <button type="button" class="small-button" ref={focusOnce} onClick={cancel}>
        {words().shelf.keep}
      </button>
    </div>
  )
}

/** A stable function, so that Preact calls it when the element comes and not at every drawing. */
function focusOnce(element: HTMLElement | null): void {
  element?.focus()
}
