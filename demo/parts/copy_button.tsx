/** Copies a text and says that it was done, or that the browser did not allow it. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { words } from '../words/words.ts'

export interface CopyButtonProps {
  readonly text: string
  readonly label: string
  /** What a screen reader calls the button, where its label alone does not say it. */
  readonly name?: string
  /** What was copied, in a word. */
  readonly what: string
  readonly disabled?: boolean
  /** As a link among links. */
  readonly quiet?: boolean
}

export function CopyButton({
  text,
  label,
  name,
  what,
  disabled = false,
  quiet = false,
}: CopyButtonProps): JSX.Element {
  const [done, setDone] = useState<boolean | null>(null),
    t = words().page
  useEffect(() => {
    if (done === null) return
    const timer = setTimeout(() => {
      setDone(null)
    }, 2000)
    return () => {
      clearTimeout(timer)
    }
  }, [done])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
    } catch {
      setDone(false)
    }
  }
  return (
    <>
      <button
        type="button"
        class={quiet ? 'link small' : 'small-button'}
        aria-label={name}
        disabled={disabled}
        onClick={() => void copy()}
      >
        {done === null ? label : done ? t.copied : t.notAllowed}
      </button>
      <span class="sr-only" role="status">
        {done === null ? '' : done ? t.copiedWhat(what) : t.copyRefused}
      </span>
    </>
  )
}
