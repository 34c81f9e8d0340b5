/**
 * Owns copying a text and saying that it was done. Refuses: pretending when the browser said no.
 */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'

export function CopyButton({
  text,
  label,
  what,
  disabled = false,
}: {
  readonly text: string
  readonly label: string
  readonly what: string
  readonly disabled?: boolean
}): JSX.Element {
  const [said, setSaid] = useState<'' | 'Copied' | 'Not allowed'>('')
  useEffect(() => {
    if (said === '') return
    const timer = setTimeout(() => {
      setSaid('')
    }, 2000)
    return () => {
      clearTimeout(timer)
    }
  }, [said])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      setSaid('Not allowed')
    }
  }
  return (
    <>
      <button type="button" class="small-button" disabled={disabled} onClick={() => void copy()}>
        {said === '' ? label : said}
      </button>
      <span class="sr-only" role="status">
        {said === ''
          ? ''
          : said === 'Copied'
            ? `${what} copied.`
            : 'The browser did not allow copying.'}
      </span>
    </>
  )
}
