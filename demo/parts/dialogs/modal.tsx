/** What lies over the page: focus in and back; Escape and a click beside it close it. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { words } from '../../words/words.ts'

export function Modal({
  title,
  close,
  children,
}: {
  readonly title: string
  readonly close: () => void
  readonly children: ComponentChildren
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement || before instanceof SVGElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class="modal"
      aria-labelledby="modal-title"
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current?.close()
      }}
    >
      <div class="document-head">
        <h2 id="modal-title">{title}</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          {words().page.close}
        </button>
      </div>
      {children}
    </dialog>
  )
}
